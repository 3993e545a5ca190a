import { UNSENT } from '@shop/shared/chat/chat.ts'
import * as contract from '@shop/shared/chat/endpoints.ts'
import { getFriendship, learnFriendship } from '@shop/shared/chat/friendship.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addLinked, bindRoom, type ChatShop, createChatShop, unfriend, users } from '../testing/chat.ts'
import { putMessage, saveChannel, saveFriend } from './store.ts'

let it: ChatShop
beforeEach(async () => {
  it = await createChatShop()
})
afterEach(() => it.close())

const friend = users.friend.userId
const put = (key: string, change: Partial<Parameters<typeof putMessage>[1]> = {}) =>
  putMessage(
    it.db,
    {
      key,
      kind: 'orderEnded',
      about: 'KT2611-00000001',
      recipient: friend,
      replyToken: null,
      cost: 1,
      messages: [{ type: 'text', text: key }],
      ...change,
    },
    it.clock.now,
  )
const list = (state: 'waiting' | 'sent' | 'skipped' | 'dead', text?: string) =>
  it.as('staff').call(contract.listChatMessages, { query: { state, text } })
const unknown = `U${'0'.repeat(32)}`

test('what did not go out is listed with why, to whom and about what; the number finds it', async () => {
  await addLinked(it, 'namkhao', 'customer', friend)
  await put('first')
  await put('second', { recipient: unknown, about: 'KT2611-00000002' })
  await it.drain()
  const { rows, total } = await list('dead')
  expect(total).toBe(1)
  expect(rows[0]).toMatchObject({
    about: 'KT2611-00000002',
    recipientName: null,
    text: 'second',
    canResend: true,
    isRoom: false,
    reason: 'LINE ไม่รับข้อความนี้ (Failed to send messages)',
  })
  expect((await list('sent')).rows).toMatchObject([{ recipientName: 'namkhao', text: 'first', canResend: false }])
  const tabs = { dead: 1, resendable: 1, skipped: 0, waiting: 0, sent: 1 }
  expect((await list('dead')).counts).toEqual(tabs)
  expect((await list('skipped', '0002')).counts).toEqual({ ...tabs, sent: 0 })
  expect((await list('dead', '0002')).total).toBe(1)
  expect((await list('dead', '0001')).total).toBe(0)
})

test('sent again, it goes out once, and who did so is written down', async () => {
  await put('first', { recipient: unknown })
  await it.drain()
  it.line.control.createUser({ userId: unknown, displayName: 'มาใหม่', friendship: 'friend' })
  const { rows } = await list('dead')
  const ids = rows.map(({ id }) => id)
  const resend = () => it.as('staff').call(contract.resendChatMessages, { body: { ids } })
  expect(await resend()).toEqual({ resent: 1 })
  expect(await resend()).toEqual({ resent: 0 })
  await it.drain()
  expect(it.shownTo(unknown)).toEqual(['first'])
  expect(await resend()).toEqual({ resent: 0 })
  const audit = await it.db.query({ text: `SELECT 1 FROM audit_entry WHERE action = 'chat.resend'` })
  expect(audit).toHaveLength(1)
})

test('what LINE had after all is not shown twice by sending it again', async () => {
  await put('first')
  await it.drain()
  await it.db.query({ text: `UPDATE chat_message SET state = 'dead'` })
  const { rows } = await list('dead')
  await it.as('staff').call(contract.resendChatMessages, { body: { ids: rows.map(({ id }) => id) } })
  await it.drain()
  expect(it.shownTo(friend)).toEqual(['first'])
  expect((await list('sent')).total).toBe(1)
})

test('after a day LINE has forgotten what it had: sending it again is asked about first, and only if nobody knows', async () => {
  await put('unclear')
  it.line.control.injectFault({ path: '/v2/bot/message/push', status: 500, afterAcceptance: true })
  await it.drain()
  await put('refused', { recipient: unknown })
  await it.drain()
  await it.db.query({
    text: `UPDATE chat_message SET state = 'dead', reason = $1 WHERE recipient = $2`,
    values: [UNSENT.unreachable, friend],
  })
  await it.db.query({ text: `UPDATE outbox SET state = 'done' WHERE kind = 'chat.send'` })
  const ids = (await list('dead')).rows.map(({ id }) => id)
  const resend = (body: { ids: string[]; evenIfSeen?: boolean }) =>
    it.as('staff').codeOf(contract.resendChatMessages, { body })
  it.clock.advance(24 * 3600 - 1)
  expect(await resend({ ids })).toBe('OK')
  await it.drain()
  expect(it.shownTo(friend)).toEqual(['unclear'])

  await it.db.query({
    text: `UPDATE chat_message SET state = 'dead', reason = $1 WHERE recipient = $2`,
    values: [UNSENT.unreachable, friend],
  })
  it.clock.advance(24 * 3600 + 2)
  expect(await resend({ ids })).toBe('MESSAGE_MAY_BE_SEEN')
  expect((await list('waiting')).total).toBe(0)
  const refused = (await list('dead')).rows.filter(({ text }) => text === 'refused').map(({ id }) => id)
  expect(await resend({ ids: refused })).toBe('OK')
  expect(await resend({ ids, evenIfSeen: true })).toBe('OK')
  await it.drain()
  expect(it.shownTo(friend)).toEqual(['unclear', 'unclear'])
})

test('an answer whose time is over is not sent again', async () => {
  await put('answer', { replyToken: 'gone', cost: 0 })
  await it.drain()
  const { rows } = await list('skipped')
  expect(rows[0]).toMatchObject({ canResend: false, reason: 'ตอบไม่ทันเวลาที่ LINE กำหนด' })
})

test('how the shop stands with LINE', async () => {
  await bindRoom(it, 'staff')
  await addLinked(it, 'malee', 'staff', users.staff.userId)
  await saveChannel(it.db, { quotaLimit: 300, quotaUsed: 239, quotaAt: it.clock.now })
  expect(await it.as('malee').call(contract.getChat, {})).toMatchObject({
    isOn: true,
    isLinked: true,
    linkedStaff: 1,
    allStaff: 4,
    quota: { limit: 300, used: 239, isLow: false },
    rooms: [{ room: 'staff', groupName: 'ทีมเติมเกม', memberCount: 1 }],
  })
  it.clock.advance(1)
  await put('one more')
  await it.drain()
  expect((await it.as('staff').call(contract.getChat, {})).quota).toMatchObject({ used: 240, isLow: true })
})

test('groups are a manager’s, their own LINE everybody’s of the staff, and only soon after signing in', async () => {
  const codeOf = (uid: string, purpose: 'staff' | 'managers' | 'person') =>
    it.as(uid).codeOf(contract.makeChatCode, { body: { purpose } })
  expect([await codeOf('staff', 'staff'), await codeOf('manager', 'staff'), await codeOf('staff', 'person')]).toEqual([
    'FORBIDDEN',
    'OK',
    'OK',
  ])
  expect(await codeOf('agent', 'person')).toBe('FORBIDDEN')
  const early = it.as('staff')
  const { headers } = early
  it.clock.advance(301)
  const response = await it.request(contract.makeChatCode.path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ purpose: 'person' }),
  })
  expect(await response.json()).toMatchObject({ code: 'RECENT_SIGN_IN_REQUIRED' })
  await bindRoom(it, 'staff')
  const unbind = (uid: string) => it.as(uid).codeOf(contract.unbindChatRoom, { params: { room: 'staff' } })
  expect([await unbind('staff'), await unbind('manager'), await unbind('manager')]).toEqual([
    'FORBIDDEN',
    'OK',
    'NOT_FOUND',
  ])
})

test('people are told whether their own LINE is a friend of the shop, as far as LINE has told; guests are not', async () => {
  await addLinked(it, 'namkhao', 'customer', friend)
  const isFriend = async () => (await it.as('namkhao').call(getFriendship, {})).isFriend
  expect(await isFriend()).toBeNull()
  await saveFriend(it.db, { lineId: friend, isFriend: true, since: it.clock.now })
  expect(await isFriend()).toBe(true)
  expect((await it.as('agent').call(getFriendship, {})).isFriend).toBeNull()
  it.clock.advance(1)
  await unfriend(it, friend)
  expect(await isFriend()).toBe(false)
  expect(await it.as(null).codeOf(getFriendship, {})).toBe('UNAUTHENTICATED')
})

test('whose LINE is a friend is learned from LINE itself, by the token of their own LINE and no other', async () => {
  await addLinked(it, 'namkhao', 'customer', friend)
  const learn = async (uid: string, accessToken: string) =>
    (await it.as(uid).call(learnFriendship, { body: { accessToken } })).isFriend
  const stranger = it.line.control.issueAccessToken(users.stranger.userId, {})
  expect(await learn('namkhao', stranger)).toBeNull()
  expect(await learn('namkhao', 'made-up')).toBeNull()
  const other = it.line.control.issueAccessToken(friend, { clientId: '1999999999' })
  expect(await learn('namkhao', other)).toBeNull()
  expect(await learn('namkhao', it.line.control.issueAccessToken(friend, {}))).toBe(true)
})

test('what can be sent again is a list of its own, and none is sent into a used-up month', async () => {
  await put('lost')
  await put('late', { replyToken: 'r' })
  await it.db.query({ text: `UPDATE chat_message SET state = 'skipped', settled_at = created_at` })
  const list = (state: 'skipped' | 'resendable') =>
    it.as('manager').call(contract.listChatMessages, { query: { state } })
  expect((await list('skipped')).rows).toHaveLength(2)
  const [row, ...others] = (await list('resendable')).rows
  expect([row?.canResend, others]).toEqual([true, []])
  await saveChannel(it.db, { fullAt: it.clock.now })
  const body = { ids: [row!.id] }
  expect(await it.as('manager').codeOf(contract.resendChatMessages, { body })).toBe('CHAT_QUOTA_FULL')
  expect((await list('resendable')).rows).toHaveLength(1)
})
