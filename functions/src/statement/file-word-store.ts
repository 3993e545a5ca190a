import type { Role } from '@shop/shared/permissions.ts'
import type { WaitingFile } from '@shop/shared/statement/import-endpoints.ts'
import type { Sql } from '../database/database.ts'
import { personName } from '../database/listing.ts'

/** The condition for files that still need a second person. */
const WAITING = 'f.needs_second AND f.confirmed_by IS NULL AND f.imported_at IS NOT NULL'

interface FileRow extends Omit<WaitingFile, 'importedAt' | 'whyNot'> {
  importedAt: Date
  givenBy: string
}

const FILE = `SELECT f.id, f.file_name AS "fileName", f.receiving_account_id AS "receivingAccountId", f.given_by AS "givenBy",
    ${personName('g')} AS "givenByName", f.imported_at AS "importedAt", told.*
  FROM statement_file f LEFT JOIN account g ON g.uid = f.given_by
  CROSS JOIN LATERAL (SELECT min(l.day)::text AS "fromDay", max(l.day)::text AS "toDay", sum(l.amount_satang)::bigint AS "inSatang",
      count(*)::int AS lines, (count(*) FILTER (WHERE o.status = 'paid'))::int AS orders
    FROM statement_line l LEFT JOIN orders o ON o.id = l.order_id
    WHERE l.file_id = f.id AND l.amount_satang > 0) told`

export const findWaitingFiles = (db: Sql): Promise<FileRow[]> =>
  db.query({ text: `${FILE} WHERE ${WAITING} ORDER BY f.imported_at, f.id` })

/** Returns a file that waits for a second person. */
export async function findWaitingFile(db: Sql, id: string): Promise<FileRow | null> {
  const [row] = await db.query<FileRow>({ text: `${FILE} WHERE f.id = $1 AND ${WAITING}`, values: [id] })
  return row ?? null
}

/**
 * Tells whether the file was imported, and locks it, so that nobody else confirms it or adds to it in this transaction.
 */
export async function lockImported(tx: Sql, id: string): Promise<boolean> {
  const rows = await tx.query({
    text: 'SELECT FROM statement_file WHERE id = $1 AND imported_at IS NOT NULL FOR NO KEY UPDATE',
    values: [id],
  })
  return rows.length > 0
}

/** Makes a file wait for a second person, even one that was confirmed before it had more lines. */
export async function holdFile(tx: Sql, id: string): Promise<void> {
  await tx.query({
    text: 'UPDATE statement_file SET needs_second = true, confirmed_by = NULL, confirmed_at = NULL WHERE id = $1',
    values: [id],
  })
}

export async function confirmFile(tx: Sql, of: { id: string; by: string; at: Date }): Promise<void> {
  await tx.query({
    text: 'UPDATE statement_file SET confirmed_by = $2, confirmed_at = $3 WHERE id = $1',
    values: [of.id, of.by, of.at],
  })
}

/** Returns the orders that lines of a file are matched to. */
export async function findOrdersOfFile(tx: Sql, fileId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>({
    text: 'SELECT order_id AS id FROM statement_line WHERE file_id = $1 AND order_id IS NOT NULL',
    values: [fileId],
  })
  return rows.map(({ id }) => id)
}

/** Returns the current role of the person who uploaded a file. */
export async function findRole(db: Sql, uid: string): Promise<Role> {
  const [row] = await db.query<{ role: Role }>({ text: 'SELECT role FROM account WHERE uid = $1', values: [uid] })
  return row?.role ?? 'customer'
}
