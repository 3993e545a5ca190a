import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/**
 * When something last worked and last failed, one row for each. It is for what leaves no trace of its own: the jobs, and
 * services that are asked while somebody waits.
 */
export const pulse = pgTable('pulse', {
  /** A service's name, or `job:` with a job's. */
  name: text().primaryKey(),
  /** The last start of a job that was kept; without an end after it, the run was cut off. */
  startedAt: instant('started_at'),
  /** Since when a job that never ran is expected to. */
  awaitedSince: instant('awaited_since'),
  succeededAt: instant('succeeded_at'),
  failedAt: instant('failed_at'),
  /** The first failure since it last worked; null while it works. */
  failingSince: instant('failing_since'),
})

/** What the nightly checks of the books found. */
export const checkRun = pgTable(
  'check_run',
  {
    name: text().notNull(),
    at: instant('at').notNull(),
    differences: integer().notNull(),
    /** The first differences, one line each. */
    what: text().array().notNull(),
  },
  t => [primaryKey({ columns: [t.name, t.at] })],
)
