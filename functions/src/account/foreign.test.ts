import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { EndpointShape } from '@shop/shared/endpoint.ts'
import type { AppError } from '@shop/shared/errors.ts'
import * as orders from '@shop/shared/order/endpoints.ts'
import { can, isOfMachines } from '@shop/shared/permissions.ts'
import { listOwnTransactions, saveTopUp } from '@shop/shared/wallet/endpoints.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { routes } from '../start/app.ts'
import { fixture } from '../testing/fixture.ts'
import { addKey } from '../testing/machine.ts'
import { addAccount, createTestShop, onceKey, type TestCaller, type TestShop } from '../testing/shop.ts'
import { addSlip, addWallet } from '../testing/wallet.ts'
import { addEndpoint } from '../testing/webhook.ts'
import { emitTest } from '../webhook/emit.ts'

/**
 * Generated from the list of routes: a new kind of reference to somebody's object fails here until its foreign case is
 * written.
 */
let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

const nameOf = (endpoint: EndpointShape) => `${endpoint.method} ${endpoint.path}`
const endpoints = routes.map(each => each.endpoint)

/** Inputs that name nobody's object: values, texts, filters and rows of the public catalogue. */
const HARMLESS = new Set([
  'page',
  'pageSize',
  'month',
  'from',
  'to',
  'game',
  'status',
  'tab',
  'name',
  'roles',
  'actionType',
  'transactionNo',
  'gameId',
  'gameCode',
  'packageId',
  'tierId',
  'receivingAccountId',
  'paymentCode',
  'provider',
  'optionName',
  'playerId',
  'field1',
  'field2',
  'field3',
  'field4',
  'field5',
  'quantity',
  'creditSatang',
  // A place in the caller's own list.
  'after',
  'termsVersion',
  'acceptedWarning',
  'seenPriceSatang',
  'version',
  // The numbers of another order and of what a transfer has paid, which staff say they have seen.
  'sameAmountOrderNo',
  'usedByNo',
  'reason',
  'deliveryReference',
  'supplierRiskReason',
  'andClaim',
  'pin',
  'oldPin',
  'password',
  'amountSatang',
  'payment',
  'method',
  'search',
  'username',
  'name',
  'surname',
  'tel',
  'firstName',
  'lastName',
  'displayName',
  'phoneNumber',
  'bankCode',
  'accountName',
  // Proofs from LINE, tested in line-sign-in.test.ts and chat/handlers.test.ts.
  'accessToken',
  'idToken',
  'code',
  'state',
  'attempt',
  // A number from a mail, and where it goes; order/delivering/codes.test.ts tries those of others.
  'number',
  'address',
  // What a new key may do, and what a new endpoint is.
  'mode',
  'events',
  'isFailed',
  'scopes',
  'addresses',
  'dailyLimitSatang',
  'url',
  'isOn',
  // A secret of the caller's own, and what of their own goes on after it changes; the ids of others are among none of it.
  'secret',
  'keep',
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
  keyId: string
  webhookId: string
  messageId: string
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
/** Where a stranger would like the refund of somebody else's order. */
const PAYEE = { bankCode: '004', accountNo: '4051236789', accountName: 'คนแปลกหน้า' }
const ORDER = 'ORDER_NOT_FOUND'
const TOP_UP_SATANG = 50_000

const byOrderNo = (body?: Record<string, unknown>): ForeignCase => ({
  input: ({ orderNo }) => ({ params: { orderNo }, body }),
  code: ORDER,
})

const byTopUpId = (body?: Record<string, unknown>): ForeignCase => ({
  input: ({ topUpId: id }) => ({ params: { id }, body }),
})

const byWebhookId = (body?: Record<string, unknown>): ForeignCase => ({
  input: ({ webhookId: id, messageId }) => ({ params: { id, messageId: `msg_${messageId}` }, body }),
})

const byCodeOf: ForeignCase = {
  input: ({ orderNo }) => ({ body: { orderNo, ids: [randomUUID()] } }),
  code: ORDER,
}

const OTHERS_WITHDRAWAL: ForeignCase = {
  input: () => ({ params: { id: randomUUID() }, body: { ...PAYEE, pin: '2580' } }),
  code: 'CREDIT_PIN_NOT_SET',
}

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
  'POST /romons.order/api/order/askrefund/:orderNo orderNo': byOrderNo({}),
  'PUT /romons.order/api/order/newsaddress/:orderNo orderNo': byOrderNo({ address: 'stranger@somewhere.example' }),
  'POST /romons.order/api/order/refundpayee/:orderNo orderNo': byOrderNo(PAYEE),
  'POST /romons.order/api/order/refundpayee/:orderNo accountNo': byOrderNo(PAYEE),
  'POST /romons.order/api/order/refundpayee/:orderNo paidSlipId': byOrderNo(PAYEE),
  'POST /romons.order/api/order/refundtopayer/:orderNo orderNo': byOrderNo({}),
  'POST /romons.order/api/order/refundtopayer/:orderNo accountNo': byOrderNo({ accountNo: PAYEE.accountNo }),
  'POST /romons.order/api/order/refundcredit/:orderNo orderNo': byOrderNo(),
  'POST /romons.payment/api/credit/withdraw accountNo': {
    input: () => ({ body: { ...PAYEE, pin: '2580' } }),
    code: 'CREDIT_PIN_NOT_SET',
  },
  // With a PIN of their own it is NOT_FOUND: credit/withdrawal.test.ts.
  'POST /romons.payment/api/credit/withdraw/:id/payee id': OTHERS_WITHDRAWAL,
  'POST /romons.payment/api/credit/withdraw/:id/payee accountNo': OTHERS_WITHDRAWAL,
  'GET /romons.order/api/order/receipt/:orderNo orderNo': byOrderNo(),
  'POST /romons.order/api/order/report/:orderNo orderNo': byOrderNo({}),
  'POST /romons.order/api/order/report/:orderNo slipId': {
    input: ({ strangersOrderNo, slipId }) => ({ params: { orderNo: strangersOrderNo }, body: { slipId } }),
    code: 'SLIP_NOT_FOUND',
  },
  'GET /romons.order/api/order/history orderNo': { input: ({ orderNo }) => ({ query: { orderNo } }), code: 'empty' },
  'GET /romons.payment/api/orders/:orderNo/charge orderNo': byOrderNo(),
  'POST /romons.payment/api/orders/:orderNo/charge orderNo': byOrderNo({ method: 'promptpay' }),
  'POST /romons.payment/api/orders/:orderNo/transfer orderNo': byOrderNo(),
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
  'GET /romons.payment/api/wallet/topup/:id id': byTopUpId(),
  'POST /romons.payment/api/wallet/topup/:id/charge id': byTopUpId({ method: 'promptpay' }),
  'GET /romons.payment/api/wallet/topup/:id/charge id': byTopUpId(),
  'POST /romons.payment/api/statement/lines accountNo': { input: () => ({ body: FEED }), code: 'FEED_KEY_INVALID' },
  'POST /romons.payment/api/statement/lines lines': { input: () => ({ body: FEED }), code: 'FEED_KEY_INVALID' },
  'GET /romons.users/api/user/:uid uid': { input: () => ({ params: { uid: 'customer' } }) },
  'POST /romons.voucher/api/reveal orderNo': byCodeOf,
  'POST /romons.voucher/api/reveal ids': byCodeOf,
  'PUT /romons.voucher/api/address/:orderNo orderNo': byOrderNo({ address: 'stranger@somewhere.example' }),
  'POST /romons.voucher/api/send/:orderNo orderNo': byOrderNo({}),
  'POST /romons.reseller/api/keys/:id/end id': { input: ({ keyId }) => ({ params: { id: keyId } }) },
  'DELETE /romons.webhook/api/webhooks/:id id': byWebhookId(),
  'POST /romons.webhook/api/webhooks/:id/switch id': byWebhookId({ isOn: false }),
  'POST /romons.webhook/api/webhooks/:id/events id': byWebhookId({ events: ['order.failed'] }),
  'POST /romons.webhook/api/webhooks/:id/secret id': byWebhookId({ pin: '1234' }),
  'GET /romons.webhook/api/webhooks/:id/messages id': byWebhookId(),
  'POST /romons.webhook/api/webhooks/:id/messages/:messageId/resend id': byWebhookId(),
  'POST /romons.webhook/api/webhooks/:id/messages/:messageId/resend messageId': byWebhookId(),
  'POST /romons.webhook/api/webhooks/:id/test id': byWebhookId(),
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

/** Every field with which a customer or agent could name somebody's object. What keys open is tried in reseller/orders.test.ts. */
const references: Reference[] = endpoints
  .filter(({ allow }) => !isOfMachines(allow) && (can('customer', allow) || can('agent', allow)))
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
    keyId: (await addKey(it, 'agent')).id,
    ...(await addTold()),
  }
}

/** An endpoint of the agent's with a message. */
async function addTold(): Promise<Pick<Things, 'webhookId' | 'messageId'>> {
  const { id: webhookId } = await addEndpoint(it, 'agent')
  const told = { uid: 'agent', mode: 'live', type: 'endpoint.test', data: {}, now: it.clock.now } as const
  const [messageId] = await it.db.transaction(tx => emitTest(tx, told))
  return { webhookId, messageId: messageId! }
}

/** The code of a refusal, "empty" for a list that shows nothing, else what was shown. */
const answerOf = (caller: TestCaller, endpoint: EndpointShape, input: object): Promise<unknown> =>
  caller.call(endpoint, { ...input, idempotencyKey: onceKey() } as never).then(
    reply => ((reply as { total?: number }).total === 0 ? 'empty' : reply),
    (error: AppError) => error.code,
  )

describe("another person's object", () => {
  let things: Things
  beforeAll(async () => {
    await addAccount(it, 'stranger', 'customer')
    await addAccount(it, 'strange-agent', 'agent')
    for (const role of ['staff', 'admin'] as const) {
      await addAccount(it, `${role}-without-code`, role)
      const uid = `${role}-without-code`
      await addWallet(it.db, { uid, balanceSatang: 0, pin: null, now: it.clock.now })
    }
    things = await createThings()
  })

  test('has a case for every reference that an endpoint takes, and no case is left over', () => {
    expect(Object.keys(FOREIGN).toSorted()).toEqual(references.map(({ name }) => name).toSorted())
  })

  const cases = references.filter(({ name }) => FOREIGN[name])
  test.each(cases)('$name: is not there', async ({ name, endpoint }) => {
    const { input, code = 'NOT_FOUND', by } = FOREIGN[name]!
    const stranger = by ?? (can('customer', endpoint.allow) ? 'stranger' : 'strange-agent')
    expect(await answerOf(it.as(stranger), endpoint, input(things))).toBe(code)
  })

  // Whoever has the password of somebody on the staff, and no code.
  test.each(cases)('$name: is not opened by the password of staff who must give a code', async ({ name, endpoint }) => {
    await it.db.query({ text: `INSERT INTO option (name, value) VALUES ('REQUIRE_ADMIN_TOTP', 'true')` })
    onTestFinished(async () => {
      await it.db.query({ text: `DELETE FROM option WHERE name = 'REQUIRE_ADMIN_TOTP'` })
    })
    const { input, code = 'NOT_FOUND' } = FOREIGN[name]!
    for (const role of ['staff', 'admin']) {
      const answer = await answerOf(it.as(`${role}-without-code`), endpoint, input(things))
      expect([code, ORDER, 'FORBIDDEN', 'TOTP_REQUIRED']).toContain(answer)
    }
  })

  test('was not touched by these tries', async () => {
    const order = await it.as('customer').call(orders.getOrder, { params: { orderNo: things.orderNo } })
    expect(order).toMatchObject({ status: 'waiting_payment', transferReportedAt: null, slipId: null })
    const { rows } = await it.as('agent').call(listOwnTransactions, {})
    expect(rows).toMatchObject([{ id: things.topUpId, status: 'waiting_approve', amountSatang: TOP_UP_SATANG }])
  })
})

const SERVER = join(import.meta.dirname, '..')

/** They ask it of a role: of who works from a chat, of who gives a second word, and of whoever asked for one. */
const ASKS_OF_ROLES = [
  'chat/message-store.ts',
  'chat/presser.ts',
  'value/moving.ts',
  'value/store.ts',
  'value/word-store.ts',
]

/** What the table of permissions says of a role is not what a session may do now. */
test('of a caller the server asks the table of permissions in one place, where the second factor is asked for too', () => {
  const sources = readdirSync(SERVER, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith('testing'))
    .map(path => join(SERVER, path))
  const askers = sources.filter(path =>
    /import \{[^}]*\bcan\b[^}]*\} from '@shop\/shared\/permissions\.ts'/.test(readFileSync(path, 'utf8')),
  )
  expect(askers.map(path => relative(SERVER, path)).toSorted()).toEqual(
    ['account/caller.ts', ...ASKS_OF_ROLES].toSorted(),
  )
})
