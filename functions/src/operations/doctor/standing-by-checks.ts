import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '../../database/database.ts'
import { whyUnreachable } from '../../database/reach.ts'
import { hasReached } from '../../database/reports.ts'
import { openDisks } from '../../health/disks.ts'
import { askPatroni, BEHIND_BYTES, CLUSTER_FLAW, CLUSTER_FLAWS, flawsOfCluster } from '../../health/patroni.ts'
import { findStandbys, type Standby } from '../../health/standbys.ts'
import { findPulses } from '../../pulse/pulse.ts'
import { SIGN, SIGN_NAMES, seenAt } from '../../pulse/signs.ts'
import { allOf, type Finding, note, ok, type Patient, skipped, wrong } from './patient.ts'

const SAME = `SELECT (SELECT system_identifier::text FROM pg_control_system()) || '/' || oid AS name, pg_is_in_recovery() AS "isStandby"
  FROM pg_database WHERE datname = current_database()`
/** A standby has what was written before this time, or it lags. */
const PATIENCE_MS = 2000
const TURN_MS = 100

/** Whether DATABASE_READ_URL leads to a standby of the same database, and whether that one follows. */
export async function checkReplica({ db, config }: Patient): Promise<Finding> {
  const url = config.DATABASE_READ_URL
  if (!url) return skipped('DATABASE_READ_URL is not set: reports read the database itself')
  const timeoutMs = { connect: config.DATABASE_CONNECT_TIMEOUT_MS, statement: config.DATABASE_STATEMENT_TIMEOUT_MS }
  const replica = openDatabase(url, { connections: 1, ca: config.DATABASE_CA, namedStatements: 'off', timeoutMs })
  try {
    const ask = async (of: Patient['db']) => (await of.query<{ name: string; isStandby: boolean }>({ text: SAME }))[0]!
    const [mine, theirs] = [await ask(db), await ask(replica)]
    if (mine.name !== theirs.name) return wrong('DATABASE_READ_URL leads to another database than DATABASE_URL.')
    if (!theirs.isStandby) return wrong('DATABASE_READ_URL leads to the primary: reports are no relief for it.')
    return await follow(db, replica)
  } catch (error) {
    const reason = whyUnreachable(error)?.replace('DATABASE_URL', 'DATABASE_READ_URL')
    return wrong(reason ?? `DATABASE_READ_URL: ${(error as Error).message}`)
  } finally {
    await replica.close()
  }
}

async function follow(db: Patient['db'], replica: Patient['db']): Promise<Finding> {
  const [position] = await db.query<{ lsn: string; page: number }>({
    text: `SELECT pg_current_wal_flush_lsn()::text AS lsn, current_setting('wal_block_size')::int AS page`,
  })
  for (let waited = 0; waited <= PATIENCE_MS; waited += TURN_MS) {
    const [row] = await replica.query<{ lsn: string }>({ text: 'SELECT pg_last_wal_replay_lsn()::text AS lsn' })
    if (hasReached(row!.lsn, position!)) return ok('it follows the database')
    await delay(TURN_MS)
  }
  return wrong(`The standby of DATABASE_READ_URL lags: it lacks what the database had ${PATIENCE_MS / 1000} s ago.`)
}

/** Whether somebody could take the database's place, and has what that takes. */
export async function checkStandbys({ db, now }: Patient): Promise<Finding[]> {
  let found = await findStandbys(db, now())
  if (!found) return [note('The database does not tell of its standbys: run `migrate` as the owner.')]
  if (found.standbys.some(({ bytes }) => bytes !== 0)) {
    await delay(PATIENCE_MS)
    found = (await findStandbys(db, now())) ?? found
  }
  const { standbys, isWaitedFor } = found
  const isNoneSync = !standbys.some(({ sync }) => sync === null || sync === 'sync' || sync === 'quorum')
  if (isWaitedFor && isNoneSync)
    return [wrong('synchronous_standby_names asks for a standby, and none is there: no order is acknowledged.')]
  if (standbys.length === 0) return [skipped('no standby follows the database')]
  return standbys.map(judgeStandby)
}

function judgeStandby({ name, state, sync, bytes, seconds }: Standby): Finding {
  if (state === null)
    return note(
      'A standby is there. How far it is the owner may not see: as a superuser, GRANT pg_read_all_stats to it.',
    )
  const isLate = (seconds ?? 0) * 1000 >= PATIENCE_MS || (bytes ?? 0) > BEHIND_BYTES
  const words = `${name} (${sync}, ${state}) is ${bytes ?? '?'} bytes behind`
  return isLate ? wrong(`The standby ${words}: it lags.`) : ok(words)
}

/** What Patroni says of the database's machines. */
export async function checkPatroni({ config }: Patient): Promise<Finding[]> {
  const { PATRONI_URLS: urls } = config
  if (urls.length === 0) return [skipped('PATRONI_URLS is not set')]
  const members = await askPatroni(urls)
  const flaws = flawsOfCluster(members)
  const words = CLUSTER_FLAWS.flatMap(flaw =>
    flaws[flaw].length > 0 ? [`${flaws[flaw].join(', ')}: ${CLUSTER_FLAW[flaw].words}.`] : [],
  )
  const leader = members.find(({ told }) => told?.isLeader)?.host
  return allOf(words, `${leader} leads ${members.length - 1} others`)
}

/** What the pulse misses once it was there; what it never heard of it can't miss. */
export async function checkSigns({ db }: Patient): Promise<Finding[]> {
  const pulses = await findPulses(db)
  return SIGN_NAMES.filter(name => name !== 'standby').map(name => {
    const at = seenAt(pulses, name)
    return at
      ? ok(`${SIGN[name].about}: last at ${at.toISOString()}`)
      : note(`The shop was never told of ${SIGN[name].about}.`)
  })
}

/** The disk of the files is tried by writing. */
export async function checkDisks({ config }: Patient): Promise<Finding[]> {
  if (config.DISKS.length === 0)
    return [note("DISKS names no disk of the database's: a watcher on its machine looks at it.")]
  const disks = await openDisks(config.DISKS)()
  const full = disks.filter(({ percent }) => percent === 100).map(({ path }) => `${path} is full, or can not be read.`)
  return allOf(full, disks.map(({ path, percent }) => `${path} ${percent}%`).join(', '))
}
