import { pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/** Options the shop's managers can change, as name and text. */
export const option = pgTable('option', {
  name: text().primaryKey(),
  value: text().notNull(),
  updatedBy: text('updated_by'),
  updatedAt: instant('updated_at'),
})
