import { GATEWAYS } from 'functions/src/gateway/gateways.ts'
import type { Gateway } from 'functions/src/gateway/provider.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FAULTS, type Fault } from './register.ts'
import { type RunningGateway, startGateway } from './server.ts'

let clock: Date
let told: { body: string; headers: Record<string, string> }[]
let standIn: RunningGateway
let shop: Gateway

beforeEach(async () => {
  clock = new Date('2026-11-20T05:00:00Z')
  told = []
  standIn = await startGateway({
    port: 0,
    now: () => clock,
    slowMs: 600,
    tell: async message => void told.push(message),
  })
  const { OPN_BASE_URL: baseUrl, OPN_SECRET_KEY, OPN_WEBHOOK_SECRET } = standIn.environment as Record<string, string>
  const keys = [{ OPN_SECRET_KEY: OPN_SECRET_KEY!, OPN_WEBHOOK_SECRET: OPN_WEBHOOK_SECRET! }]
  shop = GATEWAYS.opn.make({ baseUrl: baseUrl!, keys, timeoutMs: 300, now: () => clock })
})
afterEach(() => standIn.stop())

const chargeId = '01900000-0000-7000-8000-000000000001'
const ask = (change: object = {}) =>
  shop.create({
    chargeId,
    method: 'promptpay',
    amountSatang: 14_900,
    description: 'KT2611-00000001',
    expiresAt: new Date(clock.getTime() + 900_000),
    returnUrl: 'http://localhost:5173/payment?order=KT2611-00000001',
    email: '',
    ...change,
  })

async function made(change: object = {}): Promise<string> {
  const answer = await ask(change)
  if (answer.kind !== 'charge') throw new Error(`no charge: ${answer.kind}`)
  return answer.charge.reference
}
const stateOf = async (reference: string) => {
  const answer = await shop.read(reference)
  return answer.kind === 'charge' ? answer.charge.state : answer
}
const heardOf = (message: (typeof told)[number] | undefined) =>
  message && shop.hear(new Headers(message.headers), Buffer.from(message.body), clock)

test('a charge has a picture of its QR, is paid on the page, and the message about it is believed', async () => {
  const reference = await made()
  expect(await stateOf(reference)).toMatchObject({
    kind: 'waiting',
    pay: { by: 'qr', svg: expect.stringMatching(/^<svg/) },
  })
  await fetch(`${standIn.origin}/act/pay/${reference}`, { method: 'POST', body: 'back=/', redirect: 'manual' })
  expect(await stateOf(reference)).toMatchObject({ kind: 'paid', feeSatang: 246 + 17 })
  expect(told).toHaveLength(1)
  expect(heardOf(told[0])).toEqual({ reference })
})

test('a wallet is paid on its own page, and its buyer is sent back', async () => {
  const reference = await made({ method: 'shopeepay' })
  const state = await stateOf(reference)
  const url = 'pay' in state && state.pay?.by === 'page' ? state.pay.url : ''
  expect(await (await fetch(url)).text()).toContain('149.00')
  const back = 'http://localhost:5173/payment?order=KT2611-00000001'
  const refused = await fetch(`${standIn.origin}/act/fail/${reference}`, {
    method: 'POST',
    body: new URLSearchParams({ back }),
    redirect: 'manual',
  })
  expect(refused.headers.get('location')).toBe(back)
  expect(await stateOf(reference)).toEqual({ kind: 'failed', code: 'payment_rejected' })
})

test('a charge ends by the shop, by its time, or not any more', async () => {
  const [ended, late, paid] = [await made(), await made(), await made()]
  expect(await shop.end(ended)).toMatchObject({ kind: 'charge', charge: { state: { kind: 'expired' } } })
  await standIn.register.pay(paid)
  expect(await shop.end(paid)).toMatchObject({ kind: 'charge', charge: { state: { kind: 'paid' } } })
  clock = new Date(clock.getTime() + 901_000)
  expect(await stateOf(late)).toEqual({ kind: 'expired' })
  await standIn.register.pay(late)
  expect(await stateOf(late)).toMatchObject({ kind: 'paid' })
})

test('what Opn refuses is refused', async () => {
  for (const change of [
    { amountSatang: 1_900 },
    { amountSatang: 15_000_100 },
    { expiresAt: new Date(clock.getTime() + 25 * 3_600_000) },
  ])
    expect(await ask(change)).toMatchObject({ kind: 'refused' })
  expect(await shop.read('chrg_test_unknown')).toEqual({ kind: 'missing' })
})

const KIND: Record<Exclude<Fault, 'halfList'>, string> = {
  key: 'barred',
  tooMany: 'busy',
  broken: 'silent',
  lost: 'silent',
  slow: 'silent',
  hang: 'silent',
}
test.each(Object.entries(KIND))('%s is %s, and the next answer is whole again', async (fault, kind) => {
  standIn.register.faults.push(fault as Fault)
  expect((await ask()).kind).toBe(kind)
  expect((await ask()).kind).toBe('charge')
})

test('what was lost on its way is in the list; a list may lack some, and says so', async () => {
  standIn.register.faults.push('lost')
  await ask()
  const period = { from: new Date(clock.getTime() - 60_000), to: new Date(clock.getTime() + 60_000) }
  expect(await shop.list(period)).toMatchObject({ kind: 'list', isWhole: true, charges: [{ chargeId }] })
  standIn.register.faults.push('halfList')
  expect(await shop.list(period)).toMatchObject({ kind: 'list', isWhole: false, charges: [] })
  expect(FAULTS).toHaveLength(Object.keys(KIND).length + 1)
})

test('messages: never, twice, forged, old, and before the money', async () => {
  const pay = async (fault?: 'never' | 'twice' | 'forged' | 'old' | 'early') => {
    told.length = 0
    if (fault) standIn.register.messageFaults.push(fault)
    await standIn.register.pay(await made())
    return told.map(heardOf)
  }
  expect(await pay('never')).toEqual([])
  expect(await pay('twice')).toEqual([{ reference: expect.any(String) }, { reference: expect.any(String) }])
  expect(await pay('forged')).toEqual([null])
  expect(await pay('old')).toEqual([null])
  expect(await pay('early')).toEqual([{ reference: expect.any(String) }])
})

test('only who has the key is let in, and the page is for people', async () => {
  expect((await fetch(`${standIn.origin}/charges`)).status).toBe(401)
  const page = await (await fetch(standIn.origin)).text()
  expect(page).toContain('ผู้ให้บริการรับชำระจำลอง')
  await fetch(`${standIn.origin}/__emu/fault`, { method: 'POST', body: 'fault=broken', redirect: 'manual' })
  expect(await shop.standing()).toMatchObject({ kind: expect.not.stringMatching('ok') })
  expect(await shop.standing()).toEqual({ kind: 'ok' })
})
