import type { CreditMove } from '@shop/shared/credit/credit.ts'
import type { CreditMoveRow } from '@shop/shared/credit/endpoints.ts'
import type { Satang } from '@shop/shared/money.ts'
import type { Payee } from '@shop/shared/order/payee.ts'
import type { LedgerTransaction } from '@shop/shared/wallet/ledger.ts'
import { uuidv7 } from 'uuidv7'
import { CREDIT_SINCE_PIN, type PinJson, pinJson, pinOf, type StoredPin } from '../access/pin.ts'
import { openedAt } from '../audit/store.ts'
import type { Queries, Sql } from '../database/database.ts'
import { columns } from '../database/listing.ts'
import type { InJson } from '../http/in-json.ts'
import { IS_OF_ORDER } from '../statement/refund-store.ts'

export interface Credit {
  id: string
  balanceSatang: Satang
}

const PAGE = 20

const CREDIT = 'SELECT id, balance_satang AS "balanceSatang" FROM credit WHERE uid = $1'

/** Returns a person's shop credit; null before they first had any. */
export async function findCredit(db: Queries, uid: string): Promise<Credit | null> {
  const [row] = await db.query<Credit>({ text: CREDIT, values: [uid] })
  return row ?? null
}

/** Returns a person's shop credit, locked until the transaction ends. */
export async function lockCredit(tx: Sql, uid: string): Promise<Credit | null> {
  const [row] = await tx.query<Credit>({ text: `${CREDIT} FOR UPDATE`, values: [uid] })
  return row ?? null
}

/** Credit that its owner wants as a transfer. */
export interface WithdrawalRow {
  id: string
  amountSatang: Satang
  askedAt: Date
  payee: Payee | null
  sentAt: Date | null
  slipId: string | null
}

const WITHDRAWAL = columns<WithdrawalRow>({
  id: 'f.id',
  amountSatang: 'f.amount_satang',
  askedAt: 'f.created_at',
  payee: 'f.payee',
  sentAt: 'f.sent_at',
  slipId: 'f.sent_slip_id',
})

/** Everything that a person is told of their shop credit. */
interface CreditFacts {
  balanceSatang: Satang
  /** What left it since they last typed their PIN for it. */
  sincePinSatang: Satang
  /** When the shop last set a password or PIN of theirs; null when it did not. */
  openedAt: Date | null
  /** The PIN that guards it; null when none is set. */
  pin: StoredPin | null
  /** What they lately wanted from it as a transfer, newest first. */
  withdrawals: WithdrawalRow[]
}

/** Returns what a person is told of their shop credit, in one statement. @param since when an opening of it still counts */
export async function findCreditFacts(db: Queries, uid: string, since: Date): Promise<CreditFacts> {
  type Row = Omit<CreditFacts, 'pin' | 'withdrawals'> & { pin: PinJson | null; withdrawals: InJson<WithdrawalRow>[] }
  const [row] = await db.query<Row>({
    name: 'credit_facts',
    text: `SELECT coalesce(c.balance_satang, 0) AS "balanceSatang", coalesce(${CREDIT_SINCE_PIN}, 0) AS "sincePinSatang",
        ${openedAt('ask.uid', '$2')} AS "openedAt", ${pinJson('ask.uid')} AS pin,
        (SELECT coalesce(json_agg(w), '[]') FROM (SELECT ${WITHDRAWAL} FROM owed_refund f
          WHERE f.from_credit_id = c.id AND f.undone_at IS NULL ORDER BY f.created_at DESC, f.id DESC LIMIT ${PAGE}) w) AS withdrawals
      FROM (SELECT $1::text AS uid) ask LEFT JOIN credit c ON c.uid = ask.uid`,
    values: [uid, since],
  })
  const { pin, withdrawals, ...facts } = row!
  return {
    ...facts,
    pin: pin && pinOf(pin),
    withdrawals: withdrawals.map(each => ({
      ...each,
      askedAt: new Date(each.askedAt),
      sentAt: each.sentAt === null ? null : new Date(each.sentAt),
    })),
  }
}

/** Returns such a transfer of this person, locked until the transaction ends. */
export async function lockWithdrawal(tx: Sql, id: string, uid: string): Promise<WithdrawalRow | null> {
  const [row] = await tx.query<WithdrawalRow>({
    text: `SELECT ${WITHDRAWAL} FROM owed_refund f JOIN credit c ON c.id = f.from_credit_id
      WHERE f.id = $1 AND c.uid = $2 AND f.undone_at IS NULL FOR UPDATE OF f`,
    values: [id, uid],
  })
  return row ?? null
}

/** Returns whose a shop credit is. */
export async function findOwner(tx: Sql, creditId: string): Promise<string | null> {
  const [row] = await tx.query<{ uid: string | null }>({
    text: 'SELECT uid FROM credit WHERE id = $1',
    values: [creditId],
  })
  return row?.uid ?? null
}

/** Returns the id of a person's shop credit, and makes it before its first use. */
export async function openCredit(tx: Sql, uid: string, now: Date): Promise<string> {
  await tx.query({
    text: 'INSERT INTO credit (id, uid, created_at) VALUES ($1, $2, $3) ON CONFLICT (uid) DO NOTHING',
    values: [uuidv7(), uid, now],
  })
  return (await findCredit(tx, uid))!.id
}

/** What each kind of transaction is for the owner of shop credit. */
const MOVE_OF: Record<LedgerTransaction['kind'], CreditMove | null> = {
  refund_credited: 'refund',
  order_refunded: 'refund',
  order_paid: 'spent',
  credit_held: 'held',
  credit_returned: 'returned',
  credit_withdrawn: 'withdrawn',
  // These move no credit.
  order_reduced: null,
  order_payment_undone: null,
  top_up: null,
  correction: null,
  line_booked: null,
  line_undone: null,
  refund_sent: null,
  charge_fee: null,
  charge_owed: null,
}
const MOVE = `CASE t.kind ${Object.entries(MOVE_OF)
  .filter(([, move]) => move !== null)
  .map(([kind, move]) => `WHEN '${kind}' THEN '${move}'`)
  .join(' ')} END`

/** Returns a page of what came and went, newest first. @param after the last one of the page before */
export async function findCreditMoves(
  db: Queries,
  creditId: string,
  after: string | null,
): Promise<{ rows: (Omit<CreditMoveRow, 'at'> & { at: Date })[]; next: string | null }> {
  const row = columns<Omit<CreditMoveRow, 'at'> & { at: Date }>({
    id: 't.id',
    at: 't.at',
    move: MOVE,
    amountSatang: 'e.amount_satang',
    orderNo: `(SELECT o.order_no FROM orders o
      WHERE o.id = coalesce((SELECT f.order_id FROM owed_refund f WHERE f.id = t.subject_id), t.subject_id))`,
  })
  const found = await db.query<Omit<CreditMoveRow, 'at'> & { at: Date }>({
    text: `SELECT ${row} FROM ledger_entry e JOIN ledger_transaction t ON t.id = e.transaction_id
      WHERE e.account = $1 AND ($2::uuid IS NULL OR (e.at, t.id) < (SELECT x.at, x.id FROM ledger_transaction x WHERE x.id = $2))
      ORDER BY e.at DESC, t.id DESC LIMIT ${PAGE + 1}`,
    values: [`credit:${creditId}`, after],
  })
  const rows = found.slice(0, PAGE)
  return { rows, next: found.length > PAGE ? rows.at(-1)!.id : null }
}

/** Money that the shop owes the buyer of an order, with who made it owed. */
export interface OpenRefund {
  id: string
  amountSatang: Satang
  isOfOrder: boolean
  /** The member of the staff on whose word it is owed; null when the shop itself, or the gateway, said so. */
  makerUid: string | null
}

/** Locks what is owed for an order, which must be locked before. */
export function lockOpenRefunds(tx: Sql, orderId: string): Promise<OpenRefund[]> {
  const row = columns<OpenRefund>({
    id: 'f.id',
    amountSatang: 'f.amount_satang',
    isOfOrder: IS_OF_ORDER,
    makerUid: `CASE WHEN f.line_id IS NOT NULL THEN (SELECT l.decided_by FROM statement_line l WHERE l.id = f.line_id)
      WHEN f.charge_id IS NULL THEN (SELECT e.actor_uid FROM order_event e WHERE e.order_id = f.order_id AND e.to_status = 'refunding'
        AND e.actor_role <> 'system' ORDER BY e.version DESC LIMIT 1) END`,
  })
  return tx.query<OpenRefund>({
    text: `SELECT ${row} FROM owed_refund f WHERE f.order_id = $1 AND f.from_credit_id IS NULL
      AND f.sent_at IS NULL AND f.undone_at IS NULL ORDER BY f.id FOR UPDATE OF f`,
    values: [orderId],
  })
}

/** Writes down that the owner of owed money wants it as shop credit, whatever account they named before. */
export async function askForCredit(tx: Sql, refundId: string, creditId: string, now: Date): Promise<void> {
  await tx.query({
    text: `UPDATE owed_refund SET credit_id = $2, payee = NULL, payee_hash = NULL, payee_reason = NULL, payee_by = NULL, payee_at = $3, payee_version = payee_version + 1
      WHERE id = $1`,
    values: [refundId, creditId, now],
  })
}

/** Marks owed money as paid to shop credit. @param by the member of the staff who did it; null for the shop itself */
export async function saveCredited(tx: Sql, refundId: string, { at, by }: { at: Date; by: string | null }) {
  await tx.query({
    text: 'UPDATE owed_refund SET sent_at = $2, sent_by = $3 WHERE id = $1',
    values: [refundId, at, by],
  })
}
