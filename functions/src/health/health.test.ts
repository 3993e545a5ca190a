import { getHealth } from '@shop/shared/health/endpoints.ts'
import type { ServiceName } from '@shop/shared/health/health.ts'
import { ROLES } from '@shop/shared/permissions.ts'
import { describe, expect, test } from 'vitest'
import { putMessage, saveRoom } from '../chat/store.ts'
import type { Sql } from '../database/database.ts'
import { JOBS, type Job, runJob } from '../jobs/jobs.ts'
import { putMail } from '../mail/store.ts'
import { openPulse, withPulseOfGateway } from '../pulse/pulse.ts'
import { saveStop } from '../slipcheck/store.ts'
import { saveSupplier } from '../supplier/store.ts'
import { createChatShop, users } from '../testing/chat.ts'
import { createMailShop } from '../testing/mail.ts'
import { CHARGE_REQUEST, DIALECT, gatewayAt, startScriptedGateway } from '../testing/scripted-gateway.ts'
import { createTestShop, type TestShop } from '../testing/shop.ts'
import { createSlipShop } from '../testing/slips.ts'
import { traceOf } from './traces.ts'

const healthOf = async (it: TestShop, name: ServiceName) => {
  const { services } = await it.as('manager').call(getHealth, {})
  return services.find(service => service.name === name)!
}
const job = (run: Job['run']): Job => ({ title: '', run, schedule: '', timeoutSeconds: 1, everySeconds: 15 })
const fails = () => Promise.reject(new Error('down'))

test('managers and admins see it; a shop in which nothing is set up says so, and its database works', async () => {
  const it = await createTestShop()
  for (const uid of [...ROLES, null]) {
    const expected = uid === 'manager' || uid === 'admin' ? 'OK' : uid === null ? 'UNAUTHENTICATED' : 'FORBIDDEN'
    expect(await it.as(uid).codeOf(getHealth, {})).toBe(expected)
  }
  expect(await healthOf(it, 'database')).toMatchObject({ state: 'works', succeededAt: it.clock.now.toISOString() })
  it.shop.mail = null
  for (const name of [
    'slip',
    'supplier',
    'gateway',
    'lineMessaging',
    'lineGroup',
    'lineLogin',
    'playerLookup',
    'mail',
  ] as const)
    expect(await healthOf(it, name)).toMatchObject({ state: 'missing', succeededAt: null })
  for (const name of ['jobs', 'outbox'] as const) expect(await healthOf(it, name)).toMatchObject({ state: 'unused' })
  await it.db.close()
})

test('a job that fails, or does not run any more, is named until it has run again', async () => {
  const it = await createTestShop()
  const run = (name: string, work: Job['run']) => runJob(it.shop, name, job(work))
  const runAll = async (...except: string[]) => {
    for (const name of Object.keys(JOBS)) if (!except.includes(name)) await run(name, async () => {})
  }
  await runAll()
  expect(await healthOf(it, 'jobs')).toMatchObject({ state: 'works', failingSince: null })
  it.clock.advance(10)
  const since = it.clock.now.toISOString()
  await expect(run('matchstatements', fails)).rejects.toThrow('down')
  it.clock.advance(100)
  await expect(run('matchstatements', fails)).rejects.toThrow('down')
  expect(await healthOf(it, 'jobs')).toMatchObject({
    state: 'failing',
    failingSince: since,
    failedAt: it.clock.now.toISOString(),
    detail: 'จับคู่รายการธนาคาร',
  })
  await runAll('expireorders')
  expect(await healthOf(it, 'jobs')).toMatchObject({ state: 'works', detail: null, failingSince: null })
  it.clock.advance(150)
  expect(await healthOf(it, 'jobs')).toMatchObject({ state: 'failing', detail: 'ให้คำสั่งซื้อหมดเวลา' })
  await run('expireorders', async () => {})
  expect(await healthOf(it, 'jobs')).toMatchObject({ state: 'works' })
  await it.db.close()
})

test('a player lookup that does not answer fails; one that knows no such player works', async () => {
  const it = await createTestShop({ PLAYER_LOOKUP_URL: 'http://127.0.0.1:1' })
  await it.db.query({ text: `UPDATE option SET value = 'true' WHERE name = 'CHECK_MIDASBUY'` })
  const checks = [{ by: 'midasbuy' as const, gameCode: '' }]
  const lookUp = (playerId: string) => it.shop.playerLookup.find({ gameCode: 'pubg', fields: [playerId], checks })
  await lookUp('5123456789')
  expect(await healthOf(it, 'playerLookup')).toMatchObject({ state: 'works' })
  await lookUp('5000000000')
  expect(await healthOf(it, 'playerLookup')).toMatchObject({ state: 'failing' })
  await lookUp('1')
  expect(await healthOf(it, 'playerLookup')).toMatchObject({ state: 'works', failedAt: it.clock.now.toISOString() })
  await it.db.close()
})

test('jobs that nobody takes for five minutes are told until they are done', async () => {
  const it = await createMailShop()
  const letter = { subject: 'a', text: 'a', html: 'a' }
  await putMail(
    it.db,
    { key: 'a', kind: 'passwordReset', uid: 'agent', recipient: 'a@test.shop', ...letter },
    it.clock.now,
  )
  it.clock.advance(299)
  expect(await healthOf(it, 'outbox')).toMatchObject({ state: 'unused' })
  it.clock.advance(2)
  expect(await healthOf(it, 'outbox')).toMatchObject({ state: 'failing' })
  await it.drain()
  expect(await healthOf(it, 'outbox')).toMatchObject({ state: 'works', succeededAt: it.clock.now.toISOString() })
  expect(await healthOf(it, 'mail')).toMatchObject({ state: 'works' })
  await it.close()
})

test('LINE that refuses the shop fails until it takes a message; a group that was lost until it is bound again', async () => {
  const it = await createChatShop()
  let sent = 0
  const send = async () => {
    const message = { kind: 'orderEnded' as const, about: null, recipient: users.friend.userId, replyToken: null }
    const messages = [{ type: 'text' as const, text: 'เติมสำเร็จ' }]
    await putMessage(it.db, { key: `message ${++sent}`, ...message, messages, cost: 1 }, it.clock.now)
    await it.drain()
    it.clock.advance(1)
  }
  await send()
  expect(await healthOf(it, 'lineMessaging')).toMatchObject({ state: 'works' })
  it.line.control.injectFault({ path: '/v2/bot/message/push', status: 500, count: 1 })
  await send()
  expect(await healthOf(it, 'lineMessaging')).toMatchObject({ state: 'failing' })
  await send()
  expect(await healthOf(it, 'lineMessaging')).toMatchObject({ state: 'works', failingSince: null })
  expect(await healthOf(it, 'lineGroup')).toMatchObject({ state: 'missing' })
  const room = { room: 'staff' as const, groupId: 'G1', groupName: 'ทีมงาน', memberCount: 3, boundBy: 'manager' }
  await saveRoom(it.db, { ...room, boundAt: it.clock.now, lostAt: it.clock.now })
  expect(await healthOf(it, 'lineGroup')).toMatchObject({ state: 'failing', detail: 'ร้านถูกนำออกจากกลุ่ม ทีมงาน' })
  await saveRoom(it.db, { ...room, boundAt: it.clock.now, lostAt: null })
  expect(await healthOf(it, 'lineGroup')).toMatchObject({ state: 'works', detail: 'ทีมงาน' })
  await it.close()
})

test('a slip provider that refuses the shop fails until it may be asked again', async () => {
  const it = await createSlipShop('slipok')
  expect(await healthOf(it, 'slip')).toMatchObject({ state: 'unused' })
  const until = new Date(it.clock.now.getTime() + 60_000)
  await saveStop(it.db, 'slipok', { code: '1003', until })
  expect(await healthOf(it, 'slip')).toMatchObject({ state: 'failing', detail: expect.stringContaining('1003') })
  it.clock.advance(61)
  expect(await healthOf(it, 'slip')).toMatchObject({ state: 'unused' })
  await it.stop()
})

test('a gateway fails while it is silent or takes nothing from the shop; a charge that it refuses is no fault', async () => {
  const it = await createTestShop()
  const server = await startScriptedGateway()
  const { charge, error, reference } = DIALECT.opn
  const gateway = withPulseOfGateway(gatewayAt('opn', server.origin), it.shop.beat)
  it.shop.gateway = gateway
  expect(await healthOf(it, 'gateway')).toMatchObject({ state: 'unused' })
  for (const [status, state] of [
    [200, 'works'],
    [500, 'failing'],
    [400, 'works'],
    [401, 'failing'],
    [200, 'works'],
  ] as const) {
    server.answer = () => ({ status, json: status === 200 ? charge('waiting') : error('a_code') })
    const answer = await (status === 400 ? gateway.create(CHARGE_REQUEST) : gateway.read(reference))
    expect(answer.kind).toBe({ 200: 'charge', 400: 'refused', 401: 'barred', 500: 'silent' }[status])
    expect(await healthOf(it, 'gateway')).toMatchObject({ state, detail: 'Opn Payments' })
  }
  await Promise.all([server.stop(), it.db.close()])
})

test('a supplier is off, works, or is stopped for a reason', async () => {
  const it = await createTestShop()
  it.shop.suppliers = { seagm: { name: 'seagm', capabilities: { validates: 'none' } } as never }
  const set = (row: Parameters<typeof saveSupplier>[2]) => saveSupplier(it.db, 'seagm', row)
  expect(await healthOf(it, 'supplier')).toMatchObject({ state: 'off' })
  await set({ isOn: true, balanceAt: it.clock.now, balanceSatang: 100 })
  expect(await healthOf(it, 'supplier')).toMatchObject({ state: 'works', succeededAt: it.clock.now.toISOString() })
  it.clock.advance(5)
  await set({ stoppedAt: it.clock.now, stoppedFor: 'balance' })
  expect(await healthOf(it, 'supplier')).toMatchObject({ state: 'failing', failingSince: it.clock.now.toISOString() })
  await set({ stoppedAt: null, stoppedFor: null })
  expect(await healthOf(it, 'supplier')).toMatchObject({ state: 'works' })
  await it.db.close()
})

describe('what is kept', () => {
  const now = () => new Date('2026-11-20T05:00:00.000Z')

  test('work whose pulse can not be written goes on, and so does its error', async () => {
    const beat = openPulse({ query: fails } as unknown as Sql, now)
    expect(await beat('a', async () => 7)).toBe(7)
    await expect(beat('a', fails)).rejects.toThrow('down')
  })

  test('the same end is written once a minute, another one at once', async () => {
    let written: string[] = []
    let at = 0
    const query = async ({ name }: { name: string }) => void written.push(name)
    const beat = openPulse({ query } as unknown as Sql, () => new Date(at))
    const good = () => beat('a', async () => {})
    await good()
    at = 59_000
    await good()
    expect(written).toEqual(['pulse_success'])
    await beat('a', fails).catch(() => {})
    at = 61_000
    await good()
    expect(written).toEqual(['pulse_success', 'pulse_failure', 'pulse_success'])
    written = []
  })

  test('a service fails since the first fault after it last worked', () => {
    const day = (n: number) => new Date(Date.UTC(2026, 10, n))
    const ends = [4, 3, 2, 1].map(n => ({ at: day(n), isFault: n > 2 || n === 1 }))
    expect(traceOf(ends)).toEqual({ succeededAt: day(2), failedAt: day(4), failingSince: day(3) })
    expect(traceOf(ends.slice(2))).toEqual({ succeededAt: day(2), failedAt: day(1), failingSince: null })
    expect(traceOf([])).toEqual({ succeededAt: null, failedAt: null, failingSince: null })
  })
})
