import type { Payee } from '@shop/shared/order/payee.ts'
import type { AgreedAs } from '@shop/shared/statement/refund-endpoints.ts'
import { and, sql as drizzled, eq, isNull } from 'drizzle-orm'
import { account } from '../account/tables.ts'
import type { Person } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { Filter, findPage, inOrderWords, likePart, personName, personWords } from '../database/listing.ts'
import { as, json, orNull, outer, pick, row, sql, under } from '../database/sql.ts'
import { orders } from '../order/tables.ts'
import { slip } from '../upload/tables.ts'
import { credit } from '../wallet/tables.ts'
import { owedRefund, statementLine } from './tables.ts'

const [f, r] = [under(owedRefund, 'f'), under(owedRefund, 'r')]
const [l, o, w] = [outer(statementLine, 'l'), outer(orders, 'o'), outer(credit, 'w')]
const [b, g, a, n] = [outer(account, 'b'), outer(account, 'g'), outer(account, 'a'), outer(account, 'n')]
const [x, p] = [under(orders, 'x'), under(statementLine, 'p')]
/** Found by the text of a search, or by whose it is. */
const [bought, whose, theirs] = [under(orders, 'o'), under(account, 'p'), under(credit, 'w')]
const [s, alike, sent] = [under(slip, 's'), under(slip, 'x'), under(owedRefund, 'other')]
/** Where names stand alone. */
const stored = under(owedRefund)

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
const LINE = sql`LEFT JOIN ${l} ON ${l.id} = coalesce(${f.lineId}, (SELECT ${p.id} FROM ${p} WHERE ${p.orderId} = ${f.orderId}))`

/** How many other buyers than the refund's own have paid from its payee's account, or had money sent there. */
const PAYEE_OTHERS = as.int(`(SELECT count(*) FROM (
    SELECT ${x.buyerKey} FROM ${r} JOIN ${x} ON ${x.id} = ${r.orderId}
      WHERE ${r.payeeHash} = ${f.payeeHash} AND ${r.undoneAt} IS NULL AND ${r.sentAt} IS NOT NULL
    UNION SELECT ${x.buyerKey} FROM ${p} JOIN ${x} ON ${x.id} = ${p.orderId} WHERE ${p.payerHash} = ${f.payeeHash}
  ) one WHERE one.buyer_key IS DISTINCT FROM coalesce('u:' || ${w.uid}, ${o.buyerKey}))`)

/** The buyer's slip of what they paid, to compare an account with. */
const PAID_SLIP = orNull(
  as.text(`coalesce(${f.paidSlipId}, CASE WHEN ${f.lineId} IS NULL AND ${f.chargeId} IS NULL THEN ${o.slipId} END)`),
)

const FROM_CREDIT = as.bool(`${f.fromCreditId} IS NOT NULL`)
const ROW = row<OwedRefundRow>({
  ...pick(f, 'id', 'amountSatang', 'reason', 'createdAt', 'sentAt', 'sentFromId', 'sentSlipId', 'reference'),
  ...pick(f, 'payee', 'payeeVersion', 'payeeAt', 'payeeReason', 'agreedVersion', 'agreedAs'),
  orderNo: o.orderNo,
  lineId: l.id,
  person: json<OwedRefundRow['person']>({ name: orNull(personName('b')), email: b.email, phone: b.phone }),
  agreedByName: orNull(personName('g')),
  payeeOthers: PAYEE_OTHERS,
  paidSlipId: PAID_SLIP,
  sentByName: orNull(personName('a')),
  payeeByName: orNull(personName('n')),
  asCredit: as.bool(`${f.creditId} IS NOT NULL`),
  fromCredit: FROM_CREDIT,
})
/** The owner of the shop credit that a refund was before, and to whom it belongs whatever order it names. */
const OWNER = sql`LEFT JOIN ${w} ON ${w.id} = ${f.fromCreditId}`
const JOINS = sql`${LINE} LEFT JOIN ${o} ON ${o.id} = ${f.orderId} ${OWNER}
  LEFT JOIN ${b} ON ${b.uid} = coalesce(${w.uid}, ${o.buyerUid})
  LEFT JOIN ${g} ON ${g.uid} = ${f.agreedBy} LEFT JOIN ${a} ON ${a.uid} = ${f.sentBy} LEFT JOIN ${n} ON ${n.uid} = ${f.payeeBy}`

export async function findOwedRefund(db: Sql, id: string): Promise<OwedRefundRow | null> {
  const [found] = await db.query({
    text: sql`SELECT ${ROW} FROM ${f} ${JOINS} WHERE ${f.id} = $1`,
    values: [id],
  })
  return found ?? null
}

/** The text in which refunds are searched; the index `owed_refund_words` must use the same expression. */
const WORDS = (alias: string) => `(${alias}.reason || ' ' || coalesce(${alias}.reference, ''))`

/** Returns a page of refunds that are owed, oldest first, or that were sent, latest first. */
export function findOwedRefunds(
  db: Sql,
  query: { sent: boolean; text?: string; buyer?: string; page: number; pageSize: number },
): Promise<{ rows: OwedRefundRow[]; total: number }> {
  const filter = new Filter(query.sent ? `${f.sentAt} IS NOT NULL` : `${f.sentAt} IS NULL AND ${f.undoneAt} IS NULL`)
  if (query.text) {
    const text = filter.bind(likePart(query.text))
    // Each condition uses an index of its own; for an OR over tables the planner would read them all.
    filter.must(`${f.id} IN (
      SELECT ${r.id} FROM ${r} WHERE ${WORDS('r')} ILIKE ${text} AND (${r.reason} ILIKE ${text} OR ${r.reference} ILIKE ${text})
      UNION ALL SELECT ${r.id} FROM ${bought} JOIN ${r} ON ${r.orderId} = ${bought.id}
      WHERE ${bought.orderNo} ILIKE ${text} AND ${inOrderWords('o', query.text, it => filter.bind(it))}
      UNION ALL SELECT ${r.id} FROM ${whose} JOIN ${bought} ON ${bought.buyerKey} = 'u:' || ${whose.uid}
        JOIN ${r} ON ${r.orderId} = ${bought.id}
      WHERE ${personWords('p')} ILIKE ${text}
      UNION ALL SELECT ${r.id} FROM ${whose} JOIN ${theirs} ON ${theirs.uid} = ${whose.uid}
        JOIN ${r} ON ${r.fromCreditId} = ${theirs.id}
      WHERE ${personWords('p')} ILIKE ${text})`)
  }
  // Shop credit that somebody withdraws is theirs, whoever bought the order that it came from.
  filter.where(
    query.buyer,
    uid => `${f.id} IN (SELECT ${r.id} FROM ${bought} JOIN ${r} ON ${r.orderId} = ${bought.id}
        WHERE ${bought.buyerKey} = 'u:' || ${uid} AND ${r.fromCreditId} IS NULL
      UNION ALL SELECT ${r.id} FROM ${theirs} JOIN ${r} ON ${r.fromCreditId} = ${theirs.id} WHERE ${theirs.uid} = ${uid})`,
  )
  const order = query.sent ? `${f.sentAt} DESC, ${f.id} DESC` : `${f.createdAt}, ${f.id}`
  return findPage(db, { from: sql`${f}`, filter, order, select: sql`SELECT ${ROW} FROM page f ${JOINS}` }, query)
}

/** Returns the sum of all owed refunds. */
export async function findOwedSum(db: Sql): Promise<number> {
  const sum = as.satang(`coalesce(sum(${stored.amountSatang}), 0)`)
  const [found] = await db.query({
    text: sql`SELECT ${row({ sum })} FROM ${stored} WHERE ${stored.sentAt} IS NULL AND ${stored.undoneAt} IS NULL`,
  })
  return found!.sum
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
  const [found] = await tx.orm.select({ orderId: owedRefund.orderId }).from(owedRefund).where(eq(owedRefund.id, id))
  return found?.orderId ?? null
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
  const version = drizzled`${owedRefund.payeeVersion} + 1`
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
    text: sql`SELECT ${row(pick(stored, 'id'))} FROM ${stored}
      WHERE ${stored.orderId} = $1 AND ${stored.fromCreditId} IS NULL AND ${stored.sentAt} IS NULL
        AND ${stored.undoneAt} IS NULL ORDER BY ${stored.id} FOR UPDATE`,
    values: [orderId],
  })
}

/** The condition that an order waits for the refund `f`. */
export const IS_OF_ORDER = `${f.lineId} IS NULL AND ${f.chargeId} IS NULL AND ${f.fromCreditId} IS NULL AND ${f.orderId} IS NOT NULL`

/** Locks an owed refund for a change in this transaction. */
export async function lockOwedRefund(tx: Sql, id: string): Promise<LockedRefund | null> {
  const refund = row<LockedRefund>({
    ...pick(f, 'amountSatang', 'creditId', 'payeeReason', 'agreedVersion', 'payee', 'payeeVersion'),
    isOfOrder: as.bool(IS_OF_ORDER),
    paidSlipId: PAID_SLIP,
    isOpen: as.bool(`${f.sentAt} IS NULL AND ${f.undoneAt} IS NULL`),
    ownerKey: orNull(as.text(`coalesce('u:' || ${w.uid}, ${o.buyerKey})`)),
    ownerUid: orNull(as.text(`coalesce(${w.uid}, ${o.buyerUid})`)),
    fromCredit: FROM_CREDIT,
  })
  const [found] = await tx.query({
    text: sql`SELECT ${refund}
      FROM ${f} LEFT JOIN ${o} ON ${o.id} = ${f.orderId} ${OWNER} WHERE ${f.id} = $1 FOR UPDATE OF f`,
    values: [id],
  })
  return found ?? null
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
    text: sql`SELECT FROM ${s} JOIN ${alike} USING (sending_bank, bank_reference)
        JOIN ${sent} ON ${sent.id} = ${alike.usedFor} JOIN ${f} ON ${f.id} = $2
      WHERE ${s.id} = $1 AND ${sent.id} <> ${f.id} AND ${sent.sentAt} IS NOT NULL
        AND ${sent.payee}->>'accountNo' IS DISTINCT FROM ${f.payee}->>'accountNo'`,
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
