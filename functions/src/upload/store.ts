import { AppError } from '@shop/shared/errors.ts'
import type { OtherOfSlip } from '@shop/shared/slipcheck/verdict-view.ts'
import type { Sql } from '../database/database.ts'

export interface Slip {
  id: string
  uploaderKey: string
  fileKey: string
  width: number
  height: number
  byteSize: number
  sendingBank: string | null
  bankReference: string | null
  qrText: string | null
  usedFor: string | null
  createdAt: Date
}

const COLUMNS = `id, uploader_key AS "uploaderKey", file_key AS "fileKey", width, height, byte_size AS "byteSize",
  sending_bank AS "sendingBank", bank_reference AS "bankReference", qr_text AS "qrText",
  used_for AS "usedFor", created_at AS "createdAt"`

export async function insertSlip(db: Sql, slip: Slip): Promise<void> {
  await db.query({
    text: `INSERT INTO slip (id, uploader_key, file_key, width, height, byte_size, sending_bank, bank_reference, qr_text,
        created_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      ...[slip.id, slip.uploaderKey, slip.fileKey, slip.width, slip.height, slip.byteSize],
      ...[slip.sendingBank, slip.bankReference, slip.qrText, slip.createdAt],
    ],
  })
}

/** A slip locked, so that what it is used for stays as it is in this transaction. */
export async function lockSlip(tx: Sql, id: string): Promise<Slip | null> {
  const [row] = await tx.query<Slip>({ text: `SELECT ${COLUMNS} FROM slip WHERE id = $1 FOR UPDATE`, values: [id] })
  return row ?? null
}

export async function findSlip(db: Sql, id: string): Promise<Slip | null> {
  const [row] = await db.query<Slip>({ text: `SELECT ${COLUMNS} FROM slip WHERE id = $1`, values: [id] })
  return row ?? null
}

/** Whether the order or top-up a slip was given for belongs to one of these owner keys. */
export async function isSubjectOf(db: Sql, subjectId: string, ownerKeys: string[]): Promise<boolean> {
  const rows = await db.query({
    text: `SELECT 1 FROM orders WHERE id = $1 AND buyer_key = ANY($2)
      UNION ALL SELECT 1 FROM top_up t JOIN wallet w ON w.id = t.wallet_id WHERE t.id = $1 AND 'u:' || w.uid = ANY($2)`,
    values: [subjectId, ownerKeys],
  })
  return rows.length > 0
}

/** Whether a bank transfer paid something already. */
export async function isTransferSpent(db: Sql, sendingBank: string, bankReference: string): Promise<boolean> {
  const rows = await db.query({
    text: 'SELECT 1 FROM spent_transfer WHERE sending_bank = $1 AND bank_reference = $2',
    values: [sendingBank, bankReference],
  })
  return rows.length > 0
}

/** The order or top-up that the transfer on a slip paid; null when it paid nothing yet. */
export async function findSpentFor(db: Sql, slipId: string): Promise<string | null> {
  const [row] = await db.query<{ subjectId: string }>({
    text: `SELECT t.subject_id AS "subjectId" FROM slip s JOIN spent_transfer t USING (sending_bank, bank_reference)
      WHERE s.id = $1`,
    values: [slipId],
  })
  return row?.subjectId ?? null
}

/**
 * Uses the transfer on a slip up in the transaction that pays something by it; false when it paid something else.
 * Whoever is second waits here for the first. A slip without a reference names no transfer, and is never refused.
 */
export async function spendTransfer(tx: Sql, slipId: string, subjectId: string, at: Date): Promise<boolean> {
  await tx.query({
    text: `INSERT INTO spent_transfer (sending_bank, bank_reference, subject_id, spent_at)
      SELECT sending_bank, bank_reference, $2, $3 FROM slip WHERE id = $1 AND bank_reference IS NOT NULL
      ON CONFLICT DO NOTHING`,
    values: [slipId, subjectId, at],
  })
  const spentFor = await findSpentFor(tx, slipId)
  return spentFor === null || spentFor === subjectId
}

/** The same for what people say is paid. @throws SLIP_PAID_OTHER */
export async function mustSpendTransfer(
  tx: Sql,
  { id, slipId }: { id: string; slipId: string | null },
  at: Date,
): Promise<void> {
  if (slipId === null || (await spendTransfer(tx, slipId, id, at))) return
  const paid = (await findOthersOfSlip(tx, slipId, id)).find(({ hasPaid }) => hasPaid)
  throw new AppError('SLIP_PAID_OTHER', { values: { no: paid?.no ?? '' } })
}

/** Frees the transfers of something whose payment was taken back: it was none. */
export async function freeTransfers(tx: Sql, subjectId: string): Promise<void> {
  await tx.query({ text: 'DELETE FROM spent_transfer WHERE subject_id = $1', values: [subjectId] })
}

/** What else the same bank transfer was handed in for, by whomever; what it paid first. */
export function findOthersOfSlip(db: Sql, slipId: string | null, subjectId: string): Promise<OtherOfSlip[]> {
  return db.query<OtherOfSlip>({
    text: `WITH other AS (
        SELECT DISTINCT x.used_for AS id FROM slip s JOIN slip x USING (sending_bank, bank_reference)
        WHERE s.id = $1 AND x.used_for <> $2
      )
      SELECT 'order' AS kind, o.id, o.order_no AS no, EXISTS (SELECT 1 FROM spent_transfer t WHERE t.subject_id = o.id) AS "hasPaid"
        FROM other JOIN orders o USING (id)
      UNION ALL
      SELECT 'topUp', u.id, u.no, EXISTS (SELECT 1 FROM spent_transfer t WHERE t.subject_id = u.id)
        FROM other JOIN top_up u USING (id)
      ORDER BY 4 DESC, 3 LIMIT 10`,
    values: [slipId, subjectId],
  })
}

/**
 * Hands a slip in for an order or top-up, and tells whether a bank's reference could be read on it. A stored slip is for
 * one thing; the same transfer may be handed in for several, and pays one.
 * @throws SLIP_NOT_FOUND for another person's or an unknown slip, SLIP_REUSED when it is or paid something else's.
 */
export async function useSlip(
  tx: Sql,
  use: { slipId: string; uploaderKey: string; usedFor: string },
): Promise<{ hasBankReference: boolean }> {
  const slip = await lockSlip(tx, use.slipId)
  if (!slip || slip.uploaderKey !== use.uploaderKey) throw new AppError('SLIP_NOT_FOUND')
  if (slip.usedFor !== null && slip.usedFor !== use.usedFor) throw new AppError('SLIP_REUSED')
  const spentFor = await findSpentFor(tx, use.slipId)
  if (spentFor !== null && spentFor !== use.usedFor) throw new AppError('SLIP_REUSED')
  await tx.query({ text: 'UPDATE slip SET used_for = $2 WHERE id = $1', values: [use.slipId, use.usedFor] })
  return { hasBankReference: slip.bankReference !== null }
}

/** Frees a slip given to something it will not pay, so that it can pay something else. */
export async function releaseSlip(tx: Sql, slipId: string | null, usedFor: string): Promise<void> {
  await tx.query({
    text: 'UPDATE slip SET used_for = NULL WHERE id = $1 AND used_for = $2',
    values: [slipId, usedFor],
  })
}
