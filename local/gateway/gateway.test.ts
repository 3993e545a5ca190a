import { GATEWAY_NAMES } from '@shop/shared/provider-names.ts'
import { GATEWAYS } from 'functions/src/gateway/gateways.ts'
import type { Gateway } from 'functions/src/gateway/provider.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FAULTS, type Fault, MESSAGE_FAULTS, type MessageFault } from './register.ts'
import { type RunningGateway, startGateway } from './server.ts'

const CHARGE_ID = '01900000-0000-7000-8000-000000000001'

describe.each(GATEWAY_NAMES)('%s', name => {
  let clock: Date
  let told: { body: string; headers: Record<string, string> }[]
  let standIn: RunningGateway
  let shop: Gateway

  beforeEach(async () => {
    clock = new Date('2026-11-20T05:00:00Z')
    told = []
    standIn = await startGateway({
      name,
      port: 0,
      now: () => clock,
      slowMs: 2000,
      tell: async message => void told.push(message),
    })
    const { environment, origin: baseUrl } = standIn
    const keys = [Object.fromEntries(GATEWAYS[name].keys.map(key => [key, environment[key]!]))]
    shop = GATEWAYS[name].make({ baseUrl, keys: keys as never, timeoutMs: 1000, now: () => clock })
  })
  afterEach(() => standIn.stop())

  const ask = (change: object = {}) =>
    shop.create({
      chargeId: CHARGE_ID,
      method: 'promptpay',
      amountSatang: 14_900,
      description: 'KT2611-00000001',
      expiresAt: new Date(clock.getTime() + 900_000),
      returnUrl: 'http://localhost:5173/payment?order=KT2611-00000001',
      email: 'buyer@shop.example',
      ...change,
    })

  let made = 0
  async function make(change: object = {}): Promise<string> {
    const answer = await ask({ chargeId: `${CHARGE_ID.slice(0, -4)}${1000 + ++made}`, ...change })
    if (answer.kind !== 'charge') throw new Error(`no charge: ${answer.kind}`)
    return answer.charge.reference
  }
  const stateOf = async (reference: string) => {
    const answer = await shop.read(reference)
    return answer.kind === 'charge' ? answer.charge.state : answer
  }
  const heardOf = (message: (typeof told)[number] | undefined) =>
    message && shop.hear(new Headers(message.headers), Buffer.from(message.body), clock)

  test('a charge has a QR code, is paid on the page, and the message about it is believed', async () => {
    const reference = await make()
    const pay =
      name === 'opn'
        ? { by: 'qr', svg: expect.stringMatching(/^<svg/) }
        : { by: 'qrText', text: `${standIn.origin}/pay/${reference}` }
    expect(await stateOf(reference)).toMatchObject({ kind: 'waiting', pay })
    await fetch(`${standIn.origin}/act/pay/${reference}`, { method: 'POST', body: 'back=/', redirect: 'manual' })
    expect(await stateOf(reference)).toMatchObject({ kind: 'paid', feeSatang: 246 + 17 })
    expect(told).toHaveLength(1)
    expect(heardOf(told[0])).toEqual({ reference })
  })

  test('a charge ends by the shop, or not any more; a payment may still come afterwards', async () => {
    const [ended, paid] = [await make(), await make()]
    expect(await shop.end(ended)).toMatchObject({ kind: 'charge', charge: { state: { kind: 'expired' } } })
    await standIn.register.pay(paid)
    expect(await shop.end(paid)).toMatchObject({ kind: 'charge', charge: { state: { kind: 'paid' } } })
    await standIn.register.pay(ended)
    expect(await stateOf(ended)).toMatchObject({ kind: 'paid' })
  })

  test('a buyer may refuse', async () => {
    const reference = await make()
    await standIn.register.fail(reference)
    expect(await stateOf(reference)).toEqual({ kind: 'failed', code: 'payment_rejected' })
    expect(heardOf(told[0])).toEqual({ reference })
  })

  test('what it does not take is refused', async () => {
    const refused = {
      opn: [
        { amountSatang: 1_900 },
        { amountSatang: 15_000_100 },
        { expiresAt: new Date(clock.getTime() + 25 * 3_600_000) },
      ],
      stripe: [{ amountSatang: 900 }, { amountSatang: 100_000_000 }, { email: '' }, { method: 'linepay' }],
    }[name]
    for (const change of refused) expect(await ask(change)).toMatchObject({ kind: 'refused' })
    expect(standIn.register.charges.size).toBe(0)
    expect(await shop.read(name === 'opn' ? 'chrg_test_unknown' : 'pi_unknown')).toEqual({ kind: 'missing' })
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
    expect((await ask({ chargeId: CHARGE_ID.replace('1', '2') })).kind).toBe('charge')
  })

  test('what was lost on its way is in the list; a list may lack some, and says so', async () => {
    standIn.register.faults.push('lost')
    await ask()
    const period = { from: new Date(clock.getTime() - 60_000), to: new Date(clock.getTime() + 60_000) }
    expect(await shop.list(period)).toMatchObject({ kind: 'list', isWhole: true, charges: [{ chargeId: CHARGE_ID }] })
    standIn.register.faults.push('halfList')
    expect(await shop.list(period)).toMatchObject({ kind: 'list', isWhole: false, charges: [] })
    expect(FAULTS).toHaveLength(Object.keys(KIND).length + 1)
  })

  test('a list of several pages has all, the oldest first', async () => {
    const references = []
    for (let n = 0; n < 103; n++) references.push(await make())
    const period = { from: new Date(clock.getTime() - 1000), to: clock }
    const list = await shop.list(period)
    expect(list).toMatchObject({ kind: 'list', isWhole: true })
    expect(list.kind === 'list' && list.charges.map(({ reference }) => reference)).toEqual(references)
  })

  test('messages: never, late, twice, forged, old, and before the money', async () => {
    const pay = async (fault: MessageFault) => {
      told.length = 0
      standIn.register.messageFaults.push(fault)
      await standIn.register.pay(await make())
      return told.map(heardOf)
    }
    const right = { reference: expect.any(String) }
    const expected: Record<MessageFault, unknown[]> = {
      never: [],
      late: [],
      twice: [right, right],
      forged: [null],
      old: [null],
      early: [right],
    }
    for (const fault of MESSAGE_FAULTS) expect(await pay(fault), fault).toEqual(expected[fault])
    expect(told[0]!.body).toMatch(name === 'opn' ? '"status":"pending"' : '"status":"requires_action"')
    told.length = 0
    await standIn.tellLate()
    expect(told.map(heardOf)).toEqual([right])
    expect(standIn.register.events).toHaveLength(MESSAGE_FAULTS.length)
  })

  test('a payment of another amount, currency or mode is chosen on the page, and told so', async () => {
    const choose = (body: string) =>
      fetch(`${standIn.origin}/__emu/fault`, { method: 'POST', body, redirect: 'manual' })
    for (const [fault, told] of [
      ['amount', { amountSatang: expect.any(Number), currency: 'thb', isLive: false }],
      ['currency', { currency: 'usd' }],
      ['mode', { isLive: true }],
    ] as const) {
      const reference = await make()
      const before = standIn.register.find(reference)!.amountSatang
      await choose(`payment=${fault}`)
      await standIn.register.pay(reference)
      const answer = await shop.read(reference)
      expect(answer).toMatchObject({ kind: 'charge', charge: told })
      expect(standIn.register.find(reference)!.amountSatang).toBe(fault === 'amount' ? before - 100 : before)
    }
    expect(standIn.register.paymentFaults).toEqual([])
  })

  test('only who has the key is let in, and the page is for people', async () => {
    const path = name === 'opn' ? '/charges' : '/v1/payment_intents'
    for (const authorization of ['', 'Bearer sk_test_other', `Basic ${btoa('skey_test_other:')}`])
      expect((await fetch(`${standIn.origin}${path}`, { headers: { authorization } })).status).toBe(401)
    const page = await (await fetch(standIn.origin)).text()
    expect(page).toContain('ผู้ให้บริการรับชำระจำลอง')
    await fetch(`${standIn.origin}/__emu/fault`, { method: 'POST', body: 'fault=broken', redirect: 'manual' })
    expect(await shop.standing()).toMatchObject({ kind: expect.not.stringMatching('ok') })
    expect(await shop.standing()).toEqual({ kind: 'ok' })
  })
})
