import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { demoLine } from 'local/line-emulator/demo.ts'
import { type RunningLineEmulator, startLineEmulator } from 'local/line-emulator/server.ts'
import { type Listening, listen } from 'local/listen.ts'
import { type RunningMailInbox, startMailInbox } from 'local/mail-inbox/server.ts'
import { findFreePort } from 'local/ports.ts'
import { crashPostgres, discardPostgres, type PostgresServer, startPostgres } from 'local/postgres.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { asApplication, migrate } from '../database/migrate.ts'
import { keepSign } from '../pulse/signs.ts'
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts'
import { createTestShop, type TestShop } from '../testing/shop.ts'
import { openWire, type Wire } from '../testing/wire.ts'

// The packed server and the packed watcher, as on two machines, and what the watcher's people read when one of them is killed.

const KEY = 'k'.repeat(32)
const { groupId } = demoLine.staffGroup

let dir: string
let postgres: PostgresServer
let it: TestShop
let server: ServerProcess
/** The shop's address, which stays while servers come and go. */
let way: Wire
let pages: Listening
let inbox: RunningMailInbox
let line: RunningLineEmulator
let watcher: ChildProcess
let said = ''

const disk = () => join(dir, 'disk')
const startServer = () =>
  startServerProcess(asApplication(postgres.url), {
    PULSE_KEYS: KEY,
    FILES_DIR: join(dir, 'files'),
    DISKS: disk(),
    ...inbox.environment,
  })
const startPages = (port: number) =>
  listen(
    createServer((_, response) => response.end('<html></html>')),
    port,
  )
const asDatabase = (url: string) => url.replace('http:', 'postgresql:')

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'shop-watcher-'))
  mkdirSync(disk())
  inbox = await startMailInbox({ port: 0 })
  line = await startLineEmulator({ port: 0, seed: { quota: { type: 'none' }, webhookUrl: 'http://127.0.0.1:1/' } })
  postgres = await startPostgres({ port: await findFreePort(), dataDir: `${dir}-data`, durable: false })
  await migrate(postgres.url)
  it = await createTestShop({}, postgres.url)
  server = await startServer()
  way = await openWire(asDatabase(server.url))
  pages = await startPages(0)
  // Alone in a folder that is not the project's, as it is copied to another machine.
  const program = join(dir, 'watcher.js')
  copyFileSync(join(dirname(inject('serverFile')), 'watcher.js'), program)
  watcher = spawn(process.execPath, [program], {
    cwd: dir,
    env: {
      PATH: process.env.PATH,
      STOREFRONT_URL: `http://127.0.0.1:${pages.port}/`,
      ADMIN_URL: `http://127.0.0.1:${pages.port}/`,
      WATCH_PULSE_URL: `http://127.0.0.1:${new URL(way.url).port}/pulse`,
      PULSE_KEYS: KEY,
      ...inbox.environment,
      WATCH_MAIL_TO: 'owner@shop.test',
      LINE_API_BASE_URL: `http://127.0.0.1:${new URL(line.origin).port}`,
      LINE_CHANNEL_ACCESS_TOKEN: demoLine.messagingChannel.accessToken,
      WATCH_LINE_TO: groupId,
      WATCH_EVERY_SECONDS: '0.2',
      WATCH_FAILURES: '2',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [watcher.stdout!, watcher.stderr!])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
})
afterAll(async () => {
  watcher?.kill('SIGKILL')
  await server?.kill()
  await it?.db.close()
  await Promise.all([way?.close(), pages?.stop(), inbox?.stop(), line?.stop()])
  await discardPostgres(`${dir}-data`)
  rmSync(dir, { recursive: true, force: true })
})

const mailed = () => inbox.mails.filter(({ to }) => to.includes('owner@shop.test')).map(({ text }) => text)
const shown = () =>
  (line.state.chats.get(groupId) ?? []).flatMap(({ from, message }) => (from === 'bot' ? [String(message.text)] : []))

/** Lets something happen and waits until both ways tell it. */
async function tells(words: string, happens: () => unknown): Promise<void> {
  const [mails, messages] = [mailed().length, shown().length]
  await happens()
  for (const since of [() => mailed().slice(mails), () => shown().slice(messages)])
    await expect.poll(() => since().some(text => text.includes(words)), { message: `${words}\n${said}` }).toBe(true)
}

test('it says that it watches, and the shop knows that it does', async () => {
  await expect
    .poll(() => [mailed()[0], shown()[0]])
    .toEqual(['ถามร้านทุก 0.2 วินาที', 'ถามร้านทุก 0.2 วินาที'].map(words => expect.stringContaining(words)))
  const isKnown = async () => (await it.db.query({ text: `SELECT FROM pulse WHERE name = 'sign:watcher'` })).length
  await expect.poll(isKnown).toBe(1)
})

test('a server that is killed is told by mail and in LINE, with what to do, and that it is back', async () => {
  await tells('ร้านไม่ตอบ', () => server.kill())
  expect(mailed().at(-1)).toContain('ทำก่อน: ดูว่าเครื่องของร้าน')
  expect(mailed().at(-1)).toContain('/management/health')
  await tells('หายแล้ว: ร้านไม่ตอบ', async () => {
    server = await startServer()
    way.leadTo(asDatabase(server.url))
  })
})

test('a database that is killed is told by name, and that it is back', async () => {
  await tells('ฐานข้อมูลไม่ตอบ', () => crashPostgres(postgres.dataDir))
  await tells('หายแล้ว: ฐานข้อมูลไม่ตอบ', async () => {
    postgres = await startPostgres({ port: Number(new URL(postgres.url).port), dataDir: `${dir}-data`, durable: false })
  })
})

test('a disk that is gone and a backup that is old are told by name', async () => {
  const full = `ดิสก์ที่ใช้ไปแล้ว (${disk()})`
  await tells(full, () => rmSync(disk(), { recursive: true }))
  await tells(`หายแล้ว: ${full}`, () => mkdirSync(disk()))
  const old = 'สำรองข้อมูลครั้งล่าสุดเมื่อ'
  await tells(old, () => keepSign(it.db, 'backup', new Date(Date.now() - 48 * 3_600_000)))
  await tells(`หายแล้ว: ${old}`, () => keepSign(it.db, 'backup', new Date()))
})

test('a page that is gone is told although the server does well, and the watcher ends when it is told to', async () => {
  const { port } = pages
  const gone = `หน้าร้าน http://127.0.0.1:${port}/ เปิดไม่ได้`
  await tells(gone, () => pages.stop())
  await tells(`หายแล้ว: ${gone}`, async () => {
    pages = await startPages(port)
  })
  watcher.kill('SIGTERM')
  const [code] = await once(watcher, 'exit')
  expect(code).toBe(0)
})
