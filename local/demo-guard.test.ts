import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from 'functions/src/database/migrate.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { requireDemoDatabase } from './demo-guard.ts'
import { projectRoot } from './os-process.ts'
import { findFreePort } from './ports.ts'
import { createDatabase, discardPostgres, type PostgresServer, startPostgres } from './postgres.ts'

const dataDir = join(projectRoot, '.local', 'test-postgres', `${process.pid}-demo-guard`)
let server: PostgresServer
beforeAll(async () => {
  mkdirSync(dataDir, { recursive: true })
  server = await startPostgres({ port: await findFreePort(), dataDir, durable: false })
})
afterAll(() => discardPostgres(dataDir))

test('another machine, and production, are refused without being asked', async () => {
  await expect(requireDemoDatabase('postgresql://shop@db.example.com/shop')).rejects.toThrow('names db.example.com')
  vi.stubEnv('NODE_ENV', 'production')
  await expect(requireDemoDatabase(server.url)).rejects.toThrow('for this machine only')
  vi.unstubAllEnvs()
})

test('an empty database and a demo shop are taken, a shop of its own and strange tables are not', async () => {
  const url = await createDatabase(server.url, 'shop')
  await requireDemoDatabase(url)
  await migrate(url)
  await expect(requireDemoDatabase(url)).rejects.toThrow('The database shop has tables and is no demo shop.')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `INSERT INTO account (uid, username, providers, created_at) VALUES ('demo-admin', 'admin', '{}', now())`,
  )
  await client.end()
  await requireDemoDatabase(url)
  const strange = await createDatabase(server.url, 'strange')
  const other = new pg.Client({ connectionString: strange })
  await other.connect()
  await other.query('CREATE TABLE note (text text)')
  await other.end()
  await expect(requireDemoDatabase(strange)).rejects.toThrow('The database strange has tables')
})
