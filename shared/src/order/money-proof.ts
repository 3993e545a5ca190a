import { AppError } from '../errors.ts'
import type { Satang } from '../money.ts'
import { can } from '../permissions.ts'
import { amountOf, isOwnOrder, type Order, type OrderOutcome } from './order.ts'
import type { Actor } from './status.ts'

/** What bears on a second person's word that the money of an order is there. */
export interface MoneyWord {
  actor: Actor
  /** Whether they bought it, signed in or as a guest of their browser. */
  isOwn: boolean
  /** Whose word alone it is paid by; null when something else speaks for its money. */
  heldBy: string | null
  /** Whether one of the two gave the other a password, PIN or role of late, and so could be both. */
  isTied: boolean
  /** The two-person amount: above it the second person is a manager. */
  largeAboveSatang: Satang
}

/** What keeps somebody from confirming the money of an order that waits for it; null when they may. */
export function confirmBarrier(order: Order, by: MoneyWord): AppError | null {
  const { actor, heldBy, largeAboveSatang } = by
  if (heldBy === null || order.status !== 'paid') return new AppError('MONEY_NOT_AWAITED')
  if (by.isOwn || isOwnOrder(order, actor)) return new AppError('OWN_ORDER')
  if (heldBy === actor.uid) return new AppError('SECOND_PERSON_NEEDED')
  const isLarge = amountOf(order) > largeAboveSatang
  if (actor.role === 'system' || !can(actor.role, isLarge ? 'order.markLargePaid' : 'order.work'))
    return new AppError('SECOND_PERSON_MANAGER')
  return by.isTied ? new AppError('SECOND_PERSON_RECENT') : null
}

/**
 * A second person says that the money is there: the order may be sent to the supplier. Nothing else changes.
 * @throws MONEY_NOT_AWAITED, OWN_ORDER, SECOND_PERSON_NEEDED, SECOND_PERSON_MANAGER, SECOND_PERSON_RECENT
 */
export function confirmMoney(order: Order, by: MoneyWord, now: Date): OrderOutcome {
  const barrier = confirmBarrier(order, by)
  if (barrier) throw barrier
  const { actor } = by
  return {
    order: { ...order, version: order.version + 1 },
    event: { kind: 'money_confirmed', from: order.status, to: order.status, actor, at: now, reason: null },
    ledger: null,
  }
}
