import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { sqlState } from './database.ts'
import { kindOf, type Migration, type StatementKind, withoutComments } from './migrations.ts'
import { Refusal } from './refusal.ts'

/**
 * For so long a migration waits for tables that the shop uses, in a whole transaction, because everybody else waits
 * behind it. It must be more than PostgreSQL's `deadlock_timeout` of one second, after which an autovacuum makes way.
 */
export const LOCK_MS = 2000
/**
 * For so long a transaction may hold what it has taken. Whoever wants one of its tables waits meanwhile, and callers of
 * the shop are answered with 503 after a few seconds.
 */
const MOST_MS = 15_000
/** What is left for a later statement of a transaction that took its time. */
const LEAST_MS = 100
/** Nobody waits behind an index that is built CONCURRENTLY, so it may wait long for transactions that began before it. */
const BUILD_LOCK_MS = 600_000
/** More than a minute in all: no transaction of the server's is that long. */
const PAUSES_MS = [500, 1000, 2000, 4000, ...Array<number>(8).fill(8000)]
/** A table was in use, or a transaction of the shop's and ours waited for each other; PostgreSQL did nothing then. */
const IN_USE = ['55P03', '40P01']
const TOOK_TOO_LONG = '57014'

export interface ApplyOptions {
  /** How long to wait before the next try when a table was in use. */
  pausesMs?: Iterable<number>
  /** How long one transaction may take; null means as long as it likes, while the shop is closed. */
  mostMs?: number | null
  onApplied?: (tag: string) => void
}

/** As drizzle makes and fills it, and beside it the steps that were begun of a migration that is not one transaction. */
const RECORDS = `CREATE SCHEMA IF NOT EXISTS drizzle;
  CREATE TABLE IF NOT EXISTS drizzle.__drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at bigint);
  CREATE TABLE IF NOT EXISTS drizzle.migration_step
    (migration text, step integer, is_done boolean NOT NULL, PRIMARY KEY (migration, step))`

/**
 * Applies migrations one after the other. Each is a transaction of its own, which records it as well, so what is applied
 * stays, whatever becomes of the next. Needs the lock that keeps other migrators away.
 */
export async function applyMigrations(
  client: pg.Client,
  pending: readonly Migration[],
  { pausesMs, mostMs = MOST_MS, onApplied = () => {} }: ApplyOptions,
): Promise<void> {
  await client.query(RECORDS)
  for (const migration of pending) {
    const isPlain = migration.statements.every(text => kindOf(text) === 'plain')
    const applied = isPlain
      ? whenFree(client, pausesMs, migration.tag, () =>
          transact(client, [...migration.statements, recordOf(client, migration)], mostMs),
        )
      : applyBySteps(client, migration, { pausesMs, mostMs })
    await applied.catch((error: unknown) => {
      throw sqlState(error) === TOOK_TOO_LONG ? tookTooLong(migration.tag, mostMs) : error
    })
    onApplied(migration.tag)
  }
}

const recordOf = (client: pg.Client, { hash, when }: Migration): string =>
  `INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES (${client.escapeLiteral(hash)}, ${when})`

const tookTooLong = (tag: string, mostMs: number | null): Refusal =>
  new Refusal(
    `${tag} took longer than ${(mostMs ?? 0) / 1000} s and was taken back, because the shop waited behind it; what came before it is applied. Run \`migrate --slow\` while the shop is closed: then it may take its time.`,
  )

/**
 * Runs the statements in one transaction, which as a whole waits LOCK_MS for others and no longer, and ends after
 * `mostMs`.
 */
async function transact(
  client: pg.Client,
  statements: readonly string[],
  mostMs: number | null = MOST_MS,
): Promise<void> {
  const began = performance.now()
  await client.query('BEGIN')
  try {
    for (const statement of statements) {
      const left = (ms: number) => Math.max(LEAST_MS, Math.round(ms - (performance.now() - began)))
      // Zero means that there is no limit.
      const [lockMs, statementMs] = [left(LOCK_MS), mostMs === null ? 0 : left(mostMs)]
      await client.query(`SET LOCAL lock_timeout = ${lockMs}; SET LOCAL statement_timeout = ${statementMs}`)
      await client.query(statement)
    }
    await client.query('COMMIT')
  } catch (error) {
    // Of a lost connection there is nothing to roll back; the first error tells more.
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

interface Step {
  text: string
  at: number
  tag: string
  mostMs: number | null
}

/** A migration that can't be one transaction is one of several steps, and goes on after the last that was done. */
async function applyBySteps(
  client: pg.Client,
  migration: Migration,
  { pausesMs, mostMs = MOST_MS }: ApplyOptions,
): Promise<void> {
  const { tag, statements } = migration
  const { rows } = await client.query<{ step: number; is_done: boolean }>(
    'SELECT step, is_done FROM drizzle.migration_step WHERE migration = $1',
    [tag],
  )
  for (const [at, text] of statements.entries()) {
    const before = rows.find(({ step }) => step === at)
    if (before?.is_done) continue
    const step = { text, at, tag, mostMs }
    await whenFree(client, pausesMs, tag, () => RUN[kindOf(text)](client, step, before !== undefined))
  }
  await whenFree(client, pausesMs, tag, () =>
    transact(client, [
      recordOf(client, migration),
      `DELETE FROM drizzle.migration_step WHERE migration = ${client.escapeLiteral(tag)}`,
    ]),
  )
}

const noted = (client: pg.Client, { tag, at }: Step, isDone: boolean): string =>
  `INSERT INTO drizzle.migration_step (migration, step, is_done) VALUES (${client.escapeLiteral(tag)}, ${at}, ${isDone})
    ON CONFLICT (migration, step) DO UPDATE SET is_done = excluded.is_done`

const RUN = {
  plain: (client, step) => transact(client, [step.text, noted(client, step, true)], step.mostMs),
  batched: runBatches,
  concurrent: runConcurrently,
} satisfies Record<StatementKind, (client: pg.Client, step: Step, wasBegun: boolean) => Promise<void>>

/** Repeats a statement until it finds nothing more to change. It rests as long as it worked, so that others get on. */
async function runBatches(client: pg.Client, step: Step): Promise<void> {
  await client.query(`SET lock_timeout = ${LOCK_MS}`)
  for (;;) {
    const began = performance.now()
    const { rowCount } = await client.query(step.text)
    if (!rowCount) break
    await delay(performance.now() - began)
  }
  await client.query(noted(client, step, true))
}

/**
 * Builds or drops an index beside the shop's work. That it was begun is recorded first: an index of its name is then
 * ours, and either ready, or of a build that was cut off and has to be dropped.
 */
async function runConcurrently(client: pg.Client, step: Step, wasBegun: boolean): Promise<void> {
  const [, index] = /^CREATE .*?\bCONCURRENTLY (?:IF NOT EXISTS )?(\S+)/i.exec(withoutComments(step.text)) ?? []
  await client.query(`SET lock_timeout = ${BUILD_LOCK_MS}`)
  try {
    const state = index && wasBegun ? await stateOf(client, index) : 'missing'
    if (state === 'invalid') await client.query(`DROP INDEX CONCURRENTLY ${index}`)
    if (state !== 'ready') await build(client, step, index)
    await client.query(noted(client, step, true))
  } finally {
    await client.query(`SET lock_timeout = ${LOCK_MS}`).catch(() => {})
  }
}

async function build(client: pg.Client, step: Step, index: string | undefined): Promise<void> {
  await client.query(noted(client, step, false))
  try {
    await client.query(step.text)
  } catch (error) {
    // An unfinished unique index would go on refusing rows. That of a lost connection is dropped by the next run.
    if (index && (await stateOf(client, index).catch(() => 'missing')) === 'invalid')
      await client.query(`DROP INDEX CONCURRENTLY ${index}`).catch(() => {})
    throw error
  }
}

async function stateOf(client: pg.Client, index: string): Promise<'missing' | 'invalid' | 'ready'> {
  const { rows } = await client.query<{ isReady: boolean }>(
    `SELECT indisvalid AND indisready AS "isReady" FROM pg_index WHERE indexrelid = to_regclass($1)`,
    [index],
  )
  if (rows.length === 0) return 'missing'
  return rows[0]!.isReady ? 'ready' : 'invalid'
}

/** Does the work again, after a pause, when a table was in use. @param what the migration, for the refusal */
export async function whenFree<T>(
  client: pg.Client,
  pausesMs: Iterable<number> = PAUSES_MS,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  for (const pause of pausesMs) {
    try {
      return await work()
    } catch (error) {
      if (!IN_USE.includes(sqlState(error) ?? '')) throw error
      await delay(pause)
    }
  }
  try {
    return await work()
  } catch (error) {
    if (!IN_USE.includes(sqlState(error) ?? '')) throw error
    throw new Refusal(
      `A table stayed in use, so ${what} was not applied; what came before it is. ${await nameLongest(client)}Try again.`,
    )
  }
}

/** Names the oldest transaction of others, which most likely is what holds the table. */
async function nameLongest(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; who: string; seconds: number }>(
    `SELECT pid, concat_ws(' ', usename, nullif(application_name, ''), host(client_addr)) AS who,
      extract(epoch FROM clock_timestamp() - xact_start)::int AS seconds FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL ORDER BY xact_start LIMIT 1`,
  )
  const [oldest] = rows
  if (!oldest) return ''
  const { pid, who, seconds } = oldest
  return `The oldest transaction is of ${who}, ${seconds} s old: SELECT pg_terminate_backend(${pid}) ends it. `
}
