import { AppError } from '@shop/shared/errors.ts'
import type { Sql } from '../database/database.ts'

/**
 * SQL for what makes this database the one it is: the server's own number, which a new cluster has anew; the timeline,
 * which grows whenever a backup is rolled forward or a copy takes over; and the number of a table, which a dump gets
 * anew when it is read back. (The timeline is that of the next write: the control file learns of it minutes later.)
 */
export const IDENTITY = `(SELECT system_identifier FROM pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
  || '/' || 'public.safe_mode'::regclass::oid`

/** SQL for what names a database of this identity in the witness's files, also among copies of it in one server. */
export const witnessName = (identity: string): string =>
  `(${identity} || '/' || (SELECT oid FROM pg_database WHERE datname = current_database()))`

export const SERVER_START = 'extract(epoch FROM pg_postmaster_start_time())::text'

/** SQL conditions on the row: the shop holds still; the server was started since the witness was last asked. */
const IS_ON = `(ordered_at IS NOT NULL OR identity <> ${IDENTITY})`
const IS_STARTED_ANEW = `(witnessed_start IS NOT NULL AND witnessed_start <> ${SERVER_START})`

/** SQL condition that the shop is in safe mode. */
export const IS_SAFE_MODE = `NOT EXISTS (SELECT FROM safe_mode WHERE NOT ${IS_ON})`

/**
 * SQL condition that work may leave the shop. Without a row it may not, and not after a start of the database server
 * before the witness was asked whether its disk is older than it was.
 */
export const MAY_LEAVE = `EXISTS (SELECT FROM safe_mode WHERE NOT ${IS_ON} AND NOT ${IS_STARTED_ANEW})`

export const partOfIdentity = (identity: string, nth: number): string => `split_part(${identity}, '/', ${nth})`
/** SQL condition on the row that this is the server's and table's history, gone on under a later timeline. */
export const IS_PROMOTED = `(${partOfIdentity('identity', 1)} = ${partOfIdentity(IDENTITY, 1)} AND ${partOfIdentity('identity', 3)} = ${partOfIdentity(IDENTITY, 3)}
  AND ${partOfIdentity('identity', 2)} < ${partOfIdentity(IDENTITY, 2)})`

/** Why nothing new is sold: `UNAVAILABLE` until a standby that took over is judged, which is a matter of seconds. */
export type Holding = 'UNAVAILABLE' | 'SHOP_HOLDS'

/** SQL for why the shop holds still; null when it does not. */
export const HOLDING = `CASE WHEN NOT ${IS_SAFE_MODE} THEN NULL
  WHEN EXISTS (SELECT FROM safe_mode WHERE ordered_at IS NULL AND ${IS_PROMOTED} AND noticed_identity IS DISTINCT FROM ${IDENTITY})
  THEN 'UNAVAILABLE' ELSE 'SHOP_HOLDS' END`

async function findHolding(db: Sql): Promise<Holding | null> {
  const [row] = await db.query<{ holding: Holding | null }>({ text: `SELECT ${HOLDING} AS holding` })
  return row!.holding
}

/**
 * Refuses what brings new money in. A restored database knows neither the amounts that lost orders asked for, which a new
 * order would ask for again, nor what was spent from wallets. @throws SHOP_HOLDS, UNAVAILABLE
 */
export async function mustTakeOrders(db: Sql): Promise<void> {
  const holding = await findHolding(db)
  if (holding) throw new AppError(holding)
}

/**
 * Refuses to hand out a code of the stock. A restored database knows not which of them were sold in the hours that it lost,
 * so that two buyers would have one. @throws VOUCHER_STOCK_UNSURE
 */
export async function mustKnowStock(db: Sql): Promise<void> {
  if (await findHolding(db)) throw new AppError('VOUCHER_STOCK_UNSURE')
}

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
    text: `SELECT ${IS_ON} AS "isOn", identity <> ${IDENTITY} AS "isRestored",
        ordered_at AS "orderedAt", ordered_for AS "orderedFor", noticed_at AS "noticedAt", lost_from AS "lostFrom",
        compared_at AS "comparedAt", went_at AS "wentAt" FROM safe_mode`,
  })
  const unknown = { orderedAt: null, orderedFor: null, noticedAt: null, lostFrom: null, comparedAt: null, wentAt: null }
  return row ?? { isOn: true, isRestored: true, ...unknown }
}

/** More than the queue numbers that were given out in the hours that are lost; nobody gets one of them again. */
export const QUEUE_JUMP = 1000

/**
 * Writes down that the shop finds itself on another database, once for each, and skips the queue numbers that others may
 * have. The last moment that is in it is told by the server, which rolled forward to it, and by the shop's own last
 * traces; the earlier one counts, because a dump may be read into a server that once rolled forward to a later moment.
 */
export async function noticeRestore(db: Sql, now: Date): Promise<void> {
  await db.query({
    text: `WITH noticed AS (
        UPDATE safe_mode SET noticed_identity = ${IDENTITY}, noticed_at = $1, compared_at = NULL,
          lost_from = least(pg_last_xact_replay_timestamp(),
            greatest((SELECT max(succeeded_at) FROM pulse), (SELECT max(created_at) FROM orders)))
        WHERE identity <> ${IDENTITY} AND noticed_identity IS DISTINCT FROM ${IDENTITY} RETURNING 1
      ) SELECT max(nextval('order_queue_no')) FROM noticed, generate_series(1, $2::int)`,
    values: [now, QUEUE_JUMP],
  })
}

/** How far the shop's own database is by its own word, and whether that is to be compared with the witness. */
export interface WitnessState {
  /** Names the database, also among copies of it in one server. */
  name: string
  witness: number
  isStartedAnew: boolean
  /** It is also due a minute after the last time, whichever way the clock has gone since. */
  isDue: boolean
}

/** A scheduler that runs every minute finds it due each time; a statement that waited for another one does not. */
const IS_DUE = `(witnessed_start IS NULL OR ${IS_STARTED_ANEW} OR witness_at IS NULL
  OR NOT witness_at BETWEEN now() - interval '50 seconds' AND now() + interval '50 seconds')`

export async function findWitnessState(db: Sql): Promise<WitnessState | null> {
  const [row] = await db.query<WitnessState>({
    text: `SELECT ${witnessName(IDENTITY)} AS name, witness, ${IS_STARTED_ANEW} AS "isStartedAnew", ${IS_DUE} AS "isDue" FROM safe_mode
      WHERE identity = ${IDENTITY}`,
  })
  return row ?? null
}

/**
 * Lets the number grow if the database is as far as the witness saw it. Returns the new number; null when it is behind, or
 * when another process was faster.
 */
export async function countWitness(db: Sql, seen: number): Promise<number | null> {
  const [row] = await db.query<{ witness: number }>({
    text: `UPDATE safe_mode SET witness = witness + 1, witness_at = now(), witnessed_start = ${SERVER_START}
      WHERE witness >= $1 AND ${IS_DUE} RETURNING witness`,
    values: [seen],
  })
  return row?.witness ?? null
}

/**
 * Writes down that the database is older than the witness saw it: its disk was put back. Nobody's go holds for it then.
 * What is lost came after the number last grew. Returns false when it is not behind.
 */
export async function noticeOlder(db: Sql, seen: number, now: Date): Promise<boolean> {
  const [row] = await db.query<{ n: number }>({
    text: `WITH noticed AS (
        UPDATE safe_mode SET identity = 'older than it was', noticed_identity = ${IDENTITY}, noticed_at = $1, compared_at = NULL,
          lost_from = CASE WHEN identity = ${IDENTITY} THEN coalesce(witness_at, (SELECT max(created_at) FROM orders))
            ELSE least(lost_from, witness_at) END,
          witness = $2, witnessed_start = ${SERVER_START}
        WHERE witness < $2 RETURNING 1
      ) SELECT count(nextval('order_queue_no'))::int AS n FROM noticed, generate_series(1, $3::int)`,
    values: [now, seen, QUEUE_JUMP],
  })
  return row!.n > 0
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
        went_at = $1, went_by = $2, witnessed_start = NULL WHERE compared_at IS NOT NULL RETURNING 1`,
    values: [now, by],
  })
  return rows.length > 0
}
