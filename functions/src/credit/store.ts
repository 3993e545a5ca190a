import type { CreditMove } from '@shop/shared/credit/credit.ts'
import type { CreditMoveRow } from '@shop/shared/credit/endpoints.ts'
import type { Satang } from '@shop/shared/money.ts'
import type { LedgerTransaction } from '@shop/shared/wallet/ledger.ts'
import { uuidv7 } from 'uuidv7'
import type { Queries, Sql } from '../database/database.ts'
import { columns } from '../database/listing.ts'
import { IS_OF_ORDER } from '../statement/refund-store.ts'

export interface Credit {
  id: string
  balanceSatang: Satang
}

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

const PAGE = 20

/** What each kind of transaction is for the owner of shop credit. */
const MOVE_OF: Partial<Record<LedgerTransaction['kind'], CreditMove>> = {
  refund_credited: 'refund',
  order_refunded: 'refund',
  order_paid: 'spent',
  credit_held: 'held',
  credit_returned: 'returned',
  credit_withdrawn: 'withdrawn',
}
const MOVE = `CASE t.kind ${Object.entries(MOVE_OF)
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
    text: `UPDATE owed_refund SET credit_id = $2, payee = NULL, payee_by = NULL, payee_at = $3, payee_version = payee_version + 1
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

/** Returns the order whose refund a person's shop credit last came from. */
export async function findOrderOfCredit(tx: Sql, creditId: string): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>({
    text: `SELECT coalesce(f.order_id, o.id) AS id FROM ledger_entry e JOIN ledger_transaction t ON t.id = e.transaction_id
        LEFT JOIN owed_refund f ON f.id = t.subject_id LEFT JOIN orders o ON o.id = t.subject_id
      WHERE e.account = $1 AND e.amount_satang > 0 AND t.kind IN ('refund_credited', 'order_refunded')
      ORDER BY e.at DESC, t.id DESC LIMIT 1`,
    values: [`credit:${creditId}`],
  })
  return row?.id ?? null
}
