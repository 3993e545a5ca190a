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
import { columns } from '../database/listing.ts'
import { usedTransfer } from './tables.ts'

/** Tells whether a bank transfer has already paid something. */
export async function isReferenceUsed(db: Sql, sendingBank: string, bankReference: string): Promise<boolean> {
  const isIt = and(eq(usedTransfer.sendingBank, sendingBank), eq(usedTransfer.bankReference, bankReference))
  return (await db.orm.$count(usedTransfer, isIt)) > 0
}

/** Returns the order or top-up that the transfer on a slip paid; null when it has paid nothing yet. */
export async function findPaidBySlip(db: Sql, slipId: string): Promise<string | null> {
  const [row] = await db.query<{ subjectId: string }>({
    text: `SELECT t.subject_id AS "subjectId" FROM slip s JOIN used_transfer t USING (sending_bank, bank_reference)
      WHERE s.id = $1`,
    values: [slipId],
  })
  return row?.subjectId ?? null
}

/** Returns what else the same bank transfer was handed in for, by anybody; what it paid comes first. */
export function findOthersOfSlip(db: Sql, slipId: string | null, subjectId: string): Promise<OtherOfSlip[]> {
  return db.query<OtherOfSlip>({
    text: `WITH other AS (
        SELECT DISTINCT x.used_for AS id, s.sending_bank, s.bank_reference
        FROM slip s JOIN slip x USING (sending_bank, bank_reference) WHERE s.id = $1 AND x.used_for <> $2
      ), told AS (
        SELECT other.id, EXISTS (SELECT 1 FROM used_transfer t WHERE t.subject_id = other.id
          AND t.sending_bank = other.sending_bank AND t.bank_reference = other.bank_reference) AS "hasPaid" FROM other
      )
      SELECT 'order' AS kind, o.id, o.order_no AS no, "hasPaid" FROM told JOIN orders o USING (id)
      UNION ALL SELECT 'topUp', u.id, u.no, "hasPaid" FROM told JOIN top_up u USING (id)
      ORDER BY 4 DESC, 3 LIMIT 10`,
    values: [slipId, subjectId],
  })
}

/**
 * Makes others wait who decide about transfers of one of these amounts until this transaction ends, so that each sees
 * what the other used. Take this lock last, after the rows that are decided about.
 */
export async function lockAmounts(tx: Sql, amounts: readonly number[]): Promise<void> {
  await tx.query({
    text: `SELECT pg_advisory_xact_lock(hashtextextended('transfer ' || a, 0))
      FROM (SELECT DISTINCT unnest($1::bigint[]) AS a ORDER BY a) amounts`,
    values: [amounts],
  })
}

/** Locks the reference on a slip in the same way. */
async function lockReference(tx: Sql, slipId: string): Promise<void> {
  await tx.query({
    text: `SELECT pg_advisory_xact_lock(hashtextextended('transfer ' || sending_bank || ' ' || bank_reference, 0))
      FROM slip WHERE id = $1 AND bank_reference IS NOT NULL`,
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

const USER_ROW = columns<UserRow>({
  n: 'a.n::int',
  kind: 'u.kind',
  id: 'u.subject_id',
  no: 'coalesce(o.order_no, t.no, l.no::text)',
  lineNo: 'l.no',
  accountId: 'u.receiving_account_id',
  amountSatang: 'u.amount_satang',
  lineId: 'u.line_id',
  reference: `u.sending_bank || ' ' || u.bank_reference`,
  isConfirmed: 'u.told_at IS NOT NULL',
  from: `CASE WHEN l.at IS NOT NULL THEN l.at WHEN l.id IS NOT NULL THEN (l.day - 1)::timestamp AT TIME ZONE 'Asia/Bangkok'
    ELSE coalesce(u.told_at, u.made_from) END`,
  to: `CASE WHEN l.at IS NOT NULL THEN l.at + coalesce(l.precision_seconds, 1) * interval '1 second'
    WHEN l.id IS NOT NULL THEN (l.day + 1)::timestamp AT TIME ZONE 'Asia/Bangkok' ELSE coalesce(u.told_at, u.made_to) END`,
})

/**
 * Returns for each transfer about to be used what may have used it already, latest first. A statement line's own moment
 * is preferred to a slip's, and that to the time in which somebody could have paid.
 */
export async function findUsersOf(db: Sql, asked: readonly Asked[]): Promise<UsedTransfer[][]> {
  const since = asked.map(facts => periodFor({ kind: 'line', lineId: null }, facts).from)
  const rows = await db.query<UserRow>({
    name: 'transfer_users',
    text: `WITH asked AS (
        SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::timestamptz[]) WITH ORDINALITY AS a (amount, subject_id, since, n)
      )
      SELECT ${USER_ROW}
      FROM asked a JOIN used_transfer u ON u.amount_satang = a.amount AND u.used_at >= a.since
        AND u.subject_id IS DISTINCT FROM a.subject_id
      LEFT JOIN statement_line l ON l.id = u.line_id LEFT JOIN orders o ON o.id = u.subject_id LEFT JOIN top_up t ON t.id = u.subject_id
      ORDER BY a.n, u.used_at DESC, u.subject_id`,
    values: [asked.map(({ amountSatang }) => amountSatang), asked.map(({ subjectId }) => subjectId), since],
  })
  const users: UsedTransfer[][] = asked.map(() => [])
  for (const { n, from, to, accountId, ...row } of rows) {
    const isKnown = accountId !== null && (row.lineId !== null || row.isConfirmed)
    const used = { ...row, made: { from, to }, accountIds: isKnown ? [accountId] : null }
    if (mayBeSame(asked[n - 1]!, used)) users[n - 1]!.push(used)
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
  const rows = await db.query<{ id: string; no: number }>({
    name: 'transfer_said_apart',
    text: `SELECT u.subject_id AS id, l.no FROM used_transfer u JOIN used_transfer x ON x.apart_from = u.subject_id
      JOIN statement_line l ON l.id = x.line_id WHERE u.line_id IS NULL AND u.amount_satang = ANY($1::bigint[])`,
    values: [amounts],
  })
  return new Map(rows.map(({ id, no }) => [id, no]))
}

/** Returns what may already have used a transfer that a slip or a person reports. */
export async function findUsersOfUse(db: Sql, use: TransferUse): Promise<UsedTransfer[]> {
  const { kind, subjectId, receivingAccountId, amountSatang, made, slipId, toldAt, lineId } = use
  const [slip] = await db.query<{ reference: string | null }>({
    text: `SELECT sending_bank || ' ' || bank_reference AS reference FROM slip WHERE id = $1`,
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
    text: `INSERT INTO used_transfer AS u (subject_id, kind, receiving_account_id, amount_satang, made_from, made_to,
        sending_bank, bank_reference, told_at, line_id, used_at, apart_from)
      SELECT $1::uuid, $2, $3::int, $4::bigint, $5::timestamptz, $6::timestamptz, s.sending_bank, s.bank_reference,
        CASE WHEN s.id IS NOT NULL THEN $8::timestamptz END, $9::uuid, $10::timestamptz, $11::uuid
      FROM (SELECT) AS one LEFT JOIN slip s ON s.id = $7::uuid AND s.bank_reference IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM used_transfer x WHERE x.sending_bank = s.sending_bank
          AND x.bank_reference = s.bank_reference AND x.subject_id <> $1::uuid)
      ON CONFLICT (subject_id) DO UPDATE SET line_id = coalesce(excluded.line_id, u.line_id),
        apart_from = coalesce(excluded.apart_from, u.apart_from),
        amount_satang = CASE WHEN excluded.line_id IS NULL THEN u.amount_satang ELSE excluded.amount_satang END,
        receiving_account_id = coalesce(excluded.receiving_account_id, u.receiving_account_id),
        told_at = CASE WHEN excluded.bank_reference IS NULL THEN u.told_at ELSE excluded.told_at END,
        sending_bank = coalesce(excluded.sending_bank, u.sending_bank),
        bank_reference = coalesce(excluded.bank_reference, u.bank_reference)`,
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
    text: `UPDATE used_transfer t SET line_id = NULL, apart_from = NULL,
        used_at = greatest(t.used_at, (SELECT u.decided_at FROM top_up u WHERE u.id = t.subject_id)) WHERE t.line_id = $1`,
    values: [lineId],
  })
}
