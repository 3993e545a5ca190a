import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { messagingApi, validateSignature } from '@line/bot-sdk'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { demoLine } from './demo.ts'
import { type RunningLineEmulator, startLineEmulator } from './server.ts'
import type { WebhookEvent } from './state.ts'

const { friend, stranger, staff } = demoLine.users
const { staffGroup, messagingChannel } = demoLine
interface Received {
  body: string
  signature: string | undefined
  events: WebhookEvent[]
}

let line: RunningLineEmulator
let bot: messagingApi.MessagingApiClient
let shop: Server
let received: Received[]
let answerShop: (respond: () => void) => void

beforeEach(async () => {
  received = []
  answerShop = respond => respond()
  shop = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const signature = request.headers['x-line-signature'] as string | undefined
    received.push({ body, signature, events: JSON.parse(body).events })
    answerShop(() => response.end())
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => shop.once('listening', resolve))
  const webhookUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/webhook`
  const webhookDelivery = { timeoutSeconds: 0.3, redeliveries: 0, redeliveryDelaySeconds: 0 }
  line = await startLineEmulator({ port: 0, seed: { webhookUrl, webhookDelivery } })
  const { accessToken } = messagingChannel
  bot = new messagingApi.MessagingApiClient({ channelAccessToken: accessToken, baseURL: line.origin })
})
afterEach(async () => {
  await line.stop()
  shop.closeAllConnections()
  await new Promise(resolve => shop.close(resolve))
})

const getEvents = () => received.flatMap(call => call.events)
const isSigned = ({ body, signature }: Received) => validateSignature(body, messagingChannel.secret, signature ?? '')

test('every kind of event has LINE’s common fields, its own, and a reply token where LINE gives one', async () => {
  const { control } = line
  await control.follow(stranger.userId)
  await control.unfollow(stranger.userId)
  await control.follow(stranger.userId)
  await control.sendText(friend.userId, friend.userId, 'สวัสดี')
  await control.joinGroup(staffGroup.groupId)
  await control.addMember(staffGroup.groupId, friend.userId)
  await control.pressPostback(staff.userId, staffGroup.groupId, { data: 'claim:1' })
  await control.leaveGroup(staffGroup.groupId)
  const events = getEvents()
  expect(events.map(event => [event.type, Boolean(event.replyToken)])).toEqual([
    ['follow', true],
    ['unfollow', false],
    ['follow', true],
    ['message', true],
    ['join', true],
    ['memberJoined', true],
    ['postback', true],
    ['leave', false],
  ])
  for (const event of events) {
    expect(event).toMatchObject({ mode: 'active', deliveryContext: { isRedelivery: false } })
    expect(event.webhookEventId).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
    expect(Math.abs(event.timestamp - Date.now())).toBeLessThan(60_000)
  }
  expect(events[0]).toMatchObject({ follow: { isUnblocked: false }, source: { type: 'user', userId: stranger.userId } })
  expect(events[2]).toMatchObject({ follow: { isUnblocked: true } })
  expect(events[3]).toMatchObject({ message: { type: 'text', text: 'สวัสดี' } })
  expect(events[4]!.source).toEqual({ type: 'group', groupId: staffGroup.groupId })
  expect(events[5]).toMatchObject({ joined: { members: [{ type: 'user', userId: friend.userId }] } })
  expect(events[6]).toMatchObject({ postback: { data: 'claim:1' }, source: { type: 'group', userId: staff.userId } })
  expect(received.every(isSigned)).toBe(true)
  expect(JSON.parse(received[0]!.body).destination).toBe(demoLine.officialAccount.userId)
})

test('the signature covers the bytes sent, however the JSON is written', async () => {
  for (const encoding of ['compact', 'pretty', 'escaped'] as const) {
    await line.control.sendText(friend.userId, friend.userId, 'ข้อความไทย 🙂', { encoding })
  }
  expect(new Set(received.map(call => call.body.length)).size).toBe(3)
  expect(received[2]!.body).toMatch(/^[\x20-\x7e]+$/)
  expect(received.every(isSigned)).toBe(true)
  expect(getEvents().map(event => (event.message as { text: string }).text)).toEqual(Array(3).fill('ข้อความไทย 🙂'))
})

test('a wrong signature and a missing header can be sent', async () => {
  await line.control.sendText(friend.userId, friend.userId, 'a', { signature: 'wrong' })
  await line.control.sendText(friend.userId, friend.userId, 'b', { signature: 'missing' })
  expect(received[0]!.signature).toBeTruthy()
  expect(isSigned(received[0]!)).toBe(false)
  expect(received[1]!.signature).toBeUndefined()
})

test('events can come twice, out of order, or several in one call', async () => {
  line.control.holdEvents()
  for (const text of ['1', '2', '3']) await line.control.sendText(friend.userId, friend.userId, text)
  expect(received).toHaveLength(0)
  await line.control.releaseEvents({ order: 'reversed' })
  expect(received).toHaveLength(1)
  expect(getEvents().map(event => (event.message as { text: string }).text)).toEqual(['3', '2', '1'])
  const [last] = getEvents()
  await line.control.redeliver(last!.webhookEventId)
  expect(getEvents()[3]).toEqual({ ...last, deliveryContext: { isRedelivery: true } })
})

test('a group postback may lack the user id, an event may be of an unknown kind or on standby', async () => {
  await line.control.pressPostback(staff.userId, staffGroup.groupId, { data: 'x' }, { withoutUserId: true })
  await line.control.sendRawEvents([{ type: 'futureThing', future: { a: 1 } }])
  await line.control.sendText(friend.userId, friend.userId, 'x', { mode: 'standby' })
  const [postback, future, standby] = getEvents()
  expect(postback!.source).toEqual({ type: 'group', groupId: staffGroup.groupId })
  expect(future).toMatchObject({ type: 'futureThing', future: { a: 1 } })
  expect(standby).toMatchObject({ mode: 'standby' })
  expect(standby).not.toHaveProperty('replyToken')
})

test('a bot that does not answer in time is recorded and gets the same event again', async () => {
  Object.assign(line.state.webhookDelivery, { redeliveries: 2, redeliveryDelaySeconds: 0.05 })
  answerShop = respond => {
    if (received.length > 1) respond()
  }
  const delivery = await line.control.sendText(friend.userId, friend.userId, 'ช้า')
  expect(delivery).toMatchObject({ outcome: 'request_timeout', isRedelivery: false })
  await vi.waitUntil(() => line.state.deliveries.length === 2, { timeout: 3000 })
  expect(line.state.deliveries[1]).toMatchObject({ outcome: 'ok', statusCode: 200, isRedelivery: true })
  const [first, second] = getEvents()
  expect(second).toEqual({ ...first, deliveryContext: { isRedelivery: true } })
  await bot.replyMessage({ replyToken: second!.replyToken!, messages: [{ type: 'text', text: 'ok' }] })
})

test('a redelivered event within 20 minutes has a fresh minute for its reply token, a later one has not', async () => {
  const reply = (replyToken: string) => bot.replyMessage({ replyToken, messages: [{ type: 'text', text: 'ok' }] })
  await line.control.sendText(friend.userId, friend.userId, 'a')
  await line.control.sendText(friend.userId, friend.userId, 'b')
  const [a, b] = getEvents()
  line.control.setClockOffset(19 * 60)
  await line.control.redeliver(a!.webhookEventId)
  await reply(a!.replyToken!)
  line.control.setClockOffset(21 * 60)
  await line.control.redeliver(b!.webhookEventId)
  await expect(reply(b!.replyToken!)).rejects.toThrow('400')
})

test('pressing a button of a sent message sends its data and shows its displayText', async () => {
  const action = { type: 'postback', label: 'รับเรื่อง', data: 'claim:7', displayText: 'รับเรื่อง คิว 7' } as const
  const body = { type: 'box', layout: 'vertical', contents: [{ type: 'button', action }] } as const
  const { sentMessages } = await bot.pushMessage({
    to: staffGroup.groupId,
    messages: [
      { type: 'flex', altText: 'คิว 7', contents: { type: 'bubble', body } } as unknown as messagingApi.Message,
    ],
  })
  const delivery = await line.control.pressButton(staff.userId, sentMessages[0]!.id, 'รับเรื่อง')
  expect(delivery).toMatchObject({ outcome: 'ok' })
  expect(getEvents()[0]).toMatchObject({ postback: { data: 'claim:7' } })
  expect(line.state.chats.get(staffGroup.groupId)?.at(-1)).toMatchObject({ message: { text: 'รับเรื่อง คิว 7' } })
})

test('someone who blocked the account is not heard', async () => {
  line.control.setFriendship(friend.userId, 'blocked')
  await line.control.sendText(friend.userId, friend.userId, 'x')
  expect(received).toHaveLength(0)
})

test('the control API names what is wrong, and reset brings the first world back', async () => {
  const post = (path: string, body: unknown) =>
    fetch(`${line.origin}/__emu${path}`, { method: 'POST', body: JSON.stringify(body) })
  expect((await post('/follow', { userId: 'nobody' })).status).toBe(404)
  expect((await post('/login/auto', { userId: friend.userId, decision: 'perhaps' })).status).toBe(400)
  const peopleBefore = line.state.users.size
  line.control.createUser({ displayName: 'ใหม่' })
  expect((await post('/clock', { offsetSeconds: 7200 })).status).toBe(200)
  expect([line.clock.offsetSeconds(), line.state.users.size]).toEqual([7200, peopleBefore + 1])
  await post('/reset', {})
  expect([line.clock.offsetSeconds(), line.state.users.size]).toEqual([0, peopleBefore])
})
