import type { Role } from '@shop/shared/permissions.ts'
import type { WaitingFile } from '@shop/shared/statement/import-endpoints.ts'
import { and, eq, isNotNull } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import { columns, personName, sqlOf } from '../database/listing.ts'
import { statementFile, statementLine } from './tables.ts'

/** The condition for files that still need a second person. */
const WAITING = 'f.needs_second AND f.confirmed_by IS NULL AND f.imported_at IS NOT NULL'

interface FileRow extends Omit<WaitingFile, 'importedAt' | 'whyNot'> {
  importedAt: Date
  givenBy: string
}

const FILE = `SELECT ${columns<FileRow>({
  ...sqlOf(statementFile, 'f', 'id', 'fileName', 'receivingAccountId', 'givenBy', 'importedAt'),
  givenByName: personName('g'),
  fromDay: 'min(l.day)::text',
  toDay: 'max(l.day)::text',
  inSatang: 'sum(l.amount_satang)::bigint',
  lines: 'count(l.id)::int',
  orders: `(count(*) FILTER (WHERE o.status = 'paid'))::int`,
})}
  FROM statement_file f LEFT JOIN account g ON g.uid = f.given_by
  LEFT JOIN statement_line l ON l.file_id = f.id AND l.amount_satang > 0 LEFT JOIN orders o ON o.id = l.order_id`

export const findWaitingFiles = (db: Sql): Promise<FileRow[]> =>
  db.query({ text: `${FILE} WHERE ${WAITING} GROUP BY f.id, g.uid ORDER BY f.imported_at, f.id` })

/** Returns a file that waits for a second person. */
export async function findWaitingFile(db: Sql, id: string): Promise<FileRow | null> {
  const text = `${FILE} WHERE f.id = $1 AND ${WAITING} GROUP BY f.id, g.uid`
  const [row] = await db.query<FileRow>({ text, values: [id] })
  return row ?? null
}

/**
 * Tells whether the file was imported, and locks it, so that nobody else confirms it or adds to it in this transaction.
 */
export async function lockImported(tx: Sql, id: string): Promise<boolean> {
  const isImported = and(eq(statementFile.id, id), isNotNull(statementFile.importedAt))
  return (await tx.orm.select().from(statementFile).where(isImported).for('no key update')).length > 0
}

/** Makes a file wait for a second person, even one that was confirmed before it had more lines. */
export async function holdFile(tx: Sql, id: string): Promise<void> {
  const waiting = { needsSecond: true, confirmedBy: null, confirmedAt: null }
  await tx.orm.update(statementFile).set(waiting).where(eq(statementFile.id, id))
}

export async function confirmFile(tx: Sql, of: { id: string; by: string; at: Date }): Promise<void> {
  const confirmed = { confirmedBy: of.by, confirmedAt: of.at }
  await tx.orm.update(statementFile).set(confirmed).where(eq(statementFile.id, of.id))
}

/** Returns the orders that lines of a file are matched to. */
export async function findOrdersOfFile(tx: Sql, fileId: string): Promise<string[]> {
  const isMatched = and(eq(statementLine.fileId, fileId), isNotNull(statementLine.orderId))
  const rows = await tx.orm.select({ id: statementLine.orderId }).from(statementLine).where(isMatched)
  return rows.map(({ id }) => id!)
}

/** Returns the current role of the person who uploaded a file. */
export async function findRole(db: Sql, uid: string): Promise<Role> {
  const [row] = await db.query<{ role: Role }>({ text: 'SELECT role FROM account WHERE uid = $1', values: [uid] })
  return row?.role ?? 'customer'
}
