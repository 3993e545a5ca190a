import { pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/**
 * When something last worked and last failed, one row for each. It is for what leaves no trace of its own: the jobs, and
 * services that are asked while somebody waits.
 */
export const pulse = pgTable('pulse', {
  /** A service's name, or `job:` with a job's. */
  name: text().primaryKey(),
  succeededAt: instant('succeeded_at'),
  failedAt: instant('failed_at'),
  /** The first failure since it last worked; null while it works. */
  failingSince: instant('failing_since'),
})
