import { formatBaht, type Satang } from '../money.ts'
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

/** What an order's package costs, and what may be lost with one piece of it. */
export interface DeliveredCost {
  costSatang: Satang
  agreedLossSatang: Satang
}

/** The most that the shop pays by itself for one piece of an order; null where the order does not bring what one costs. */
export function mostForPiece(
  { priceSatang, quantity }: Pick<Order, 'priceSatang' | 'quantity'>,
  { costSatang, agreedLossSatang }: DeliveredCost,
): Satang | null {
  const coveredSatang = Math.floor(priceSatang / quantity) + agreedLossSatang
  return costSatang <= coveredSatang ? costSatang : null
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

/** A paid order that brings less than its goods cost: nobody agreed to that, so staff look at it before anything is bought. */
export function leaveToStaff(order: Order, { costSatang }: DeliveredCost, now: Date): OrderOutcome {
  const paid = formatBaht(Math.floor(order.priceSatang / order.quantity))
  const reason = `ราคาขายชิ้นละ ${paid} บาท ต่ำกว่าต้นทุน ${formatBaht(costSatang)} บาท จึงไม่สั่งซื้อเอง กรุณาให้ผู้จัดการตรวจราคาก่อนเติม`
  return handToStaff(order, reason, now)
}
