import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from './os-process.ts'
import { findFreePort } from './ports.ts'
import { createDatabase, discardPostgres, startPostgres } from './postgres.ts'

const run = promisify(execFile)
const dataDir = join(projectRoot, '.local', 'test-postgres', `${process.pid}-packed-ops`)
const packed = join(projectRoot, '.local', `packed-ops-${process.pid}`)
let databaseUrl = ''

beforeAll(async () => {
  mkdirSync(dataDir, { recursive: true })
  const server = await startPostgres({ port: await findFreePort(), dataDir, durable: false })
  databaseUrl = await createDatabase(server.url, 'shop')
  await run(process.execPath, [join(projectRoot, 'functions/build.ts'), packed])
})
afterAll(async () => {
  rmSync(packed, { recursive: true, force: true })
  await discardPostgres(dataDir)
})

/** Runs the packed program with these variables alone, in a folder that is not ours. */
async function ops(args: string[], variables: Record<string, string> = {}) {
  const environment = { PATH: process.env.PATH, DATABASE_URL: databaseUrl, ...variables }
  const ended = run(process.execPath, [join(packed, 'ops.js'), ...args], { env: environment, cwd: '/' })
  const { code, stdout } = await ended.then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => error,
  )
  return { code, lines: stdout.trim().split('\n') }
}

async function count(table: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`)
  await client.end()
  return rows[0]!.n
}

test('the packed folder holds the migrations, the rights and nothing that only their author needs', () => {
  expect(existsSync(join(packed, 'migrations/meta/_journal.json'))).toBe(true)
  expect(existsSync(join(packed, 'roles.sql'))).toBe(true)
  expect(existsSync(join(packed, 'migrations/meta/0000_snapshot.json'))).toBe(false)
})

test('first data waits for the schema; migrated and filled twice, the second time changes nothing', async () => {
  expect(await ops(['first-data'])).toMatchObject({
    code: 1,
    lines: ['first-data: The database is empty: run `migrate` as its owner.'],
  })
  const first = await ops(['migrate'])
  expect(first.code).toBe(0)
  expect(first.lines).toContain('applied 0000_initial')
  expect(await ops(['migrate'])).toEqual({
    code: 0,
    lines: ['The schema is the one of this version; nothing was to be done.'],
  })
  expect((await ops(['first-data'])).lines).toContain('added payment method bank')
  const filled = [await count('payment_method'), await count('game_tag')]
  expect(await ops(['first-data'])).toEqual({ code: 0, lines: ['All of it was there already.'] })
  expect([await count('payment_method'), await count('game_tag')]).toEqual(filled)
  expect(await ops(['ledger-check'])).toMatchObject({
    code: 0,
    lines: expect.arrayContaining([expect.stringContaining('0 entries')]),
  })
})

test('what is wrong or missing is a sentence and a code', async () => {
  expect(await ops(['migrate'], { DATABASE_URL: ' ' })).toEqual({
    code: 1,
    lines: ['migrate: DATABASE_URL must be set.'],
  })
  expect(await ops(['first-admin', 'nobody'])).toMatchObject({
    code: 1,
    lines: [expect.stringContaining("Say the admin's email address")],
  })
  expect(await ops(['first-admin', 'owner@example.com'])).toEqual({
    code: 1,
    lines: ['first-admin: VITE_FIREBASE_PROJECT_ID must be set.'],
  })
  expect(await ops(['migarte'])).toMatchObject({
    code: 2,
    lines: expect.arrayContaining(['There is no command migarte.']),
  })
})
