import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from 'local/ports.ts'
import { crashPostgres, discardPostgres, type PostgresServer, startPostgres } from 'local/postgres.ts'
import { startReplica } from 'local/replica.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asApplication, migrate } from '../database/migrate.ts'
import { runCommand } from '../operations/commands.ts'
import type { Patient } from '../operations/doctor/patient.ts'
import { checkReplica, checkStandbys } from '../operations/doctor/standing-by-checks.ts'
import { beatAndRemember } from '../restore/promotion.ts'
import { createTestShop, type TestShop } from '../testing/shop.ts'
import { openWire, type Wire } from '../testing/wire.ts'
import { findChecks } from './checks.ts'

const KEY = 'k'.repeat(32)

let dir: string
let primary: PostgresServer
let standby: PostgresServer
let wire: Wire
let it: TestShop

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'shop-standbys-'))
  const settings = ['synchronous_commit=on']
  primary = await startPostgres({ port: await findFreePort(), dataDir: `${dir}-primary`, durable: false, settings })
  await migrate(primary.url)
  wire = await openWire(primary.url)
  it = await createTestShop({ PULSE_KEYS: KEY, FILES_DIR: join(dir, 'files') }, wire.url)
  it.clock.now = new Date()
})
afterAll(async () => {
  await it.db.close()
  await wire.close()
  for (const each of [`${dir}-standby`, `${dir}-primary`]) await discardPostgres(each)
  rmSync(dir, { recursive: true, force: true })
})

const sql = async (server: PostgresServer, ...texts: string[]) => {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  for (const text of texts) await client.query(text)
  await client.end()
}
/** The red ones of the checks about standbys. */
const red = async () => {
  const found = await findChecks(it.shop, it.clock.now)
  const of = ['standbyMissing', 'standbyLag', 'promotions', 'replica', 'database']
  return found.flatMap(({ name, isRed }) => (isRed && of.includes(name) ? [name] : []))
}
const patient = (readUrl?: string) =>
  ({ db: it.shop.db, now: it.shop.now, config: { ...it.shop.config, DATABASE_READ_URL: readUrl } }) as Patient
const wordsOf = (findings: { kind: string; words: string }[]) => findings.map(({ kind, words }) => `${kind} ${words}`)
const ops = async (args: string[], url: string) => {
  const said: string[] = []
  const variables = { DATABASE_URL: url }
  return { code: await runCommand(args, { variables, say: line => said.push(line) }), said: said.join('\n') }
}
const waitFor = (names: string) => [
  `ALTER SYSTEM SET synchronous_standby_names = '${names}'`,
  'SELECT pg_reload_conf()',
]

test('a database without a standby is not red; one that lost its standby is, after a minute, and one whose standby stands still', async () => {
  expect(await red()).toEqual([])
  expect(wordsOf(await checkStandbys(patient()))).toEqual(['skipped no standby follows the database'])

  standby = await startReplica(primary, { port: await findFreePort(), dataDir: `${dir}-standby` })
  await sql(primary, ...waitFor('*'))
  const pulse = async () => {
    it.clock.advance(10)
    const reply = await it.request('/pulse', { headers: { authorization: `Bearer ${KEY}` } })
    const { standbys } = (await reply.json()) as { standbys: { standbys: object[] } }
    return standbys.standbys
  }
  await expect
    .poll(pulse)
    .toEqual([{ name: expect.any(String), state: 'streaming', sync: 'sync', bytes: expect.any(Number), seconds: 0 }])
  expect(await red()).toEqual([])
  expect(wordsOf(await checkStandbys(patient()))).toEqual([
    expect.stringMatching(/^ok .*sync, streaming.* bytes behind/),
  ])

  // An owner who may not see more than that it is there.
  await sql(primary, 'CREATE ROLE plain', 'ALTER FUNCTION standbys() OWNER TO plain')
  expect(wordsOf(await checkStandbys(patient()))).toEqual([expect.stringMatching(/^note .*GRANT pg_read_all_stats/)])
  expect(await red()).toEqual([])
  await sql(primary, 'ALTER FUNCTION standbys() RENAME TO gone')
  expect(wordsOf(await checkStandbys(patient()))).toEqual([expect.stringMatching(/^note .*run `migrate`/)])
  expect(await red()).toEqual([])
  await sql(primary, 'ALTER FUNCTION gone() RENAME TO standbys', 'ALTER FUNCTION standbys() OWNER TO postgres')

  // It takes the log and does nothing with it.
  await sql(standby, 'SELECT pg_wal_replay_pause()')
  await it.db.query({ text: `INSERT INTO option (name, value) VALUES ('STANDS_STILL', '1')` })
  await red()
  it.clock.advance(61)
  expect(await red()).toEqual(['standbyLag'])
  const now = () => {
    it.clock.advance(2)
    return it.clock.now
  }
  expect(wordsOf(await checkStandbys({ ...patient(), now }))).toEqual([expect.stringMatching(/^wrong .*it lags\.$/)])
  expect((await checkReplica(patient(asApplication(standby.url)))).words).toContain('lags')
  await sql(standby, 'SELECT pg_wal_replay_resume()')
  await expect.poll(red).toEqual([])
})

test('roles are named: a standby in DATABASE_URL, the primary or a stranger in DATABASE_READ_URL', async () => {
  const named = 'DATABASE_URL leads to a standby, where nothing can be changed. Name the primary.'
  expect(await ops(['migrate'], standby.url)).toEqual({ code: 1, said: `migrate: ${named}` })
  for (const args of [['safe-mode', 'on'], ['backed-up'], ['ledger-check']])
    expect(await ops(args, asApplication(standby.url))).toMatchObject({
      code: 1,
      said: expect.stringContaining('DATABASE_URL: it leads to a standby'),
    })
  await sql(primary, 'ALTER ROLE postgres SET default_transaction_read_only = on')
  expect((await ops(['migrate'], primary.url)).said).toContain('a database that only reads')
  const undo = new URL(primary.url)
  undo.searchParams.set('options', '-c default_transaction_read_only=off')
  await sql({ ...primary, url: undo.href }, 'ALTER ROLE postgres RESET default_transaction_read_only')

  expect(await checkReplica(patient())).toMatchObject({ kind: 'skipped' })
  expect(await checkReplica(patient(asApplication(standby.url)))).toMatchObject({ kind: 'ok' })
  expect((await checkReplica(patient(it.databaseUrl))).words).toContain('DATABASE_READ_URL leads to the primary')
  const stranger = await createTestShop()
  expect((await checkReplica(patient(stranger.databaseUrl))).words).toContain('leads to another database')
  await stranger.db.close()
  const nowhere = await checkReplica(patient('postgresql://shop_app@127.0.0.1:1/shop'))
  expect(nowhere.words).toBe('DATABASE_READ_URL: nothing listens there.')
})

test('a standby that takes over is counted, and the one that is missing afterwards is told', async () => {
  for (let n = 0; n < 3; n++) {
    await it.db.query({ text: `UPDATE safe_mode SET beat_at = beat_at - interval '2 seconds'` })
    await beatAndRemember(it.shop)
  }
  crashPostgres(primary.dataDir)
  await sql(standby, ...waitFor(''), 'SELECT pg_promote()')
  wire.leadTo(standby.url)
  for (let n = 0; n < 3; n++) await beatAndRemember(it.shop).catch(() => {})
  const promotions = async () => {
    const found = await findChecks(it.shop, it.clock.now)
    return found.find(({ name }) => name === 'promotions')!.facts
  }
  expect(await promotions()).toEqual([{ of: null, label: expect.stringContaining('ครั้งล่าสุด'), value: 1, limit: 2 }])
  expect(await red()).toEqual([])
  it.clock.advance(61)
  expect(await red()).toEqual(['standbyMissing'])
  expect(await ops(['forget', 'standby'], it.databaseUrl)).toMatchObject({ code: 0 })
})
