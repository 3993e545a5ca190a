import * as z from 'zod'
import { PLAYER_FIELD_NAMES } from '../catalogue/catalogue.ts'
import { PAYMENT_CODES } from '../catalogue/payment-method.ts'
import { endpoint } from '../endpoint.ts'
import { typed } from '../line.ts'
import { many, month, page, paging, rowIdParam, satang, instant as time } from '../wire.ts'
import { ORDER_STATUSES } from './status.ts'
import { ORDER_TABS } from './tabs.ts'

/**
 * Lists of a buyer's own orders. They are separate from the other calls about orders, because the storefront's first
 * page loads them.
 */

export const status = z.enum(ORDER_STATUSES)

export const orderNo = z.string().regex(/^KT\d{4}-\d{8}$/)

export const historyQuery = z.object({
  /** Bangkok month "YYYY-MM"; without it every month is listed. */
  month: month.optional(),
  game: many(rowIdParam),
  status: many(status),
  orderNo: typed().max(20).optional(),
  ...paging,
})

export const historyRow = z.object({
  orderNo,
  status,
  gameCode: z.string(),
  gameName: z.string(),
  gamePicture: z.string(),
  packageName: z.string(),
  quantity: z.int(),
  playerId: z.string(),
  playerName: z.string().nullable(),
  payment: z.enum(PAYMENT_CODES),
  amountSatang: satang,
  createdAt: time,
  expiresAt: time.nullable(),
  transferReportedAt: time.nullable(),
  paidAt: time.nullable(),
})

export const ownRow = historyRow.extend({
  /** What was typed for the player, by the inputs of the game. */
  fields: z.array(z.object({ name: z.enum(PLAYER_FIELD_NAMES), value: z.string() })),
  /** What only its buyer can say: whom to top up instead, or where their money is to be sent; null for nothing. */
  asks: z.enum(['player', 'payee']).nullable(),
  /** Whether the top-up failed and its buyer has named another player since, for whom staff are to try again. */
  isCorrected: z.boolean(),
  /** Whether the top-up failed and its buyer has asked for the money since. */
  isRefundAsked: z.boolean(),
  /** What came back of it as shop credit. */
  creditBackSatang: satang,
})

export type OwnOrder = z.output<typeof ownRow>

export const listOwnOrders = endpoint({
  method: 'GET',
  path: '/romons.order/api/order/history',
  summary: "The caller's own orders, a guest's by the browser's key; unpaid first, newest first",
  allow: 'order.own',
  query: historyQuery.extend({ tab: z.enum(ORDER_TABS).optional() }),
  reply: page(ownRow).extend({
    /** How many orders the other filters leave under each tab, and in all; each stops counting as `total` does. */
    counts: z.record(z.enum(['all', ...ORDER_TABS]), z.int()),
  }),
})

export const listRunningOrders = endpoint({
  method: 'GET',
  path: '/romons.order/api/order/running',
  summary:
    "What is under way of the caller's orders and of those made as a guest in this browser: unpaid first, newest first, at most 20",
  allow: 'order.own',
  reply: z.object({
    rows: z.array(
      ownRow.extend({
        /** Whether it must be paid or cancelled before the caller can order again. */
        isBlocking: z.boolean(),
        /** Whether `listOwnOrders` contains it; if not, it was made as a guest before the caller signed in. */
        isInHistory: z.boolean(),
      }),
    ),
    nowDate: time,
  }),
})
export type RunningOrder = z.output<typeof listRunningOrders.reply>['rows'][number]
