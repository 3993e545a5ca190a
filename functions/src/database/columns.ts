import { bigint, integer, text, timestamp } from 'drizzle-orm/pg-core'

/** An instant. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 })

/** An amount in satang. */
export const satang = (name: string) => bigint(name, { mode: 'number' })

/** Words of the code's own as an SQL list: 'a', 'b'. */
export const listSql = (words: readonly string[]): string => words.map(word => `'${word}'`).join(', ')

/** Columns of rows that several people edit: a save names the version that it is based on. */
export const lastChange = () => ({
  version: integer().notNull().default(1),
  updatedAt: instant('updated_at'),
  updatedBy: text('updated_by'),
})
