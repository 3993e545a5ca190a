import { existsSync, mkdirSync } from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { getOrder } from '@shop/shared/order/endpoints.ts'
import { uploadSlip } from '@shop/shared/upload/endpoints.ts'
import { drawSlip } from 'local/demo-slip.ts'
import { projectRoot } from 'local/os-process.ts'
import { findFreePort } from 'local/ports.ts'
import { crashPostgres, createDatabase, discardPostgres, startPostgres } from 'local/postgres.ts'
import { createBucket } from 'local/rehearse/bucket.ts'
import { expect, vi } from 'vitest'
import { migrate } from '../../database/migrate.ts'
import { openFiles } from '../../upload/files.ts'
import { buyByBank, codeOf, report } from '../orders.ts'
import { onceKey, type TestShop } from '../shop.ts'
import { failureOf, mustAddUp, type Scene, through } from './scene.ts'
import type { Seen } from './table.ts'
import { startTimeline } from './timeline.ts'

export async function databaseKilled(scene: Scene): Promise<Seen> {
  const dataDir = join(projectRoot, '.local', 'test-postgres', `${process.pid}-faults`)
  mkdirSync(dataDir, { recursive: true })
  const port = await findFreePort()
  const server = await startPostgres({ port, dataDir })
  scene.undo(() => discardPostgres(dataDir))
  const url = await createDatabase(server.url, 'shop')
  await migrate(url)
  const it = await scene.openTestShop({}, url)
  const time = await startTimeline(it)
  const [guest, key] = [it.as(null), onceKey()]
  const { orderNo } = await buyByBank(guest)
  const seen = await through(time, {
    begin: () => crashPostgres(server.dataDir),
    async meanwhile() {
      expect((await it.request('/live')).status).toBe(200)
      const code = await failureOf(buyByBank(it.as(null), { playerId: 'again' }, key))
      for (let passed = 0; passed < 600; passed += 30) await time.pass(30)
      return [code]
    },
    end: () => startPostgres({ port, dataDir }),
  })
  expect(await guest.call(getOrder, { params: { orderNo } })).toMatchObject({ status: 'waiting_payment' })
  const buyer = it.as(null)
  const [one, other] = [
    await buyByBank(buyer, { playerId: 'again' }, key),
    await buyByBank(buyer, { playerId: 'again' }, key),
  ]
  expect(one.orderNo).toBe(other.orderNo)
  await mustAddUp(it)
  return seen
}

export async function connectionsUsedUp(scene: Scene): Promise<Seen> {
  const it = await scene.openTestShop()
  const time = await startTimeline(it)
  const name = new URL(it.databaseUrl).pathname.slice(1)
  const limit = (connections: number) => it.db.query({ text: `ALTER DATABASE ${name} CONNECTION LIMIT ${connections}` })
  return through(time, {
    async begin() {
      await limit(0)
      const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename = 'shop_app'`
      await it.db.query({ text: end, values: [name] })
    },
    async meanwhile() {
      expect((await it.request('/live')).status).toBe(200)
      return [await failureOf(buyByBank(it.as(null)))]
    },
    end: () => limit(-1),
  })
}

export async function databaseDiskFull(scene: Scene): Promise<Seen> {
  const it = await scene.openTestShop()
  const time = await startTimeline(it)
  return through(time, {
    async begin() {
      await it.db.query({
        text: `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$`,
      })
      await it.db.query({ text: 'CREATE TRIGGER full_disk BEFORE INSERT ON orders EXECUTE FUNCTION refuse()' })
      for (let n = 0; n < 6; n++) await failureOf(buyByBank(it.as(null)))
    },
    meanwhile: async () => [await failureOf(buyByBank(it.as(null)))],
    end: () => it.db.query({ text: 'DROP TRIGGER full_disk ON orders' }),
  })
}

/** A guest whose order waits, with the picture of their transfer. */
async function openReporter(it: TestShop) {
  const guest = it.as(null)
  const { orderNo } = await buyByBank(guest)
  const [file, idempotencyKey] = [new Blob([new Uint8Array(await drawSlip('014', onceKey()))]), onceKey()]
  return { guest, orderNo, upload: () => guest.call(uploadSlip, { file, idempotencyKey }) }
}

/** The same picture is taken once the storage is back, and whoever does not wait reports without it. */
async function throughStorageFault(it: TestShop, fault: { begin(): unknown; end(): unknown }): Promise<Seen> {
  const time = await startTimeline(it)
  const [one, other] = [await openReporter(it), await openReporter(it)]
  const seen = await through(time, {
    ...fault,
    async meanwhile() {
      const code = await failureOf(one.upload())
      expect(await it.db.query({ text: 'SELECT 1 FROM slip' })).toEqual([])
      await report(other.guest, other.orderNo)
      return [code]
    },
  })
  const { id } = await one.upload()
  expect(await codeOf(report(one.guest, one.orderNo, id))).toBe('OK')
  return seen
}

export async function diskFull(scene: Scene): Promise<Seen> {
  const it = await scene.openTestShop()
  const { writeFile } = promises
  const use = (write: typeof writeFile) => {
    promises.writeFile = write
    syncBuiltinESMExports()
  }
  scene.undo(() => use(writeFile))
  const halves: string[] = []
  const full = async (path: string, body: Uint8Array) => {
    halves.push(path)
    await writeFile(path, body.subarray(0, body.length / 2))
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  }
  return throughStorageFault(it, {
    begin: () => use(full as typeof writeFile),
    end() {
      expect(halves.length).toBeGreaterThan(1)
      expect(halves.filter(path => existsSync(path))).toEqual([])
      use(writeFile)
    },
  })
}

export async function bucketDown(scene: Scene): Promise<Seen> {
  const it = await scene.openTestShop()
  const bucket = createBucket('shop-files', () => true)
  const server = serve({
    fetch(request) {
      const url = new URL(request.url)
      // The client leaves out the beginning of Google's paths where it is told of another host.
      if (url.pathname.startsWith('/b/')) url.pathname = `/storage/v1${url.pathname}`
      return bucket.app.fetch(new Request(url, request))
    },
    port: 0,
    hostname: '127.0.0.1',
  })
  await new Promise(resolve => server.once('listening', resolve))
  vi.stubEnv('STORAGE_EMULATOR_HOST', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  vi.stubEnv('GOOGLE_CLOUD_PROJECT', 'shop')
  scene.undo(
    () => vi.unstubAllEnvs(),
    () => server.close(),
  )
  it.shop.files = await openFiles({ folder: '/nowhere', bucket: 'shop-files' })
  return throughStorageFault(it, {
    // Of 503 the client would try again for seconds, see upload/files.test.ts.
    begin: () =>
      bucket.faults.push(
        ...(['write', 'read', 'remove', 'list'] as const).map(call => ({ call, status: 403 as const })),
      ),
    end: () => bucket.faults.splice(0),
  })
}
