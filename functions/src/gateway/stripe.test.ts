import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  CHARGE_REQUEST,
  DIALECT,
  GATEWAY_NOW,
  gatewayAt,
  type ScriptedGateway,
  startScriptedGateway,
} from '../testing/scripted-gateway.ts'
import type { Gateway } from './provider.ts'

const { charge, event, sign, keys, reference } = DIALECT.stripe

let server: ScriptedGateway
let gateway: Gateway
beforeAll(async () => {
  server = await startScriptedGateway()
  gateway = gatewayAt('stripe', server.origin)
})
afterAll(() => server?.stop())
beforeEach(() => {
  server.calls.length = 0
})

function show(told: object): void {
  server.answer = () => ({ json: told })
}

test('a charge is made and confirmed by one call, whose key is our own id', async () => {
  show(charge('waiting'))
  expect(await gateway.create(CHARGE_REQUEST)).toEqual({
    kind: 'charge',
    charge: {
      reference,
      chargeId: CHARGE_REQUEST.chargeId,
      amountSatang: 149_00,
      currency: 'thb',
      isLive: false,
      goneBack: null,
      createdAt: new Date('2026-08-01T04:58:00Z'),
      state: { kind: 'waiting', pay: { by: 'qrText', text: '00020101' }, expiresAt: null },
    },
  })
  const [made, ...others] = server.calls
  expect(others).toEqual([])
  expect(made).toMatchObject({ method: 'POST', path: '/v1/payment_intents' })
  expect(made!.headers).toMatchObject({
    authorization: 'Bearer sk_test_new',
    'stripe-version': '2024-06-20',
    'idempotency-key': CHARGE_REQUEST.chargeId,
  })
  expect(Object.fromEntries(made!.form)).toEqual({
    amount: '14900',
    currency: 'thb',
    'payment_method_types[]': 'promptpay',
    'payment_method_data[type]': 'promptpay',
    'payment_method_data[billing_details][email]': 'buyer@shop.example',
    confirm: 'true',
    description: 'K260801-0001',
    'metadata[charge]': CHARGE_REQUEST.chargeId,
    'expand[]': 'latest_charge.balance_transaction',
  })
})

test('only PromptPay is asked for', async () => {
  expect(Object.keys(gateway.methods)).toEqual(['promptpay'])
  expect(await gateway.create({ ...CHARGE_REQUEST, method: 'linepay' })).toEqual({ kind: 'refused', code: 'method' })
  expect(server.calls).toEqual([])
})

test('what another call with the same key has done is not known', async () => {
  server.answer = () => ({ status: 400, json: { error: { type: 'idempotency_error', message: 'other parameters' } } })
  expect(await gateway.create(CHARGE_REQUEST)).toEqual({ kind: 'silent' })
})

test('each state is told; the fee comes with the booking, in the same currency', async () => {
  const told = async (body: object) => {
    show(body)
    const answer = await gateway.read(reference)
    return answer.kind === 'charge' ? answer.charge.state : answer.kind
  }
  const at = new Date('2026-08-01T04:59:00Z')
  const booked = (booking: unknown) =>
    charge('paid', { latest_charge: { created: at.getTime() / 1000, balance_transaction: booking } })
  expect(await told(charge('paid'))).toEqual({ kind: 'paid', at, feeSatang: 2_63 })
  for (const booking of [null, 'txn_1', { fee: 8, currency: 'usd' }])
    expect(await told(booked(booking))).toEqual({ kind: 'paid', at, feeSatang: null })
  expect(await told(charge('failed'))).toEqual({ kind: 'failed', code: 'payment_rejected' })
  expect(await told(charge('failed', { last_payment_error: null }))).toEqual({ kind: 'failed', code: null })
  expect(await told(charge('expired'))).toEqual({ kind: 'expired' })
  expect(await told(charge('waiting', { status: 'processing', next_action: null }))).toEqual({
    kind: 'waiting',
    pay: null,
    expiresAt: null,
  })
  expect(server.calls[0]!.query.get('expand[]')).toBe('latest_charge.balance_transaction')
})

test('what came in counts, not what was asked for', async () => {
  show(charge('paid', { amount_received: 100_00 }))
  expect(await gateway.read(reference)).toMatchObject({ charge: { amountSatang: 100_00 } })
})

test('a charge is ended, then read', async () => {
  show(charge('expired'))
  expect(await gateway.end(reference)).toMatchObject({ charge: { state: { kind: 'expired' } } })
  expect(server.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /v1/payment_intents/pi_1/cancel',
    'GET /v1/payment_intents/pi_1',
  ])
})

test('a list is read page by page and told with the oldest first', async () => {
  const newestFirst = Array.from({ length: 230 }, (_, at) => charge('paid', { id: `pi_${230 - at}` }))
  server.answer = ({ query }) => {
    const from = newestFirst.findIndex(({ id }) => id === query.get('starting_after')) + 1
    const data = newestFirst.slice(from, from + Number(query.get('limit')))
    return { json: { object: 'list', has_more: from + data.length < newestFirst.length, data } }
  }
  const listed = await gateway.list({ from: new Date('2026-08-01T00:00:00Z'), to: GATEWAY_NOW })
  if (listed.kind !== 'list') throw new Error(listed.kind)
  expect(listed.charges.map(each => each.reference)).toEqual(newestFirst.map(({ id }) => id).reverse())
  expect(listed).toMatchObject({ isWhole: true, charges: [{ state: { feeSatang: 2_63 } }, ...listed.charges.slice(1)] })
  expect(server.calls.map(({ query }) => query.get('starting_after'))).toEqual([null, 'pi_131', 'pi_31'])
  expect(Object.fromEntries(server.calls[0]!.query)).toEqual({
    'created[gte]': '1785542400',
    'created[lte]': '1785560400',
    limit: '100',
    'expand[]': 'data.latest_charge.balance_transaction',
  })
})

test('a webhook tells which charge it is about, whatever happened to it; a second time in its header is a forgery', () => {
  for (const type of ['payment_intent.succeeded', 'payment_intent.payment_failed', 'payment_intent.canceled']) {
    const body = JSON.stringify(event(reference, type))
    const headers = sign(body, keys.webhook.values[0], GATEWAY_NOW)
    const hear = (given: Record<string, string>) => gateway.hear(new Headers(given), Buffer.from(body), GATEWAY_NOW)
    expect(hear(headers)).toEqual({ reference })
    expect(hear({ 'stripe-signature': `t=1,${headers['stripe-signature']}` })).toBeNull()
  }
})
