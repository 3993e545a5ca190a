import { randomUUID } from 'node:crypto'
import { HTTPFetchError, messagingApi } from '@line/bot-sdk'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { demoLine } from './demo.ts'
import { type RunningLineEmulator, startLineEmulator } from './server.ts'

const { friend, stranger } = demoLine.users
const { staffGroup, messagingChannel } = demoLine
let line: RunningLineEmulator
let bot: messagingApi.MessagingApiClient

beforeEach(async () => {
  line = await startLineEmulator({ port: 0, seed: { webhookUrl: 'http://127.0.0.1:1/' } })
  line.control.holdEvents()
  bot = createBot(messagingChannel.accessToken)
})
afterEach(() => line.stop())

function createBot(channelAccessToken: string) {
  return new messagingApi.MessagingApiClient({ channelAccessToken, baseURL: line.origin })
}

const hello: messagingApi.TextMessage = { type: 'text', text: 'สวัสดี' }

async function catchError(promise: Promise<unknown>) {
  const error = await promise.then(
    () => undefined,
    caught => caught,
  )
  expect(error).toBeInstanceOf(HTTPFetchError)
  const { status, headers, body } = error as HTTPFetchError
  return { status, headers, body: JSON.parse(body) }
}

function createFlex(label: string, data = 'claim:1'): messagingApi.FlexMessage {
  const button = { type: 'button', action: { type: 'postback', label, data } } as const
  const body = { type: 'box', layout: 'vertical', contents: [{ type: 'text', text: '325 UC' }, button] } as const
  return {
    type: 'flex',
    altText: 'คิว 1',
    contents: { type: 'bubble', body: { ...body, contents: [...body.contents] } },
  }
}

test('push reaches a friend and says which messages were sent', async () => {
  const { httpResponse, body } = await bot.pushMessageWithHttpInfo({ to: friend.userId, messages: [hello, hello] })
  expect(body.sentMessages).toHaveLength(2)
  expect(httpResponse.headers.get('x-line-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(line.state.chats.get(friend.userId)?.map(entry => entry.message.text)).toEqual(['สวัสดี', 'สวัสดี'])
  expect((await bot.getMessageQuotaConsumption()).totalUsage).toBe(1)
})

test('push to someone who is no friend is accepted, not delivered and not counted', async () => {
  line.control.setFriendship(friend.userId, 'blocked')
  for (const { userId } of [stranger, friend]) await bot.pushMessage({ to: userId, messages: [hello] })
  expect(line.state.sentMessages.map(sent => sent.delivered)).toEqual([false, false])
  expect(line.state.chats.size).toBe(0)
  expect(line.state.totalUsage).toBe(0)
})

test('unknown users and groups the account is not in: 400 "Failed to send messages"', async () => {
  const group = line.control.createGroup({ groupName: 'อื่น' })
  for (const to of [`U${'0'.repeat(32)}`, group.groupId]) {
    const { status, body } = await catchError(bot.pushMessage({ to, messages: [hello] }))
    expect([status, body]).toEqual([400, { message: 'Failed to send messages' }])
  }
})

test('a group push counts once per member, however many messages it carries', async () => {
  const { userId } = line.control.createUser({ displayName: 'สอง' })
  line.state.groups.get(staffGroup.groupId)!.memberIds.push(userId)
  await bot.pushMessage({ to: staffGroup.groupId, messages: [hello, hello, hello] })
  expect(line.state.totalUsage).toBe(2)
  expect((await bot.getGroupMemberCount(staffGroup.groupId)).count).toBe(2)
})

test('a retry key accepted within 24 hours: 409 with the first request’s id and messages, nothing sent twice', async () => {
  const key = randomUUID()
  const request = { to: friend.userId, messages: [hello] }
  const first = await bot.pushMessageWithHttpInfo(request, key)
  const { status, headers, body } = await catchError(bot.pushMessage(request, key))
  expect(status).toBe(409)
  expect(headers.get('x-line-accepted-request-id')).toBe(first.httpResponse.headers.get('x-line-request-id'))
  expect(body).toEqual({ message: 'The retry key is already accepted', sentMessages: first.body.sentMessages })
  expect(line.state.sentMessages).toHaveLength(1)
  line.control.setClockOffset(24 * 3600 + 1)
  await bot.pushMessage(request, key)
  expect(line.state.sentMessages).toHaveLength(2)
})

test('a retry key on reply is refused and the reply token stays good', async () => {
  await line.control.sendText(friend.userId, friend.userId, 'ถาม')
  const { replyToken } = line.state.heldEvents![0]!
  const answer = await fetch(`${line.origin}/v2/bot/message/reply`, {
    method: 'POST',
    headers: { authorization: `Bearer ${messagingChannel.accessToken}`, 'x-line-retry-key': randomUUID() },
    body: JSON.stringify({ replyToken, messages: [hello] }),
  })
  expect(answer.status).toBe(400)
  expect((await bot.replyMessage({ replyToken: replyToken!, messages: [hello] })).sentMessages).toHaveLength(1)
})

test('a reply token works once and for one minute; replies are free', async () => {
  await line.control.sendText(friend.userId, friend.userId, 'หนึ่ง')
  await line.control.sendText(friend.userId, friend.userId, 'สอง')
  const [first, second] = line.state.heldEvents!.map(event => event.replyToken!)
  await bot.replyMessage({ replyToken: first!, messages: [hello] })
  const used = await catchError(bot.replyMessage({ replyToken: first!, messages: [hello] }))
  expect([used.status, used.body]).toEqual([400, { message: 'Invalid reply token' }])
  line.control.setClockOffset(61)
  const late = await catchError(bot.replyMessage({ replyToken: second!, messages: [hello] }))
  expect(late.body).toEqual({ message: 'Invalid reply token' })
  expect(line.state.totalUsage).toBe(0)
})

test('both 429: the monthly limit by counting, the rate limit as an injected fault', async () => {
  line.control.setQuota({ type: 'limited', value: 1 }, 1)
  const monthly = await catchError(bot.pushMessage({ to: friend.userId, messages: [hello] }))
  expect([monthly.status, monthly.body]).toEqual([429, { message: 'You have reached your monthly limit.' }])
  expect(await bot.getMessageQuota()).toMatchObject({ type: 'limited', value: 1 })
  line.control.setQuota({ type: 'none' })
  line.control.injectFault({ path: '/v2/bot/message/push', status: 429 })
  const rate = await catchError(bot.pushMessage({ to: friend.userId, messages: [hello] }))
  expect(rate.body).toEqual({ message: 'The API rate limit has been exceeded. Try again later.' })
  await bot.pushMessage({ to: friend.userId, messages: [hello] })
})

test('a fault before acceptance sends nothing, one after acceptance has sent: the retry key tells them apart', async () => {
  const request = { to: friend.userId, messages: [hello] }
  const key = randomUUID()
  line.control.injectFault({ path: '/v2/bot/message/*', status: 500 })
  expect((await catchError(bot.pushMessage(request, key))).status).toBe(500)
  expect(line.state.sentMessages).toHaveLength(0)
  line.control.injectFault({ path: '/v2/bot/message/*', status: 500, afterAcceptance: true })
  expect((await catchError(bot.pushMessage(request, key))).status).toBe(500)
  expect(line.state.sentMessages).toHaveLength(1)
  expect((await catchError(bot.pushMessage(request, key))).status).toBe(409)
})

test('a dropped connection is no answer at all', async () => {
  line.control.injectFault({ path: '/v2/bot/message/push', dropConnection: true, afterAcceptance: true })
  await expect(bot.pushMessage({ to: friend.userId, messages: [hello] })).rejects.toThrow('fetch failed')
  expect(line.state.sentMessages).toHaveLength(1)
})

test('a slow answer: given up before acceptance nothing is sent, after acceptance it is', async () => {
  const pushFor = (milliseconds: number) =>
    fetch(`${line.origin}/v2/bot/message/push`, {
      method: 'POST',
      headers: { authorization: `Bearer ${messagingChannel.accessToken}` },
      body: JSON.stringify({ to: friend.userId, messages: [hello] }),
      signal: AbortSignal.timeout(milliseconds),
    })
  for (const [afterAcceptance, sentCount] of [
    [false, 0],
    [true, 1],
  ] as const) {
    line.control.injectFault({ path: '/v2/bot/message/push', delaySeconds: 20, afterAcceptance })
    await expect(pushFor(1000)).rejects.toThrow('aborted due to timeout')
    expect(line.state.sentMessages).toHaveLength(sentCount)
  }
  line.control.injectFault({ path: '/v2/bot/message/push', delaySeconds: 0.1 })
  expect((await pushFor(5000)).status).toBe(200)
})

test('every answer carries a request id, and a fault may cover all of LINE but not the control API', async () => {
  line.control.injectFault({ path: '*', status: 503, count: 2 })
  for (const path of ['/v2/profile', '/oauth2/v2.1/certs']) {
    const answer = await fetch(line.origin + path)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('x-line-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect((await fetch(`${line.origin}/__emu/in-client-url?userId=${friend.userId}`)).status).toBe(200)
  }
  expect((await fetch(`${line.origin}/oauth2/v2.1/certs`)).status).toBe(200)
})

test('another channel access token is refused; the bot hears of groups that it is in', async () => {
  const wrong = await catchError(createBot('wrong').getMessageQuota())
  expect(wrong.status).toBe(401)
  expect(wrong.body.message).toMatch(/^Authentication failed due to the following reason: /)
  expect(await bot.getGroupSummary(staffGroup.groupId)).toMatchObject({ groupName: staffGroup.groupName })
  const { status, body } = await catchError(bot.getGroupSummary(`C${'0'.repeat(32)}`))
  expect([status, body]).toEqual([404, { message: 'Not found' }])
})

test('limits are refused with LINE’s error shape, by property', async () => {
  const validate = async (...messages: unknown[]) => {
    const request = { messages: messages as messagingApi.Message[] }
    return (await catchError(bot.validatePush(request))).body
  }
  await bot.validatePush({ messages: [hello, createFlex('รับเรื่อง')] })
  expect(await validate()).toMatchObject({ details: [{ property: 'messages' }] })
  expect(await validate(...Array(6).fill(hello))).toMatchObject({ details: [{ property: 'messages' }] })
  expect(await validate({ type: 'text', text: '' }, { type: 'nonsense' })).toMatchObject({
    message: 'The request body has 2 error(s)',
    details: [{ message: 'May not be empty', property: 'messages[0].text' }, { property: 'messages[1].type' }],
  })
  expect(await validate({ type: 'text', text: 'ก'.repeat(5001) })).toMatchObject({
    details: [{ message: 'Length must be between 0 and 5000', property: 'messages[0].text' }],
  })
  expect(await validate({ ...createFlex('x'), altText: 'ก'.repeat(1501) })).toMatchObject({
    details: [{ property: 'messages[0].altText' }],
  })
  const quickReply = { items: Array(14).fill({ type: 'action', action: { type: 'message', label: 'a', text: 'a' } }) }
  expect(await validate({ ...hello, quickReply })).toMatchObject({
    details: [{ property: 'messages[0].quickReply.items' }],
  })
})

test('Flex: label by graphemes, data, unknown properties, colours, picture addresses and sizes', async () => {
  const findFault = async (contents: unknown) => {
    const message = { type: 'flex', altText: 'x', contents } as messagingApi.FlexMessage
    const { body } = await catchError(bot.validatePush({ messages: [message] }))
    expect(body.message).toBe('A message (messages[0]) in the request body is invalid')
    return body.details[0].property
  }
  const labelOf40 = 'ปั๊'.repeat(40)
  await bot.validatePush({ messages: [createFlex(labelOf40)] })
  const getContents = (...args: Parameters<typeof createFlex>) => createFlex(...args).contents
  expect(await findFault(getContents(`${labelOf40}ก`))).toBe('/body/contents/1/action/label')
  expect(await findFault(getContents('x', 'd'.repeat(301)))).toBe('/body/contents/1/action/data')
  const withBody = (...contents: object[]) => ({ type: 'bubble', body: { type: 'box', layout: 'vertical', contents } })
  expect(await findFault(withBody({ type: 'text', text: 'x', colour: '#fff' }))).toBe('/body/contents/0/colour')
  expect(await findFault(withBody({ type: 'text', text: 'x', color: 'red' }))).toBe('/body/contents/0/color')
  expect(await findFault(withBody({ type: 'text', text: '' }))).toBe('/body/contents/0/text')
  expect(await findFault(withBody({ type: 'image', url: 'http://shop.test/a.png' }))).toBe('/body/contents/0/url')
  const button = { type: 'button', action: { type: 'uri', label: 'x', uri: 'ftp://shop.test/' } }
  expect(await findFault(withBody(button))).toBe('/body/contents/0/action/uri')
  expect(await findFault(withBody({ type: 'text', text: 'ก'.repeat(11_000) }))).toBe('/')
  expect(await findFault({ type: 'carousel', contents: Array(13).fill(getContents('x')) })).toBe('/contents')
})

test('a body that is no JSON', async () => {
  const answer = await fetch(`${line.origin}/v2/bot/message/push`, {
    method: 'POST',
    headers: { authorization: `Bearer ${messagingChannel.accessToken}` },
    body: '{"to":',
  })
  expect(answer.status).toBe(400)
  expect((await answer.json()).message).toMatch(
    /^The request body could not be parsed as JSON \(line: \d+, column: \d+\)$/,
  )
})
