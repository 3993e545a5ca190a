import { stepDown } from '@shop/shared/account/rank-endpoints.ts'
import * as catalogue from '@shop/shared/catalogue/endpoints.ts'
import { getSale } from '@shop/shared/dashboard/endpoints.ts'
import type { EndpointShape } from '@shop/shared/endpoint.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import { type Action, type Caller, can, isOfMachines } from '@shop/shared/permissions.ts'
import { getTerms } from '@shop/shared/settings/endpoints.ts'
import { listStatementLines } from '@shop/shared/statement/endpoints.ts'
import { getReconciliation, listOwedRefunds } from '@shop/shared/statement/refund-endpoints.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createApp, routes } from '../start/app.ts'
import { addAccount, createTestShop, type TestShop, tokenFor } from '../testing/shop.ts'

/** Generated from the list of routes: a new endpoint is in these tables by being served. */
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

/** What everybody is told alike, or by a role that anybody may have: for these no account is read. */
const TOLD_TO_ALL: EndpointShape[] = [
  catalogue.listRegions,
  catalogue.listLanguages,
  catalogue.listPlatforms,
  catalogue.listPaymentMethods,
  catalogue.listBanks,
  catalogue.listReceivingAccounts,
  catalogue.listBanners,
  getTerms,
]
/** What tells prices: for customers those of all, so only the accounts of others are read. */
const PRICED: EndpointShape[] = [
  catalogue.listGames,
  catalogue.listPackages,
  catalogue.listGamePackages,
  catalogue.getGameOffer,
]

const nameOf = (endpoint: EndpointShape) => `${endpoint.method} ${endpoint.path}`
const endpoints = routes.map(each => each.endpoint)

/** Codes with which a caller is turned away before an endpoint does anything. */
const REFUSALS = new Set([
  'UNAUTHENTICATED',
  'SESSION_REVOKED',
  'FORBIDDEN',
  'ACCOUNT_INACTIVE',
  'PASSWORD_CHANGE_REQUIRED',
  'PIN_CHANGE_REQUIRED',
  'SESSION_EXPIRED',
  'LINE_NOT_ALLOWED',
  'SIGN_IN_THEN_LINK',
  'TOTP_REQUIRED',
  'KEY_UNKNOWN',
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
  for (const endpoint of endpoints) {
    entries.push([nameOf(endpoint), await outcomeOf(endpoint, authorization)])
    // Whoever may step down has done so.
    if (endpoint === stepDown) await it.db.query({ text: `UPDATE account SET role = 'admin' WHERE uid = 'admin'` })
  }
  return Object.fromEntries(entries)
}

/** What keys open, no session does. */
const expected = (outcome: (allow: Action) => string) =>
  Object.fromEntries(
    endpoints.map(endpoint => {
      const { allow } = endpoint
      return [nameOf(endpoint), isOfMachines(allow) ? '401 KEY_UNKNOWN' : outcome(allow)]
    }),
  )

const bearer = (uid: string, change: Record<string, unknown> = {}, ageSeconds = 0) =>
  `Bearer ${tokenFor(uid, new Date(it.clock.now.getTime() - ageSeconds * 1000), change)}`

/** A session that is refused everywhere but for what a guest is told as well. */
const refused = (refusal: (allow: Action) => unknown, open = TOLD_TO_ALL) => ({
  ...expected(refusal as (allow: Action) => string),
  ...Object.fromEntries(open.map(endpoint => [nameOf(endpoint), 'in'])),
})

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

  test.each(['accountant', 'staff', 'manager', 'admin'] as const)(
    'a %s who signed in more than 12 hours ago: 401',
    async role => {
      expect(await outcomes(renewedAfter(role, HOURS_12 + 1))).toEqual(refused(() => '401 SESSION_EXPIRED'))
      expect(await outcomes(renewedAfter(role, HOURS_12))).toEqual(
        expected(allow => (can(role, allow) ? 'in' : '403 FORBIDDEN')),
      )
    },
  )

  test('customers and agents stay signed in', async () => {
    expect(Object.values(await outcomes(renewedAfter('customer', 100 * HOURS_12)))).not.toContain('401 SESSION_EXPIRED')
    expect(Object.values(await outcomes(renewedAfter('agent', 100 * HOURS_12)))).not.toContain('401 SESSION_EXPIRED')
  })

  test.each(['accountant', 'manager', 'admin'] as const)('a %s who came by LINE: 403; staff may', async role => {
    const byLine = async (uid: string) => {
      await it.db.query({
        text: `INSERT INTO linked_identity (provider, subject, uid, linked_at) VALUES ('line', $1, $1, $2)
          ON CONFLICT DO NOTHING`,
        values: [uid, it.clock.now],
      })
      return bearer(uid, { firebase: { sign_in_provider: 'custom' }, lineLink: it.clock.now.getTime() })
    }
    expect(await outcomes(await byLine(role))).toEqual(refused(() => '403 LINE_NOT_ALLOWED'))
    expect(await outcomes(await byLine('staff'))).toEqual(
      expected(allow => (can('staff', allow) ? 'in' : '403 FORBIDDEN')),
    )
  })

  test('a session by a way that is not the account’s may be recorded, nothing else', async () => {
    const record = (allow: Action) => allow === 'account.sync'
    const byGoogle = bearer('agent', { firebase: { sign_in_provider: 'google.com' } })
    const byLine = bearer('agent', { firebase: { sign_in_provider: 'custom' } })
    const outcomeOfSync = async (authorization: string, refusal: string) =>
      expect(await outcomes(authorization)).toEqual(refused(allow => (record(allow) ? expect.anything() : refusal)))
    await outcomeOfSync(byGoogle, '409 SIGN_IN_THEN_LINK')
    await outcomeOfSync(byLine, '401 SESSION_REVOKED')
  })

  test('a second factor that is due: what customers and agents do, nothing of the back office', async () => {
    await it.db.query({ text: `INSERT INTO option (name, value) VALUES ('REQUIRE_ADMIN_TOTP', 'true')` })
    const open: Action[] = [
      ...(['catalogue.browse', 'account.sync', 'account.own', 'account.signIn', 'account.link'] as const),
      ...(['pin.change', 'totp.own', 'terms.accept', 'wallet.own', 'slip.look', 'slip.upload'] as const),
      ...([
        'order.create',
        'order.own',
        'order.changeOwn',
        'order.payByWallet',
        'credit.own',
        'statement.feed',
      ] as const),
    ]
    onTestFinished(async () => {
      await it.db.query({ text: `DELETE FROM option WHERE name = 'REQUIRE_ADMIN_TOTP'` })
    })
    for (const role of ['accountant', 'staff', 'admin'] as const) {
      expect(await outcomes(bearer(role))).toEqual({
        ...expected(allow => (!can(role, allow) ? '403 FORBIDDEN' : open.includes(allow) ? 'in' : '403 TOTP_REQUIRED')),
        // Somebody else's account is the back office's, although one's own is open.
        'GET /romons.users/api/user/:uid': can(role, 'account.list') ? '403 TOTP_REQUIRED' : 'in',
      })
    }
    expect(Object.values(await outcomes(bearer('customer')))).not.toContain('403 TOTP_REQUIRED')
  })

  test('a token from before the revocation: 401', async () => {
    expect(await outcomes(bearer('revoked', {}, 60))).toEqual(refused(() => '401 SESSION_REVOKED'))
  })

  test('a token renewed after the revocation from a sign-in before it: 401', async () => {
    const renewed = bearer('revoked', { auth_time: Math.floor(it.clock.now.getTime() / 1000) - 60 })
    expect(await outcomes(renewed)).toEqual(refused(() => '401 SESSION_REVOKED'))
  })

  test('an inactive account: 403', async () => {
    const asCustomer = [...TOLD_TO_ALL, ...PRICED]
    expect(await outcomes(bearer('inactive'))).toEqual(refused(() => '403 ACCOUNT_INACTIVE', asCustomer))
    await addAccount(it, 'inactive-agent', 'agent', { status: 'inactive' })
    expect(await outcomes(bearer('inactive-agent'))).toEqual(refused(() => '403 ACCOUNT_INACTIVE'))
  })

  test.each<[Caller, string]>([
    ['customer', 'customer'],
    ['customer', 'pending'],
    ['customer', 'nobody-knows-this-account'],
    ['agent', 'agent'],
    ['accountant', 'accountant'],
    ['staff', 'staff'],
    ['manager', 'manager'],
    ['admin', 'admin'],
  ])('a %s (%s): what the permission table says, else 403', async (role, uid) => {
    expect(await outcomes(bearer(uid))).toEqual(expected(allow => (can(role, allow) ? 'in' : '403 FORBIDDEN')))
  })

  test('an accountant changes nothing but their own account: all else that is open to them is read', () => {
    const own: Action[] = ['account.sync', 'account.own', 'account.signIn', 'account.link', 'totp.own']
    const open = endpoints.filter(({ allow }) => can('accountant', allow) && !own.includes(allow))
    expect(open.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        listStatementLines.path,
        getReconciliation.path,
        listOwedRefunds.path,
        getSale.path,
        getOrderForStaff.path,
      ]),
    )
    // The dashboards' own calls send what they are asked for in a body.
    const written = open.filter(({ method, path }) => method !== 'GET' && !path.startsWith('/romons.dashboard/'))
    expect(written.map(nameOf)).toEqual([])
    const dashboards = open.filter(({ method }) => method !== 'GET').map(({ allow }) => allow)
    expect(new Set(dashboards)).toEqual(new Set(['dashboard.view']))
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
      'ALL /*',
      'GET /health',
      'GET /healthz',
      'GET /ready',
      'GET /readyz',
      'GET /live',
      'GET /livez',
      'GET /pulse',
      'GET /files/*',
      'GET /openapi.json',
      'GET /reseller/openapi.json',
      // Signed by who sends them; and a game's page in short, with its picture, for who shows links.
      'POST /supplier/callback/:name?',
      'POST /gateway/hear/:name',
      'POST /line/webhook',
      'GET /game/:code',
      'GET /preview/:file{[^/]+\\.png}',
      'GET /preview/square/:file{[^/]+\\.png}',
    ])
    const served = createApp(it.shop).routes.map(({ method, path }) => `${method} ${path}`)
    const others = served.filter(name => !outside.has(name) && !/^GET (\/reseller)?\/docs/.test(name))
    expect(new Set(others)).toEqual(new Set(endpoints.map(nameOf)))
  })
})
