import { GATEWAY_NAMES } from '@shop/shared/provider-names.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  CHARGE_REQUEST,
  DIALECT,
  GATEWAY_NOW,
  gatewayAt,
  type Scripted,
  type ScriptedGateway,
  startScriptedGateway,
} from '../testing/scripted-gateway.ts'
import type { GatewayFailure } from './provider.ts'

let server: ScriptedGateway
beforeAll(async () => {
  server = await startScriptedGateway()
})
afterAll(() => server?.stop())
beforeEach(() => {
  server.calls.length = 0
})

const silent: GatewayFailure = { kind: 'silent' }
const period = { from: new Date('2026-08-01T00:00:00Z'), to: GATEWAY_NOW }

describe.each(GATEWAY_NAMES)('%s', name => {
  const dialect = DIALECT[name]
  const { reference, keys } = dialect
  const [newSecret, oldSecret] = keys.webhook.values
  const json = (value: unknown): Scripted => ({ json: value })
  const failing = (status: number, code: string): Scripted => ({ status, json: dialect.error(code) })
  const gateway = (...args: Parameters<typeof gatewayAt> extends [unknown, unknown, ...infer Rest] ? Rest : never) =>
    gatewayAt(name, server.origin, ...args)

  const FAULTS: Record<string, [Scripted, GatewayFailure]> = {
    'a wrong key': [failing(401, 'authentication_failure'), { kind: 'barred', code: 'authentication_failure' }],
    'an account that may not': [failing(403, 'not_allowed'), { kind: 'barred', code: 'not_allowed' }],
    'a charge of another mode or account': [failing(404, 'not_found'), { kind: 'missing' }],
    'an amount that is not taken': [failing(400, 'invalid_amount'), { kind: 'refused', code: 'invalid_amount' }],
    'what it will not do': [failing(422, 'invalid_charge'), { kind: 'refused', code: 'invalid_charge' }],
    'too many questions': [failing(429, 'too_many'), { kind: 'busy', retryAt: null }],
    'too many questions, and when to come back': [
      { ...(failing(429, 'too_many') as object), headers: { 'retry-after': '7' } },
      { kind: 'busy', retryAt: new Date('2026-08-01T05:00:07Z') },
    ],
    'two calls at once': [failing(409, 'conflict'), silent],
    'a fault of its own': [failing(500, 'backend_error'), silent],
    'a page of what stands in between': [{ status: 403, text: '<html>blocked</html>' }, silent],
    'an answer of no status it documents': [failing(302, 'moved'), silent],
    'no JSON': [{ text: '<html>hello</html>' }, silent],
    'half of an answer': [{ text: JSON.stringify(dialect.charge('waiting')).slice(0, 80) }, silent],
    'JSON of something else': [json({ object: 'customer', id: 'cust_1' }), silent],
    'an amount in text': [json(dialect.charge('waiting', { amount: '14900' })), silent],
    'an amount with a fraction': [json(dialect.charge('waiting', { amount: 148.5 })), silent],
    'a state that is not known': [json(dialect.charge('waiting', { status: 'sleeping' })), silent],
    'paid without when': [json(dialect.charge('paid', { paid_at: null, latest_charge: null })), silent],
    'the line cut after it was stored': ['reset', silent],
    'no answer': ['hang', silent],
    'an answer that is too late': [{ json: dialect.charge('waiting'), afterMs: 900 }, silent],
  }

  test.each(Object.entries(FAULTS))('%s', async (_, [scripted, failure]) => {
    server.answer = () => scripted
    const asked = gateway({ timeoutMs: 300 })
    expect(await asked.create(CHARGE_REQUEST)).toEqual(failure)
    expect(server.calls).toHaveLength(1)
    expect(await asked.read(reference)).toEqual(failure)
    expect(await asked.end(reference)).toEqual(failure)
    expect((await asked.list(period)).kind).toBe(failure.kind)
  })

  test('whether real money moves is told by the keys', () => {
    const liveOf = (...secrets: string[]) =>
      gateway({ keys: secrets.map(secret => ({ secret, webhook: newSecret })) }).isLive
    const [live] = keys.secret.values.map(key =>
      name === 'opn' ? key.replace('test_', '') : key.replace('test', 'live'),
    )
    expect([liveOf(live!), liveOf(keys.secret.values[0]), liveOf(live!, keys.secret.values[0])]).toEqual([
      true,
      false,
      false,
    ])
  })

  test('nobody listens there', async () => {
    const asked = gatewayAt(name, 'http://127.0.0.1:1')
    expect(await asked.create(CHARGE_REQUEST)).toEqual(silent)
    expect(await asked.standing()).toEqual(silent)
  })

  test('whether the keys are right is asked without making anything', async () => {
    server.answer = () => json(dialect.list([]))
    expect(await gateway().standing()).toEqual({ kind: 'ok' })
    server.answer = () => failing(401, 'authentication_failure')
    expect(await gateway().standing()).toEqual({ kind: 'refused', httpStatus: 401 })
    server.answer = () => failing(500, 'backend_error')
    expect(await gateway().standing()).toEqual(silent)
    expect(server.calls.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET'])
  })

  test('after silence the list has the charge under our own id', async () => {
    server.answer = ({ method }) => (method === 'POST' ? 'reset' : json(dialect.list([dialect.charge('waiting')])))
    const asked = gateway()
    expect(await asked.create(CHARGE_REQUEST)).toEqual(silent)
    const listed = await asked.list(period)
    expect(listed).toMatchObject({ kind: 'list', isWhole: true })
    expect(listed).toMatchObject({ charges: [{ reference, chargeId: CHARGE_REQUEST.chargeId }] })
  })

  test('what is told is told as it is: another amount, currency, mode or owner', async () => {
    const other = { amount: 1_00, amount_received: 1_00, currency: 'USD', livemode: true, metadata: {} }
    server.answer = () => json(dialect.charge('paid', other))
    expect(await gateway().read(reference)).toMatchObject({
      charge: { amountSatang: 1_00, currency: 'usd', isLive: true, chargeId: null, state: { kind: 'paid' } },
    })
  })

  test('the answer about another charge is none', async () => {
    server.answer = () => json(dialect.charge('paid', { id: `${reference}2` }))
    expect(await gateway().read(reference)).toEqual(silent)
    expect(await gateway().end(reference)).toEqual(silent)
  })

  test('a payment that is faster than the end wins, and so does an end that was not answered', async () => {
    for (const answered of [failing(400, 'failed_expire'), 'reset', failing(500, 'backend_error')] as const) {
      server.answer = ({ method }) => (method === 'POST' ? answered : json(dialect.charge('paid')))
      expect(await gateway().end(reference)).toMatchObject({ charge: { state: { kind: 'paid' } } })
    }
  })

  test('a list that lacks something says so', async () => {
    const [first, strange] = [dialect.charge('paid'), dialect.charge('paid', { id: 'x', amount: null })]
    server.answer = ({ query }) =>
      json(query.get('starting_after') ? dialect.list([], false) : dialect.list([first], false))
    expect(await gateway().list(period)).toMatchObject({ charges: [{ reference }], isWhole: false })
    server.answer = () => json(dialect.list([first, strange]))
    expect(await gateway().list(period)).toMatchObject({ charges: [{ reference }], isWhole: false })
    server.answer = () => json({ object: 'list' })
    expect(await gateway().list(period)).toEqual(silent)
  })

  const deliver = (secret: string, at: Date, change: { body?: string; headers?: Record<string, string> } = {}) => {
    const body = JSON.stringify(dialect.event(reference))
    const headers = { ...dialect.sign(body, secret, at), ...change.headers }
    return [new Headers(headers), Buffer.from(change.body ?? body), GATEWAY_NOW] as const
  }
  const away = (seconds: number) => new Date(GATEWAY_NOW.getTime() + seconds * 1000)

  test('a webhook is heard for five minutes, before and after', () => {
    for (const seconds of [-300, 0, 300])
      expect(gateway().hear(...deliver(newSecret, away(seconds)))).toEqual({ reference })
    for (const seconds of [-301, 301, -86_400]) expect(gateway().hear(...deliver(newSecret, away(seconds)))).toBeNull()
  })

  test('a forged webhook is not heard', () => {
    const { hear } = gateway()
    expect(hear(...deliver('whsec_somebody_else', GATEWAY_NOW))).toBeNull()
    const body = JSON.stringify(dialect.event(`${reference}9`))
    expect(hear(...deliver(newSecret, GATEWAY_NOW, { body }))).toBeNull()
    const right = dialect.sign(JSON.stringify(dialect.event(reference)), newSecret, GATEWAY_NOW)
    for (const header of Object.keys(right)) {
      expect(hear(...deliver(newSecret, GATEWAY_NOW, { headers: { [header]: '' } }))).toBeNull()
      expect(hear(...deliver(newSecret, GATEWAY_NOW, { headers: { [header]: 'x'.repeat(64) } }))).toBeNull()
    }
    // Signed long ago, with the time of now written over it.
    const old = dialect.sign(JSON.stringify(dialect.event(reference)), newSecret, away(-3600))
    const renewed = Object.entries(old).map(([key, value]) => [
      key,
      value.replace(String(away(-3600).getTime() / 1000), String(GATEWAY_NOW.getTime() / 1000)),
    ])
    expect(hear(...deliver(newSecret, GATEWAY_NOW, { headers: Object.fromEntries(renewed) }))).toBeNull()
  })

  test('a webhook about something else, or that can not be read, is the gateway’s, and about no charge', () => {
    const bodies = [
      JSON.stringify(dialect.event(reference, 'refund.create')),
      JSON.stringify(dialect.event('../../account')),
      '{"object":"event"',
      'null',
    ]
    for (const body of bodies) {
      const headers = new Headers(dialect.sign(body, newSecret, GATEWAY_NOW))
      expect(gateway().hear(headers, Buffer.from(body), GATEWAY_NOW)).toEqual({ reference: null })
    }
  })

  test('a webhook with several signatures is heard by any of them', () => {
    const body = JSON.stringify(dialect.event(reference))
    const [one, two] = [oldSecret, newSecret].map(secret => dialect.sign(body, secret, GATEWAY_NOW))
    const first = Object.keys(one!)[0]!
    const headers = { [first]: `${one![first]},${two![first]!.split(',').at(-1)}` }
    expect(gateway().hear(...deliver(newSecret, GATEWAY_NOW, { headers }))).toEqual({ reference })
  })
})

test.each(GATEWAY_NAMES)(
  '%s: a call that one key is refused for is made with the other, and it is told which was accepted',
  async name => {
    const { keys, charge, error, reference } = DIALECT[name]
    const [[newKey, oldKey], [secret]] = [keys.secret.values, keys.webhook.values]
    const taken = new Set<string>()
    server.answer = ({ headers }) => {
      const [, given = ''] = headers.authorization!.split(' ')
      const key = name === 'opn' ? Buffer.from(given, 'base64').toString().replace(/:$/, '') : given
      return taken.has(key) ? { json: charge('paid') } : { status: 401, json: error('authentication_failure') }
    }
    const accepted: object[] = []
    const onAccepted = async (which: object) => void accepted.push(which)
    const both = [newKey, oldKey].map(each => ({ secret: each, webhook: secret }))
    for (const [atGateway, ends] of [
      [[oldKey], oldKey],
      [[oldKey, newKey], newKey],
      [[newKey], newKey],
    ] as const) {
      taken.clear()
      for (const key of atGateway) taken.add(key)
      const gateway = gatewayAt(name, server.origin, { keys: both, onAccepted })
      expect(await gateway.read(reference)).toMatchObject({ kind: 'charge' })
      expect(accepted.at(-1)).toEqual({ [keys.secret.variable]: ends })
    }
    taken.clear()
    const gateway = gatewayAt(name, server.origin, { keys: both })
    expect(await gateway.create(CHARGE_REQUEST)).toEqual({ kind: 'barred', code: 'authentication_failure' })
  },
)

test.each(GATEWAY_NAMES)(
  '%s: a webhook is heard by either secret while they change, and it is told which one signed',
  name => {
    const { keys, sign, event, reference } = DIALECT[name]
    const [[key], [newSecret, oldSecret]] = [keys.secret.values, keys.webhook.values]
    const body = JSON.stringify(event(reference))
    const accepted: object[] = []
    const onAccepted = async (which: object) => void accepted.push(which)
    const hears = (secrets: string[], signer: string) => {
      const pairs = secrets.map(webhook => ({ secret: key, webhook }))
      const gateway = gatewayAt(name, server.origin, { keys: pairs, onAccepted })
      return gateway.hear(new Headers(sign(body, signer, GATEWAY_NOW)), Buffer.from(body), GATEWAY_NOW) !== null
    }
    expect([hears([oldSecret], oldSecret), hears([oldSecret], newSecret)]).toEqual([true, false])
    expect([hears([newSecret, oldSecret], oldSecret), hears([newSecret, oldSecret], newSecret)]).toEqual([true, true])
    expect([hears([newSecret], oldSecret), hears([newSecret], newSecret)]).toEqual([false, true])
    expect(accepted.map(which => Object.values(which)[0])).toEqual([oldSecret, oldSecret, newSecret, newSecret])
    expect(Object.keys(accepted[0]!)).toEqual([keys.webhook.variable])
  },
)
