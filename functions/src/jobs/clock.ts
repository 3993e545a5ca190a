import { addSeconds } from '@shop/shared/time.ts'
import type { Shop } from '../shop/shop.ts'

/** The clocks of two machines may differ by this much. */
const APART_SECONDS = 60
/** No work is locked for longer. */
const LONGEST_LOCK_SECONDS = 600

/**
 * What a clock that was ahead has left behind: work that would wait until that moment comes. Each statement changes what
 * is under way and lies in the future, which is nothing on other days, and reads an index of what is under way.
 */
const FROM_THE_FUTURE = {
  outbox: `UPDATE outbox SET created_at = least(created_at, $1),
      due_at = CASE WHEN created_at > $2 THEN $1::timestamptz + (due_at - created_at) ELSE due_at END,
      locked_until = CASE WHEN locked_until > $3 THEN NULL ELSE locked_until END
    WHERE state = 'waiting' AND (created_at > $2 OR locked_until > $3)`,
  supplier_attempt: `UPDATE supplier_attempt SET sent_at = $1
    WHERE state IN ('sending', 'unknown') AND NOT is_with_staff AND sent_at > $2 AND $3::timestamptz IS NOT NULL`,
  slip_check: `UPDATE slip_check SET created_at = $1
    WHERE state = 'confirming' AND created_at > $2 AND $3::timestamptz IS NOT NULL`,
}

/** Brings what was stored by a clock that was ahead back to now. A lock that is taken back belongs to a run that may still go on; it then stores nothing. */
export async function bringBackToNow({ db, now }: Pick<Shop, 'db' | 'now'>): Promise<void> {
  const at = now()
  const values = [at, addSeconds(at, APART_SECONDS), addSeconds(at, LONGEST_LOCK_SECONDS)]
  for (const text of Object.values(FROM_THE_FUTURE)) await db.query({ text, values })
}
