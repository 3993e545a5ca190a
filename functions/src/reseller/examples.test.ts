import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installDebianPackage } from 'local/debian.ts'
import { findFreePort } from 'local/ports.ts'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addKey } from '../testing/machine.ts'
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts'
import { createTestShop, type TestShop } from '../testing/shop.ts'
import { addWallet } from '../testing/wallet.ts'
import { eventExample } from './openapi-webhooks.ts'

const FOLDER = fileURLToPath(new URL('../../../examples/reseller/', import.meta.url))

let it: TestShop
let server: ServerProcess
let folder: string
let env: NodeJS.ProcessEnv
beforeAll(async () => {
  installOnce('curl')
  installOnce('python3')
  it = await createTestShop()
  await addWallet(it.db, { uid: 'agent', balanceSatang: 0, pin: '1234', now: it.clock.now })
  const { token } = await addKey(it, 'agent', { mode: 'test' })
  server = await startServerProcess(it.databaseUrl)
  folder = mkdtempSync(join(tmpdir(), 'reseller-'))
  env = { ...process.env, RESELLER_URL: server.url, RESELLER_KEY: token }
})
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
  await it.db.close()
})

/** Installs a program of Debian's, where it is missing and may be. */
function installOnce(name: string): void {
  const isThere = () => spawnSync(name, ['--version']).status === 0
  if (!isThere()) installDebianPackage(name)
  if (!isThere()) throw new Error(`No ${name} was found, so its example is not tested. Install ${name}.`)
}

/** Runs an example and returns what it said. @throws when it fails */
const run = async (program: string, args: string[]): Promise<string[]> => {
  const { stdout } = await promisify(execFile)(program, args, { cwd: FOLDER, env })
  return stdout.trimEnd().split('\n')
}

// Each waits for its orders as long as the test mode takes.
test.concurrent.each([
  ['sh', 'quickstart.sh'],
  [process.execPath, 'quickstart.mjs'],
  ['python3', 'quickstart.py'],
])('%s %s orders, waits, prints a code and shows an error', async (program, file) => {
  const said = await run(program, [file])
  expect(said[0]).toMatch(/^Balance: \d+ satang$/)
  const states = said.filter(line => line.startsWith('Order ')).map(line => line.split(' ').at(-1))
  expect(states.filter(state => state === 'completed')).toHaveLength(2)
  expect(states[0]).toBe('waiting')
  expect(said.find(line => line.startsWith('Code: '))).toMatch(/^Code: TEST-[0-9A-F]{12}-001$/)
  expect(said.at(-1)).toMatch(/^Refused with 409 PRICE_ABOVE_MAX: .*[ก-๙]/)
})

test.each([
  ['sh', 'quickstart.sh'],
  [process.execPath, 'quickstart.mjs'],
  ['python3', 'quickstart.py'],
])('%s %s says why it can not go on, and fails', async (program, file) => {
  const failed = await promisify(execFile)(program, [file], {
    cwd: FOLDER,
    env: { ...env, RESELLER_KEY: 'rk_test_nobody' },
  }).catch((error: { code: number; stderr: string }) => error)
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('KEY_UNKNOWN') })
})

/** `node bot.ts`, with its packages as an agent would install them. */
const bot = (args: string[], more: NodeJS.ProcessEnv = {}) =>
  spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'bot.ts', ...args], {
    cwd: FOLDER,
    env: { ...env, ...more },
    stdio: ['pipe', 'pipe', 'inherit'],
  })

test('the bot orders a list once, follows each order to its end and goes on after what is refused', async () => {
  const list = join(folder, 'orders.csv')
  writeFileSync(
    list,
    '# ref,packageId,playerId,quantity,maxPrice\nb-1,2000000001,5123456789\nb-2,2000000002,5123456789\nb-4,2000000004,5123456789,4\nb-5,2000000005,,2\nb-6,2000000001,404404\nb-7,2000000001,5123456789,1,1\n',
  )
  const first = bot([list])
  const said = (await text(first.stdout)).trimEnd().split('\n')
  expect(first.exitCode ?? (await once(first, 'close'))[0]).toBe(0)
  expect(said[0]).toBe('5 packages')
  expect(said).toEqual(
    expect.arrayContaining([
      'b-1: waiting, 100.00 baht',
      'b-1: completed, 1 of 1',
      'b-2: on_hold',
      'b-2: failed, 0 of 1, 100.00 baht came back',
      'b-4: completed, 2 of 4, 200.00 baht came back',
      'b-5: completed, 2 of 2',
      expect.stringMatching(/^b-5: code TEST-[0-9A-F]{12}-002$/),
      expect.stringMatching(/^b-6: refused, PLAYER_NOT_FOUND \(.*[ก-๙].*; request [0-9a-f]{32}\)$/),
      expect.stringMatching(/^b-7: refused, PRICE_ABOVE_MAX /),
    ]),
  )
  const balance = async () => (await it.db.query({ text: 'SELECT balance_satang FROM play_wallet' }))[0]
  const before = await balance()
  const again = bot([])
  again.stdin.end(readFileSync(list, 'utf8'))
  expect(await text(again.stdout)).toContain('b-5: completed, 2 of 2')
  expect(await balance()).toEqual(before)
})

test('the bot hears signed messages once, and refuses others', async () => {
  const port = await findFreePort()
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const running = bot([], { RESELLER_WEBHOOK_SECRET: secret, PORT: String(port) })
  let said = ''
  running.stdout.on('data', (part: Buffer) => {
    said += part.toString()
  })
  running.stdin.end('')
  try {
    await expect.poll(() => said).toContain(`Webhooks on port ${port}`)
    const body = JSON.stringify(eventExample('order.completed'))
    const now = new Date()
    const deliver = async (signed: string, id = 'msg-1') => {
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(id, now, signed),
      }
      return (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body })).status
    }
    expect([await deliver(body), await deliver(body), await deliver('{}', 'msg-2')]).toEqual([204, 204, 400])
    await expect.poll(() => said).toContain('heard order.completed of ')
    expect(said.match(/heard /g)).toHaveLength(1)
  } finally {
    running.kill()
    await once(running, 'close')
  }
})

test('schema.d.ts is what `npm run generate` makes of the document; WRITE_DOCS=1 writes it anew', async () => {
  const { scripts } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8')) as {
    scripts: { generate: string }
  }
  const path = `${join(FOLDER, 'node_modules/.bin')}:${process.env.PATH}`
  await promisify(execFile)('sh', ['-c', scripts.generate], { cwd: folder, env: { ...env, PATH: path } })
  const made = join(folder, 'schema.d.ts')
  if (process.env.WRITE_DOCS) copyFileSync(made, join(FOLDER, 'schema.d.ts'))
  expect(readFileSync(join(FOLDER, 'schema.d.ts'), 'utf8')).toBe(readFileSync(made, 'utf8'))
})
