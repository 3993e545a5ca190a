import { invariant } from '../errors.ts'
import { assertSatang, type Satang } from '../money.ts'
import { GATEWAY_NAMES, type GatewayName } from '../provider-names.ts'

/**
 * Where money can stand. `bank:<id>` is a receiving account of the shop, `wallet:<id>` an agent's wallet,
 * `credit:<id>` a customer's shop credit, `held` credit that unpaid orders have put aside,
 * `gateway:<name>` what a payment gateway collected and has not paid out,
 * `sales` what was sold, `refunds` what is owed back to people without a wallet, `suspense` money not yet explained,
 * `differences` what the shop kept of transfers that were too large, less what it gave up of those that were too small,
 * `fees` what buyers paid for a way to pay, less what a gateway keeps of the money, also when it pays that out.
 */
export type LedgerAccount =
  | `bank:${number}`
  | `wallet:${string}`
  | `credit:${string}`
  | `gateway:${GatewayName}`
  | 'held'
  | 'sales'
  | 'refunds'
  | 'suspense'
  | 'differences'
  | 'fees'

/** Returns the gateway whose account it is; null for all others. */
export const gatewayIn = (account: string): GatewayName | null =>
  GATEWAY_NAMES.find(name => account === `gateway:${name}`) ?? null

/** One movement of money. Balanced by construction: it becomes two entries, -amount at `from` and +amount at `to`. */
export interface Posting {
  from: LedgerAccount
  to: LedgerAccount
  amountSatang: Satang
}

/**
 * `order_reduced` gives back what the pieces of an order cost that never came. `order_payment_undone` and `line_undone`
 * reverse the postings of a matched statement line; `line_booked` holds everything that a line moves beside an order's
 * sale. `charge_fee` is what a gateway and a buyer pay for a charge, `charge_owed` the money of one that came when its order no longer waited for it. `credit_held` puts shop credit aside for
 * an unpaid order, `credit_returned` gives it back, `refund_credited` pays an owed refund as shop credit and
 * `credit_withdrawn` makes such credit owed again.
 */
type LedgerKind =
  | 'order_paid'
  | 'order_refunded'
  | 'order_reduced'
  | 'order_payment_undone'
  | 'top_up'
  | 'correction'
  | 'line_booked'
  | 'line_undone'
  | 'refund_sent'
  | 'charge_fee'
  | 'charge_owed'
  | 'credit_held'
  | 'credit_returned'
  | 'refund_credited'
  | 'credit_withdrawn'

/** An event in the ledger. It is never edited; a correction is another transaction that reverses it. */
export interface LedgerTransaction {
  id: string
  kind: LedgerKind
  /** The order, top-up, statement line, owed refund or charge this is about. */
  subjectId: string
  postings: Posting[]
  reason: string | null
  reversesId: string | null
  at: Date
}

/** A transaction from a decision; saving it adds the id, the subject and the moment. */
export type NewTransaction = Omit<LedgerTransaction, 'id' | 'at' | 'subjectId'>

export interface LedgerEntry {
  account: LedgerAccount
  amountSatang: Satang
}

/** The entries of a transaction; they sum to zero. */
export function entriesOf(postings: readonly Posting[]): LedgerEntry[] {
  invariant(postings.length > 0, 'a ledger transaction moves money')
  return postings.flatMap(({ from, to, amountSatang }) => {
    assertSatang(amountSatang)
    invariant(amountSatang > 0, 'a posting moves a positive amount')
    invariant(from !== to, 'a posting moves money between two accounts')
    return [
      { account: from, amountSatang: -amountSatang },
      { account: to, amountSatang },
    ]
  })
}

/** Returns the postings that reverse others. */
function reverse(postings: readonly Posting[]): Posting[] {
  return postings.map(({ from, to, amountSatang }) => ({ from: to, to: from, amountSatang }))
}

/** Makes a correction: the original stays, and its reverse is posted with the reason. */
export function reversalOf(
  original: LedgerTransaction,
  reason: string,
  kind: 'correction' | 'order_payment_undone' | 'line_undone' = 'correction',
): NewTransaction {
  return { kind, postings: reverse(original.postings), reason, reversesId: original.id }
}
