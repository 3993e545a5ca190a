import type { Payee } from '@shop/shared/order/payee.ts'
import type { AgreedAs } from '@shop/shared/statement/refund-endpoints.ts'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Person } from '../call/route.ts'
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
import { owedRefund } from './tables.ts'

/** Money to be sent back, with the person to ask and its origin. */
export interface OwedRefundRow {
  id: string
  orderNo: string | null
  lineId: string | null
  amountSatang: number
  reason: string
  person: { name: string | null; email: string | null; phone: string | null }
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
  payeeReason: string | null
  agreedVersion: number | null
  agreedByName: string | null
  agreedAs: AgreedAs | null
  payeeOthers: number
  paidSlipId: string | null
  asCredit: boolean
  fromCredit: boolean
}

/**
 * The line that the money came with. A refund that a line causes belongs to that line, the refund of an order to the
 * order's line.
 */
const LINE = `LEFT JOIN statement_line l ON l.id = coalesce(f.line_id, (SELECT p.id FROM statement_line p WHERE p.order_id = f.order_id))`

/** How many other buyers than the refund's own have paid from its payee's account, or had money sent there. */
const PAYEE_OTHERS = `(SELECT count(*)::int FROM (
    SELECT x.buyer_key FROM owed_refund r JOIN orders x ON x.id = r.order_id
      WHERE r.payee_hash = f.payee_hash AND r.undone_at IS NULL AND r.sent_at IS NOT NULL
    UNION SELECT x.buyer_key FROM statement_line p JOIN orders x ON x.id = p.order_id WHERE p.payer_hash = f.payee_hash
  ) one WHERE one.buyer_key IS DISTINCT FROM coalesce('u:' || w.uid, o.buyer_key))`

/** The buyer's slip of what they paid, to compare an account with. */
const PAID_SLIP = `coalesce(f.paid_slip_id, CASE WHEN f.line_id IS NULL AND f.charge_id IS NULL THEN o.slip_id END)`

const ROW = columns<OwedRefundRow>({
  ...sqlOf(owedRefund, 'f', 'id', 'amountSatang', 'reason', 'createdAt', 'sentAt', 'sentFromId', 'sentSlipId'),
  ...sqlOf(
    owedRefund,
    'f',
    'reference',
    'payee',
    'payeeVersion',
    'payeeAt',
    'payeeReason',
    'agreedVersion',
    'agreedAs',
  ),
  orderNo: 'o.order_no',
  lineId: 'l.id',
  person: jsonObject<OwedRefundRow['person']>({ name: personName('b'), email: 'b.email', phone: 'b.phone' }),
  agreedByName: personName('g'),
  payeeOthers: PAYEE_OTHERS,
  paidSlipId: PAID_SLIP,
  sentByName: personName('a'),
  payeeByName: personName('n'),
  asCredit: 'f.credit_id IS NOT NULL',
  fromCredit: 'f.from_credit_id IS NOT NULL',
})
/** The owner of the shop credit that a refund was before, and to whom it belongs whatever order it names. */
const OWNER = 'LEFT JOIN credit w ON w.id = f.from_credit_id'
const JOINS = `${LINE} LEFT JOIN orders o ON o.id = f.order_id ${OWNER} LEFT JOIN account b ON b.uid = coalesce(w.uid, o.buyer_uid)
  LEFT JOIN account g ON g.uid = f.agreed_by LEFT JOIN account a ON a.uid = f.sent_by LEFT JOIN account n ON n.uid = f.payee_by`

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
  query: { sent: boolean; text?: string; buyer?: string; page: number; pageSize: number },
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
      WHERE ${personWords('p')} ILIKE ${text}
      UNION ALL SELECT r.id FROM account p JOIN credit w ON w.uid = p.uid JOIN owed_refund r ON r.from_credit_id = w.id
      WHERE ${personWords('p')} ILIKE ${text})`)
  }
  // Shop credit that somebody withdraws is theirs, whoever bought the order that it came from.
  filter.where(
    query.buyer,
    uid => `f.id IN (SELECT r.id FROM orders o JOIN owed_refund r ON r.order_id = o.id
        WHERE o.buyer_key = 'u:' || ${uid} AND r.from_credit_id IS NULL
      UNION ALL SELECT r.id FROM credit w JOIN owed_refund r ON r.from_credit_id = w.id WHERE w.uid = ${uid})`,
  )
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

export interface LockedRefund extends Pick<OwedRefundRow, 'payeeReason' | 'agreedVersion' | 'paidSlipId'> {
  /** Whether an order waits for it; money that a line brought too much or too late is owed beside its order. */
  isOfOrder: boolean
  amountSatang: number
  payee: Payee | null
  payeeVersion: number
  isOpen: boolean
  /** Owner key of whom the money belongs to: who had it as shop credit, else the order's buyer; null when unknown. */
  ownerKey: string | null
  ownerUid: string | null
  /** Whether it was shop credit before, so that its owner alone says where it goes. */
  fromCredit: boolean
  /** The shop credit that its owner wants it on. */
  creditId: string | null
}

/** Returns the order that an owed refund is about. It is locked before the refund, wherever both are. */
export async function findOrderOfRefund(tx: Sql, id: string): Promise<string | null> {
  const [row] = await tx.orm.select({ orderId: owedRefund.orderId }).from(owedRefund).where(eq(owedRefund.id, id))
  return row?.orderId ?? null
}

/** What is saved beside an account. */
interface NamedPayee {
  payee: Payee
  payeeHash: string
  /** Why it is not the account that paid. */
  payeeReason?: string | undefined | null
  paidSlipId?: string | undefined
}

/** Saves where an owed refund is to be sent. @param uid the member of the staff who was told; null for its owner */
export async function savePayee(
  tx: Sql,
  id: string,
  { payeeReason = null, paidSlipId, ...named }: NamedPayee,
  { uid, now }: Pick<Person, 'now'> & { uid: string | null },
): Promise<void> {
  const version = sql`${owedRefund.payeeVersion} + 1`
  const slip = paidSlipId ? { paidSlipId } : {}
  await tx.orm
    .update(owedRefund)
    .set({ ...named, ...slip, payeeReason, payeeVersion: version, payeeAt: now, payeeBy: uid, creditId: null })
    .where(eq(owedRefund.id, id))
}

/** Saves who agreed that a refund goes to the payee of this version. */
export async function saveAgreed(
  tx: Sql,
  id: string,
  { agreedVersion, agreedBy, agreedAs }: { agreedVersion: number; agreedBy: string; agreedAs: AgreedAs },
): Promise<void> {
  await tx.orm.update(owedRefund).set({ agreedVersion, agreedBy, agreedAs }).where(eq(owedRefund.id, id))
}

/** Locks what is still owed for an order, which must be locked before; what was shop credit is its account's own. */
export function lockOpenOfOrder(tx: Sql, orderId: string): Promise<{ id: string }[]> {
  return tx.query({
    text: `SELECT id FROM owed_refund
      WHERE order_id = $1 AND from_credit_id IS NULL AND sent_at IS NULL AND undone_at IS NULL ORDER BY id FOR UPDATE`,
    values: [orderId],
  })
}

/** The condition that an order waits for the refund `f`. */
export const IS_OF_ORDER =
  'f.line_id IS NULL AND f.charge_id IS NULL AND f.from_credit_id IS NULL AND f.order_id IS NOT NULL'

/** Locks an owed refund for a change in this transaction. */
export async function lockOwedRefund(tx: Sql, id: string): Promise<LockedRefund | null> {
  const [row] = await tx.query<LockedRefund>({
    text: `SELECT ${IS_OF_ORDER} AS "isOfOrder", f.amount_satang AS "amountSatang", f.credit_id AS "creditId",
        f.payee_reason AS "payeeReason", f.agreed_version AS "agreedVersion",
        ${PAID_SLIP} AS "paidSlipId",
        f.payee, f.payee_version AS "payeeVersion", f.sent_at IS NULL AND f.undone_at IS NULL AS "isOpen",
        coalesce('u:' || w.uid, o.buyer_key) AS "ownerKey", coalesce(w.uid, o.buyer_uid) AS "ownerUid",
        f.from_credit_id IS NOT NULL AS "fromCredit"
      FROM owed_refund f LEFT JOIN orders o ON o.id = f.order_id ${OWNER} WHERE f.id = $1 FOR UPDATE OF f`,
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
