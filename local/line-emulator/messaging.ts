import { randomUUID } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { isFields } from './action-rules.ts'
import { findMessagesFault, type LineError, toBodyError } from './message-rules.ts'
import { createRichMenuApi } from './rich-menu.ts'
import {
  addChatEntry,
  createMessageId,
  createSecretText,
  type Group,
  isFriend,
  type Message,
  type SendKind,
  type State,
} from './state.ts'
import { readBearer } from './tokens.ts'
import { testWebhook } from './webhook.ts'

type Body = Record<string, unknown>
type Status = 400 | 401 | 403 | 404 | 409 | 413 | 429

const maxRequestBytes = 2 * 1024 * 1024
const retryKeyLifetimeMs = 24 * 3600 * 1000

/** Serves the Messaging API's part of api.line.me. */
export function createMessagingApi(state: State): Hono {
  const app = new Hono()
  app.use('/v2/bot/*', (context, next) => {
    const fault = findTokenFault(state, context)
    return fault ? Promise.resolve(context.json({ message: fault }, 401)) : next()
  })
  app.post('/v2/bot/message/push', context => send(state, context, 'push'))
  app.post('/v2/bot/message/reply', context => send(state, context, 'reply'))
  app.post('/v2/bot/message/validate/push', async context => {
    const body = await readBody(context)
    const fault = 'error' in body ? body.error : findMessagesFault(body.body.messages)
    return fault ? context.json(fault, 400) : context.json({})
  })
  app.get('/v2/bot/message/quota', context => context.json(state.quota))
  app.get('/v2/bot/message/quota/consumption', context => context.json({ totalUsage: state.totalUsage }))
  addGroupRoutes(app, state)
  addSettingRoutes(app, state)
  app.route('/', createRichMenuApi(state))
  return app
}

/** Serves the calls by which `doctor` checks an installation's settings at LINE. */
function addSettingRoutes(app: Hono, state: State): void {
  app.get('/v2/bot/info', context =>
    context.json({ ...state.officialAccount, chatMode: 'bot', markAsReadMode: 'auto' }),
  )
  app.get('/v2/bot/channel/webhook/endpoint', context => context.json({ endpoint: state.webhookUrl, active: true }))
  app.post('/v2/bot/channel/webhook/test', async context => context.json(await testWebhook(state)))
}

function findTokenFault(state: State, context: Context): string | undefined {
  return readBearer(context.req.header('authorization')) === state.messagingChannel.accessToken
    ? undefined
    : 'Authentication failed due to the following reason: invalid token. Confirm that the access token in the authorization header is valid.'
}

async function readBody(context: Context): Promise<{ body: Body } | { error: LineError }> {
  const text = await context.req.text()
  if (Buffer.byteLength(text) > maxRequestBytes) return { error: { message: 'Request Entity Too Large' } }
  try {
    const body: unknown = JSON.parse(text)
    if (isFields(body)) return { body }
  } catch {
    // LINE gives the same answer to a body that is not JSON and to JSON that is not an object.
  }
  return { error: { message: 'The request body could not be parsed as JSON (line: 1, column: 1)' } }
}

interface Refusal {
  status: Status
  error: LineError
}
interface Sending {
  to: string
  /** How much the call counts in the month's quota. */
  chargedRecipients: number
}

async function send(state: State, context: Context, kind: SendKind) {
  const requestId = randomUUID()
  context.header('x-line-request-id', requestId)
  const retryKey = context.req.header('x-line-retry-key')
  const read = await readBody(context)
  if ('error' in read) return context.json(read.error, 400)
  const { body } = read
  const refused = findRetryKeyFault(kind, retryKey) ?? findMessagesRefusal(body)
  if (refused) return context.json(refused.error, refused.status)
  const accepted = retryKey ? state.retryKeys.get(retryKey.toLowerCase()) : undefined
  if (accepted && state.clock.now() - accepted.at < retryKeyLifetimeMs) {
    context.header('x-line-accepted-request-id', accepted.requestId)
    const { sentMessages } = accepted
    return context.json({ message: 'The retry key is already accepted', sentMessages }, 409)
  }
  const sending = kind === 'push' ? resolvePush(state, body.to) : resolveReply(state, body.replyToken)
  if ('error' in sending) return context.json(sending.error, sending.status)
  if (state.quota.type === 'limited' && state.totalUsage + sending.chargedRecipients > state.quota.value) {
    return context.json({ message: 'You have reached your monthly limit.' }, 429)
  }
  const sentMessages = deliver(state, kind, body, sending, { requestId, retryKey })
  if (retryKey) state.retryKeys.set(retryKey.toLowerCase(), { requestId, at: state.clock.now(), sentMessages })
  return context.json({ sentMessages })
}

function findRetryKeyFault(kind: SendKind, retryKey: string | undefined): Refusal | undefined {
  if (retryKey === undefined) return undefined
  if (kind === 'reply') {
    return { status: 400, error: { message: "The 'X-Line-Retry-Key' header is not supported by this endpoint" } }
  }
  const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(retryKey)
  return isUuid ? undefined : { status: 400, error: { message: 'Invalid retry key' } }
}

function findMessagesRefusal(body: Body): Refusal | undefined {
  const error = findMessagesFault(body.messages)
  return error && { status: 400, error }
}

function resolvePush(state: State, to: unknown): Sending | Refusal {
  if (typeof to !== 'string' || to === '') {
    return { status: 400, error: toBodyError([{ message: 'May not be empty', property: 'to' }]) }
  }
  if (!/^[UCR][0-9a-f]{32}$/.test(to)) {
    return {
      status: 400,
      error: { message: "The property, 'to', in the request body is invalid (line: -, column: -)" },
    }
  }
  const group = state.groups.get(to)
  if (!state.users.has(to) && !group?.botJoined) return { status: 400, error: { message: 'Failed to send messages' } }
  // LINE accepts a message to somebody who is not a friend, but neither delivers nor counts it.
  return { to, chargedRecipients: group ? group.memberIds.length : Number(canReceive(state, to)) }
}

function resolveReply(state: State, replyToken: unknown): Sending | Refusal {
  const token = state.replyTokens.get(String(replyToken))
  if (!token || token.used || token.expiresAt <= state.clock.now()) {
    return { status: 400, error: { message: 'Invalid reply token' } }
  }
  token.used = true
  return { to: token.chatId, chargedRecipients: 0 }
}

function canReceive(state: State, chatId: string): boolean {
  const user = state.users.get(chatId)
  return user ? isFriend(user) : state.groups.get(chatId)?.botJoined === true
}

interface Receipt {
  requestId: string
  retryKey?: string
}

function deliver(state: State, kind: SendKind, body: Body, sending: Sending, receipt: Receipt) {
  const sentMessages = (body.messages as Message[]).map(message => ({
    message,
    id: createMessageId(),
    quoteToken: createSecretText(),
  }))
  const at = state.clock.now()
  const { to, chargedRecipients } = sending
  const delivered = canReceive(state, to)
  const notificationDisabled = body.notificationDisabled === true
  for (const { message, id, quoteToken } of sentMessages) {
    const sent = { messageId: id, quoteToken, at, kind, to, message, delivered, notificationDisabled }
    state.sentMessages.push({ ...sent, ...receipt })
    if (delivered) addChatEntry(state, to, { id, at, from: 'bot', message })
  }
  state.totalUsage += chargedRecipients
  state.version += 1
  return sentMessages.map(({ id, quoteToken }) => ({ id, quoteToken }))
}

function addGroupRoutes(app: Hono, state: State): void {
  const withGroup = (context: Context, answer: (group: Group) => Response) => {
    const group = state.groups.get(context.req.param('groupId') ?? '')
    return group?.botJoined ? answer(group) : context.json({ message: 'Not found' }, 404)
  }
  app.get('/v2/bot/group/:groupId/summary', context =>
    withGroup(context, ({ groupId, groupName }) => context.json({ groupId, groupName })),
  )
  app.get('/v2/bot/group/:groupId/members/count', context =>
    withGroup(context, ({ memberIds }) => context.json({ count: memberIds.length })),
  )
}
