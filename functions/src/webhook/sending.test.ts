import { addSeconds } from '@shop/shared/time.ts'
import { MOST_FAILING_SECONDS, RETRY_SECONDS } from '@shop/shared/webhook/webhook.ts'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { orderSafeMode } from '../outbox/safe-mode.ts'
import { createMailShop, type MailShop } from '../testing/mail.ts'
import { addAccount } from '../testing/shop.ts'
import {
  addEndpoint,
  endpointOf,
  HOST,
  messagesOf,
  scriptWebhooks,
  startReceiver,
  webhooksTo,
} from '../testing/webhook.ts'
import { emitTest } from './emit.ts'
import type { Answer, Post } from './post.ts'
import { webhookSendHandler } from './sending.ts'
import { renewSecret, sendAgain } from './store.ts'

let it: MailShop
let uid: string
let agents = 0
beforeAll(async () => {
  it = await createMailShop()
})
afterAll(() => it.close())
beforeEach(async () => {
  await it.db.query({ text: 'DELETE FROM webhook_endpoint' })
  await it.db.query({ text: 'DELETE FROM outbox' })
  uid = `reseller-${++agents}`
  await addAccount(it, uid, 'agent')
})

const emit = async (count = 1, mode: 'live' | 'test' = 'live'): Promise<void> => {
  for (let n = 0; n < count; n++)
    await emitTest(it.db, { uid, mode, type: 'order.completed', data: { n }, now: it.clock.now })
}
/** The seconds until a message is tried next. */
const pauseOf = async (at = 0): Promise<number> => {
  const { nextAt } = (await messagesOf(it))[at]!
  return (nextAt!.getTime() - it.clock.now.getTime()) / 1000
}
const isTenthAround = (seconds: number, middle: number) => Math.abs(seconds - middle) <= middle / 10 + 1
const newsOf = () =>
  it.db.query<{ facts: { url: string; why: string } }>({
    text: `SELECT facts FROM owner_news WHERE uid = $1 AND kind = 'webhookOff'`,
    values: [uid],
  })

test('a delivery really arrives, once, and its receiver can prove from whom', async () => {
  const receiver = await startReceiver()
  it.shop.webhooks = webhooksTo(receiver)
  const before = it.clock.now
  it.clock.now = new Date()
  const { secret } = await addEndpoint(it, uid)
  await emit()
  await it.drain()
  await it.drain()
  const [{ headers, body }, ...more] = receiver.received as [(typeof receiver.received)[0]]
  expect(more).toEqual([])
  const [message] = await messagesOf(it)
  expect(headers['webhook-id']).toBe(`msg_${message!.id}`)
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual({
    type: 'order.completed',
    timestamp: it.clock.now.toISOString(),
    data: { n: 0 },
  })
  expect(message).toMatchObject({ state: 'done', tries: 1, lastStatus: 204, lastError: null, nextAt: null, body })
  it.clock.now = before
  await receiver.stop()
})

test('after a new secret both sign for a day, then the new one alone', async () => {
  const sent = scriptWebhooks(it, 200)
  const { id, secret } = await addEndpoint(it, uid)
  const newer = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  await renewSecret(it.db, id, it.shop.vouchers!.sealText(id, newer), it.clock.now)
  const signaturesOf = ({ headers, body }: Post) => {
    const at = new Date(Number(headers['webhook-timestamp']) * 1000)
    const sign = (key: string) => new Webhook(key).sign(headers['webhook-id']!, at, body)
    return [headers['webhook-signature']!.split(' '), [sign(newer), sign(secret)]] as const
  }
  await emit()
  await it.drain()
  const [both, expected] = signaturesOf(sent[0]!)
  expect(both).toEqual(expected)
  it.clock.advance(86_400)
  await emit()
  await it.drain()
  const [alone, [first]] = signaturesOf(sent[1]!)
  expect(alone).toEqual([first])
})

test('who never answers well is tried ten times in three days, then is switched off, and its owner is told', async () => {
  const sent = scriptWebhooks(it, 500)
  const { id } = await addEndpoint(it, uid, { url: `https://${HOST}/a?b=c` })
  const other = await addEndpoint(it, uid, { mode: 'test' })
  await emit()
  const began = it.clock.now
  await it.drain()
  for (const seconds of RETRY_SECONDS) {
    const pause = await pauseOf()
    expect(isTenthAround(pause, seconds), `${pause} of ${seconds}`).toBe(true)
    // A second earlier nothing happens.
    it.clock.advance(pause - 1)
    const tried = sent.length
    await it.drain()
    expect(sent.length).toBe(tried)
    it.clock.advance(1)
    await it.drain()
    expect(sent.length).toBe(tried + 1)
  }
  expect(sent).toHaveLength(10)
  expect(new Set(sent.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  // Each is signed at its own moment.
  expect(new Set(sent.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10)
  expect(await endpointOf(it, id)).toEqual({ isOn: false, offFor: 'failing', failingSince: began, restsUntil: null })
  expect(await endpointOf(it, other.id)).toMatchObject({ isOn: true, failingSince: null })
  expect(await messagesOf(it)).toMatchObject([{ state: 'dead', tries: 10, lastStatus: 500, nextAt: null }])
  const why = 'ส่งไม่สำเร็จติดต่อกันนานเกินไป'
  expect(await newsOf()).toEqual([{ facts: { url: `https://${HOST}/a?b=c`, why } }])
  await it.drain()
  expect(it.mailedTo(`${uid}@test.shop`)).toEqual(['หยุดส่งเหตุการณ์ไปยังเครื่องของคุณ'])
  expect(it.inbox.mails.at(-1)!.text).toContain(`https://${HOST}/a?b=c`)
  // Nothing is stored for it any more, and nothing is sent.
  await emit()
  it.clock.advance(86_400)
  await it.drain()
  expect([sent.length, (await messagesOf(it)).length]).toEqual([10, 1])
})

test('an endpoint that says it is gone is switched off at once with all that waits', async () => {
  scriptWebhooks(it, 200, 410)
  const { id } = await addEndpoint(it, uid)
  await emit()
  await it.drain()
  await emit(1)
  await emitTest(it.db, { uid, mode: 'live', type: 'order.failed', data: {}, now: addSeconds(it.clock.now, 60) })
  await it.drain()
  expect(await endpointOf(it, id)).toMatchObject({ isOn: false, offFor: 'gone' })
  expect((await messagesOf(it)).map(({ state, lastStatus }) => [state, lastStatus])).toEqual([
    ['done', 200],
    ['dead', 410],
    ['dead', null],
  ])
  expect(await newsOf()).toEqual([{ facts: { url: `https://${HOST}/hook`, why: 'ปลายทางตอบว่าเลิกรับ (410)' } }])
  const sent = scriptWebhooks(it, 200)
  it.clock.advance(120)
  await it.drain()
  expect(sent).toEqual([])
})

test.each<[string, Answer, number]>([
  ['429 with two hours', { status: 429, retryAfter: '7200' }, 7200],
  ['503 with two hours', { status: 503, retryAfter: '7200' }, 7200],
  ['503 with a week', { status: 503, retryAfter: '604800' }, 86_400],
  ['503 with two seconds', { status: 503, retryAfter: '2' }, 5],
  ['500 with two hours', { status: 500, retryAfter: '7200' }, 5],
  ['429 without', { status: 429, retryAfter: null }, 300],
  ['502', { status: 502, retryAfter: null }, 300],
  ['504', { status: 504, retryAfter: null }, 300],
  ['a redirection', { status: 302, retryAfter: null }, 5],
  ['silence', { error: 'too_slow' }, 5],
])('after %s it waits', async (_, answer, seconds) => {
  scriptWebhooks(it, answer)
  const { id } = await addEndpoint(it, uid)
  await emit()
  await it.drain()
  expect(isTenthAround(await pauseOf(), seconds)).toBe(true)
  const { restsUntil } = await endpointOf(it, id)
  const asked = 'retryAfter' in answer && answer.retryAfter !== null && seconds > 5 ? seconds : 5
  expect(restsUntil).toEqual(addSeconds(it.clock.now, asked))
  const known =
    'status' in answer ? { lastStatus: answer.status, lastError: null } : { lastStatus: null, lastError: answer.error }
  expect((await messagesOf(it))[0]).toMatchObject({ state: 'waiting', tries: 1, ...known })
})

test('a dead receiver rests longer and longer with all its messages, and another one of the same owner does not notice', async () => {
  let isDead = true
  const [dead, alive] = ['https://dead.example/', 'https://alive.example/']
  const sent = scriptWebhooks(it, async ({ url }) =>
    url === dead && isDead ? { error: 'too_slow' } : { status: 200, retryAfter: null },
  )
  const { id } = await addEndpoint(it, uid, { url: dead })
  await addEndpoint(it, uid, { url: alive })
  const callsTo = (url: string) => sent.filter(post => post.url === url).length
  await emit()
  await it.drain()
  await emit(30)
  await it.drain()
  expect([callsTo(dead), callsTo(alive)]).toEqual([1, 31])
  // An hour passes: it is tried again and again, but by one message at a time and ever more seldom.
  for (let seconds = 0; seconds < 3600; seconds += 5) {
    it.clock.advance(5)
    const before = callsTo(dead)
    await it.drain()
    expect(callsTo(dead) - before).toBeLessThanOrEqual(1)
  }
  expect(callsTo(dead)).toBeGreaterThan(7)
  expect(callsTo(dead)).toBeLessThan(13)
  const waiting = (await messagesOf(it)).filter(({ endpointId }) => endpointId === id)
  expect(waiting.filter(({ tries }) => tries === 0).length).toBeGreaterThan(15)
  expect(waiting.every(({ state, nextAt }) => state === 'waiting' && nextAt! > it.clock.now)).toBe(true)
  // It comes back: the first that arrives lets all the others go.
  isDead = false
  it.clock.advance(1800)
  await it.drain()
  expect((await messagesOf(it)).map(({ state }) => state)).toEqual(Array(62).fill('done'))
  expect(await endpointOf(it, id)).toEqual({ isOn: true, offFor: null, failingSince: null, restsUntil: null })
})

test('where nothing arrives for three days it ends, though no single message was tried so often', async () => {
  scriptWebhooks(it, 500)
  const { id } = await addEndpoint(it, uid)
  await emit()
  await it.drain()
  it.clock.advance(MOST_FAILING_SECONDS)
  await emit()
  await it.drain()
  expect(await endpointOf(it, id)).toMatchObject({ isOn: false, offFor: 'failing' })
  expect((await messagesOf(it)).map(({ state }) => state)).toEqual(['dead', 'dead'])
  expect((await messagesOf(it)).every(({ tries }) => tries <= 2)).toBe(true)
})

test('a slow receiver gets one after the other, so that it has one of the places that all share', async () => {
  let [running, most] = [0, 0]
  const timer = vi.spyOn(performance, 'now')
  let spent = 0
  timer.mockImplementation(() => spent)
  scriptWebhooks(it, async () => {
    most = Math.max(most, ++running)
    await new Promise(resolve => setImmediate(resolve))
    spent += 6000
    running--
    return { status: 200, retryAfter: null }
  })
  await addEndpoint(it, uid)
  await emit()
  await it.drain()
  expect(most).toBe(1)
  await emit(5)
  for (let n = 0; n < 5; n++) {
    await it.drain()
    it.clock.advance(20)
  }
  timer.mockRestore()
  expect(most).toBe(1)
  expect((await messagesOf(it)).map(({ state }) => state)).toEqual(Array(6).fill('done'))
})

test('a process that dies after the call sends the same message again, with the same id', async () => {
  const sent = scriptWebhooks(it, 200)
  await addEndpoint(it, uid)
  await emit()
  const messageId = (await messagesOf(it))[0]!.id
  // What it would have stored is lost with it.
  await webhookSendHandler.run(it.shop, { messageId }, { createdAt: it.clock.now })
  expect((await messagesOf(it))[0]).toMatchObject({ state: 'waiting', tries: 0 })
  await it.drain()
  expect((await messagesOf(it))[0]).toMatchObject({ state: 'done', tries: 1 })
  expect(sent.map(({ headers }) => headers['webhook-id'])).toEqual([`msg_${messageId}`, `msg_${messageId}`])
})

test('one that dies while its endpoint fails keeps the turn for some seconds only', async () => {
  const sent = scriptWebhooks(it, 500)
  const { id } = await addEndpoint(it, uid)
  await emit()
  await it.drain()
  it.clock.advance(10)
  const messageId = (await messagesOf(it))[0]!.id
  await webhookSendHandler.run(it.shop, { messageId }, { createdAt: it.clock.now })
  expect((await endpointOf(it, id)).restsUntil).toEqual(addSeconds(it.clock.now, 20))
  await it.drain()
  expect(sent).toHaveLength(2)
  it.clock.advance(20)
  await it.drain()
  expect(sent).toHaveLength(3)
})

test('what is removed or switched off while it is called leaves nothing behind', async () => {
  const removed = await addEndpoint(it, uid)
  scriptWebhooks(it, async () => {
    await it.db.query({ text: 'DELETE FROM webhook_endpoint WHERE id = $1', values: [removed.id] })
    return { status: 500, retryAfter: null }
  })
  await emit()
  await it.drain()
  expect(await messagesOf(it)).toEqual([])
  const off = await addEndpoint(it, uid)
  const switchOff = `UPDATE webhook_endpoint SET is_on = false, off_for = 'owner' WHERE id = $1`
  scriptWebhooks(it, async () => {
    await it.db.query({ text: switchOff, values: [off.id] })
    return { status: 500, retryAfter: null }
  })
  await emit(2)
  await it.drain()
  expect((await messagesOf(it)).map(({ state }) => state)).toEqual(['dead', 'dead'])
  expect(await endpointOf(it, off.id)).toMatchObject({ isOn: false, offFor: 'owner' })
  expect(await newsOf()).toEqual([])
})

test('what is sent again while its old job is just ending goes out all the same', async () => {
  const { id } = await addEndpoint(it, uid)
  await emit()
  const messageId = (await messagesOf(it))[0]!.id
  await it.db.query({ text: `UPDATE webhook_message SET state = 'dead', settled_at = $1`, values: [it.clock.now] })
  const save = await webhookSendHandler.run(it.shop, { messageId }, { createdAt: it.clock.now })
  await it.db.transaction(tx => sendAgain(tx, id, messageId, it.clock.now))
  expect(await it.db.transaction(save)).toEqual({ to: 'waiting', dueAt: it.clock.now, error: null })
})

test('an old secret that nobody can read any more is left out', async () => {
  const sent = scriptWebhooks(it, 200)
  const { id } = await addEndpoint(it, uid)
  await it.db.query({
    text: `UPDATE webhook_endpoint SET old_secret = 'lost.x', old_secret_until = $1`,
    values: [addSeconds(it.clock.now, 60)],
  })
  await emit()
  await it.drain()
  expect(sent[0]!.headers['webhook-signature']).toMatch(/^v1,\S+$/)
  expect(await endpointOf(it, id)).toMatchObject({ failingSince: null })
})

test('without the key of its secret a message waits, untried', async () => {
  const sent = scriptWebhooks(it, 200)
  await addEndpoint(it, uid)
  await emit()
  const { vouchers } = it.shop
  it.shop.vouchers = null
  await it.drain()
  expect([sent.length, await pauseOf()]).toEqual([0, 600])
  it.shop.vouchers = vouchers
  it.clock.advance(600)
  await it.drain()
  expect((await messagesOf(it))[0]).toMatchObject({ state: 'done', tries: 1 })
})

test('in safe mode nothing leaves', async () => {
  const sent = scriptWebhooks(it, 200)
  await addEndpoint(it, uid)
  await orderSafeMode(it.db, 'Somchai', 'disk put back', it.clock.now)
  await emit()
  await it.drain()
  expect(sent).toEqual([])
  expect((await messagesOf(it))[0]).toMatchObject({ state: 'waiting', tries: 0 })
  await it.db.query({ text: 'UPDATE safe_mode SET ordered_at = NULL' })
  await it.drain()
  expect(sent).toHaveLength(1)
})
