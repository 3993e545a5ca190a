import type { Payee } from '@shop/shared/order/payee.ts'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import {
  columns,
  Filter,
  findPage,
  inOrderWords,
  jsonObject,
  likePart,
  personName,
  personWords,
  sqlOf,
} from '../database/listing.ts'
import type { Person } from '../http/route.ts'
import { owedRefund } from './tables.ts'

/** Money to be sent back, with the person to ask and its origin. */
export interface OwedRefundRow {
  id: string
  orderNo: string | null
  lineId: string | null
  amountSatang: number
  reason: string
  person: { name: string | null; email: string | null; phone: string | null }
  fromBank: string | null
  fromAccount: string | null
  createdAt: Date
  sentAt: Date | null
  sentByName: string | null
  sentFromId: number | null
  sentSlipId: string | null
  reference: string | null
  payee: Payee | null
  payeeVersion: number
  payeeAt: Date | null
  payeeByName: string | null
  asCredit: boolean
  fromCredit: boolean
}

/**
 * The line that the money came with. A refund that a line causes belongs to that line, the refund of an order to the
 * order's line.
 */
const LINE = `LEFT JOIN statement_line l ON l.id = coalesce(f.line_id, (SELECT p.id FROM statement_line p WHERE p.order_id = f.order_id))`

const ROW = columns<OwedRefundRow>({
  ...sqlOf(owedRefund, 'f', 'id', 'amountSatang', 'reason', 'createdAt', 'sentAt', 'sentFromId', 'sentSlipId'),
  ...sqlOf(owedRefund, 'f', 'reference', 'payee', 'payeeVersion', 'payeeAt'),
  orderNo: 'o.order_no',
  lineId: 'l.id',
  person: jsonObject<OwedRefundRow['person']>({ name: personName('b'), email: 'b.email', phone: 'b.phone' }),
  fromBank: 'coalesce(l.from_bank, s.sending_bank)',
  fromAccount: 'l.from_account',
  sentByName: personName('a'),
  payeeByName: personName('w'),
  asCredit: 'f.credit_id IS NOT NULL',
  fromCredit: 'f.from_credit_id IS NOT NULL',
})
const JOINS = `${LINE} LEFT JOIN orders o ON o.id = f.order_id LEFT JOIN account b ON b.uid = o.buyer_uid
  LEFT JOIN slip s ON s.id = o.slip_id LEFT JOIN account a ON a.uid = f.sent_by LEFT JOIN account w ON w.uid = f.payee_by`

export async function findOwedRefund(db: Sql, id: string): Promise<OwedRefundRow | null> {
  const [row] = await db.query<OwedRefundRow>({
    text: `SELECT ${ROW} FROM owed_refund f ${JOINS} WHERE f.id = $1`,
    values: [id],
  })
  return row ?? null
}

/** The text in which refunds are searched; the index `owed_refund_words` must use the same expression. */
const WORDS = (alias: string) => `(${alias}.reason || ' ' || coalesce(${alias}.reference, ''))`

/** Returns a page of refunds that are owed, oldest first, or that were sent, latest first. */
export function findOwedRefunds(
  db: Sql,
  query: { sent: boolean; text?: string; page: number; pageSize: number },
): Promise<{ rows: OwedRefundRow[]; total: number }> {
  const filter = new Filter(query.sent ? 'f.sent_at IS NOT NULL' : 'f.sent_at IS NULL AND f.undone_at IS NULL')
  if (query.text) {
    const text = filter.bind(likePart(query.text))
    // Each condition uses an index of its own; for an OR over tables the planner would read them all.
    filter.must(`f.id IN (
      SELECT r.id FROM owed_refund r WHERE ${WORDS('r')} ILIKE ${text} AND (r.reason ILIKE ${text} OR r.reference ILIKE ${text})
      UNION ALL SELECT r.id FROM orders o JOIN owed_refund r ON r.order_id = o.id
      WHERE o.order_no ILIKE ${text} AND ${inOrderWords('o', query.text, it => filter.bind(it))}
      UNION ALL SELECT r.id FROM account p JOIN orders o ON o.buyer_key = 'u:' || p.uid JOIN owed_refund r ON r.order_id = o.id
      WHERE ${personWords('p')} ILIKE ${text})`)
  }
  const order = query.sent ? 'f.sent_at DESC, f.id DESC' : 'f.created_at, f.id'
  return findPage(db, { from: 'owed_refund f', filter, order, select: `SELECT ${ROW} FROM page f ${JOINS}` }, query)
}

/** Returns the sum of all owed refunds. */
export async function findOwedSum(db: Sql): Promise<number> {
  const [row] = await db.query<{ sum: number }>({
    text: 'SELECT coalesce(sum(amount_satang), 0)::bigint AS sum FROM owed_refund WHERE sent_at IS NULL AND undone_at IS NULL',
  })
  return row!.sum
}

export interface LockedRefund {
  /** Whether an order waits for it; money that a line brought too much or too late is owed beside its order. */
  isOfOrder: boolean
  amountSatang: number
  payee: Payee | null
  payeeVersion: number
  isOpen: boolean
  /** Owner key of the order's buyer; null when the money's owner is unknown. */
  buyerKey: string | null
  buyerUid: string | null
  /** The shop credit that its owner wants it on. */
  creditId: string | null
}

/** Returns the order that an owed refund is about. It is locked before the refund, wherever both are. */
export async function findOrderOfRefund(tx: Sql, id: string): Promise<string | null> {
  const [row] = await tx.orm.select({ orderId: owedRefund.orderId }).from(owedRefund).where(eq(owedRefund.id, id))
  return row?.orderId ?? null
}

const changedPayee = (payee: Payee, payeeAt: Date, payeeBy: string | null) => ({
  payee,
  payeeVersion: sql`${owedRefund.payeeVersion} + 1`,
  payeeAt,
  payeeBy,
  creditId: null,
})

/** Saves where an owed refund is to be sent. @param by the member of the staff who was told; null for its owner */
export async function savePayee(
  tx: Sql,
  id: string,
  payee: Payee,
  { uid, now }: Pick<Person, 'now'> & { uid: string | null },
): Promise<void> {
  await tx.orm
    .update(owedRefund)
    .set(changedPayee(payee, now, uid))
    .where(eq(owedRefund.id, id))
}

/** Saves where all the money that is still owed for an order is to be sent, as its buyer says. Returns how many refunds that are. */
export async function savePayeeOfOrder(tx: Sql, orderId: string, payee: Payee, at: Date): Promise<number> {
  const isOpen = and(eq(owedRefund.orderId, orderId), isNull(owedRefund.sentAt), isNull(owedRefund.undoneAt))
  const saved = await tx.orm
    .update(owedRefund)
    .set(changedPayee(payee, at, null))
    .where(isOpen)
    .returning({ id: owedRefund.id })
  return saved.length
}

/** The condition that an order waits for the refund `f`. */
export const IS_OF_ORDER =
  'f.line_id IS NULL AND f.charge_id IS NULL AND f.from_credit_id IS NULL AND f.order_id IS NOT NULL'

/** Locks an owed refund for a change in this transaction. */
export async function lockOwedRefund(tx: Sql, id: string): Promise<LockedRefund | null> {
  const [row] = await tx.query<LockedRefund>({
    text: `SELECT ${IS_OF_ORDER} AS "isOfOrder", f.amount_satang AS "amountSatang", f.credit_id AS "creditId",
        f.payee, f.payee_version AS "payeeVersion", f.sent_at IS NULL AND f.undone_at IS NULL AS "isOpen",
        o.buyer_key AS "buyerKey", o.buyer_uid AS "buyerUid"
      FROM owed_refund f LEFT JOIN orders o ON o.id = f.order_id WHERE f.id = $1 FOR UPDATE OF f`,
    values: [id],
  })
  return row ?? null
}

export async function saveSent(
  tx: Sql,
  id: string,
  sent: { at: Date; by: string; receivingAccountId: number; reference: string; slipId: string | null },
): Promise<void> {
  const { at: sentAt, by: sentBy, receivingAccountId: sentFromId, reference, slipId: sentSlipId } = sent
  await tx.orm
    .update(owedRefund)
    .set({ sentAt, sentBy, sentFromId, reference, sentSlipId })
    .where(eq(owedRefund.id, id))
}

/** Tells whether the transfer on a slip has sent another refund, to another account than this refund's. */
export async function isSentElsewhere(tx: Sql, slipId: string, refundId: string): Promise<boolean> {
  const rows = await tx.query({
    text: `SELECT 1 FROM slip s JOIN slip x USING (sending_bank, bank_reference)
        JOIN owed_refund other ON other.id = x.used_for JOIN owed_refund f ON f.id = $2
      WHERE s.id = $1 AND other.id <> f.id AND other.sent_at IS NOT NULL
        AND other.payee->>'accountNo' IS DISTINCT FROM f.payee->>'accountNo'`,
    values: [slipId, refundId],
  })
  return rows.length > 0
}

const isOfLine = (lineId: string) => and(eq(owedRefund.lineId, lineId), isNull(owedRefund.undoneAt))

/** Tells whether a refund that a line caused was sent. An unsent one stays unsent until this transaction ends. */
export async function isRefundSent(tx: Sql, lineId: string): Promise<boolean> {
  const refunds = await tx.orm.select().from(owedRefund).where(isOfLine(lineId)).for('update')
  return refunds.some(({ sentAt }) => sentAt !== null)
}

/** Cancels the owed refunds that a line caused. */
export async function endOwedRefunds(tx: Sql, lineId: string, at: Date): Promise<void> {
  await tx.orm.update(owedRefund).set({ undoneAt: at }).where(isOfLine(lineId))
}
