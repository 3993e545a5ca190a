import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getCommandLine, projectRoot, waitFor } from './os-process.ts'
import { findFreePort } from './ports.ts'
import {
  canSearchThai,
  createDatabase,
  createFilledDatabase,
  type PostgresServer,
  startPostgres,
  watchPostgres,
} from './postgres.ts'

const localDir = join(projectRoot, '.local')

async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

const getPid = (server: PostgresServer): number =>
  Number(readFileSync(join(server.dataDir, 'postmaster.pid'), 'utf8').split('\n')[0])

describe('the embedded database server', () => {
  let parentDir: string
  let port: number
  let server: PostgresServer
  const start = async () => {
    server = await startPostgres({ port, dataDir: join(parentDir, 'data') })
  }

  beforeAll(async () => {
    mkdirSync(localDir, { recursive: true })
    parentDir = mkdtempSync(join(localDir, 'postgres-test-'))
    // Temporary folders are closed to others; the server's user must be able to pass.
    chmodSync(parentDir, 0o755)
    port = await findFreePort()
    await start()
    await query(server.url, 'CREATE TABLE note (text text)')
  })

  afterAll(async () => {
    await server?.stop()
    rmSync(parentDir, { recursive: true, force: true })
  })

  test('is durable, speaks UTF-8 and can search Thai', async () => {
    expect(await query(server.url, 'SHOW fsync')).toEqual([{ fsync: 'on' }])
    expect(await query(server.url, 'SHOW server_encoding')).toEqual([{ server_encoding: 'UTF8' }])
    expect(await canSearchThai(server.url)).toBe(true)
  })

  test('a second start takes over the running server', async () => {
    const pid = getPid(server)
    await start()
    expect(server.reused).toBe(true)
    expect(getPid(server)).toBe(pid)
  })

  test('a start on another port stops the running server cleanly and keeps the data', async () => {
    await query(server.url, `INSERT INTO note VALUES ('moved')`)
    port = await findFreePort()
    await start()
    expect(server.reused).toBe(false)
    expect(await query(server.url, `SELECT text FROM note WHERE text = 'moved'`)).toHaveLength(1)
    expect(readFileSync(join(server.dataDir, 'server.log'), 'utf8')).not.toContain('not properly shut down')
  })

  test('kill -9 of the server is noticed, and after the next start every committed row is there', async () => {
    await query(server.url, `INSERT INTO note VALUES ('committed')`)
    let hasEnded = false
    await watchPostgres(server.url, () => {
      hasEnded = true
    })
    process.kill(getPid(server), 'SIGKILL')
    expect(await waitFor(() => hasEnded, 5000)).toBe(true)
    await start()
    expect(server.reused).toBe(false)
    expect(await query(server.url, `SELECT text FROM note WHERE text = 'committed'`)).toHaveLength(1)
  })

  test("a pid file that names a stranger's process does not stop the start", async () => {
    await server.stop()
    const file = join(server.dataDir, 'postmaster.pid')
    writeFileSync(file, `${process.pid}\n${server.dataDir}\n1\n${port}\n\n127.0.0.1\n0 0\nready\n`)
    await start()
    expect(server.reused).toBe(false)
  })

  test('a port held by another program is a sentence that names POSTGRES_PORT', async () => {
    const dataDir = join(parentDir, 'second')
    await expect(startPostgres({ port, dataDir })).rejects.toThrow(/Port \d+ \(postgres\) is taken.*POSTGRES_PORT/)
  })

  test('a copy of a template has its rows, and asking twice is no error', async () => {
    const template = await createDatabase(server.url, 'first')
    await query(template, `CREATE TABLE word AS SELECT 'สวัสดี' AS text`)
    await createDatabase(server.url, 'copy', 'first')
    expect(await query(await createDatabase(server.url, 'copy', 'first'), 'SELECT text FROM word')).toEqual([
      { text: 'สวัสดี' },
    ])
  })

  test('a database whose filling broke off is filled anew, a whole one is left as it is', async () => {
    const fill = (url: string) => query(url, 'CREATE TABLE word (text text)').then(() => undefined)
    const breakOff = async (url: string) => {
      await fill(url)
      throw new Error('killed')
    }
    await expect(createFilledDatabase(server.url, 'whole', breakOff)).rejects.toThrow('killed')
    const url = await createFilledDatabase(server.url, 'whole', fill)
    await query(url, `INSERT INTO word VALUES ('kept')`)
    await createFilledDatabase(server.url, 'whole', breakOff)
    expect(await query(url, 'SELECT text FROM word')).toEqual([{ text: 'kept' }])
  })

  test('stop leaves no process', async () => {
    const pid = getPid(server)
    await server.stop()
    expect(await waitFor(() => getCommandLine(pid) === undefined, 5000)).toBe(true)
  })
})
