import { afterEach, beforeEach, expect, test } from 'vitest'
import { findTroubles } from '../chat/troubles.ts'
import { runCommand } from '../operations/commands.ts'
import { pulseOfSign, WATCHER_HEADER } from '../pulse/signs.ts'
import { createTestShop, type TestShop } from '../testing/shop.ts'
import { findChecks } from './checks.ts'
import { openDisks } from './disks.ts'

const KEY = 'k'.repeat(32)
const HOUR = 3600

let it: TestShop
beforeEach(async () => {
  it = await createTestShop({ PULSE_KEYS: KEY })
  it.clock.now = new Date()
})
afterEach(() => it.db.close())

const find = async (name: string) => {
  const found = await findChecks(it.shop, it.clock.now)
  const { isRed, facts } = found.find(check => check.name === name)!
  return { isRed, values: facts.map(({ value }) => value) }
}
const ops = async (...args: string[]) => {
  const said: string[] = []
  const code = await runCommand(args, { variables: { DATABASE_URL: it.databaseUrl }, say: line => said.push(line) })
  return { code, said: said.join('\n') }
}

test('a backup that was told of is missed when the next one does not come, until it is given up', async () => {
  expect(await find('backupOld')).toEqual({ isRed: false, values: [null] })
  expect(await ops('backed-up')).toMatchObject({ code: 0 })
  it.clock.now = new Date(Date.now() + 25 * HOUR * 1000)
  expect(await find('backupOld')).toMatchObject({ isRed: false })
  it.clock.advance(2 * HOUR)
  expect(await find('backupOld')).toMatchObject({ isRed: true })
  expect(await ops('backed-up')).toMatchObject({ code: 0 })
  it.clock.now = new Date()
  expect(await find('backupOld')).toMatchObject({ isRed: false })
  expect(await ops('forget', 'backup')).toEqual({ code: 0, said: 'The pulse misses backups no more.' })
  expect(await find('backupOld')).toEqual({ isRed: false, values: [null] })
  expect(await ops('forget', 'nonsense')).toMatchObject({ code: 1 })
})

test('a watcher that asked with the key is missed after ten minutes; nobody else is taken for one', async () => {
  const ask = (headers: Record<string, string>) => it.request('/pulse', { headers })
  const isKnown = async () =>
    (await it.db.query({ text: 'SELECT FROM pulse WHERE name = $1', values: [pulseOfSign('watcher')] })).length === 1
  await ask({ [WATCHER_HEADER]: '1' })
  await ask({ authorization: `Bearer ${KEY}` })
  expect(await isKnown()).toBe(false)
  await ask({ authorization: `Bearer ${KEY}`, [WATCHER_HEADER]: '1' })
  await expect.poll(isKnown).toBe(true)
  it.clock.advance(600)
  expect(await find('watcherSilent')).toMatchObject({ isRed: false })
  it.clock.advance(1)
  expect(await find('watcherSilent')).toMatchObject({ isRed: true })
  // Whoever watches is gone, so the shop tells its managers by itself.
  expect(await findTroubles(it.shop, it.clock.now)).toContainEqual(expect.objectContaining({ kind: 'watcherSilent' }))
  await ask({ authorization: `Bearer ${KEY}`, [WATCHER_HEADER]: '1' })
  await expect.poll(async () => (await find('watcherSilent')).isRed).toBe(false)
  const kinds = (await findTroubles(it.shop, it.clock.now)).map(({ kind }) => kind)
  expect(kinds).not.toContain('watcherSilent')
})

test('a disk is told by its share that is used, of room or of names; one that can not be read is as good as full', async () => {
  const system = { blocks: 1000, bfree: 200, bavail: 150, files: 100, ffree: 50 }
  const disks = (change: Partial<typeof system>) => openDisks(['/data'], async () => ({ ...system, ...change }))
  const red = async (change: Partial<typeof system>) => {
    it.shop.disks = disks(change)
    return find('diskFull')
  }
  expect(await red({})).toEqual({ isRed: false, values: [85] })
  expect(await red({ bfree: 100, bavail: 50 })).toEqual({ isRed: true, values: [95] })
  expect(await red({ ffree: 2 })).toEqual({ isRed: true, values: [98] })
  expect(await red({ files: 0, ffree: 0 })).toEqual({ isRed: false, values: [85] })
  expect(await openDisks(['/', '/', '/nowhere'])()).toEqual([
    { path: '/', percent: expect.any(Number) },
    { path: '/nowhere', percent: 100 },
  ])
  expect(await openDisks(['/hangs'], () => new Promise(() => {}))()).toEqual([{ path: '/hangs', percent: 100 }])
})
