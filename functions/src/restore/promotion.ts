import type { Database } from '../database/database.ts'
import { as, type Expr, pick, row, sql, under } from '../database/sql.ts'
import { excludedSql } from '../database/values.ts'
import { log } from '../http/log.ts'
import { IDENTITY, IS_PROMOTED, partOfIdentity, QUEUE_JUMP, SERVER_START, witnessName } from '../outbox/safe-mode.ts'
import { safeMode } from '../outbox/tables.ts'
import { pulse } from '../pulse/tables.ts'
import type { Shop } from '../shop/shop.ts'
import { readWitness, writeWitness } from './witness.ts'

/**
 * A standby that takes the primary's place is, to the shop, another database: its timeline is a new one, as that of a
 * backup that was rolled forward. What tells them apart is what the shop itself remembers outside of both. Each process
 * sees a number that grows in the database every second, and keeps it in memory. A database that takes the other's place
 * is the shop's own when a process that was there before finds its last number again, and when at that number nothing was
 * acknowledged that was on one machine only. A backup has an older number, and so has a standby that lagged behind; where
 * nobody remembers, nobody vouches, and a person decides as ever.
 */

const mode = under(safeMode)
const signs = under(pulse)

type Parts = Pick<Shop, 'db' | 'files' | 'now'>

/** What a process remembers of the database, outside of it. */
interface Memory {
  beat: number
  /** The promotion that was seen at the last beat; it is judged at the next one, so that who remembers more is heard. */
  promoted: string | null
  /** How often it was not taken. */
  doubts: number
}
const memories = new WeakMap<Database, Memory>()

/** Another process may just have taken it. */
const TOLD_AFTER = 3

/** A beat of another process may have come between two looks of this one. */
const UNSEEN = 2

/** A commit comes back when a second machine has it. */
const IS_SYNCED = `(current_setting('synchronous_standby_names') <> ''
  AND current_setting('synchronous_commit') IN ('on', 'remote_apply'))`

const BEAT_DUE = `(${mode.beatAt} IS NULL OR NOT ${mode.beatAt} BETWEEN now() - interval '900 ms' AND now() + interval '900 ms')`

interface State {
  beat: number
  witness: number
  isSynced: boolean
  /** Names the database that the shop knows, and the one that it found, as the witness's file is named. */
  known: string
  found: string
  isPromoted: boolean
}

async function beatOnce(db: Database): Promise<State> {
  const [found] = await db.query({
    name: 'safe_mode_beat',
    text: sql`WITH beaten AS (
        UPDATE ${mode} SET ${mode.beat} = ${mode.beat} + 1, ${mode.beatAt} = now(), ${mode.beatSynced} = ${IS_SYNCED}
        WHERE ${mode.identity} = ${IDENTITY} AND ${BEAT_DUE} RETURNING ${mode.beat})
      SELECT ${row<State>({
        beat: as.big(`coalesce((SELECT ${mode.beat} FROM beaten), ${mode.beat})`),
        ...pick(mode, 'witness'),
        isSynced: as.bool(`coalesce(${mode.beatSynced}, false)`),
        known: as.text(witnessName(mode.identity)),
        found: as.text(witnessName(IDENTITY)),
        isPromoted: as.bool(IS_PROMOTED),
      })}
      FROM ${mode}`,
  })
  return found!
}

/** Each promotion leaves a row in `pulse`, by its timeline. */
const PROMOTION = 'promotion:'
export const isPromotion = (pulse: string): boolean => pulse.startsWith(PROMOTION)

/** What was noticed of this database is forgotten once it is the shop's own. */
const unlessNoticed = (column: Expr<unknown>) =>
  `CASE WHEN ${mode.noticedIdentity} = ${IDENTITY} THEN NULL ELSE ${column} END`

/**
 * Makes the promoted database the shop's own, and keeps when. Returns false when it is not as far as is remembered, or not
 * surely whole.
 */
async function adopt(db: Database, beat: number, witness: number): Promise<boolean> {
  const rows = await db.query({
    text: sql`WITH adopted AS (UPDATE ${mode} SET ${mode.identity} = ${IDENTITY}, ${mode.promotedAt} = now(),
        ${mode.witnessedStart} = ${SERVER_START},
        ${mode.noticedAt} = ${unlessNoticed(mode.noticedAt)},
        ${mode.lostFrom} = ${unlessNoticed(mode.lostFrom)},
        ${mode.noticedIdentity} = ${unlessNoticed(mode.noticedIdentity)}
      WHERE ${IS_PROMOTED} AND ${mode.beatSynced} AND ${mode.beat} BETWEEN $1 AND $1 + ${UNSEEN} AND ${mode.witness} >= $2
        RETURNING ${mode.identity}, ${mode.promotedAt})
      INSERT INTO ${signs} (${signs.name}, ${signs.succeededAt})
        SELECT $3 || ${partOfIdentity(mode.identity, 2)}, ${mode.promotedAt} FROM adopted
        ON CONFLICT (${signs.name}) DO UPDATE SET ${excludedSql(pick(signs, 'succeededAt'))}
      RETURNING ${row(pick(signs, 'name'))}`,
    values: [beat, witness, PROMOTION],
  })
  return rows.length > 0
}

/** Writes down that the promoted database lacks what was acknowledged, so that no process that remembers less takes it. */
async function refuse(db: Database, beat: number, now: Date): Promise<boolean> {
  const [found] = await db.query({
    text: sql`WITH refused AS (
        UPDATE ${mode} SET ${mode.identity} = 'promoted with loss', ${mode.noticedIdentity} = ${IDENTITY},
          ${mode.noticedAt} = $2,
          ${mode.comparedAt} = NULL, ${mode.lostFrom} = ${mode.beatAt} WHERE ${IS_PROMOTED} AND ${mode.beat} < $1 RETURNING 1
      ) SELECT ${row({ n: as.int(`count(nextval('order_queue_no'))`) })} FROM refused, generate_series(1, $3::int)`,
    values: [beat, now, QUEUE_JUMP],
  })
  return found!.n > 0
}

/**
 * Lets the number grow, once a second however many processes do it, and remembers it. Where another database has taken
 * the place of the known one, it is taken for the shop's own, or refused, by what is remembered. Returns whether the
 * database is the known one.
 */
export async function beatAndRemember({ db, files, now }: Parts): Promise<boolean> {
  const state = await beatOnce(db)
  const memory = memories.get(db)
  if (state.known === state.found) {
    memories.set(db, { beat: state.beat, promoted: null, doubts: 0 })
    return true
  }
  if (!memory || !state.isPromoted) return false
  if (memory.promoted !== state.found) {
    if (await refuse(db, memory.beat, now()))
      log('ERROR', 'safe mode: a standby took over that lacks what was acknowledged')
    memories.set(db, { ...memory, promoted: state.found })
    return false
  }
  const inFile = (await readWitness(files, state.known)) ?? 0
  if (state.witness < inFile) return false
  // The new database's file comes first: without one it would be taken for a copy after the next start.
  await writeWitness(files, state.found, state.witness)
  if (await adopt(db, memory.beat, inFile))
    log('WARNING', 'a standby took the place of the database, with nothing lost')
  else if (++memory.doubts === TOLD_AFTER) {
    const { beat, witness, isSynced } = state
    const facts = { beat, remembered: memory.beat, witness, inFile, isSynced }
    log('ERROR', 'a standby took over, and it is not sure that nothing is lost', facts)
  }
  return false
}
