import { invariant } from '../errors.ts'
import { addSeconds } from '../time.ts'
import type { TransferUse } from '../transfer/transfer.ts'
import { type LedgerTransaction, type Posting, reversalOf } from '../wallet/ledger.ts'
import { changeStatus, EXPIRY_GRACE_SECONDS, endUnpaid, type Order, type OrderOutcome, payOrder } from './order.ts'
import { REPORTED_SECONDS } from './report.ts'
import type { Actor } from './status.ts'

/** Marks an order paid by a statement line. `postings` bring the order's amount to `sales`. */
export function payByLine(
  order: Order,
  actor: Actor,
  { reason, postings, uses }: { reason: string; postings: Posting[]; uses: TransferUse },
  now: Date,
): OrderOutcome {
  return { ...payOrder(order, actor, reason, { kind: 'order_paid', postings, reason, reversesId: null }, now), uses }
}

/**
 * Undoes a payment that was for something else: reverses the sale, and the order waits for its own money again if that
 * can still come. @param canWait whether its amount is still reserved and nothing else prevents that it is unpaid again
 * @throws ORDER_STATUS_NOT_ALLOWED once somebody works on it
 */
export function undoPayment(
  order: Order,
  sale: LedgerTransaction,
  { actor, reason, canWait }: { actor: Actor; reason: string; canWait: boolean },
  now: Date,
): OrderOutcome {
  invariant(order.expiresAt, 'only a bank order is paid by a statement line')
  const { transferReportedAt: reported, expiresAt } = order
  const until = reported ? addSeconds(reported, REPORTED_SECONDS) : addSeconds(expiresAt, EXPIRY_GRACE_SECONDS)
  const waits = canWait && until > now
  const { order: changed, event } = changeStatus(order, waits ? 'reopen' : 'lapse', actor, now, reason)
  const ledger = reversalOf(sale, reason, 'order_payment_undone')
  const unpaid = { order: { ...changed, paidAt: null, expireAfter: until }, event, ledger }
  return waits ? { ...unpaid, amountReusableAt: null } : endUnpaid(unpaid, now)
}
