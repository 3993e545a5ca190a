import { afterOpenTime } from '../settings/opening-hours.ts'
import type { OrderEvent } from './order.ts'
import type { OrderStatus } from './status.ts'

interface Paid {
  status: OrderStatus
  events: readonly Pick<OrderEvent, 'kind' | 'to' | 'at'>[]
  /** The usual minutes that its buyer was told. */
  usualMinutes: { from: number; to: number }
}

/**
 * Returns between which moments the goods of a paid order are expected, within the opening hours; null for an order that
 * waits for no goods. It counts from the moment at which the order could be worked on, so a top-up that is made again
 * has its own time. A claim that ended changes nothing for the buyer.
 */
export function expectedOf({ status, events, usualMinutes }: Paid, hours: string): { from: Date; to: Date } | null {
  if (status !== 'paid' && status !== 'processing') return null
  const since = events.findLast(({ kind, to }) => to === 'paid' && kind !== 'claim_released')?.at
  if (!since) return null
  const after = (minutes: number) => afterOpenTime(hours, since, minutes * 60_000)
  return { from: after(usualMinutes.from), to: after(usualMinutes.to) }
}
