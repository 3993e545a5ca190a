import { AppError } from '../errors.ts'
import type { Order, OrderOutcome } from './order.ts'
import { endOfPayee, type Payee, payeeEndText } from './payee.ts'
import type { Actor } from './status.ts'

/** Within this many days of being told the account the shop sends a refund, as it tells buyers. */
export const REFUND_DAYS = 3

/** How often the buyer of an order may say where its money is to be sent. */
const MOST_PAYEES = 10

/**
 * The buyer says where the money that the shop owes them for an order is to be sent; its history names the account in
 * short. @param owed what is open, and how often an account was given before
 * @throws NOTHING_TO_REFUND, PAYEE_CHANGED_TOO_OFTEN
 */
export function givePayee(
  order: Order,
  payee: Payee,
  actor: Actor,
  owed: { open: number; given: number },
  now: Date,
): OrderOutcome {
  if (owed.open === 0) throw new AppError('NOTHING_TO_REFUND')
  if (owed.given >= MOST_PAYEES) throw new AppError('PAYEE_CHANGED_TOO_OFTEN')
  const reason = payeeEndText(endOfPayee(payee))
  return {
    order: { ...order, version: order.version + 1 },
    event: { kind: 'payee_given', from: order.status, to: order.status, actor, at: now, reason },
    ledger: null,
  }
}
