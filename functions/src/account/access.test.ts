import type { EndpointShape } from '@shop/shared/endpoint.ts'
import type { AppError } from '@shop/shared/errors.ts'
import * as orders from '@shop/shared/order/endpoints.ts'
import { type Action, type Caller, can } from '@shop/shared/permissions.ts'
import { listOwnTransactions, saveTopUp } from '@shop/shared/wallet/endpoints.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createApp, routes } from '../app.ts'
import { fixture } from '../testing/fixture.ts'
import { addAccount, createTestShop, onceKey, type TestShop, tokenFor } from '../testing/shop.ts'
import { addSlip, addWallet } from '../testing/wallet.ts'

/**
 * Generated from the list of routes: a new endpoint is in these tables by being served, and a new kind of reference to
 * somebody's object fails here until its foreign case is written.
 */
let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  await addAccount(it, 'inactive', 'customer', { status: 'inactive' })
  await addAccount(it, 'pending', 'customer', { status: 'pending' })
  await addAccount(it, 'revoked', 'admin')
  await addAccount(it, 'old-password', 'agent', { mustChangePassword: true })
  await addAccount(it, 'old-pin', 'agent', { mustChangePin: true })
  await it.db.query({
    text: `UPDATE account SET tokens_valid_after = $1 WHERE uid = 'revoked'`,
    values: [it.clock.now],
  })
})
afterAll(() => it.db.close())

const nameOf = (endpoint: EndpointShape) => `${endpoint.method} ${endpoint.path}`
const endpoints = routes.map(each => each.endpoint)

/** Codes with which a caller is turned away before an endpoint does anything. */
const REFUSALS = new Set([
  ...['UNAUTHENTICATED', 'SESSION_REVOKED', 'FORBIDDEN', 'ACCOUNT_INACTIVE'],
  ...['PASSWORD_CHANGE_REQUIRED', 'PIN_CHANGE_REQUIRED', 'SESSION_EXPIRED', 'LINE_NOT_ALLOWED'],
  ...['SIGN_IN_THEN_LINK', 'TOTP_REQUIRED'],
])

/** Calls an endpoint with empty input and gives "401 UNAUTHENTICATED" and the like, or "in" when it was let in. */
async function outcomeOf(endpoint: EndpointShape, authorization: string | null): Promise<string> {
  const response = await it.request(endpoint.path.replace(/:\w+/g, '0'), {
    method: endpoint.method,
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    ...(endpoint.body && { body: '{}' }),
  })
  const isJson = response.headers.get('content-type')?.includes('json')
  const body = (isJson ? await response.json() : {}) as { code?: string; error?: { details?: { code?: string } } }
  const code = (endpoint.callable ? body.error?.details?.code : body.code) ?? ''
  return REFUSALS.has(code) || response.status === 500 ? `${response.status} ${code}` : 'in'
}

async function outcomes(authorization: string | null): Promise<Record<string, string>> {
  const entries: [string, string][] = []
  for (const endpoint of endpoints) entries.push([nameOf(endpoint), await outcomeOf(endpoint, authorization)])
  return Object.fromEntries(entries)
}

const expected = (outcome: (allow: Action) => string) =>
  Object.fromEntries(endpoints.map(endpoint => [nameOf(endpoint), outcome(endpoint.allow)]))

const bearer = (uid: string, change: Record<string, unknown> = {}, ageSeconds = 0) =>
  `Bearer ${tokenFor(uid, new Date(it.clock.now.getTime() - ageSeconds * 1000), change)}`

describe('every endpoint', () => {
  test('no token: open to guests or 401', async () => {
    expect(await outcomes(null)).toEqual(expected(allow => (can('guest', allow) ? 'in' : '401 UNAUTHENTICATED')))
  })

  test.each<[string, () => string]>([
    ['a malformed token', () => 'Bearer not-a-token'],
    ['another scheme', () => 'Basic YWRtaW46YWRtaW4='],
    ['an expired token', () => bearer('admin', {}, 3601)],
    ['a token of another project', () => bearer('admin', { aud: 'other-project' })],
    ['a token of another issuer', () => bearer('admin', { iss: 'https://securetoken.google.com/other-project' })],
    ['a token for nobody', () => bearer('')],
  ])('%s: 401, also where guests may', async (_, authorization) => {
    expect(await outcomes(authorization())).toEqual(expected(() => '401 UNAUTHENTICATED'))
  })

  const HOURS_12 = 12 * 3600
  const renewedAfter = (uid: string, seconds: number, change = {}) =>
    bearer(uid, { auth_time: Math.floor(it.clock.now.getTime() / 1000) - seconds, ...change })

  test.each(['staff', 'manager', 'admin'] as const)('a %s who signed in more than 12 hours ago: 401', async role => {
    expect(await outcomes(renewedAfter(role, HOURS_12 + 1))).toEqual(expected(() => '401 SESSION_EXPIRED'))
    expect(await outcomes(renewedAfter(role, HOURS_12))).toEqual(
      expected(allow => (can(role, allow) ? 'in' : '403 FORBIDDEN')),
    )
  })

  test('customers and agents stay signed in', async () => {
    expect(Object.values(await outcomes(renewedAfter('customer', 100 * HOURS_12)))).not.toContain('401 SESSION_EXPIRED')
    expect(Object.values(await outcomes(renewedAfter('agent', 100 * HOURS_12)))).not.toContain('401 SESSION_EXPIRED')
  })

  test.each(['manager', 'admin'] as const)('a %s who came by LINE: 403; staff may', async role => {
    const byLine = async (uid: string) => {
      await it.db.query({
        text: `INSERT INTO linked_identity (provider, subject, uid, linked_at) VALUES ('line', $1, $1, $2)
          ON CONFLICT DO NOTHING`,
        values: [uid, it.clock.now],
      })
      return bearer(uid, { firebase: { sign_in_provider: 'custom' }, lineLink: it.clock.now.getTime() })
    }
    expect(await outcomes(await byLine(role))).toEqual(expected(() => '403 LINE_NOT_ALLOWED'))
    expect(await outcomes(await byLine('staff'))).toEqual(
      expected(allow => (can('staff', allow) ? 'in' : '403 FORBIDDEN')),
    )
  })

  test('a session by a way that is not the account’s may be recorded, nothing else', async () => {
    const record = (allow: Action) => allow === 'account.sync'
    const byGoogle = bearer('agent', { firebase: { sign_in_provider: 'google.com' } })
    const byLine = bearer('agent', { firebase: { sign_in_provider: 'custom' } })
    const outcomeOfSync = async (authorization: string, refusal: string) =>
      expect(await outcomes(authorization)).toEqual(expected(allow => (record(allow) ? expect.anything() : refusal)))
    await outcomeOfSync(byGoogle, '409 SIGN_IN_THEN_LINK')
    await outcomeOfSync(byLine, '401 SESSION_REVOKED')
  })

  test('a second factor that is due: what customers and agents do, nothing of the back office', async () => {
    await it.db.query({ text: `INSERT INTO option (name, value) VALUES ('REQUIRE_ADMIN_TOTP', 'true')` })
    const open: Action[] = [
      ...(['catalogue.browse', 'account.sync', 'account.own', 'account.signIn', 'account.link'] as const),
      ...(['pin.change', 'totp.own', 'terms.accept', 'wallet.own', 'slip.upload'] as const),
      ...(['order.create', 'order.own', 'order.payByWallet', 'statement.feed'] as const),
    ]
    onTestFinished(async () => {
      await it.db.query({ text: `DELETE FROM option WHERE name = 'REQUIRE_ADMIN_TOTP'` })
    })
    for (const role of ['staff', 'admin'] as const) {
      expect(await outcomes(bearer(role))).toEqual({
        ...expected(allow => (!can(role, allow) ? '403 FORBIDDEN' : open.includes(allow) ? 'in' : '403 TOTP_REQUIRED')),
        // Somebody else's account is the back office's, although one's own is open.
        'GET /romons.users/api/user/:uid': '403 TOTP_REQUIRED',
      })
    }
    expect(Object.values(await outcomes(bearer('customer')))).not.toContain('403 TOTP_REQUIRED')
  })

  test('a token from before the revocation: 401', async () => {
    expect(await outcomes(bearer('revoked', {}, 60))).toEqual(expected(() => '401 SESSION_REVOKED'))
  })

  test('a token renewed after the revocation from a sign-in before it: 401', async () => {
    const renewed = bearer('revoked', { auth_time: Math.floor(it.clock.now.getTime() / 1000) - 60 })
    expect(await outcomes(renewed)).toEqual(expected(() => '401 SESSION_REVOKED'))
  })

  test('an inactive account: 403', async () => {
    expect(await outcomes(bearer('inactive'))).toEqual(expected(() => '403 ACCOUNT_INACTIVE'))
  })

  test.each<[Caller, string]>([
    ['customer', 'customer'],
    ['customer', 'pending'],
    ['customer', 'nobody-knows-this-account'],
    ['agent', 'agent'],
    ['staff', 'staff'],
    ['manager', 'manager'],
    ['admin', 'admin'],
  ])('a %s (%s): what the permission table says, else 403', async (role, uid) => {
    expect(await outcomes(bearer(uid))).toEqual(expected(allow => (can(role, allow) ? 'in' : '403 FORBIDDEN')))
  })

  test('a role claimed in the token or a Uid header gives nothing', async () => {
    const claims = { role: 'admin', ispasswordchange: true, ispinchange: true }
    expect(await outcomes(bearer('customer', claims))).toEqual(
      expected(allow => (can('customer', allow) ? 'in' : '403 FORBIDDEN')),
    )
    const me = await it.request('/romons.users/api/user/me', {
      headers: { authorization: bearer('customer'), uid: 'admin', Uid: 'admin' },
    })
    expect(await me.json()).toMatchObject({ uid: 'customer' })
  })

  test.each([
    ['old-password', '403 PASSWORD_CHANGE_REQUIRED'],
    ['old-pin', '403 PIN_CHANGE_REQUIRED'],
  ])(
    'an agent who must change something first (%s) can do that and look around, nothing else',
    async (uid, refusal) => {
      const open: Action[] = [
        'catalogue.browse',
        'account.sync',
        'account.own',
        'account.signIn',
        'pin.change',
        'totp.own',
      ]
      expect(await outcomes(bearer(uid))).toEqual(
        expected(allow => (!can('agent', allow) ? '403 FORBIDDEN' : open.includes(allow) ? 'in' : refusal)),
      )
    },
  )

  test('is declared in the contract: the server answers no other path', () => {
    const outside = new Set([
      ...['ALL /*', 'GET /healthz', 'GET /files/*', 'GET /openapi.json'],
      // Signed by who sends them; and a game's page in short, with its picture, for who shows links.
      ...['POST /supplier/callback', 'POST /line/webhook'],
      ...['GET /game/:code', 'GET /preview/:file{.+\\.png}'],
    ])
    const served = createApp(it.shop).routes.map(({ method, path }) => `${method} ${path}`)
    const others = served.filter(name => !outside.has(name) && !name.startsWith('GET /docs'))
    expect(new Set(others)).toEqual(new Set(endpoints.map(nameOf)))
  })
})

/** Inputs that name nobody's object: values, texts, filters and rows of the public catalogue. */
const HARMLESS = new Set([
  ...['page', 'pageSize', 'month', 'from', 'to', 'game', 'status', 'name', 'roles', 'actionType', 'transactionNo'],
  ...['gameId', 'gameCode', 'packageId', 'tierId', 'receivingAccountId', 'paymentCode', 'provider', 'optionName'],
  ...['playerId', 'field1', 'field2', 'field3', 'field4', 'field5', 'quantity', 'termsVersion', 'version'],
  // The number of another order, which staff say they have seen.
  'sameAmountOrderNo',
  ...[
    'reason',
    'deliveryReference',
    'supplierRiskReason',
    'andClaim',
    'pin',
    'oldPin',
    'password',
    'amountSatang',
    'payment',
    'search',
  ],
  ...['username', 'name', 'surname', 'tel', 'firstName', 'lastName', 'displayName', 'phoneNumber'],
  // Proofs from LINE, tested in line-sign-in.test.ts.
  ...['idToken', 'code', 'state', 'attempt'],
])
/** `id` here is a player's, at the game's publisher. */
const NAMES_A_PLAYER = 'GET /romons.gameservice/api/game/getpubgbyid/:id'

interface ForeignCase {
  input: (things: Things) => {
    params?: Record<string, string>
    query?: Record<string, unknown>
    body?: Record<string, unknown>
  }
  /** Default NOT_FOUND; `empty` for a list that shows nothing. */
  code?: string
  /** Who tries; by default a customer, or an agent where only those may call. */
  by?: string
}

/** What `customer` and `agent` have and strangers try to reach; and what a stranger has beside it. */
interface Things {
  orderNo: string
  slipId: string
  holdId: string
  topUpId: string
  agentSlipId: string
  strangersOrderNo: string
}

const purchase = (change: Record<string, unknown> = {}) => ({
  gameId: fixture.pubg.id,
  packageId: fixture.pubg.package,
  playerId: '5123456789',
  receivingAccountId: fixture.accounts.promptPay,
  termsVersion: '1',
  ...change,
})

/** What only a machine with a key may send. */
const FEED = { accountNo: '0123456789', lines: [{ at: '2026-11-20T05:00:00Z', amountSatang: 14_901 }] }
const ORDER = 'ORDER_NOT_FOUND'
const TOP_UP_SATANG = 50_000

const byOrderNo = (body?: Record<string, unknown>): ForeignCase => ({
  input: ({ orderNo }) => ({ params: { orderNo }, body }),
  code: ORDER,
})

/** By endpoint and reference: how a stranger would name somebody else's object, and the code they must get. */
const FOREIGN: Record<string, ForeignCase> = {
  'POST /romons.payment/api/confirmprice randPointId': {
    input: ({ holdId }) => ({ body: purchase({ randPointId: holdId }) }),
    code: 'HOLD_EXPIRED',
    by: 'newcomer',
  },
  'PUT /romons.payment/api/updateorderstatus orderNo': {
    input: ({ orderNo }) => ({ body: { orderNo, status: 'cancel' } }),
    code: ORDER,
  },
  'GET /romons.order/api/order/details/:orderNo orderNo': byOrderNo(),
  'GET /romons.order/api/order/playerfields/:orderNo orderNo': byOrderNo(),
  'POST /romons.order/api/order/proposeplayer/:orderNo orderNo': byOrderNo({ playerId: '5999999999' }),
  'GET /romons.order/api/order/receipt/:orderNo orderNo': byOrderNo(),
  'POST /romons.order/api/order/report/:orderNo orderNo': byOrderNo({}),
  'POST /romons.order/api/order/report/:orderNo slipId': {
    input: ({ strangersOrderNo, slipId }) => ({ params: { orderNo: strangersOrderNo }, body: { slipId } }),
    code: 'SLIP_NOT_FOUND',
  },
  'GET /romons.order/api/order/history orderNo': { input: ({ orderNo }) => ({ query: { orderNo } }), code: 'empty' },
  'GET /romons.payment/api/wallet/slip/:id id': { input: ({ slipId }) => ({ params: { id: slipId } }) },
  'POST /romons.payment/api/wallet/topup id': {
    input: ({ topUpId }) => ({ body: { id: topUpId, amountSatang: TOP_UP_SATANG, slipId: null } }),
  },
  'POST /romons.payment/api/wallet/topup slipId': {
    input: ({ agentSlipId }) => ({ body: { amountSatang: TOP_UP_SATANG, slipId: agentSlipId } }),
    code: 'SLIP_NOT_FOUND',
  },
  'PATCH /romons.payment/api/wallet/status id': {
    input: ({ topUpId }) => ({ body: { id: topUpId, status: 'cancel' } }),
  },
  'POST /romons.payment/api/statement/lines accountNo': { input: () => ({ body: FEED }), code: 'FEED_KEY_INVALID' },
  'POST /romons.payment/api/statement/lines lines': { input: () => ({ body: FEED }), code: 'FEED_KEY_INVALID' },
  'GET /romons.users/api/user/:uid uid': { input: () => ({ params: { uid: 'customer' } }) },
  'POST /updateUser uid': { input: () => ({ body: { uid: 'customer', firstName: 'taken over' } }) },
}

interface ShapeLike {
  shape?: Record<string, unknown>
  options?: ShapeLike[]
  def?: { options?: ShapeLike[] }
}

/** Names of all fields of a schema, of every branch of a union. */
function fieldsOf(schema: unknown): string[] {
  const { shape, options, def } = (schema ?? {}) as ShapeLike
  return shape ? Object.keys(shape) : (options ?? def?.options ?? []).flatMap(fieldsOf)
}

function referencesOf(endpoint: EndpointShape): string[] {
  const fields = [endpoint.params, endpoint.query, endpoint.body].flatMap(fieldsOf)
  return nameOf(endpoint) === NAMES_A_PLAYER ? [] : fields.filter(field => !HARMLESS.has(field))
}

interface Reference {
  name: string
  endpoint: EndpointShape
}

/** Every field with which a customer or agent could name somebody's object. */
const references: Reference[] = endpoints
  .filter(endpoint => can('customer', endpoint.allow) || can('agent', endpoint.allow))
  .flatMap(endpoint => referencesOf(endpoint).map(field => ({ name: `${nameOf(endpoint)} ${field}`, endpoint })))

async function createThings(): Promise<Things> {
  const { pubg, accounts } = fixture
  const price = { gameCode: pubg.code, packageId: pubg.package, playerId: '5123456789', paymentCode: 'bank' as const }
  const held = await it.as('customer').call(orders.holdPrice, {
    params: price,
    body: { receivingAccountId: accounts.promptPay },
    idempotencyKey: onceKey(),
  })
  const buy = (uid: string) =>
    it.as(uid).call(orders.confirmPrice, { body: purchase() as never, idempotencyKey: onceKey() })
  const now = it.clock.now
  for (const uid of ['agent', 'strange-agent']) await addWallet(it.db, { uid, balanceSatang: 0, pin: null, now })
  const topUp = await it.as('agent').call(saveTopUp, {
    body: { amountSatang: TOP_UP_SATANG, slipId: null },
    idempotencyKey: onceKey(),
  })
  return {
    holdId: held.id,
    orderNo: (await buy('customer')).orderNo,
    strangersOrderNo: (await buy('stranger')).orderNo,
    slipId: await addSlip(it, 'u:customer'),
    agentSlipId: await addSlip(it, 'u:agent'),
    topUpId: topUp.id,
  }
}

describe("another person's object", () => {
  let things: Things
  beforeAll(async () => {
    await addAccount(it, 'stranger', 'customer')
    await addAccount(it, 'strange-agent', 'agent')
    things = await createThings()
  })

  test('has a case for every reference that an endpoint takes, and no case is left over', () => {
    expect(Object.keys(FOREIGN).toSorted()).toEqual(references.map(({ name }) => name).toSorted())
  })

  const cases = references.filter(({ name }) => FOREIGN[name])
  test.each(cases)('$name: is not there', async ({ name, endpoint }) => {
    const { input, code = 'NOT_FOUND', by } = FOREIGN[name]!
    const stranger = by ?? (can('customer', endpoint.allow) ? 'stranger' : 'strange-agent')
    const call = it.as(stranger).call(endpoint, { ...input(things), idempotencyKey: onceKey() } as never)
    const answer = await call.then(
      reply => ((reply as { total?: number }).total === 0 ? 'empty' : reply),
      (error: AppError) => error.code,
    )
    expect(answer).toBe(code)
  })

  test('was not touched by these tries', async () => {
    const order = await it.as('customer').call(orders.getOrder, { params: { orderNo: things.orderNo } })
    expect(order).toMatchObject({ status: 'waiting_payment', transferReportedAt: null, slipId: null })
    const { rows } = await it.as('agent').call(listOwnTransactions, {})
    expect(rows).toMatchObject([{ id: things.topUpId, status: 'waiting_approve', amountSatang: TOP_UP_SATANG }])
  })
})
