import type { OrderStatus } from './status.ts'

/** The tabs by which buyers look through their orders. */
export const ORDER_TABS = ['pay', 'underWay', 'done', 'trouble'] as const
export type OrderTab = (typeof ORDER_TABS)[number]

/**
 * The orders of each tab by status: always, only while no transfer was reported, or only once one was. An order that was
 * cancelled, or whose time ran out unpaid, is found among all orders alone.
 */
export const ORDER_TAB: Record<OrderTab, Partial<Record<'always' | 'unreported' | 'reported', OrderStatus[]>>> = {
  pay: { unreported: ['waiting_payment'] },
  underWay: { always: ['paid', 'processing'], reported: ['waiting_payment', 'expired'] },
  done: { always: ['success'] },
  trouble: { always: ['failed', 'refunding', 'refunded'] },
}
