import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Config } from '../../config/config.ts'
import { keepSign } from '../../pulse/signs.ts'
import { type FakePatroni, startPatroni } from '../../testing/patroni.ts'
import { createTestShop, type TestShop } from '../../testing/shop.ts'
import { checkClock } from './database-checks.ts'
import type { Finding, Patient } from './patient.ts'
import { checkDisks, checkPatroni, checkSigns } from './standing-by-checks.ts'

// What follows the database is tried with a real standby in health/standbys.test.ts.

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

const patient = (config: Partial<Config> = {}) =>
  ({ db: it.shop.db, now: it.shop.now, config: { ...it.shop.config, ...config } }) as Patient
const wordsOf = async (findings: Promise<Finding[]>) => (await findings).map(({ kind, words }) => `${kind} ${words}`)

test('disks, backups and a watcher that nobody named or told of are noted; a disk that is gone is wrong', async () => {
  expect(await wordsOf(checkDisks(patient()))).toEqual([expect.stringMatching(/^note DISKS names no disk/)])
  expect(await wordsOf(checkDisks(patient({ DISKS: ['/', '/nowhere'] })))).toEqual([
    'wrong /nowhere is full, or can not be read.',
  ])
  expect(await wordsOf(checkSigns(patient()))).toEqual([
    'note The shop was never told of backups.',
    'note The shop was never told of a watcher.',
  ])
  await keepSign(it.db, 'backup', it.clock.now)
  expect(await wordsOf(checkSigns(patient()))).toContain('ok backups: last at 2026-11-20T05:00:00.000Z')
})

test('what Patroni says is told by name, and so is the clock of its machine', async () => {
  const patroni = await startPatroni('primary')
  const look = async (told: Partial<FakePatroni['told']> = {}) => {
    Object.assign(patroni.told, told)
    const named = patient({ PATRONI_URLS: [patroni.url] })
    return [await wordsOf(checkPatroni(named)), (await wordsOf(checkClock(named))).slice(1)].flat()
  }
  try {
    expect(await wordsOf(checkPatroni(patient()))).toEqual(['skipped PATRONI_URLS is not set'])
    const agrees = `ok the clock of ${patroni.host} agrees with this machine's`
    expect(await look()).toEqual([`ok ${patroni.host} leads 0 others`, agrees])
    expect(await look({ unseenSeconds: 60, isUnlocked: true })).toEqual([
      `wrong ${patroni.host}: no machine leads, so nothing can be written.`,
      `wrong ${patroni.host}: etcd has no majority, so no standby can take over.`,
      agrees,
    ])
    const [, , clock] = await look({ aheadSeconds: 30 })
    expect(clock).toMatch(/^wrong This machine's clock is (29|30|31) s behind that of 127/)
  } finally {
    await patroni.stop()
  }
  expect(await wordsOf(checkPatroni(patient({ PATRONI_URLS: [patroni.url] })))).toEqual([
    `wrong ${patroni.host}: Patroni does not answer.`,
  ])
})
