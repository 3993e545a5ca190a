import { AppError } from '../errors.ts'
import type { Satang } from '../money.ts'
import { can } from '../permissions.ts'
import { amountOf, isOwnOrder, type Order, type OrderOutcome } from './order.ts'
import type { Actor } from './status.ts'

/** The facts that decide whether somebody can confirm an order's money as the second person. */
export interface MoneyWord {
  actor: Actor
  /** Whether they bought the order, signed in or as a guest of their browser. */
  isOwn: boolean
  /** The person on whose word alone it is paid; null when something else proves its money. */
  heldBy: string | null
  /** Whether one of the two recently gave the other a password, PIN or role, and so could act as both. */
  isTied: boolean
  /** The two-person amount: for a larger order the second person must be a manager. */
  largeAboveSatang: Satang
}

/** Returns why somebody can't confirm the money of a waiting order; null when they can. */
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
 * Lets a second person confirm the money, so that the order may go to the supplier. Nothing else changes. @throws
 * MONEY_NOT_AWAITED, OWN_ORDER, SECOND_PERSON_NEEDED, SECOND_PERSON_MANAGER, SECOND_PERSON_RECENT
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
