import type { GatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  CHARGE_REQUEST,
  DIALECT,
  GATEWAY_NOW,
  gatewayAt,
  type Scripted,
  type ScriptedGateway,
  startScriptedGateway,
} from '../testing/scripted-gateway.ts'
import type { Gateway } from './provider.ts'

const { charge, list, event, sign, keys, reference } = DIALECT.opn
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h1v1H0z"/></svg>'
const PICTURE = '/charges/chrg_test_1/documents/docu_test_1/downloads/1'

let server: ScriptedGateway
let gateway: Gateway
beforeAll(async () => {
  server = await startScriptedGateway()
  gateway = gatewayAt('opn', server.origin)
})
afterAll(() => server?.stop())
beforeEach(() => {
  server.calls.length = 0
})

const withPicture = (uri = `${server.origin}${PICTURE}`) => ({
  source: { type: 'promptpay', flow: 'offline', scannable_code: { type: 'qr', image: { download_uri: uri } } },
})

/** The gateway answers with a charge, and has its picture. */
function show(told: object, picture: Scripted = { text: SVG, headers: { 'content-type': 'image/svg+xml' } }): void {
  server.answer = ({ path }) => (path === PICTURE ? picture : { json: told })
}

test('a charge is made by one call, with our own id and an end', async () => {
  show(charge('waiting', withPicture()))
  const answer = await gateway.create(CHARGE_REQUEST)
  expect(answer).toEqual({
    kind: 'charge',
    charge: {
      reference,
      chargeId: CHARGE_REQUEST.chargeId,
      amountSatang: 149_00,
      currency: 'thb',
      isLive: false,
      goneBack: null,
      createdAt: new Date('2026-08-01T04:58:00Z'),
      state: { kind: 'waiting', pay: { by: 'qr', svg: SVG }, expiresAt: CHARGE_REQUEST.expiresAt },
    },
  })
  const [made, drawn, ...others] = server.calls
  expect(others).toEqual([])
  expect(drawn!.path).toBe(PICTURE)
  expect(drawn!.headers.authorization).toBeUndefined()
  expect(made).toMatchObject({ method: 'POST', path: '/charges' })
  expect(made!.headers).toMatchObject({
    authorization: `Basic ${Buffer.from('skey_test_new:').toString('base64')}`,
    'omise-version': '2019-05-29',
  })
  expect(Object.fromEntries(made!.form)).toEqual({
    amount: '14900',
    currency: 'THB',
    'source[type]': 'promptpay',
    'metadata[charge]': CHARGE_REQUEST.chargeId,
    description: 'K260801-0001',
    return_uri: CHARGE_REQUEST.returnUrl,
    expires_at: '2026-08-01T05:15:00.000Z',
  })
})

test.each([
  ['truemoney', 'truemoney_jumpapp'],
  ['shopeepay', 'shopeepay'],
  ['linepay', 'rabbit_linepay'],
] satisfies [GatewayMethod, string][])(
  '%s sends the buyer to the page that the gateway names',
  async (method, source) => {
    show(charge('waiting', { authorize_uri: 'https://pay.omise.co/payments/1/authorize' }))
    const answer = await gateway.create({ ...CHARGE_REQUEST, method })
    expect(server.calls[0]!.form.get('source[type]')).toBe(source)
    const pay = { by: 'page', url: 'https://pay.omise.co/payments/1/authorize' }
    expect(answer).toMatchObject({ charge: { state: { kind: 'waiting', pay } } })
  },
)

test('a page must be encrypted, but for a stand-in on this machine', async () => {
  for (const [uri, url] of [
    [`${server.origin}/pay`, `${server.origin}/pay`],
    ['javascript:alert(1)', undefined],
    ['data:text/html,hello', undefined],
    ['nothing', undefined],
  ]) {
    show(charge('waiting', { authorize_uri: uri }))
    const answer = await gateway.read(reference)
    expect(answer).toMatchObject({ charge: { state: { kind: 'waiting', pay: url ? { by: 'page', url } : null } } })
  }
})

test.each([
  ['from elsewhere', 'http://127.0.0.1:1/qr.svg', undefined],
  ['by another protocol', 'file:///etc/passwd', undefined],
  ['that is away', undefined, { status: 500, text: SVG }],
  ['behind a redirect', undefined, { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
  ['that is a page', undefined, { text: '<html><svg></svg></html>' }],
  ['that has a script', undefined, { text: '<svg><script>alert(1)</script></svg>' }],
  ['without an end', undefined, { text: `<svg>${'<g></g>'.repeat(100_000)}</svg>` }],
  ['that never comes', undefined, 'hang'],
] satisfies [string, string | undefined, Scripted | undefined][])(
  'a picture %s is not shown, and the charge waits nevertheless',
  async (_, uri, picture) => {
    show(charge('waiting', withPicture(uri)), picture)
    const answer = await gatewayAt('opn', server.origin, { timeoutMs: 300 }).read(reference)
    expect(answer).toMatchObject({ charge: { state: { kind: 'waiting', pay: null } } })
  },
)

test('each state is told; money has come only with both words for it', async () => {
  const told = async (body: object) => {
    show(body)
    const answer = await gateway.read(reference)
    return answer.kind === 'charge' ? answer.charge.state : answer.kind
  }
  expect(await told(charge('paid'))).toEqual({ kind: 'paid', at: new Date('2026-08-01T04:59:00Z'), feeSatang: 2_63 })
  expect(await told(charge('paid', { fee: null }))).toMatchObject({ feeSatang: null })
  expect(await told(charge('failed'))).toEqual({ kind: 'failed', code: 'payment_rejected' })
  expect(await told(charge('expired'))).toEqual({ kind: 'expired' })
  expect(await told(charge('waiting', { status: 'reversed' }))).toEqual({ kind: 'failed', code: 'reversed' })
  expect(await told(charge('paid', { paid: false }))).toBe('silent')
  expect(await told(charge('waiting', { paid: true }))).toBe('silent')
})

test('a charge that has ended has no picture to fetch', async () => {
  show(charge('paid', withPicture()))
  await gateway.read(reference)
  expect(server.calls.map(({ path }) => path)).toEqual(['/charges/chrg_test_1'])
})

test('a charge is ended, then read', async () => {
  show(charge('expired'))
  expect(await gateway.end(reference)).toMatchObject({ charge: { state: { kind: 'expired' } } })
  expect(server.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /charges/chrg_test_1/expire',
    'GET /charges/chrg_test_1',
  ])
})

test('a list is read page by page, the oldest first, without pictures', async () => {
  const all = Array.from({ length: 230 }, (_, at) => charge('waiting', { id: `chrg_test_${at}`, ...withPicture() }))
  server.answer = ({ query }) => {
    const offset = Number(query.get('offset'))
    return { json: { ...list(all), data: all.slice(offset, offset + Number(query.get('limit'))) } }
  }
  const listed = await gateway.list({ from: new Date('2026-08-01T00:00:00Z'), to: GATEWAY_NOW })
  if (listed.kind !== 'list') throw new Error(listed.kind)
  expect(listed.charges.map(each => each.reference)).toEqual(all.map(({ id }) => id))
  expect(listed.isWhole).toBe(true)
  expect(server.calls).toHaveLength(3)
  expect(Object.fromEntries(server.calls[0]!.query)).toEqual({
    from: '2026-08-01T00:00:00.000Z',
    to: '2026-08-01T05:00:00.000Z',
    order: 'chronological',
    limit: '100',
    offset: '0',
  })
})

test('a list that shrinks meanwhile, or repeats itself, is not whole', async () => {
  const page = Array.from({ length: 100 }, (_, at) => charge('waiting', { id: `chrg_test_${at}` }))
  const period = { from: new Date('2026-08-01T00:00:00Z'), to: GATEWAY_NOW }
  server.answer = () => ({ json: { object: 'list', total: 200, data: page } })
  expect(await gateway.list(period)).toMatchObject({ isWhole: false })
  server.answer = ({ query }) => ({
    json: { object: 'list', total: 200, data: query.get('offset') === '0' ? page : [] },
  })
  expect(await gateway.list(period)).toMatchObject({ isWhole: false })
})

test('a webhook tells which charge it is about, whatever happened to it', () => {
  for (const type of ['charge.create', 'charge.complete', 'charge.update']) {
    const body = JSON.stringify(event(reference, type))
    const headers = new Headers(sign(body, keys.webhook.values[0], GATEWAY_NOW))
    expect(gateway.hear(headers, Buffer.from(body), GATEWAY_NOW)).toEqual({ reference })
  }
})
