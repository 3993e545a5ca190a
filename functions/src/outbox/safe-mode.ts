import { AppError } from '@shop/shared/errors.ts'
import type { Sql } from '../database/database.ts'
import { as, type Expr, orNull, pick, row, sql, under } from '../database/sql.ts'
import { orders } from '../order/tables.ts'
import { pulse } from '../pulse/tables.ts'
import { safeMode } from './tables.ts'

/** Of the one row. */
const mode = under(safeMode)
const [signs, placed] = [under(pulse), under(orders)]

/**
 * SQL for what makes this database the one it is: the server's own number, which a new cluster has anew; the timeline,
 * which grows whenever a backup is rolled forward or a copy takes over; and the number of a table, which a dump gets
 * anew when it is read back. (The timeline is that of the next write: the control file learns of it minutes later.)
 */
export const IDENTITY = `(SELECT system_identifier FROM pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
  || '/' || 'public.safe_mode'::regclass::oid`

/** SQL for what names a database of this identity in the witness's files, also among copies of it in one server. */
export const witnessName = (identity: string | Expr<string>): string =>
  `(${identity} || '/' || (SELECT oid FROM pg_database WHERE datname = current_database()))`

export const SERVER_START = 'extract(epoch FROM pg_postmaster_start_time())::text'

/** SQL conditions on the row: the shop holds still; the server was started since the witness was last asked. */
const IS_ON = `(${mode.orderedAt} IS NOT NULL OR ${mode.identity} <> ${IDENTITY})`
const IS_STARTED_ANEW = `(${mode.witnessedStart} IS NOT NULL AND ${mode.witnessedStart} <> ${SERVER_START})`

/** SQL condition that the shop is in safe mode. */
export const IS_SAFE_MODE = `NOT EXISTS (SELECT FROM ${mode} WHERE NOT ${IS_ON})`

/**
 * SQL condition that work may leave the shop. Without a row it may not, and not after a start of the database server
 * before the witness was asked whether its disk is older than it was.
 */
export const MAY_LEAVE = `EXISTS (SELECT FROM ${mode} WHERE NOT ${IS_ON} AND NOT ${IS_STARTED_ANEW})`

export const partOfIdentity = (identity: string | Expr<string>, nth: number): string =>
  `split_part(${identity}, '/', ${nth})`
/** SQL condition on the row that this is the server's and table's history, gone on under a later timeline. */
export const IS_PROMOTED = `(${partOfIdentity(mode.identity, 1)} = ${partOfIdentity(IDENTITY, 1)}
  AND ${partOfIdentity(mode.identity, 3)} = ${partOfIdentity(IDENTITY, 3)}
  AND ${partOfIdentity(mode.identity, 2)} < ${partOfIdentity(IDENTITY, 2)})`

/** Why nothing new is sold: `UNAVAILABLE` until a standby that took over is judged, which is a matter of seconds. */
export type Holding = 'UNAVAILABLE' | 'SHOP_HOLDS'

/** SQL for why the shop holds still; null when it does not. */
export const HOLDING = `CASE WHEN NOT ${IS_SAFE_MODE} THEN NULL
  WHEN EXISTS (SELECT FROM ${mode} WHERE ${mode.orderedAt} IS NULL AND ${IS_PROMOTED}
    AND ${mode.noticedIdentity} IS DISTINCT FROM ${IDENTITY})
  THEN 'UNAVAILABLE' ELSE 'SHOP_HOLDS' END`

async function findHolding(db: Sql): Promise<Holding | null> {
  const [found] = await db.query({ text: sql`SELECT ${row({ holding: orNull(as.text<Holding>(HOLDING)) })}` })
  return found!.holding
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
  const [found] = await db.query({
    text: sql`SELECT ${row<SafeMode>({
      isOn: as.bool(IS_ON),
      isRestored: as.bool(`${mode.identity} <> ${IDENTITY}`),
      ...pick(mode, 'orderedAt', 'orderedFor', 'noticedAt', 'lostFrom', 'comparedAt', 'wentAt'),
    })} FROM ${mode}`,
  })
  const unknown = { orderedAt: null, orderedFor: null, noticedAt: null, lostFrom: null, comparedAt: null, wentAt: null }
  return found ?? { isOn: true, isRestored: true, ...unknown }
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
    text: sql`WITH noticed AS (
        UPDATE ${mode} SET ${mode.noticedIdentity} = ${IDENTITY}, ${mode.noticedAt} = $1, ${mode.comparedAt} = NULL,
          ${mode.lostFrom} = least(pg_last_xact_replay_timestamp(),
            greatest((SELECT max(${signs.succeededAt}) FROM ${signs}), (SELECT max(${placed.createdAt}) FROM ${placed})))
        WHERE ${mode.identity} <> ${IDENTITY} AND ${mode.noticedIdentity} IS DISTINCT FROM ${IDENTITY} RETURNING 1
      ) SELECT ${row({ last: orNull(as.big(`max(nextval('order_queue_no'))`)) })} FROM noticed, generate_series(1, $2::int)`,
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
const IS_DUE = `(${mode.witnessedStart} IS NULL OR ${IS_STARTED_ANEW} OR ${mode.witnessAt} IS NULL
  OR NOT ${mode.witnessAt} BETWEEN now() - interval '50 seconds' AND now() + interval '50 seconds')`

export async function findWitnessState(db: Sql): Promise<WitnessState | null> {
  const [found] = await db.query({
    text: sql`SELECT ${row<WitnessState>({
      name: as.text(witnessName(IDENTITY)),
      ...pick(mode, 'witness'),
      isStartedAnew: as.bool(IS_STARTED_ANEW),
      isDue: as.bool(IS_DUE),
    })} FROM ${mode} WHERE ${mode.identity} = ${IDENTITY}`,
  })
  return found ?? null
}

/**
 * Lets the number grow if the database is as far as the witness saw it. Returns the new number; null when it is behind, or
 * when another process was faster.
 */
export async function countWitness(db: Sql, seen: number): Promise<number | null> {
  const [found] = await db.query({
    text: sql`UPDATE ${mode} SET ${mode.witness} = ${mode.witness} + 1, ${mode.witnessAt} = now(),
        ${mode.witnessedStart} = ${SERVER_START}
      WHERE ${mode.witness} >= $1 AND ${IS_DUE} RETURNING ${row(pick(mode, 'witness'))}`,
    values: [seen],
  })
  return found?.witness ?? null
}

/**
 * Writes down that the database is older than the witness saw it: its disk was put back. Nobody's go holds for it then.
 * What is lost came after the number last grew. Returns false when it is not behind.
 */
export async function noticeOlder(db: Sql, seen: number, now: Date): Promise<boolean> {
  const [found] = await db.query({
    text: sql`WITH noticed AS (
        UPDATE ${mode} SET ${mode.identity} = 'older than it was', ${mode.noticedIdentity} = ${IDENTITY}, ${mode.noticedAt} = $1,
          ${mode.comparedAt} = NULL,
          ${mode.lostFrom} = CASE WHEN ${mode.identity} = ${IDENTITY}
            THEN coalesce(${mode.witnessAt}, (SELECT max(${placed.createdAt}) FROM ${placed}))
            ELSE least(${mode.lostFrom}, ${mode.witnessAt}) END,
          ${mode.witness} = $2, ${mode.witnessedStart} = ${SERVER_START}
        WHERE ${mode.witness} < $2 RETURNING 1
      ) SELECT ${row({ n: as.int(`count(nextval('order_queue_no'))`) })} FROM noticed, generate_series(1, $3::int)`,
    values: [now, seen, QUEUE_JUMP],
  })
  return found!.n > 0
}

/** Switches safe mode on by a person's word. What was compared before counts no longer. */
export async function orderSafeMode(tx: Sql, by: string, why: string, now: Date): Promise<void> {
  await tx.query({
    text: sql`UPDATE ${mode} SET ${mode.orderedAt} = coalesce(${mode.orderedAt}, $1), ${mode.orderedBy} = $2,
        ${mode.orderedFor} = $3, ${mode.comparedAt} = NULL`,
    values: [now, by, why],
  })
}

/** Keeps from when on everything is lost, where a person knows it better. */
export async function saveLostFrom(db: Sql, lostFrom: Date, now: Date): Promise<void> {
  await db.query({
    text: sql`UPDATE ${mode} SET ${mode.lostFrom} = $1, ${mode.noticedAt} = coalesce(${mode.noticedAt}, $2),
        ${mode.comparedAt} = NULL`,
    values: [lostFrom, now],
  })
}

export async function saveCompared(db: Sql, now: Date | null): Promise<void> {
  await db.query({ text: sql`UPDATE ${mode} SET ${mode.comparedAt} = $1`, values: [now] })
}

/** Ends safe mode: from now on this database is the shop's. Returns false when it was not compared. */
export async function endSafeMode(tx: Sql, by: string, now: Date): Promise<boolean> {
  const rows = await tx.query({
    text: sql`UPDATE ${mode} SET ${mode.identity} = ${IDENTITY}, ${mode.orderedAt} = NULL, ${mode.orderedBy} = NULL,
        ${mode.orderedFor} = NULL, ${mode.wentAt} = $1, ${mode.wentBy} = $2, ${mode.witnessedStart} = NULL
      WHERE ${mode.comparedAt} IS NOT NULL RETURNING ${row(pick(mode, 'one'))}`,
    values: [now, by],
  })
  return rows.length > 0
}
