import { formatBaht, type Satang } from '../money.ts'
import { completeOrder } from './claim.ts'
import { changeStatus, type Order, type OrderOutcome } from './order.ts'
import { SYSTEM } from './status.ts'

/** Tells whether the shop itself is delivering an order, so that no member of the staff has it. */
export const isDelivering = (order: Pick<Order, 'status' | 'claimedBy'>): boolean =>
  order.status === 'processing' && order.claimedBy === null

/** The shop takes a paid order to deliver it through a supplier. Such a claim has no end. */
export function beginDelivery(order: Order, now: Date): OrderOutcome {
  const outcome = changeStatus(order, 'claim', SYSTEM, now, null)
  return { ...outcome, order: { ...outcome.order, claimedBy: null, claimedAt: now } }
}

/** An order's package with its cost and the agreed loss for one piece. */
export interface DeliveredCost {
  costSatang: Satang
  agreedLossSatang: Satang
}

/**
 * Returns the most that the shop pays automatically for one piece of an order; null when the order's price does not
 * cover the cost.
 */
export function mostForPiece(
  { priceSatang, quantity }: Pick<Order, 'priceSatang' | 'quantity'>,
  { costSatang, agreedLossSatang }: DeliveredCost,
): Satang | null {
  const coveredSatang = Math.floor(priceSatang / quantity) + agreedLossSatang
  return costSatang <= coveredSatang ? costSatang : null
}

/** Completes an order that the supplier delivered. */
export const finishDelivery = (order: Order, reference: string, now: Date): OrderOutcome =>
  completeOrder(order, SYSTEM, reference, now)

/** Returns an order to the paid ones that staff work on, with the reason in words. */
export function handToStaff(order: Order, reason: string, now: Date): OrderOutcome {
  const outcome = changeStatus(order, 'release', SYSTEM, now, reason)
  return {
    ...outcome,
    order: { ...outcome.order, claimedBy: null, claimedAt: null },
    event: { ...outcome.event, kind: 'claim_released' },
  }
}

/**
 * Leaves to staff a paid order that brings less than its goods cost: nobody agreed to that loss, so they look at it
 * before anything is bought.
 */
export function leaveToStaff(order: Order, { costSatang }: DeliveredCost, now: Date): OrderOutcome {
  const paid = formatBaht(Math.floor(order.priceSatang / order.quantity))
  const reason = `ราคาขายชิ้นละ ${paid} บาท ต่ำกว่าต้นทุน ${formatBaht(costSatang)} บาท จึงไม่สั่งซื้อเอง กรุณาให้ผู้จัดการตรวจราคาก่อนเติม`
  return handToStaff(order, reason, now)
}
