import { sql } from 'drizzle-orm'
import { bigint, check, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/** Options the shop's managers can change, as name and text. */
export const option = pgTable('option', {
  name: text().primaryKey(),
  value: text().notNull(),
  updatedBy: text('updated_by'),
  updatedAt: instant('updated_at'),
})

/** The terms of service, by version: "1", "2" and so on. Append-only: orders name the version they were made under. */
export const terms = pgTable('terms', {
  version: text().primaryKey(),
  body: text().notNull(),
  publishedAt: instant('published_at').notNull(),
  /** null for the version that the shop started with. */
  publishedBy: text('published_by'),
})

/** A single row that counts the changes of what the shop sells and says. */
export const catalogueVersion = pgTable(
  'catalogue_version',
  { id: smallint().primaryKey().default(1), version: bigint({ mode: 'number' }).notNull() },
  t => [check('catalogue_version_one_row', sql`${t.id} = 1`)],
)
