import { type Database, sqlState } from '../database/database.ts'
import { hasReached } from '../database/reports.ts'
import { as, orNull, row, sql, under } from '../database/sql.ts'
import { safeMode } from '../outbox/tables.ts'

/** A server that follows the database's log. */
export interface Standby {
  name: string
  /** `streaming` or `catchup`. Null, as all that follows, where the database's owner may not see it. */
  state: string | null
  /** Whether commits wait for it: `sync`, `quorum`, `potential` or `async`. */
  sync: string | null
  /** How far its copy is behind, in bytes of the log and in seconds. */
  bytes: number | null
  seconds: number | null
}

export interface Standbys {
  /** Whether commits are to wait for one. */
  isWaitedFor: boolean
  /** The furthest first. */
  standbys: Standby[]
  /** When this process last saw one, and since when it has looked. */
  seenAt: Date | null
  lookedSince: Date
  /** When one last took the database's place with nothing lost. */
  promotedAt: Date | null
}

type Row = Omit<Standby, 'seconds'> & { replayed: string | null }
interface Told {
  isWaitedFor: boolean
  promotedAt: Date | null
  lsn: string
  page: number
  rows: Row[]
}

const mode = under(safeMode)

/** Copies that are only being made are no standbys. */
const LOOK = sql`SELECT ${row<Told>({
  isWaitedFor: as.bool(`current_setting('synchronous_standby_names') <> ''`),
  promotedAt: orNull(as.instant(`(SELECT ${mode.promotedAt} FROM ${mode})`)),
  lsn: as.text('pg_current_wal_flush_lsn()'),
  page: as.int(`current_setting('wal_block_size')`),
  rows: as.shape(`coalesce((SELECT json_agg(json_build_object('name', coalesce(name, ''), 'state', state, 'sync', sync,
      'replayed', replayed, 'bytes', greatest(0, pg_wal_lsn_diff(pg_current_wal_flush_lsn(), replayed::pg_lsn)))) FROM standbys()
      WHERE state IS NULL OR (state IN ('streaming', 'catchup') AND name NOT IN ('pg_basebackup', 'pg_receivewal'))), '[]')`),
})}`

const UNKNOWN_FUNCTION = '42883'
/** Some ten minutes of looks at least. */
const MOST_POSITIONS = 120

/** What this process remembers of a database's log and standbys. */
interface Memory {
  positions: { at: number; lsn: string; page: number }[]
  lookedSince: Date
  seenAt: Date | null
  last: Standbys | null
}
const memories = new WeakMap<Database, Memory>()

/**
 * Looks at the standbys. PostgreSQL's own lag stands still with a standby that replays nothing, so the seconds are since
 * the last position of the log that was seen here and that a standby has. Null where the database was not migrated since.
 */
export async function findStandbys(db: Database, now: Date): Promise<Standbys | null> {
  const told = await ask(db)
  if (!told) return null
  const memory = memories.get(db) ?? { positions: [], lookedSince: now, seenAt: null, last: null }
  memories.set(db, memory)
  const { lsn, page, rows, isWaitedFor, promotedAt } = told
  memory.positions = [...memory.positions, { at: now.getTime(), lsn, page }].slice(-MOST_POSITIONS)
  if (rows.length > 0) memory.seenAt = now
  const standbys = rows
    .map(({ replayed, ...row }) => ({
      ...row,
      seconds: replayed === null ? null : secondsBehind(memory.positions, replayed),
    }))
    .toSorted((one, other) => (other.bytes ?? 0) - (one.bytes ?? 0))
  const { seenAt, lookedSince } = memory
  memory.last = { isWaitedFor, standbys, seenAt, lookedSince, promotedAt }
  return memory.last
}

/** What this process last saw. */
export function lastStandbys(db: Database): Pick<Standbys, 'standbys' | 'promotedAt'> | null {
  const { standbys, promotedAt } = memories.get(db)?.last ?? {}
  return standbys && promotedAt !== undefined ? { standbys, promotedAt } : null
}

function secondsBehind(positions: Memory['positions'], replayed: string): number {
  const latest = positions.at(-1)!
  const has = positions.findLast(position => hasReached(replayed, position)) ?? positions[0]!
  return Math.max(0, Math.round((latest.at - has.at) / 1000))
}

async function ask(db: Database): Promise<Told | null> {
  try {
    const [told] = await db.query({ text: LOOK })
    return told!
  } catch (error) {
    if (sqlState(error) === UNKNOWN_FUNCTION) return null
    throw error
  }
}
