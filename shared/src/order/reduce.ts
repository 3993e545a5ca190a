import { AppError, invariant } from '../errors.ts'
import { formatBaht, type Satang } from '../money.ts'
import { completeOrder } from './claim.ts'
import { isDelivering } from './delivery.ts'
import { isOwnOrder, type Order, type OrderOutcome, posted, rulesOf } from './order.ts'
import type { Actor } from './status.ts'

/** How far the delivery of an order is. */
export interface Brought {
  /** Those of its pieces that came. */
  pieces: number
  /** Whether more may still come, or a supplier contradicted what it had said, so that the number may be wrong. */
  isOpen: boolean
  /** How the last of them was delivered, e.g. the supplier's number; null while none came. */
  reference: string | null
}

/** What becomes of an order of which only some pieces came. */
export interface Reduction {
  broughtPieces: number
  missingPieces: number
  /** The price and the cost of those that came. */
  priceSatang: Satang
  costSatang: Satang | null
  /** What goes back to its buyer. */
  backSatang: Satang
}

type Pieces = Pick<Order, 'quantity' | 'priceSatang' | 'costSatang'>

/** Returns what an order comes to with these pieces; null when none or all of them came. */
export function reductionOf(order: Pieces, broughtPieces: number): Reduction | null {
  const { quantity } = order
  if (broughtPieces <= 0 || broughtPieces >= quantity) return null
  // All pieces have one price, so nothing is rounded.
  const priceSatang = Math.floor((order.priceSatang * broughtPieces) / quantity)
  const costSatang = order.costSatang === null ? null : Math.round((order.costSatang * broughtPieces) / quantity)
  const backSatang = order.priceSatang - priceSatang
  return { broughtPieces, missingPieces: quantity - broughtPieces, priceSatang, costSatang, backSatang }
}

const isLeftToStaff = (order: Pick<Order, 'status' | 'claimedBy'>): boolean =>
  order.status === 'paid' || (order.status === 'processing' && !isDelivering(order))

/** Returns what an order would be reduced to now; null when it can't be. */
export const reductionNow = (
  order: Pieces & Pick<Order, 'status' | 'claimedBy' | 'payment'>,
  { pieces, isOpen }: Brought,
): Reduction | null =>
  order.payment === 'wallet' && isLeftToStaff(order) && !isOpen ? reductionOf(order, pieces) : null

/** Says what came of an order and what went back; its buyer reads it, too. */
const textOf = ({ broughtPieces, missingPieces, backSatang }: Reduction): string =>
  `ส่ง ${broughtPieces} จาก ${broughtPieces + missingPieces} ชิ้น คืน ${missingPieces} ชิ้น ${formatBaht(backSatang)} บาท`

/**
 * Ends an order of which only some pieces came: it becomes an order of those, what the others cost goes back to the
 * wallet that paid, and it is complete. Both outcomes are saved, one after the other.
 * @param seenPieces how many had come when its caller decided
 * @throws OWN_ORDER, ORDER_STATUS_NOT_ALLOWED, ORDER_CLAIMED_BY_OTHER, DELIVERY_NOT_ENDED, PIECES_CHANGED
 */
export function reduceOrder(
  order: Order,
  brought: Brought,
  seenPieces: number,
  actor: Actor,
  now: Date,
): { reduced: OrderOutcome; completed: OrderOutcome } {
  if (isOwnOrder(order, actor)) throw new AppError('OWN_ORDER')
  if (isDelivering(order) || brought.isOpen) throw new AppError('DELIVERY_NOT_ENDED')
  if (!isLeftToStaff(order)) throw new AppError('ORDER_STATUS_NOT_ALLOWED', { details: { status: order.status } })
  const reduction = reductionOf(order, brought.pieces)
  if (!reduction || brought.pieces !== seenPieces) throw new AppError('PIECES_CHANGED')
  invariant(order.payment === 'wallet', 'only orders from a wallet have several pieces')
  const { broughtPieces: quantity, priceSatang, costSatang, backSatang } = reduction
  const reason = textOf(reduction)
  const back = { from: 'sales', to: rulesOf(order).refundTo(order), amountSatang: backSatang } as const
  const reduced: OrderOutcome = {
    order: { ...order, version: order.version + 1, quantity, priceSatang, costSatang, reason },
    event: { kind: 'reduced', from: order.status, to: order.status, actor, at: now, reason },
    ledger: posted('order_reduced', [back], reason),
  }
  // Nobody else has it, so whoever ends it has delivered it.
  return { reduced, completed: completeOrder(reduced.order, actor, brought.reference, now, actor.uid) }
}

/** Returns what the buyer of an order is told when only some of its pieces came; null when all did. */
export const reductionTextOf = (events: readonly { kind: string; reason: string | null }[]): string | null =>
  events.findLast(({ kind }) => kind === 'reduced')?.reason ?? null
