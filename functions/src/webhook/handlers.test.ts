import * as contract from '@shop/shared/webhook/endpoints.ts'
import { CHOSEN_EVENTS, MOST_WEBHOOKS } from '@shop/shared/webhook/webhook.ts'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { sweep } from '../jobs/housekeeping.ts'
import { runCommand } from '../operations/commands.ts'
import type { Drain } from '../outbox/drain.ts'
import { eventBody } from '../reseller/openapi-webhooks.ts'
import { openDrain } from '../start/outbox-kind.ts'
import { addAccount, createTestShop, type TestShop, UNLIMITED } from '../testing/shop.ts'
import { addWallet } from '../testing/wallet.ts'
import { addEndpoint, endpointOf, messagesOf, scriptWebhooks } from '../testing/webhook.ts'
import { openVouchers } from '../voucher/store.ts'
import { emitTest } from './emit.ts'
import { createWebhooks } from './post.ts'

const [OLD, NEW] = ['o'.repeat(40), 'n'.repeat(40)] as const
const URL_OF = 'https://hook.reseller.example/shop'
const PIN = '1234'

let it: TestShop
let drain: Drain
let uid: string
let agents = 0
beforeAll(async () => {
  it = await createTestShop({ VOUCHER_KEYS: OLD })
  drain = openDrain(it.shop)
})
afterAll(() => it.db.close())
beforeEach(async () => {
  await it.db.query({ text: 'DELETE FROM webhook_endpoint' })
  uid = `agent-${++agents}`
  await addAgent(uid)
  scriptWebhooks(it, 200)
})

/** An agent with a PIN. */
async function addAgent(name: string): Promise<void> {
  await addAccount(it, name, 'agent')
  await addWallet(it.db, { uid: name, balanceSatang: 0, pin: PIN, now: it.clock.now })
}

const add = (mode: 'live' | 'test' = 'live', url = URL_OF) =>
  it.as(uid).call(contract.addWebhook, { body: { mode, url, pin: PIN } })
const list = async () => (await it.as(uid).call(contract.listWebhooks, {})).webhooks
const logOf = (id: string, query = {}) => it.as(uid).call(contract.listWebhookMessages, { params: { id }, query })
const on = (id: string, isOn: boolean) => it.as(uid).call(contract.switchWebhook, { params: { id }, body: { isOn } })
const sendTest = (id: string) => it.as(uid).call(contract.testWebhook, { params: { id } })
const resend = (id: string, messageId: string) =>
  it.as(uid).call(contract.resendWebhookMessage, { params: { id, messageId } })

test('an endpoint is added with a secret that is shown once and kept encrypted; it has room for three of a mode', async () => {
  const { webhook, secret } = await add()
  expect(webhook).toEqual({
    id: expect.any(String),
    mode: 'live',
    url: URL_OF,
    createdAt: it.clock.now.toISOString(),
    isOn: true,
    events: null,
    offFor: null,
    failingSince: null,
    oldSecretUntil: null,
    waiting: 0,
  })
  expect(secret).toMatch(/^whsec_/)
  const [stored] = await it.db.query<{ text: string }>({ text: 'SELECT e::text AS text FROM webhook_endpoint e' })
  expect(stored!.text).not.toContain(secret.slice(6, 30))
  const tries = Array.from({ length: MOST_WEBHOOKS + 2 }, () =>
    it.as(uid).codeOf(contract.addWebhook, { body: { mode: 'live', url: URL_OF, pin: PIN } }),
  )
  expect((await Promise.all(tries)).filter(code => code === 'OK')).toHaveLength(MOST_WEBHOOKS - 1)
  expect(await it.as(uid).codeOf(contract.addWebhook, { body: { mode: 'live', url: URL_OF, pin: PIN } })).toBe(
    'WEBHOOK_TOO_MANY',
  )
  await add('test')
  expect((await list()).map(({ mode }) => mode)).toEqual(['live', 'live', 'live', 'test'])
  expect(JSON.stringify(await list())).not.toContain('whsec')
})

test.each([
  ['https://10.0.0.1/', 'ชี้ไปยังเครือข่ายภายใน'],
  ['https://0x7f.1/', 'ชี้ไปยังเครือข่ายภายใน'],
  ['https://inside.example/', 'ชี้ไปยังเครือข่ายภายใน'],
  ['https://nobody.example/', 'หาเครื่องตามชื่อนี้ไม่พบ'],
  ['http://hook.example/', 'https://'],
  ['https://hook.example:8443/', '443'],
])('%s is refused, and its owner is told why', async (url, why) => {
  const resolve = async (host: string) => (host === 'inside.example' ? ['192.168.1.1'] : [])
  it.shop.webhooks = createWebhooks({ resolve })
  const refused = await add('live', url).catch((error: { code: string; message: string }) => error)
  expect(refused).toMatchObject({ code: 'WEBHOOK_ADDRESS_REFUSED', message: expect.stringContaining(why) })
  expect(await list()).toEqual([])
})

test.each([
  'ftp://hook.example/',
  'hook.example',
  'https://a@hook.example/',
  'https://hook.example/#a',
  `https://${'a'.repeat(500)}`,
])('%s is no address', async url => {
  expect(await it.as(uid).codeOf(contract.addWebhook, { body: { mode: 'live', url, pin: PIN } })).toBe('INVALID_INPUT')
})

test('only its owner sees, changes and asks; for all others it is not there', async () => {
  const { webhook } = await add()
  const { id: messageId } = await sendTest(webhook.id)
  await addAgent(`other-${agents}`)
  const params = { id: webhook.id }
  const tries = async (who: string) => {
    const caller = it.as(who)
    return [
      await caller.codeOf(contract.removeWebhook, { params }),
      await caller.codeOf(contract.switchWebhook, { params, body: { isOn: false } }),
      await caller.codeOf(contract.renewWebhookSecret, { params, body: { pin: PIN } }),
      await caller.codeOf(contract.listWebhookMessages, { params, query: {} }),
      await caller.codeOf(contract.testWebhook, { params }),
      await caller.codeOf(contract.resendWebhookMessage, { params: { ...params, messageId } }),
    ]
  }
  expect(await tries(`other-${agents}`)).toEqual(Array(6).fill('NOT_FOUND'))
  for (const who of ['admin', 'customer']) expect(await tries(who)).toEqual(Array(6).fill('FORBIDDEN'))
  expect(await it.as(`other-${agents}`).call(contract.listWebhooks, {})).toMatchObject({ webhooks: [] })
  // A message of another endpoint is none of this one.
  const second = await add()
  const strange = { params: { id: second.webhook.id, messageId } }
  expect(await it.as(uid).codeOf(contract.resendWebhookMessage, strange)).toBe('NOT_FOUND')
  expect((await list())[0]).toEqual({ ...webhook, waiting: 1 })
})

test('a test goes to the one endpoint, at once even where nothing arrived before', async () => {
  const { webhook } = await add()
  await add()
  scriptWebhooks(it, 500)
  await sendTest(webhook.id)
  await drain.run()
  expect((await list())[0]).toMatchObject({ failingSince: it.clock.now.toISOString(), waiting: 1 })
  const sent = scriptWebhooks(it, 200)
  const message = await sendTest(webhook.id)
  expect(message).toMatchObject({
    id: expect.stringMatching(/^msg_/),
    type: 'endpoint.test',
    state: 'waiting',
    tries: 0,
  })
  expect(JSON.parse(message.body)).toEqual({
    type: 'endpoint.test',
    timestamp: it.clock.now.toISOString(),
    data: { endpointId: webhook.id, mode: 'live' },
  })
  eventBody('endpoint.test').parse(JSON.parse(message.body))
  await drain.run()
  // The other one, whose turn had not come, went out with it.
  expect(sent.map(({ headers }) => headers['webhook-id']).sort()).toEqual(
    (await logOf(webhook.id)).messages.map(({ id }) => id).sort(),
  )
  expect((await list()).map(({ failingSince, waiting }) => [failingSince, waiting])).toEqual([
    [null, 0],
    [null, 0],
  ])
})

test('switched off nothing waits and nothing is stored; switched on it begins as new', async () => {
  const { webhook } = await add()
  scriptWebhooks(it, 500)
  await sendTest(webhook.id)
  await drain.run()
  expect(await on(webhook.id, false)).toMatchObject({ isOn: false, offFor: 'owner', waiting: 0 })
  const { messages } = await logOf(webhook.id)
  expect(messages).toMatchObject([{ state: 'dead', tries: 1, lastStatus: 500, nextAt: null }])
  const params = { id: webhook.id }
  expect(await it.as(uid).codeOf(contract.testWebhook, { params })).toBe('WEBHOOK_IS_OFF')
  const again = { params: { ...params, messageId: messages[0]!.id } }
  expect(await it.as(uid).codeOf(contract.resendWebhookMessage, again)).toBe('WEBHOOK_IS_OFF')
  expect(await on(webhook.id, true)).toMatchObject({ isOn: true, offFor: null, failingSince: null })
  expect(await endpointOf(it, webhook.id)).toMatchObject({ restsUntil: null })
  // Who switches on what is on leaves it as it is.
  await sendTest(webhook.id)
  await drain.run()
  expect(await on(webhook.id, true)).toMatchObject({ failingSince: it.clock.now.toISOString() })
})

test('a message is sent again with the same id, whether it arrived, waits, was given up or its job is long gone', async () => {
  const { webhook } = await add()
  const sent = scriptWebhooks(it, 200)
  const { id } = await sendTest(webhook.id)
  await drain.run()
  expect(await resend(webhook.id, id)).toMatchObject({
    id,
    state: 'waiting',
    tries: 0,
    nextAt: it.clock.now.toISOString(),
  })
  await drain.run()
  expect(sent.map(({ headers }) => headers['webhook-id'])).toEqual([id, id])
  await it.db.query({ text: 'DELETE FROM outbox' })
  await resend(webhook.id, id)
  // Twice is once.
  await resend(webhook.id, id)
  await drain.run()
  expect(sent).toHaveLength(3)
  const failed = scriptWebhooks(it, 500)
  await resend(webhook.id, id)
  await drain.run()
  expect((await logOf(webhook.id)).messages[0]).toMatchObject({ state: 'waiting', tries: 1, lastStatus: 500 })
  await resend(webhook.id, id)
  await drain.run()
  expect(failed).toHaveLength(2)
  await on(webhook.id, false)
  await on(webhook.id, true)
  const last = scriptWebhooks(it, 200)
  await resend(webhook.id, id)
  await drain.run()
  expect(last).toHaveLength(1)
  expect(await it.db.query({ text: `SELECT 1 FROM outbox WHERE kind = 'webhook.send'` })).toHaveLength(1)
  const unknown = { params: { id: webhook.id, messageId: 'msg_018f0000-0000-7000-8000-000000000001' } }
  expect(await it.as(uid).codeOf(contract.resendWebhookMessage, unknown)).toBe('NOT_FOUND')
  const strange = { params: { id: webhook.id, messageId: '018f0000-0000-7000-8000-000000000001' } }
  expect(await it.as(uid).codeOf(contract.resendWebhookMessage, strange)).toBe('INVALID_INPUT')
})

test('the log has pages of fifty, the newest first, and one state alone', async () => {
  const { webhook } = await add()
  for (let n = 0; n < 51; n++) {
    await sendTest(webhook.id)
    if (n % 2) it.clock.advance(1)
  }
  const first = await logOf(webhook.id)
  expect([first.messages.length, first.hasMore]).toEqual([50, true])
  const second = await logOf(webhook.id, { after: first.messages.at(-1)!.id })
  expect([second.messages.length, second.hasMore]).toEqual([1, false])
  const all = [...first.messages, ...second.messages]
  expect(new Set(all.map(({ id }) => id)).size).toBe(51)
  expect(all.map(({ createdAt }) => createdAt)).toEqual(
    all
      .map(({ createdAt }) => createdAt)
      .sort()
      .reverse(),
  )
  expect((await logOf(webhook.id, { state: 'done' })).messages).toEqual([])
  await drain.run()
  expect((await logOf(webhook.id, { state: 'done' })).messages).toHaveLength(50)
})

test('a new secret is shown once; the old one is forgotten when its day is over', async () => {
  const { webhook, secret } = await add()
  const renewed = await it.as(uid).call(contract.renewWebhookSecret, { params: { id: webhook.id }, body: { pin: PIN } })
  expect(renewed.secret).not.toBe(secret)
  expect(renewed.webhook.oldSecretUntil).toBe(new Date(it.clock.now.getTime() + 86_400_000).toISOString())
  const sent = scriptWebhooks(it, 200)
  await sendTest(webhook.id)
  await drain.run()
  const { headers, body } = sent[0]!
  const at = new Date(Number(headers['webhook-timestamp']) * 1000)
  expect(headers['webhook-signature']).toBe(
    [renewed.secret, secret].map(key => new Webhook(key).sign(headers['webhook-id']!, at, body)).join(' '),
  )
  expect((await sweep(it.shop)).webhook_endpoint).toBe(0)
  it.clock.advance(86_400)
  expect((await list())[0]!.oldSecretUntil).toBeNull()
  expect((await sweep(it.shop)).webhook_endpoint).toBe(1)
})

test('what ended is kept for thirty days, what waits for as long as it does', async () => {
  const { webhook } = await add()
  await sendTest(webhook.id)
  await drain.run()
  await sendTest(webhook.id)
  await it.db.query({ text: `UPDATE webhook_message SET created_at = $1`, values: [new Date(0)] })
  it.clock.advance(30 * 86_400)
  expect((await sweep(it.shop)).webhook_message).toBe(0)
  it.clock.advance(1)
  expect((await sweep(it.shop)).webhook_message).toBe(1)
  expect((await logOf(webhook.id)).messages.map(({ state }) => state)).toEqual(['waiting'])
})

test('a removed endpoint leaves neither messages nor deliveries', async () => {
  const { webhook } = await add()
  await sendTest(webhook.id)
  expect(await it.as(uid).call(contract.removeWebhook, { params: { id: webhook.id } })).toEqual({ id: webhook.id })
  const sent = scriptWebhooks(it, 200)
  await drain.run()
  expect([sent, await messagesOf(it), await list()]).toEqual([[], [], []])
})

test('adding an endpoint and making a secret ask for the PIN, and their owner is told', async () => {
  const codeOf = (pin: string) => it.as(uid).codeOf(contract.addWebhook, { body: { mode: 'live', url: URL_OF, pin } })
  expect(await codeOf('9999')).toBe('PIN_WRONG')
  expect(await list()).toEqual([])
  const { webhook } = await add()
  const params = { id: webhook.id }
  expect(await it.as(uid).codeOf(contract.renewWebhookSecret, { params, body: { pin: '9999' } })).toBe('PIN_WRONG')
  await it.as(uid).call(contract.renewWebhookSecret, { params, body: { pin: PIN } })
  const news = `SELECT kind, facts->>'url' AS url FROM owner_news WHERE uid = $1 ORDER BY at, id`
  expect(await it.db.query({ text: news, values: [uid] })).toEqual([
    { kind: 'webhookMade', url: URL_OF },
    { kind: 'webhookSecretMade', url: URL_OF },
  ])
  const tries = await it.db.query({ text: 'SELECT day_tries AS tries FROM pin WHERE uid = $1', values: [uid] })
  expect(tries).toEqual([{ tries: 2 }])
})

test('a shop without keys for codes takes no endpoints and makes no secrets', async () => {
  const { webhook } = await add()
  const { vouchers } = it.shop
  it.shop.vouchers = null
  expect(await it.as(uid).codeOf(contract.addWebhook, { body: { mode: 'live', url: URL_OF, pin: PIN } })).toBe(
    'WEBHOOK_KEYS_MISSING',
  )
  expect(await it.as(uid).codeOf(contract.renewWebhookSecret, { params: { id: webhook.id }, body: { pin: PIN } })).toBe(
    'WEBHOOK_KEYS_MISSING',
  )
  it.shop.vouchers = vouchers
})

test('who asks too often is asked to wait', async () => {
  const limited = await createTestShop({ RATE_LIMIT_WEBHOOKS_PER_CALLER: '2' })
  scriptWebhooks(limited, 200)
  await addAccount(limited, 'busy', 'agent')
  const { id } = await addEndpoint(limited, 'busy')
  const codes: string[] = []
  for (let n = 0; n < 3; n++) codes.push(await limited.as('busy').codeOf(contract.testWebhook, { params: { id } }))
  expect(codes).toEqual(['OK', 'OK', 'RATE_LIMITED'])
  await limited.db.close()
})

test('VOUCHER_KEYS changes while messages are sent: every secret moves to the newest key, and signs as before', async () => {
  const variables = (keys: readonly string[]) => ({
    NODE_ENV: 'test',
    DATABASE_URL: it.databaseUrl,
    FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1',
    ...UNLIMITED,
    VOUCHER_KEYS: keys.join(','),
  })
  const ops = async (command: string, keys: readonly string[]) => {
    const lines: string[] = []
    const say = (text: string) => lines.push(text.replaceAll(/ +/g, ' '))
    const code = await runCommand([command], { variables: variables(keys), say })
    return { code, told: lines.filter(line => line.includes('webhooks')).join('\n') }
  }
  const { webhook, secret } = await add()
  const { secret: newer } = await it
    .as(uid)
    .call(contract.renewWebhookSecret, { params: { id: webhook.id }, body: { pin: PIN } })
  await addEndpoint(it, uid)
  const both = [NEW, OLD]
  it.shop.vouchers = openVouchers(readConfig(variables(both)))
  expect((await ops('keys', both)).told).toMatch(/ 0 codes and 3 secrets of webhooks; it is needed/)
  expect(await ops('keys', [NEW])).toMatchObject({ code: 1, told: expect.stringContaining('that no key reads') })
  expect((await ops('reseal', both)).told).toBe('2 secrets of webhooks were moved to the newest key.')
  expect((await ops('reseal', both)).told).toBe('0 secrets of webhooks were moved to the newest key.')
  expect((await ops('keys', both)).told).toMatch(/ 0 codes and 0 secrets of webhooks; it may go/)
  expect((await ops('keys', [NEW])).code).toBe(0)
  it.shop.vouchers = openVouchers(readConfig(variables([NEW])))
  const sent = scriptWebhooks(it, 200)
  await sendTest(webhook.id)
  await drain.run()
  const { headers, body } = sent[0]!
  const at = new Date(Number(headers['webhook-timestamp']) * 1000)
  expect(headers['webhook-signature']).toBe(
    [newer, secret].map(key => new Webhook(key).sign(headers['webhook-id']!, at, body)).join(' '),
  )
  it.shop.vouchers = openVouchers(readConfig(variables([OLD])))
})

test('an endpoint is sent the events that its owner chose, and a test always; all of them is what comes to be, too', async () => {
  const { webhook } = await add('test')
  const choose = (events: string[], by = uid) =>
    it.as(by).call(contract.chooseWebhookEvents, { params: { id: webhook.id }, body: { events: events as never } })
  expect(await choose(['order.failed', 'order.completed'])).toMatchObject({
    events: ['order.completed', 'order.failed'],
  })
  const tell = (type: 'order.completed' | 'order.processing') =>
    it.db.transaction(tx => emitTest(tx, { uid, mode: 'test', type, data: {}, now: it.clock.now }))
  expect(await tell('order.processing')).toEqual([])
  expect(await tell('order.completed')).toHaveLength(1)
  await sendTest(webhook.id)
  expect((await logOf(webhook.id)).messages.map(({ type }) => type).sort()).toEqual([
    'endpoint.test',
    'order.completed',
  ])
  expect(await choose([...CHOSEN_EVENTS])).toMatchObject({ events: null })
  expect(await tell('order.processing')).toHaveLength(1)
  const refused = { params: { id: webhook.id }, body: { events: [] } }
  expect(await it.as(uid).codeOf(contract.chooseWebhookEvents, refused)).toBe('INVALID_INPUT')
  await addAgent('stranger')
  const body = { events: ['order.failed' as const] }
  expect(await it.as('stranger').codeOf(contract.chooseWebhookEvents, { params: { id: webhook.id }, body })).toBe(
    'NOT_FOUND',
  )
})
