import { addSeconds } from '@shop/shared/time.ts'
import { sql, under } from '../database/sql.ts'
import { outbox } from '../outbox/tables.ts'
import type { Shop } from '../shop/shop.ts'
import { slipCheck } from '../slipcheck/tables.ts'
import { supplierAttempt } from '../supplier/tables.ts'

const [job, attempt, check] = [under(outbox), under(supplierAttempt), under(slipCheck)]

/** The clocks of two machines may differ by this much. */
const APART_SECONDS = 60
/** No work is locked for longer. */
const LONGEST_LOCK_SECONDS = 600

/**
 * What a clock that was ahead has left behind: work that would wait until that moment comes. Each statement changes what
 * is under way and lies in the future, which is nothing on other days, and reads an index of what is under way.
 */
const FROM_THE_FUTURE = {
  outbox: sql`UPDATE ${job} SET ${job.createdAt} = least(${job.createdAt}, $1),
      ${job.dueAt} = CASE WHEN ${job.createdAt} > $2 THEN $1::timestamptz + (${job.dueAt} - ${job.createdAt}) ELSE ${job.dueAt} END,
      ${job.lockedUntil} = CASE WHEN ${job.lockedUntil} > $3 THEN NULL ELSE ${job.lockedUntil} END
    WHERE ${job.state} = 'waiting' AND (${job.createdAt} > $2 OR ${job.lockedUntil} > $3)`,
  supplier_attempt: sql`UPDATE ${attempt} SET ${attempt.sentAt} = $1
    WHERE ${attempt.state} IN ('sending', 'unknown') AND NOT ${attempt.isWithStaff} AND ${attempt.sentAt} > $2 AND $3::timestamptz IS NOT NULL`,
  slip_check: sql`UPDATE ${check} SET ${check.createdAt} = $1
    WHERE ${check.state} = 'confirming' AND ${check.createdAt} > $2 AND $3::timestamptz IS NOT NULL`,
}

/** Brings what was stored by a clock that was ahead back to now. A lock that is taken back belongs to a run that may still go on; it then stores nothing. */
export async function bringBackToNow({ db, now }: Pick<Shop, 'db' | 'now'>): Promise<void> {
  const at = now()
  const values = [at, addSeconds(at, APART_SECONDS), addSeconds(at, LONGEST_LOCK_SECONDS)]
  for (const text of Object.values(FROM_THE_FUTURE)) await db.query({ text, values })
}
