import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from 'local/os-process.ts'
import { findFreePort } from 'local/ports.ts'
import { discardPostgres, startPostgres } from 'local/postgres.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { asApplication, migrate } from '../database/migrate.ts'
import { closeServerRole, openServerRole } from '../database/server-roles.ts'
import { buyByBank } from '../testing/orders.ts'
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts'
import { callerOf, createTestShop, type TestShop } from '../testing/shop.ts'

// A second server takes over with the database's new password, as docs/operations/rotate.md does it on one machine.

const [OLD, NEW] = ['Rather-Long-Secret-1', 'Another-Long-Secret-2'] as const
const dataDir = join(projectRoot, '.local', 'test-postgres', `${process.pid}-takeover`)
let it: TestShop
let url: string

beforeAll(async () => {
  mkdirSync(dataDir, { recursive: true })
  ;({ url } = await startPostgres({ port: await findFreePort(), dataDir, durable: false }))
  await migrate(url, { serverPassword: OLD })
  it = await createTestShop({}, url)
  const [row] = await it.db.query<{ file: string }>({
    text: `SELECT setting AS file FROM pg_settings WHERE name = 'hba_file'`,
  })
  const rules = readFileSync(row!.file, 'utf8')
  writeFileSync(row!.file, `host all shop_app,shop_app_b 127.0.0.1/32 scram-sha-256\n${rules}`)
  await it.db.query({ text: 'SELECT pg_reload_conf()' })
})
afterAll(async () => {
  await it.db.close()
  await discardPostgres(dataDir)
})

const as = (role: string, password: string) =>
  Object.assign(new URL(asApplication(url)), { username: role, password }).href
const close = (role: 'shop_app' | 'shop_app_b') => closeServerRole(it.db, role).then(() => 'closed', String)

test("the database's password changes while people buy, and no call fails", async () => {
  const serving: ServerProcess[] = [await startServerProcess(as('shop_app', OLD))]
  /** As Caddy does: a call that finds nobody is made again, at the server that is there then. */
  const request: TestShop['request'] = async (path, init) => {
    for (let tries = 0; ; tries++) {
      try {
        return await fetch(serving[tries % serving.length]!.url + path, init)
      } catch (error) {
        const { code } = (error as { cause?: { code?: string } }).cause ?? {}
        if (code !== 'ECONNREFUSED' || tries > 20) throw error
      }
    }
  }
  let isOver = false
  const placed: string[] = []
  const buyers = Promise.all(
    Array.from({ length: 2 }, async () => {
      while (!isOver && placed.length < 50)
        placed.push((await buyByBank(callerOf(request, { now: new Date() }, null))).orderNo)
    }),
  )
  await expect.poll(() => placed.length).toBeGreaterThan(2)
  await openServerRole(it.db, 'shop_app_b', NEW)
  expect(await close('shop_app')).toContain('still work as shop_app')
  const next = await startServerProcess(as('shop_app_b', NEW))
  serving.push(next)
  await serving[0]!.stop()
  serving.shift()
  const before = placed.length
  await expect.poll(() => placed.length).toBeGreaterThan(Math.min(before + 2, 49))
  isOver = true
  await buyers
  const [row] = await it.db.query<{ orders: number }>({ text: 'SELECT count(*)::int AS orders FROM orders' })
  expect(row!.orders).toBe(placed.length)
  await it.shop.reports.close()
  await expect.poll(() => close('shop_app')).toBe('closed')
  const late = openDatabase(as('shop_app', OLD), { connections: 1 })
  await expect(late.query({ text: 'SELECT 1' })).rejects.toThrow(/authentication failed|not permitted/)
  await late.close()
  await next.stop()
})
