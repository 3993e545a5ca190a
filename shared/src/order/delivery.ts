import { completeOrder } from './claim.ts'
import { changeStatus, type Order, type OrderOutcome } from './order.ts'
import { SYSTEM } from './status.ts'

/** Whether the shop itself is delivering an order: nobody of the staff has it. */
export const isDelivering = (order: Pick<Order, 'status' | 'claimedBy'>): boolean =>
  order.status === 'processing' && order.claimedBy === null

/** The shop takes a paid order to deliver it through a supplier; it has no lease that could run out. */
export function beginDelivery(order: Order, now: Date): OrderOutcome {
  const outcome = changeStatus(order, 'claim', SYSTEM, now, null)
  return { ...outcome, order: { ...outcome.order, claimedBy: null, claimedAt: now } }
}

/** The supplier delivered it. */
export const finishDelivery = (order: Order, reference: string, now: Date): OrderOutcome =>
  completeOrder(order, SYSTEM, reference, now)

/** Back to the paid orders that staff work on, with the reason in words. */
export function handToStaff(order: Order, reason: string, now: Date): OrderOutcome {
  const outcome = changeStatus(order, 'release', SYSTEM, now, reason)
  return {
    ...outcome,
    order: { ...outcome.order, claimedBy: null, claimedAt: null },
    event: { ...outcome.event, kind: 'claim_released' },
  }
}
