import { AppError } from '@shop/shared/errors.ts'
import type { OtherOfSlip } from '@shop/shared/slipcheck/verdict-view.ts'
import {
  mayBeSame,
  mayBeUsed,
  periodFor,
  type TransferFacts,
  type TransferUse,
  type UsedTransfer,
} from '@shop/shared/transfer/transfer.ts'
import { and, eq } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import { as, locked, orNull, outer, pick, row, sql, under } from '../database/sql.ts'
import { orders } from '../order/tables.ts'
import { statementLine } from '../statement/tables.ts'
import { slip } from '../upload/tables.ts'
import { topUp } from '../wallet/tables.ts'
import { usedTransfer } from './tables.ts'

/** Tells whether a bank transfer has already paid something. */
export async function isReferenceUsed(db: Sql, sendingBank: string, bankReference: string): Promise<boolean> {
  const isIt = and(eq(usedTransfer.sendingBank, sendingBank), eq(usedTransfer.bankReference, bankReference))
  return (await db.orm.$count(usedTransfer, isIt)) > 0
}

const [t, u, x] = [under(usedTransfer, 't'), under(usedTransfer, 'u'), under(usedTransfer, 'x')]
/** Where names stand alone, and what an INSERT brings. */
const [used, sent] = [under(usedTransfer), under(usedTransfer, 'excluded')]
const [s, same, bare] = [under(slip, 's'), under(slip, 'x'), under(slip)]
const [o, added, line] = [under(orders, 'o'), under(topUp, 'u'), under(statementLine, 'l')]
/** The line of a transfer, what a transfer paid, and the slip that shows it. */
const [l, order, top] = [outer(statementLine, 'l'), outer(orders, 'o'), outer(topUp, 't')]
const proof = outer(slip, 's')

/** Returns the order or top-up that the transfer on a slip paid; null when it has paid nothing yet. */
export async function findPaidBySlip(db: Sql, slipId: string): Promise<string | null> {
  const [found] = await db.query({
    text: sql`SELECT ${row(pick(t, 'subjectId'))} FROM ${s}
      JOIN ${t} ON ${t.sendingBank} = ${s.sendingBank} AND ${t.bankReference} = ${s.bankReference} WHERE ${s.id} = $1`,
    values: [slipId],
  })
  return found?.subjectId ?? null
}

/** Returns what else the same bank transfer was handed in for, by anybody; what it paid comes first. */
export function findOthersOfSlip(db: Sql, slipId: string | null, subjectId: string): Promise<OtherOfSlip[]> {
  const other = (kind: OtherOfSlip['kind'], id: string, no: string) =>
    row<OtherOfSlip>({
      kind: as.text(`'${kind}'`),
      id: as.text(id),
      no: as.text(no),
      hasPaid: as.bool('told."hasPaid"'),
    })
  return db.query({
    text: sql`WITH other AS (
        SELECT DISTINCT ${same.usedFor} AS id, ${s.sendingBank}, ${s.bankReference}
        FROM ${s} JOIN ${same} USING (${bare.sendingBank}, ${bare.bankReference}) WHERE ${s.id} = $1 AND ${same.usedFor} <> $2
      ), told AS (
        SELECT other.id, EXISTS (SELECT 1 FROM ${t} WHERE ${t.subjectId} = other.id
          AND ${t.sendingBank} = other.sending_bank AND ${t.bankReference} = other.bank_reference) AS "hasPaid" FROM other
      )
      SELECT ${other('order', o.id.sql, o.orderNo.sql)} FROM told JOIN ${o} USING (id)
      UNION ALL SELECT ${other('topUp', added.id.sql, added.no.sql)} FROM told JOIN ${added} USING (id)
      ORDER BY "hasPaid" DESC, no LIMIT 10`,
    values: [slipId, subjectId],
  })
}

/**
 * Makes others wait who decide about transfers of one of these amounts until this transaction ends, so that each sees
 * what the other used. Take this lock last, after the rows that are decided about.
 */
export async function lockAmounts(tx: Sql, amounts: readonly number[]): Promise<void> {
  await tx.query({
    text: sql`SELECT ${locked(`'transfer ' || a`)}
      FROM (SELECT DISTINCT unnest($1::bigint[]) AS a ORDER BY a) amounts`,
    values: [amounts],
  })
}

/** Locks the reference on a slip in the same way. */
async function lockReference(tx: Sql, slipId: string): Promise<void> {
  await tx.query({
    text: sql`SELECT ${locked(`'transfer ' || ${bare.sendingBank} || ' ' || ${bare.bankReference}`)}
      FROM ${bare} WHERE ${bare.id} = $1 AND ${bare.bankReference} IS NOT NULL`,
    values: [slipId],
  })
}

/**
 * Tells whether this subject may use the transfer on a slip until this transaction ends; a slip without a reference
 * names no transfer.
 */
export async function isSlipFree(tx: Sql, slipId: string, subjectId: string): Promise<boolean> {
  await lockReference(tx, slipId)
  const paid = await findPaidBySlip(tx, slipId)
  return paid === null || paid === subjectId
}

/** A transfer that is about to be used, with the subject that uses it, which is not counted as another user. */
export interface Asked extends TransferFacts {
  subjectId: string | null
}

type UserRow = Omit<UsedTransfer, 'made' | 'accountIds'> & {
  n: number
  from: Date
  to: Date
  accountId: number | null
}

/** The number of a line `l`. */
const LINE_NO = as.big(l.no.sql)

const USER_ROW = row<UserRow>({
  ...pick(u, 'kind', 'amountSatang', 'lineId'),
  n: as.int('a.n'),
  id: u.subjectId,
  no: as.text(`coalesce(${order.orderNo}, ${top.no}, ${LINE_NO}::text)`),
  lineNo: orNull(LINE_NO),
  accountId: u.receivingAccountId,
  reference: orNull(as.text(`${u.sendingBank} || ' ' || ${u.bankReference}`)),
  isConfirmed: as.bool(`${u.toldAt} IS NOT NULL`),
  from: as.instant(`CASE WHEN ${l.at} IS NOT NULL THEN ${l.at} WHEN ${l.id} IS NOT NULL THEN (${l.day} - 1)::timestamp AT TIME ZONE 'Asia/Bangkok'
    ELSE coalesce(${u.toldAt}, ${u.madeFrom}) END`),
  to: as.instant(`CASE WHEN ${l.at} IS NOT NULL THEN ${l.at} + coalesce(${l.precisionSeconds}, 1) * interval '1 second'
    WHEN ${l.id} IS NOT NULL THEN (${l.day} + 1)::timestamp AT TIME ZONE 'Asia/Bangkok' ELSE coalesce(${u.toldAt}, ${u.madeTo}) END`),
})

/**
 * Returns for each transfer about to be used what may have used it already, latest first. A statement line's own moment
 * is preferred to a slip's, and that to the time in which somebody could have paid.
 */
export async function findUsersOf(db: Sql, asked: readonly Asked[]): Promise<UsedTransfer[][]> {
  const since = asked.map(facts => periodFor({ kind: 'line', lineId: null }, facts).from)
  const rows = await db.query({
    name: 'transfer_users',
    text: sql`WITH asked AS (
        SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::timestamptz[]) WITH ORDINALITY AS a (amount, subject_id, since, n)
      )
      SELECT ${USER_ROW}
      FROM asked a JOIN ${u} ON ${u.amountSatang} = a.amount AND ${u.usedAt} >= a.since
        AND ${u.subjectId} IS DISTINCT FROM a.subject_id
      LEFT JOIN ${l} ON ${l.id} = ${u.lineId} LEFT JOIN ${order} ON ${order.id} = ${u.subjectId}
      LEFT JOIN ${top} ON ${top.id} = ${u.subjectId}
      ORDER BY a.n, ${u.usedAt} DESC, ${u.subjectId}`,
    values: [asked.map(({ amountSatang }) => amountSatang), asked.map(({ subjectId }) => subjectId), since],
  })
  const users: UsedTransfer[][] = asked.map(() => [])
  for (const { n, from, to, accountId, ...user } of rows) {
    const isKnown = accountId !== null && (user.lineId !== null || user.isConfirmed)
    const told = { ...user, made: { from, to }, accountIds: isKnown ? [accountId] : null }
    if (mayBeSame(asked[n - 1]!, told)) users[n - 1]!.push(told)
  }
  return users
}

/** Returns the users of one transfer. */
export async function findUsers(db: Sql, asked: Asked): Promise<UsedTransfer[]> {
  return (await findUsersOf(db, [asked]))[0]!
}

/**
 * Returns what has a transfer of one of these amounts without a line, although a person said of a line beside it that
 * this is another transfer; by the id of that thing the number of the line.
 */
export async function findSaidApart(db: Sql, amounts: readonly number[]): Promise<Map<string, number>> {
  const rows = await db.query({
    name: 'transfer_said_apart',
    text: sql`SELECT ${row({ id: u.subjectId, no: LINE_NO })} FROM ${u} JOIN ${x} ON ${x.apartFrom} = ${u.subjectId}
      JOIN ${line} ON ${line.id} = ${x.lineId} WHERE ${u.lineId} IS NULL AND ${u.amountSatang} = ANY($1::bigint[])`,
    values: [amounts],
  })
  return new Map(rows.map(({ id, no }) => [id, no]))
}

/** Returns what may already have used a transfer that a slip or a person reports. */
export async function findUsersOfUse(db: Sql, use: TransferUse): Promise<UsedTransfer[]> {
  const { kind, subjectId, receivingAccountId, amountSatang, made, slipId, toldAt, lineId } = use
  const reference = orNull(as.text(`${bare.sendingBank} || ' ' || ${bare.bankReference}`))
  const [slip] = await db.query({
    text: sql`SELECT ${row({ reference })} FROM ${bare} WHERE ${bare.id} = $1`,
    values: [slipId],
  })
  return findUsers(db, {
    kind,
    subjectId,
    // The account that somebody names proves nothing.
    accountIds: receivingAccountId === null || toldAt === null ? null : [receivingAccountId],
    amountSatang,
    made: toldAt ? { from: toldAt, to: toldAt } : made,
    lineId,
    reference: slip?.reference ?? null,
    isConfirmed: toldAt !== null,
  })
}

/** The confirmation of a person who accepts money although something else may have it. */
interface SaidOfUse {
  usedByNo?: string
  reason?: string
}

/**
 * Refuses to mark something paid when its transfer has paid something else, or may have; in the second case the person
 * can go on by naming that thing and giving a reason. Nobody else can use a transfer of this amount until this
 * transaction ends. @throws SLIP_PAID_OTHER, TRANSFER_MAY_BE_USED, REASON_REQUIRED
 */
export async function mustBeUnused(tx: Sql, use: TransferUse, { usedByNo, reason }: SaidOfUse): Promise<void> {
  await lockAmounts(tx, [use.amountSatang])
  if (use.slipId !== null && !(await isSlipFree(tx, use.slipId, use.subjectId))) {
    const paid = (await findOthersOfSlip(tx, use.slipId, use.subjectId)).find(({ hasPaid }) => hasPaid)
    throw new AppError('SLIP_PAID_OTHER', { values: { no: paid?.no ?? '' } })
  }
  const [user] = await findUsersOfUse(tx, use)
  if (!user) return
  if (user.no !== usedByNo) throw mayBeUsed(user)
  if (!reason?.trim()) throw new AppError('REASON_REQUIRED')
}

/**
 * Marks a transfer as used, in the transaction that pays, explains, credits or owes something by it; all ways go
 * through here. When its subject already has one, newly known facts are added. A slip whose transfer something else has
 * used says nothing about this one.
 */
export async function useTransfer(tx: Sql, use: TransferUse, at: Date): Promise<void> {
  const { kind, subjectId, receivingAccountId, amountSatang, made, slipId, toldAt, lineId, apartFrom } = use
  await lockAmounts(tx, [amountSatang])
  if (slipId) await lockReference(tx, slipId)
  await tx.query({
    name: 'transfer_use',
    text: sql`INSERT INTO ${used} AS u (${used.subjectId}, ${used.kind}, ${used.receivingAccountId}, ${used.amountSatang},
        ${used.madeFrom}, ${used.madeTo}, ${used.sendingBank}, ${used.bankReference}, ${used.toldAt}, ${used.lineId}, ${used.usedAt},
        ${used.apartFrom})
      SELECT $1::uuid, $2, $3::int, $4::bigint, $5::timestamptz, $6::timestamptz, ${proof.sendingBank}, ${proof.bankReference},
        CASE WHEN ${proof.id} IS NOT NULL THEN $8::timestamptz END, $9::uuid, $10::timestamptz, $11::uuid
      FROM (SELECT) AS one LEFT JOIN ${proof} ON ${proof.id} = $7::uuid AND ${proof.bankReference} IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM ${x} WHERE ${x.sendingBank} = ${proof.sendingBank}
          AND ${x.bankReference} = ${proof.bankReference} AND ${x.subjectId} <> $1::uuid)
      ON CONFLICT (${used.subjectId}) DO UPDATE SET ${used.lineId} = coalesce(${sent.lineId}, ${u.lineId}),
        ${used.apartFrom} = coalesce(${sent.apartFrom}, ${u.apartFrom}),
        ${used.amountSatang} = CASE WHEN ${sent.lineId} IS NULL THEN ${u.amountSatang} ELSE ${sent.amountSatang} END,
        ${used.receivingAccountId} = coalesce(${sent.receivingAccountId}, ${u.receivingAccountId}),
        ${used.toldAt} = CASE WHEN ${sent.bankReference} IS NULL THEN ${u.toldAt} ELSE ${sent.toldAt} END,
        ${used.sendingBank} = coalesce(${sent.sendingBank}, ${u.sendingBank}),
        ${used.bankReference} = coalesce(${sent.bankReference}, ${u.bankReference})`,
    values: [
      subjectId,
      kind,
      receivingAccountId,
      amountSatang,
      made.from,
      made.to,
      slipId,
      toldAt,
      lineId,
      at,
      apartFrom,
    ],
  })
}

/** Frees the transfer of a subject whose payment was taken back. */
export async function freeTransfer(tx: Sql, subjectId: string): Promise<void> {
  await tx.orm.delete(usedTransfer).where(eq(usedTransfer.subjectId, subjectId))
}

/**
 * Removes a line from the transfer of something that stays paid without it. It has then been in the books without a
 * line since it was paid, which for a top-up that had its line before is its approval.
 */
export async function untieLine(tx: Sql, lineId: string): Promise<void> {
  await tx.query({
    text: sql`UPDATE ${t} SET ${used.lineId} = NULL, ${used.apartFrom} = NULL,
        ${used.usedAt} = greatest(${t.usedAt}, (SELECT ${added.decidedAt} FROM ${added} WHERE ${added.id} = ${t.subjectId})) WHERE ${t.lineId} = $1`,
    values: [lineId],
  })
}
