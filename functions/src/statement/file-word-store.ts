import type { Role } from '@shop/shared/permissions.ts'
import type { WaitingFile } from '@shop/shared/statement/import-endpoints.ts'
import { and, eq, isNotNull } from 'drizzle-orm'
import { account } from '../account/tables.ts'
import type { Sql } from '../database/database.ts'
import { personName } from '../database/listing.ts'
import { as, notNull, orNull, outer, pick, row, sql, under } from '../database/sql.ts'
import { orders } from '../order/tables.ts'
import { statementFile, statementLine } from './tables.ts'

const [f, a] = [under(statementFile, 'f'), under(account)]
const [g, l, o] = [outer(account, 'g'), outer(statementLine, 'l'), outer(orders, 'o')]

/** The condition for files that still need a second person. */
const WAITING = `${f.needsSecond} AND ${f.confirmedBy} IS NULL AND ${f.importedAt} IS NOT NULL`

interface FileRow extends Omit<WaitingFile, 'importedAt' | 'whyNot'> {
  importedAt: Date
  givenBy: string
}

const FILE = sql`SELECT ${row<FileRow>({
  ...pick(f, 'id', 'fileName', 'receivingAccountId', 'givenBy'),
  importedAt: notNull(f.importedAt),
  givenByName: orNull(personName('g')),
  fromDay: as.text(`min(${l.day})`),
  toDay: as.text(`max(${l.day})`),
  inSatang: as.satang(`sum(${l.amountSatang})`),
  lines: as.int(`count(${l.id})`),
  orders: as.int(`count(*) FILTER (WHERE ${o.status} = 'paid')`),
})}
  FROM ${f} LEFT JOIN ${g} ON ${g.uid} = ${f.givenBy}
  LEFT JOIN ${l} ON ${l.fileId} = ${f.id} AND ${l.amountSatang} > 0 LEFT JOIN ${o} ON ${o.id} = ${l.orderId}`

export const findWaitingFiles = (db: Sql): Promise<FileRow[]> =>
  db.query({ text: sql`${FILE} WHERE ${WAITING} GROUP BY ${f.id}, ${g.uid} ORDER BY ${f.importedAt}, ${f.id}` })

/** Returns a file that waits for a second person. */
export async function findWaitingFile(db: Sql, id: string): Promise<FileRow | null> {
  const text = sql`${FILE} WHERE ${f.id} = $1 AND ${WAITING} GROUP BY ${f.id}, ${g.uid}`
  const [found] = await db.query({ text, values: [id] })
  return found ?? null
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
  const [found] = await db.query({
    text: sql`SELECT ${row(pick(a, 'role'))} FROM ${a} WHERE ${a.uid} = $1`,
    values: [uid],
  })
  return found?.role ?? 'customer'
}
