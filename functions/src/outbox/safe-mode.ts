import type { Sql } from '../database/database.ts'

/**
 * SQL for what makes this database the one it is: the server's own number, which a new cluster has anew; the timeline,
 * which grows whenever a backup is rolled forward or a copy takes over; and the number of a table, which a dump gets
 * anew when it is read back. (The timeline is that of the next write: the control file learns of it minutes later.)
 */
const IDENTITY = `(SELECT system_identifier FROM pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
  || '/' || 'public.safe_mode'::regclass::oid`

/** SQL condition that work may leave the shop. Without a row it may not. */
export const MAY_LEAVE = `EXISTS (SELECT FROM safe_mode WHERE ordered_at IS NULL AND identity = ${IDENTITY})`

export interface SafeMode {
  isOn: boolean
  /** Whether the database is another one than a person said go to. */
  isRestored: boolean
  orderedAt: Date | null
  orderedFor: string | null
  noticedAt: Date | null
  lostFrom: Date | null
  comparedAt: Date | null
  wentAt: Date | null
}

export async function findSafeMode(db: Sql): Promise<SafeMode> {
  const [row] = await db.query<SafeMode>({
    text: `SELECT identity <> ${IDENTITY} OR ordered_at IS NOT NULL AS "isOn", identity <> ${IDENTITY} AS "isRestored",
        ordered_at AS "orderedAt", ordered_for AS "orderedFor", noticed_at AS "noticedAt", lost_from AS "lostFrom",
        compared_at AS "comparedAt", went_at AS "wentAt" FROM safe_mode`,
  })
  const unknown = { orderedAt: null, orderedFor: null, noticedAt: null, lostFrom: null, comparedAt: null, wentAt: null }
  return row ?? { isOn: true, isRestored: true, ...unknown }
}

/** More than the queue numbers that were given out in the hours that are lost; nobody gets one of them again. */
const QUEUE_JUMP = 1000

/**
 * Writes down that the shop finds itself on another database, once for each, and skips the queue numbers that others may
 * have. The last moment that is in it is told by the server, which rolled forward to it, or else by the shop's own last
 * traces.
 */
export async function noticeRestore(db: Sql, now: Date): Promise<void> {
  await db.query({
    text: `WITH noticed AS (
        UPDATE safe_mode SET noticed_identity = ${IDENTITY}, noticed_at = $1, compared_at = NULL,
          lost_from = coalesce(pg_last_xact_replay_timestamp(),
            greatest((SELECT max(succeeded_at) FROM pulse), (SELECT max(created_at) FROM orders)))
        WHERE identity <> ${IDENTITY} AND noticed_identity IS DISTINCT FROM ${IDENTITY} RETURNING 1
      ) SELECT max(nextval('order_queue_no')) FROM noticed, generate_series(1, $2::int)`,
    values: [now, QUEUE_JUMP],
  })
}

/** Switches safe mode on by a person's word. What was compared before counts no longer. */
export async function orderSafeMode(tx: Sql, by: string, why: string, now: Date): Promise<void> {
  await tx.query({
    text: `UPDATE safe_mode SET ordered_at = coalesce(ordered_at, $1), ordered_by = $2, ordered_for = $3, compared_at = NULL`,
    values: [now, by, why],
  })
}

/** Keeps from when on everything is lost, where a person knows it better. */
export async function saveLostFrom(db: Sql, lostFrom: Date, now: Date): Promise<void> {
  await db.query({
    text: 'UPDATE safe_mode SET lost_from = $1, noticed_at = coalesce(noticed_at, $2), compared_at = NULL',
    values: [lostFrom, now],
  })
}

export async function saveCompared(db: Sql, now: Date | null): Promise<void> {
  await db.query({ text: 'UPDATE safe_mode SET compared_at = $1', values: [now] })
}

/** Ends safe mode: from now on this database is the shop's. Returns false when it was not compared. */
export async function endSafeMode(tx: Sql, by: string, now: Date): Promise<boolean> {
  const rows = await tx.query({
    text: `UPDATE safe_mode SET identity = ${IDENTITY}, ordered_at = NULL, ordered_by = NULL, ordered_for = NULL,
        went_at = $1, went_by = $2 WHERE compared_at IS NOT NULL RETURNING 1`,
    values: [now, by],
  })
  return rows.length > 0
}
