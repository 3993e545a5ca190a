import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { createDatabase } from '../postgres.ts'
import { measureTransactions } from './pgbench.ts'
import type { BenchSite } from './site.ts'
import { runSql } from './sql.ts'

/** How many keys the week holds; PASSAGE_ROWS changes it. */
const ROWS = Number(process.env.PASSAGE_ROWS ?? 1_000_000)
const DAYS = 8
const CLIENTS = 4
const SECONDS = 10
const ROUNDS = 3
const BATCH = 2000

const COLUMNS = `(scope text NOT NULL, key text NOT NULL, request_hash text NOT NULL, reply jsonb NOT NULL, created_at timestamptz NOT NULL`

/** As `idempotency_key` is, and as it would be with a part for each day, in which nothing makes a key unique but a trigger. */
const TABLES = [
  `CREATE TABLE plain_key ${COLUMNS}, CONSTRAINT plain_key_once PRIMARY KEY (scope, key))`,
  'CREATE INDEX plain_key_created ON plain_key (created_at)',
  `CREATE TABLE parted_key ${COLUMNS}, PRIMARY KEY (scope, key, created_at)) PARTITION BY RANGE (created_at)`,
  'CREATE TABLE parted_key_rest PARTITION OF parted_key DEFAULT',
  `DO $$ BEGIN FOR d IN -${DAYS - 1}..2 LOOP
    EXECUTE format('CREATE TABLE parted_key_%s PARTITION OF parted_key FOR VALUES FROM (%L) TO (%L)',
      d + ${DAYS}, current_date + d, current_date + d + 1); END LOOP; END $$`,
  // Its keys tell their own day, so each is looked for in one part.
  `CREATE TABLE dated_key ${COLUMNS}, day date NOT NULL, PRIMARY KEY (scope, key, day)) PARTITION BY RANGE (day)`,
  `DO $$ BEGIN FOR d IN -${DAYS - 1}..2 LOOP
    EXECUTE format('CREATE TABLE dated_key_%s PARTITION OF dated_key FOR VALUES FROM (%L) TO (%L)',
      d + ${DAYS}, current_date + d, current_date + d + 1); END LOOP; END $$`,
  `CREATE FUNCTION parted_key_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(NEW.scope || ' ' || NEW.key, 1));
    IF EXISTS (SELECT FROM parted_key WHERE scope = NEW.scope AND key = NEW.key) THEN
      RAISE EXCEPTION 'the key stands' USING ERRCODE = '23505'; END IF;
    RETURN NEW; END $$`,
]
const TRIGGER = 'CREATE TRIGGER once BEFORE INSERT ON parted_key FOR EACH ROW EXECUTE FUNCTION parted_key_once()'

const MOMENT = `current_date - ${DAYS - 1} + n * interval '${DAYS - 0.5} days' / ${ROWS}`
const KEYS = ['plain_key', 'parted_key', 'dated_key'] as const
type Table = (typeof KEYS)[number]
const dayOf = (table: Table, day: string): string => (table === 'dated_key' ? `, ${day}` : '')

const filled = (table: Table): string => `INSERT INTO ${table}
  SELECT 'g:' || md5('s' || n), md5('k' || n), md5('h' || n), jsonb_build_object('orderNo', 'R2611' || n),
    ${MOMENT}${dayOf(table, `(${MOMENT})::date`)} FROM generate_series(1, ${ROWS}) n`

/** What a purchase does with its key: it looks whether it was answered, and stores the answer. */
const script = (table: Table): string => `\\set n random(1, 1000000000000000)
SELECT reply FROM ${table} WHERE scope = 'g:' || :n AND key = 'B' || :n${table === 'dated_key' ? ' AND day = current_date' : ''};
INSERT INTO ${table} VALUES ('g:' || :n, 'B' || :n, 'B' || :n, jsonb_build_object('orderNo', 'B' || :n), now()${dayOf(table, 'current_date')});
`

/**
 * Whether a table whose rows only pass through is better emptied in batches or parted by day and dropped, told by the
 * table of idempotency keys: what each way costs a purchase, and what the clean-up of a day costs.
 */
export async function benchPassage(site: BenchSite): Promise<void> {
  const url = await createDatabase(site.postgresUrl, 'passage')
  const own = { databaseUrl: url, getDatabaseMs: site.getDatabaseMs }
  await runSql(url, ...TABLES)
  for (const table of KEYS) await runSql(url, filled(table), `VACUUM ANALYZE ${table}`)
  await runSql(url, TRIGGER, 'CHECKPOINT')
  console.log(
    `\nA week of ${ROWS.toLocaleString('en')} keys: in one table, and with a part for each of ${DAYS + 3} days`,
  )
  for (let round = 0; round < ROUNDS; round++)
    for (const table of KEYS) {
      const done = await measureTransactions({ site: own, clients: CLIENTS, seconds: SECONDS, script: script(table) })
      if (!done) return console.log('  pgbench is not installed: nothing was measured')
      const { perSecond, databaseMs } = done
      console.log(
        `  ${table.padEnd(11)}${perSecond.toFixed(0).padStart(6)} keys/s  ${databaseMs.toFixed(3)} ms of processor time each`,
      )
    }
  const sweeps: Record<string, () => Promise<unknown>> = {
    'deleting the oldest day': () => deleteDay(url),
    'the vacuum after it': () => runSql(url, 'VACUUM plain_key'),
    'dropping the oldest day': () => runSql(url, 'DROP TABLE parted_key_1'),
  }
  for (const [name, sweep] of Object.entries(sweeps)) await tellCost(own, name, sweep)
}

async function tellCost(
  site: Pick<BenchSite, 'databaseUrl' | 'getDatabaseMs'>,
  name: string,
  work: () => Promise<unknown>,
) {
  const log = `SELECT pg_current_wal_insert_lsn()::text AS at`
  const [from] = await runSql<{ at: string }>(site.databaseUrl, 'CHECKPOINT', log)
  const [beforeMs, began] = [site.getDatabaseMs(), performance.now()]
  await work()
  const [seconds, usedMs] = [(performance.now() - began) / 1000, site.getDatabaseMs() - beforeMs]
  const [size] = await runSql<{ mb: number }>(
    site.databaseUrl,
    `SELECT (pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '${from!.at}') / 1048576)::int AS mb`,
  )
  const eachMs = (usedMs / (ROWS / (DAYS - 0.5))).toFixed(4)
  console.log(
    `  ${name}: ${seconds.toFixed(1)} s, ${(usedMs / 1000).toFixed(1)} s of processor time (${eachMs} ms for each key), ${size!.mb} MB of log`,
  )
}

/** As the daily clean-up does it. */
async function deleteDay(url: string): Promise<void> {
  const which = `SELECT ctid FROM plain_key WHERE created_at < current_date - ${DAYS - 2} LIMIT ${BATCH}`
  for (;;) {
    const began = performance.now()
    const [row] = await runSql<{ n: number }>(
      url,
      `WITH gone AS (DELETE FROM plain_key WHERE ctid = ANY(ARRAY(${which} FOR UPDATE SKIP LOCKED)) RETURNING 1)
        SELECT count(*)::int AS n FROM gone`,
    )
    if (row!.n < BATCH) return
    await delay(performance.now() - began)
  }
}
