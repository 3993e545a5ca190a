import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '@shop/shared/errors.ts'
import { within } from '../asking/within.ts'
import { type Database, type Queries, sqlState, type TransactionOptions } from './database.ts'

declare module '../shop/shop.ts' {
  interface Shop {
    /** The primary: for everything that is decided or changed, and for what staff work at. */
    db: Database
    /**
     * A replica that is a few seconds old at most, else the primary: for dashboards, lists for reports, exports and the
     * nightly checks.
     */
    reports: Reports
  }
}

/**
 * Where dashboards, lists for reports, exports and the nightly checks read: a streaming replica whose copy is proved to
 * be at most some seconds old, else the primary. Nobody decides on what they read here, and nothing is written.
 */
export interface Reports extends Queries {
  /** Runs `work` in one transaction, which may be repeated. It must only read. */
  transaction<T>(work: (tx: Queries) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Asks both databases, and tells how old the replica's copy is at most; null where there is no replica. */
  look(): Promise<ReplicaState | null>
  close(): Promise<void>
}

interface ReplicaState {
  /** Everything that was committed longer ago than this is in the copy. Until it was proved once: since the start. */
  seconds: number
  isRead: boolean
}

export interface ReportOptions {
  /** Opens a pool to the replica; without it the primary is read. */
  openReplica?: (connections?: number) => Database
  /** The oldest copy that is read. */
  maxSeconds?: number
  /** Called when the replica is left for the primary, with the reason, and with null when it is read again. */
  onTurn?: (reason: string | null) => void
  /** Milliseconds of a clock that never jumps. */
  clock?: () => number
}

/** How often a process compares the two at most, while somebody reads. */
const LOOK_MS = 1000
/** A replica that does not answer a question for so long is left. A reader waits twice this at most. */
const PATIENCE_MS = 450
/** The primary's positions that are remembered. The oldest copy may be this many looks old. */
const MOST_POSITIONS = 120

/**
 * The position that the primary's log has reached, also with what is not on its disk yet, and the timeline, which changes
 * when another server takes its place.
 */
const POSITION = `SELECT pg_current_wal_insert_lsn()::text AS lsn, current_setting('wal_block_size')::int AS page,
  ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int AS timeline,
  (SELECT system_identifier::text FROM pg_control_system()) AS system`
const REPLAYED = `SELECT pg_is_in_recovery() AS "isReplica", pg_last_wal_replay_lsn()::text AS lsn,
  (SELECT timeline_id FROM pg_control_checkpoint()) AS timeline, (SELECT system_identifier::text FROM pg_control_system()) AS system`

interface Position {
  lsn: string
  /** Bytes of one page of the log. */
  page: number
  timeline: number
  system: string
}
type Replayed = Pick<Position, 'timeline' | 'system'> & { isReplica: boolean; lsn: string | null }

/** The replica does not answer. */
class Left extends Error {}

/** PostgreSQL writes a position as two hexadecimal halves. */
function positionOf(lsn: string): bigint {
  const [high, low] = lsn.split('/') as [string, string]
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/** The longest head of a page. Where the log ends with a page, the next position stands behind the next page's head. */
const HEAD_BYTES = 40n

/** Tells whether a replica that has replayed its log up to `replayed` knows all that stands before a position. */
export function hasReached(replayed: string, { lsn, page }: Pick<Position, 'lsn' | 'page'>): boolean {
  const wanted = positionOf(lsn)
  const inPage = wanted % BigInt(page)
  return positionOf(replayed) >= (inPage <= HEAD_BYTES ? wanted - inPage : wanted)
}

/** Returns how far a replica of the primary has replayed its log. @throws Left when it is none */
function lsnOf({ isReplica, lsn, system, timeline }: Replayed, primary: Position): string {
  if (!isReplica || lsn === null) throw new Left('it is no replica')
  if (system !== primary.system) throw new Left('it is a copy of another database')
  if (timeline !== primary.timeline) throw new Left(`it follows timeline ${timeline}`)
  return lsn
}

const inTime = <T>(ms: number, work: Promise<T>): Promise<T> =>
  within(ms, work, () => {
    throw new Left(`no answer within ${ms} ms`)
  })

/** Waits for a reader as long as the replica answers anything at all. */
async function whileItAnswers<T>(ask: () => Promise<unknown>, work: Promise<T>): Promise<T> {
  work.catch(() => {})
  for (;;) {
    const done = await Promise.race([work.then(value => ({ value })), pause()])
    if (done) return done.value
    await inTime(PATIENCE_MS, ask())
  }
}

/** Keeps since when the replica's copy is proved to be whole. */
function createProof() {
  let positions: (Position & { at: number })[] = []
  let provedAt: number | null = null
  return {
    /** Everything that was committed until then is in the copy; null while the replica is not to be read. */
    at: () => provedAt,
    forget() {
      provedAt = null
    },
    /** The position of the primary at a moment. */
    add(position: Position & { at: number }) {
      positions = [...positions, position].slice(-MOST_POSITIONS)
    },
    prove(lsn: string, timeline: number) {
      const proved = positions.findLast(known => known.timeline === timeline && hasReached(lsn, known))
      if (proved) provedAt = Math.max(provedAt ?? proved.at, proved.at)
    },
  }
}

const readPrimary = (primary: Database): Reports => ({
  query: statement => primary.query(statement),
  transaction: (work, options) => primary.transaction(work, options),
  look: () => Promise.resolve(null),
  close: () => Promise.resolve(),
})

/** Tells when a reason to leave the replica comes where there was none, or goes. */
function onlyTurns(onTurn: (reason: string | null) => void) {
  let reason: string | null = 'not asked yet'
  return (why: string | null): void => {
    if ((why === null) === (reason === null)) return
    reason = why
    onTurn(why)
  }
}

export function openReports(primary: Database, options: ReportOptions = {}): Reports {
  const { openReplica, maxSeconds = 5, onTurn = () => {}, clock = () => performance.now() } = options
  if (!openReplica) return readPrimary(primary)
  // Questions about the replica itself must not wait behind its readers.
  const open = () => ({ readers: openReplica(), asker: openReplica(1) })
  let link = open()
  const openedAt = clock()
  const proof = createProof()
  let lookedAt = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | null = null
  const turn = onlyTurns(onTurn)

  const isFresh = () => clock() - (proof.at() ?? Number.NEGATIVE_INFINITY) <= maxSeconds * 1000

  /** Connections that may hang are thrown away, so that the next question finds a replica that is well again. */
  function leave(why: unknown): void {
    proof.forget()
    const { readers, asker } = link
    link = open()
    for (const pool of [readers, asker]) void pool.close().catch(() => {})
    turn(why instanceof Error ? why.message : String(why))
  }

  async function compare(): Promise<void> {
    // Whatever was committed before this moment stands before the position that the primary tells now.
    const at = clock()
    const [position] = await primary.query<Position>({ text: POSITION })
    proof.add({ at, ...position! })
    const [replayed] = await inTime(PATIENCE_MS * 2, link.asker.query<Replayed>({ text: REPLAYED }))
    proof.prove(lsnOf(replayed!, position!), position!.timeline)
    turn(isFresh() ? null : 'its copy is too old')
  }

  function look(): Promise<void> {
    lookedAt = clock()
    looking ??= compare()
      .catch(leave)
      .finally(() => {
        looking = null
      })
    return looking
  }

  async function read<T>(work: (db: Database) => Promise<T>): Promise<T> {
    if (clock() - lookedAt >= LOOK_MS) void look()
    if (!isFresh()) return work(primary)
    const used = link
    try {
      return await whileItAnswers(() => link.asker.query({ text: 'SELECT 1' }), work(used.readers))
    } catch (error) {
      // What takes too long there takes too long here, too.
      if (error instanceof AppError || sqlState(error) === QUERY_CANCELED) throw error
      // A replica ends readers that stand in the way of its log: no reason to leave it.
      if (sqlState(error) !== CONFLICT && used === link) leave(error)
      return work(primary)
    }
  }

  return {
    query: statement => read(db => db.query(statement)),
    transaction: (work, options) => read(db => db.transaction(work, options)),
    async look() {
      await look()
      return { seconds: Math.round((clock() - (proof.at() ?? openedAt)) / 1000), isRead: isFresh() }
    },
    close: () => Promise.all([link.readers.close(), link.asker.close()]).then(() => {}),
  }
}

const QUERY_CANCELED = '57014'
const CONFLICT = '40001'
const pause = () => delay(PATIENCE_MS, null, { ref: false })
