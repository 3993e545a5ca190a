import { UNSENT } from '@shop/shared/chat/chat.ts'
import type { Fault } from 'local/line-emulator/state.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ChatShop, createChatShop, unfriend, users } from '../testing/chat.ts'
import { putMessage, saveChannel } from './store.ts'
import { watchTroubles } from './watch.ts'

let it: ChatShop
beforeEach(async () => {
  it = await createChatShop({ LINE_TIMEOUT_MS: '500' })
})
afterEach(() => it.close())

const friend = users.friend.userId
const PUSH = '/v2/bot/message/push'

const put = (change: Partial<Parameters<typeof putMessage>[1]> = {}) =>
  putMessage(
    it.db,
    {
      key: 'order 1 done',
      kind: 'orderEnded',
      about: 'KT2611-00000001',
      recipient: friend,
      replyToken: null,
      messages: [{ type: 'text', text: 'เติมสำเร็จ' }],
      cost: 1,
      ...change,
    },
    it.clock.now,
  )

const stateOf = async () => {
  const [row] = await it.db.query<{ state: string; reason: string | null }>({
    text: 'SELECT state, reason FROM chat_message ORDER BY id DESC LIMIT 1',
  })
  return row
}

/** Drains, and again after each of the outbox's pauses. */
async function drainFor(seconds: number) {
  await it.drain()
  for (let left = seconds; left > 0; left -= 60) {
    it.clock.advance(60)
    await it.drain()
  }
}

const accepted = () => it.line.state.sentMessages

describe('a message that LINE takes', () => {
  const faults: [string, Partial<Fault>][] = [
    ['answers 500 before it has it', { status: 500 }],
    ['answers 500 though it has it', { status: 500, afterAcceptance: true }],
    ['hangs before it has it', { delaySeconds: 3 }],
    ['hangs though it has it', { delaySeconds: 3, afterAcceptance: true }],
    ['resets the connection before it has it', { dropConnection: true }],
    ['resets the connection though it has it', { dropConnection: true, afterAcceptance: true }],
    ['says that it is too much at once', { status: 429 }],
    ['calls the token none of its own', { status: 401 }],
    ['has a page of a proxy in front', { status: 502, body: '<html>' }],
  ]
  test.each(faults)('arrives once when it first %s', async (_, fault) => {
    it.line.control.injectFault({ path: PUSH, ...fault })
    await put()
    await drainFor(180)
    expect(it.shownTo(friend)).toEqual(['เติมสำเร็จ'])
    expect(await stateOf()).toEqual({ state: 'sent', reason: null })
  })

  test.each(faults)('arrives once when it %s five times', async (_, fault) => {
    it.line.control.injectFault({ path: PUSH, ...fault, count: 5 })
    await put()
    await drainFor(900)
    expect(it.shownTo(friend)).toEqual(['เติมสำเร็จ'])
    expect((await stateOf())!.state).toBe('sent')
  })
})

test('one thing is told to one person once, however often it is put down', async () => {
  await put()
  await put({ messages: [{ type: 'text', text: 'other words' }] })
  await it.drain()
  expect(it.shownTo(friend)).toEqual(['เติมสำเร็จ'])
  await put({ key: 'order 2 done' })
  await it.drain()
  expect(it.shownTo(friend)).toHaveLength(2)
})

test('a message whose sender was killed after LINE had it is not shown again', async () => {
  await put()
  await it.drain()
  await it.db.query({ text: `UPDATE outbox SET state = 'waiting', attempts = 0` })
  await it.db.query({ text: `UPDATE chat_message SET state = 'waiting'` })
  await it.drain()
  expect(it.shownTo(friend)).toHaveLength(1)
  expect((await stateOf())!.state).toBe('sent')
})

test('what LINE will never take ends at once, with its words, where staff see it', async () => {
  await put({ recipient: `U${'0'.repeat(32)}` })
  await it.drain()
  expect(await stateOf()).toEqual({ state: 'dead', reason: `${UNSENT.refused} (Failed to send messages)` })
})

test('when LINE stays away, the message ends in hours, not days: later it could arrive twice', async () => {
  it.line.control.injectFault({ path: PUSH, status: 500, count: 1000 })
  await put()
  for (let hours = 0; hours < 20 && (await stateOf())!.state === 'waiting'; hours += 10 / 60) {
    await it.drain()
    it.clock.advance(600)
  }
  expect(await stateOf()).toEqual({ state: 'dead', reason: UNSENT.unreachable })
})

test('nobody who is known to have blocked the shop is sent anything, who was never heard of is', async () => {
  await unfriend(it, friend)
  await put()
  await put({ key: 'other', recipient: users.staff.userId })
  await it.drain()
  expect(accepted().map(({ to }) => to)).toEqual([users.staff.userId])
})

test('who blocked the shop unheard: LINE takes the message and shows it to nobody; it is not tried again', async () => {
  it.line.control.setFriendship(friend, 'blocked')
  await put()
  await drainFor(180)
  expect(accepted()).toMatchObject([{ to: friend, delivered: false }])
  expect(await stateOf()).toEqual({ state: 'sent', reason: null })
})

describe("the month's messages", () => {
  const isFull = async () => {
    const [row] = await it.db.query<{ full: boolean }>({
      text: 'SELECT full_at IS NOT NULL AS "full" FROM chat_channel',
    })
    return row!.full
  }

  test('when LINE says that they are used up, the message is skipped, and no other is tried until there is room', async () => {
    it.line.control.setQuota({ type: 'limited', value: 300 }, 300)
    await put()
    await it.drain()
    expect(await stateOf()).toEqual({ state: 'skipped', reason: UNSENT.quotaFull })
    it.line.control.setQuota({ type: 'limited', value: 300 }, 0)
    await put({ key: 'second' })
    await it.drain()
    expect(accepted()).toEqual([])
    await watchTroubles(it.shop)
    expect(await isFull()).toBe(false)
    await put({ key: 'third' })
    await it.drain()
    expect(it.shownTo(friend)).toHaveLength(1)
  })

  test('a message that would go over them is not sent: a group counts with all its members', async () => {
    await saveChannel(it.db, { quotaLimit: 10, quotaUsed: 7, quotaAt: it.clock.now })
    await put({ key: 'group', cost: 4 })
    await it.drain()
    expect(await stateOf()).toEqual({ state: 'skipped', reason: UNSENT.quotaFull })
    await put({ key: 'one', cost: 3 })
    await it.drain()
    expect((await stateOf())!.state).toBe('sent')
  })

  test('from four fifths on, what can be left out is', async () => {
    await saveChannel(it.db, { quotaLimit: 10, quotaUsed: 8, quotaAt: it.clock.now })
    await put({ kind: 'topUpApproved' })
    await it.drain()
    expect(await stateOf()).toEqual({ state: 'skipped', reason: UNSENT.quotaLow })
    await put({ key: 'needed', kind: 'topUpRejected' })
    await it.drain()
    expect((await stateOf())!.state).toBe('sent')
  })
})
