import type { Past } from '@shop/shared/slipcheck/outcome.ts'
import type { AnswerKind, SlipReply } from '@shop/shared/slipcheck/reply.ts'
import type { SlipCheckState } from '@shop/shared/slipcheck/slip-check.ts'
import type { Rival, Verdict } from '@shop/shared/slipcheck/verdict.ts'
import type { SlipVerdict } from '@shop/shared/slipcheck/verdict-view.ts'
import { addSeconds, bangkokDay, bangkokMonth, bangkokMonthOf, startOfBangkokDay } from '@shop/shared/time.ts'
import { and, desc, eq, gte, lt } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import { as, notNull, orNull, row, sql, under } from '../database/sql.ts'
import { inJson } from '../http/in-json.ts'
import { orders, reservedAmount } from '../order/tables.ts'
import { usedTransfer } from '../transfer/tables.ts'
import { slip } from '../upload/tables.ts'
import { topUp } from '../wallet/tables.ts'
import { slipAsk, slipCheck, slipProvider } from './tables.ts'

const [k, c, a] = [under(slipCheck, 'k'), under(slipCheck, 'c'), under(slipAsk, 'a')]
const [s, x, t] = [under(slip, 's'), under(slip, 'x'), under(usedTransfer, 't')]
const [o, r, u] = [under(orders, 'o'), under(reservedAmount, 'r'), under(topUp)]
const p = under(slipProvider)

export type SlipCheck = typeof slipCheck.$inferSelect

export async function insertSlipCheck(tx: Sql, check: Omit<SlipCheck, 'approvedAt'>): Promise<void> {
  await tx.orm.insert(slipCheck).values(check)
}

export async function findSlipCheck(db: Sql, id: string): Promise<SlipCheck | null> {
  const [row] = await db.orm.select().from(slipCheck).where(eq(slipCheck.id, id))
  return row ?? null
}

/** Returns the newest check of an order or top-up, which is the one that counts. */
export async function findNewestCheck(db: Sql, subjectId: string): Promise<SlipCheck | null> {
  const newest = db.orm.select().from(slipCheck).where(eq(slipCheck.subjectId, subjectId))
  const [row] = await newest.orderBy(desc(slipCheck.id)).limit(1)
  return row ?? null
}

export async function saveSlipCheck(
  tx: Sql,
  { id, ...saved }: Pick<SlipCheck, 'id' | 'state' | 'reason' | 'decidedAt' | 'approvedAt'>,
): Promise<void> {
  await tx.orm.update(slipCheck).set(saved).where(eq(slipCheck.id, id))
}

/**
 * Returns the SQL of the moment when the transfer of an order or top-up was made, if a provider confirmed its current
 * slip. @param slipId the current slip
 */
export const confirmedAtSql = (subjectId: string, slipId: string) =>
  `(SELECT ${a.transferredAt} FROM ${k} JOIN ${a} ON ${a.checkId} = ${k.id}
    WHERE ${k.subjectId} = ${subjectId} AND ${k.slipId} = ${slipId} AND ${k.state} = 'confirmed'
      AND ${a.transferredAt} IS NOT NULL
    ORDER BY ${a.id} DESC LIMIT 1)`

/** Returns that moment for one order or top-up; null when no provider confirmed it. */
export async function findConfirmedAt(db: Sql, subject: { id: string; slipId: string | null }): Promise<Date | null> {
  const [found] = await db.query({
    text: sql`SELECT ${row({ at: orNull(as.instant(confirmedAtSql('$1::uuid', '$2::uuid'))) })}`,
    values: [subject.id, subject.slipId],
  })
  return found!.at
}

/** Tells whether the customer was asked for another picture before this check. */
export async function wasPictureAsked(db: Sql, { id, subjectId }: SlipCheck): Promise<boolean> {
  const isEarlier = and(eq(slipCheck.subjectId, subjectId), lt(slipCheck.id, id), eq(slipCheck.state, 'picture'))
  return (await db.orm.$count(slipCheck, isEarlier)) > 0
}

export async function insertAsk(tx: Sql, ask: { id: string; checkId: string; provider: string; askedAt: Date }) {
  await tx.orm.insert(slipAsk).values(ask)
}

/** The result of a question to the provider. */
export interface AskResult {
  tookMs: number
  httpStatus: number | null
  code: string | null
  answer: AnswerKind
  reply: SlipReply | null
  verdict: Verdict | null
  outcome: string
  isShadow: boolean
  raw: unknown
}

export async function saveAsk(tx: Sql, id: string, { reply, ...result }: AskResult): Promise<void> {
  const told = reply && {
    sendingBank: reply.sendingBank,
    bankReference: reply.reference,
    amountSatang: reply.amountSatang,
    transferredAt: reply.transferredAt,
    receiverMask: reply.receiver.account ?? reply.receiver.proxy,
    payerName: reply.payer.names[0] ?? null,
    payerMask: reply.payer.account ?? reply.payer.proxy,
    flags: reply.flags,
  }
  await tx.orm
    .update(slipAsk)
    .set({ ...result, ...told })
    .where(eq(slipAsk.id, id))
}

/** Returns earlier questions of a check, oldest first. A question without an answer was lost. */
export async function findAnswers(
  db: Sql,
  checkId: string,
  exceptId: string | null,
): Promise<Pick<Past, 'answers'> & { firstAskedAt: Date | null }> {
  const rows = await db.orm
    .select({ id: slipAsk.id, askedAt: slipAsk.askedAt, answer: slipAsk.answer })
    .from(slipAsk)
    .where(eq(slipAsk.checkId, checkId))
    .orderBy(slipAsk.id)
  const earlier = rows.filter(({ id }) => id !== exceptId)
  return { answers: earlier.map(({ answer }) => answer ?? 'unreachable'), firstAskedAt: rows[0]?.askedAt ?? null }
}

/** Tells whether the provider was already asked about the transfer on a slip, for anybody and anything. */
export async function wasTransferAsked(db: Sql, slipId: string, provider: string, exceptId: string): Promise<boolean> {
  const rows = await db.query({
    text: sql`SELECT FROM ${a} JOIN ${c} ON ${c.id} = ${a.checkId}
      JOIN ${x} ON ${x.id} = ${c.slipId}
      JOIN ${s} ON ${s.sendingBank} = ${x.sendingBank} AND ${s.bankReference} = ${x.bankReference}
      WHERE ${s.id} = $1 AND ${a.provider} = $2 AND ${a.id} <> $3 LIMIT 1`,
    values: [slipId, provider, exceptId],
  })
  return rows.length > 0
}

/** Counts the questions of this Bangkok day for the customer of a check. */
export async function countAsksOfDay(
  db: Sql,
  { ownerKey, addressKey }: Pick<SlipCheck, 'ownerKey' | 'addressKey'>,
  now: Date,
): Promise<number> {
  const since = startOfBangkokDay(bangkokDay(now))
  const [found] = await db.query({
    // A slip is answered within the hour, so a check is hardly older than its questions.
    text: sql`SELECT ${row({ n: as.int('count(*)') })} FROM ${c} JOIN ${a} ON ${a.checkId} = ${c.id}
      WHERE (${c.ownerKey} = $1 OR ${c.addressKey} = $2) AND ${c.createdAt} >= $4 AND ${a.askedAt} >= $3`,
    values: [ownerKey, addressKey, since, addSeconds(since, -3600)],
  })
  return found!.n
}

/** Counts the questions of this Bangkok month. */
export async function countAsksOfMonth(db: Sql, provider: string, now: Date): Promise<number> {
  const { from } = bangkokMonth(bangkokMonthOf(now))
  return db.orm.$count(slipAsk, and(gte(slipAsk.askedAt, from), eq(slipAsk.provider, provider)))
}

export interface Stop {
  code: string | null
  until: Date
}

/** Records that the provider must not be asked until a moment. */
export async function saveStop(tx: Sql, provider: string, { code, until }: Stop): Promise<void> {
  const set = { stoppedUntil: until, stoppedCode: code }
  await tx.orm
    .insert(slipProvider)
    .values({ provider, ...set })
    .onConflictDoUpdate({ target: slipProvider.provider, set })
}

/** Locks the provider's row until the transaction ends, so that others who want to ask it wait. */
export async function lockProvider(tx: Sql, provider: string): Promise<void> {
  await tx.query({
    text: sql`INSERT INTO ${p} (${p.provider}) VALUES ($1)
      ON CONFLICT (${p.provider}) DO UPDATE SET ${p.provider} = excluded.provider`,
    values: [provider],
  })
}

/** Returns why and until when the provider must not be asked; null when it may be. */
export async function findStop(db: Sql, provider: string, now: Date): Promise<Stop | null> {
  const [row] = await db.orm.select().from(slipProvider).where(eq(slipProvider.provider, provider))
  const until = row?.stoppedUntil
  return until && until > now ? { code: row.stoppedCode, until } : null
}

/** An amount on one of some accounts that other things could expect as well. */
interface SameAmount {
  accountIds: readonly number[]
  amountSatang: number
  exceptId: string
}

/** Returns other orders that expect this amount now, except those with the same transfer on their slip. */
export function findRivalOrders(
  db: Sql,
  { accountIds, amountSatang, exceptId, exceptSlipId }: SameAmount & { exceptSlipId: string | null },
  now: Date,
): Promise<{ no: string; createdAt: Date; expiresAt: Date }[]> {
  // What reserves an amount waits for a transfer until then.
  const rival = row({ no: o.orderNo, createdAt: o.createdAt, expiresAt: notNull(o.expiresAt) })
  return db.query({
    text: sql`SELECT ${rival}
      FROM ${r} JOIN ${o} ON ${o.id} = ${r.orderId}
      WHERE ${r.receivingAccountId} = ANY($1) AND ${r.amountSatang} = $2 AND ${o.id} <> $3
        AND (${r.reusableAt} IS NULL OR ${r.reusableAt} > $4)
        AND NOT EXISTS (SELECT 1 FROM ${s} JOIN ${x} USING (sending_bank, bank_reference)
          WHERE ${s.id} = $5 AND ${x.usedFor} = ${o.id})`,
    values: [accountIds, amountSatang, exceptId, now, exceptSlipId],
  })
}

/** Returns other top-ups that wait for this amount; their money may come at any time. */
export function findRivalTopUps(db: Sql, { accountIds, amountSatang, exceptId }: SameAmount): Promise<Rival[]> {
  return db.query({
    text: sql`SELECT ${row<Rival>({ no: u.no, window: orNull(as.shape<null>('NULL')), hasPaid: as.bool('false') })} FROM ${u}
      WHERE ${u.status} = 'waiting_approve' AND ${u.receivingAccountId} = ANY($1) AND ${u.amountSatang} = $2 AND ${u.id} <> $3`,
    values: [accountIds, amountSatang, exceptId],
  })
}

/**
 * Returns the SQL of the state of a slip's check: that of the newest check, unless the transfer paid something else.
 */
export const slipStateSql = (subjectId: string, slipId: string) =>
  `CASE WHEN EXISTS (SELECT 1 FROM ${s} JOIN ${t} USING (sending_bank, bank_reference)
      WHERE ${s.id} = ${slipId} AND ${t.subjectId} <> ${subjectId}) THEN 'used'
    ELSE (SELECT ${k.state} FROM ${k} WHERE ${k.subjectId} = ${subjectId} ORDER BY ${k.id} DESC LIMIT 1) END`

/** Returns the state of one order's slip check. */
export async function findSlipState(
  db: Sql,
  order: { id: string; slipId: string | null },
): Promise<SlipCheckState | null> {
  const [found] = await db.query({
    text: sql`SELECT ${row({ state: orNull(as.text<SlipCheckState>(slipStateSql('$1::uuid', '$2::uuid'))) })}`,
    values: [order.id, order.slipId],
  })
  return found!.state
}

/** Returns the check of an order or top-up with its last question, for staff. */
export async function findSlipVerdict(db: Sql, subjectId: string): Promise<SlipVerdict | null> {
  const check = await findNewestCheck(db, subjectId)
  if (!check) return null
  const { state, reason, approvedAt } = check
  const asks = await db.orm.select().from(slipAsk).where(eq(slipAsk.checkId, check.id)).orderBy(desc(slipAsk.id))
  // A retry that is still running tells less than the answer before it.
  const last = asks.find(({ answer }) => answer !== null) ?? asks[0]
  const ask = last ? { ...inJson(last), count: asks.length } : null
  return { state, reason, hasApproved: approvedAt !== null, ask }
}
