import { randomUUID } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { isFields, isHttpsOrLoopback } from './action-rules.ts'
import { findMessagesFault, type LineError, toBodyError } from './message-rules.ts'
import { createRichMenuApi } from './rich-menu.ts'
import {
  addChatEntry,
  createMessageId,
  createSecretText,
  type Group,
  getPictureUrl,
  isFriend,
  type Message,
  type SendKind,
  type State,
} from './state.ts'
import { issueStatelessToken, readBearer } from './tokens.ts'
import { testWebhook } from './webhook.ts'

type Body = Record<string, unknown>
type Status = 400 | 401 | 403 | 404 | 409 | 413 | 429

const maxRequestBytes = 2 * 1024 * 1024
const retryKeyLifetimeMs = 24 * 3600 * 1000
const maxMulticast = 500

/** api.line.me, the Messaging API part. */
export function createMessagingApi(state: State): Hono {
  const app = new Hono()
  app.post('/oauth2/v3/token', context => issueChannelToken(state, context))
  app.use('/v2/bot/*', (context, next) => {
    const fault = findTokenFault(state, context)
    return fault ? Promise.resolve(context.json({ message: fault }, 401)) : next()
  })
  for (const kind of ['push', 'reply', 'multicast', 'broadcast'] as const) {
    app.post(`/v2/bot/message/${kind}`, context => send(state, context, kind))
    app.post(`/v2/bot/message/validate/${kind}`, async context => {
      const body = await readBody(context)
      const fault = 'error' in body ? body.error : findMessagesFault(body.body.messages)
      return fault ? context.json(fault, 400) : context.json({})
    })
  }
  app.get('/v2/bot/message/quota', context => context.json(state.quota))
  app.get('/v2/bot/message/quota/consumption', context => context.json({ totalUsage: state.totalUsage }))
  app.post('/v2/bot/chat/loading/start', context => startLoading(state, context))
  app.get('/v2/bot/info', context =>
    context.json({ ...state.officialAccount, chatMode: 'bot', markAsReadMode: 'auto' }),
  )
  addProfileRoutes(app, state)
  addWebhookRoutes(app, state)
  app.route('/', createRichMenuApi(state))
  return app
}

async function issueChannelToken(state: State, context: Context) {
  const form = new URLSearchParams(await context.req.text())
  const channel = [state.messagingChannel, state.loginChannel].find(({ id }) => id === form.get('client_id'))
  const isGood = form.get('grant_type') === 'client_credentials' && channel?.secret === form.get('client_secret')
  if (!isGood || !channel) {
    return context.json({ error: 'invalid_request', error_description: "Invalid 'client_credentials'." }, 400)
  }
  const { token, expiresInSeconds } = issueStatelessToken(state, channel.id)
  return context.json({ token_type: 'Bearer', access_token: token, expires_in: expiresInSeconds })
}

const authenticationFailed = 'Authentication failed due to the following reason: '

function findTokenFault(state: State, context: Context): string | undefined {
  const token = readBearer(context.req.header('authorization'))
  if (!token)
    return `${authenticationFailed}invalid token. Confirm that the access token in the authorization header is valid.`
  const grant = state.channelTokens.get(token)
  if (!grant || grant.channelId !== state.messagingChannel.id) {
    return `${authenticationFailed}invalid token. Confirm that the access token in the authorization header is valid.`
  }
  return grant.expiresAt <= state.clock.now() ? `${authenticationFailed}access token expired` : undefined
}

async function readBody(context: Context): Promise<{ body: Body } | { error: LineError }> {
  const text = await context.req.text()
  if (Buffer.byteLength(text) > maxRequestBytes) return { error: { message: 'Request Entity Too Large' } }
  try {
    const body: unknown = JSON.parse(text)
    if (isFields(body)) return { body }
  } catch {
    // Falls through: not JSON and not an object are the same to LINE.
  }
  return { error: { message: 'The request body could not be parsed as JSON (line: 1, column: 1)' } }
}

interface Refusal {
  status: Status
  error: LineError
}
interface Sending {
  recipients: string[]
  chargedRecipients: number
  replyToken?: string
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
    return context.json({ message: 'The retry key is already accepted', ...(sentMessages && { sentMessages }) }, 409)
  }
  const sending = resolveRecipients(state, kind, body)
  if ('error' in sending) return context.json(sending.error, sending.status)
  if (state.quota.type === 'limited' && state.totalUsage + sending.chargedRecipients > state.quota.value) {
    return context.json({ message: 'You have reached your monthly limit.' }, 429)
  }
  const sentMessages = deliver(state, kind, body, sending, { requestId, retryKey })
  const hasReceipt = kind === 'push' || kind === 'reply'
  if (retryKey) {
    const receipt = hasReceipt ? { sentMessages } : {}
    state.retryKeys.set(retryKey.toLowerCase(), { requestId, at: state.clock.now(), ...receipt })
  }
  return context.json(hasReceipt ? { sentMessages } : {})
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

function resolveRecipients(state: State, kind: SendKind, body: Body): Sending | Refusal {
  if (kind === 'push') return resolvePush(state, body.to)
  if (kind === 'reply') return resolveReply(state, body.replyToken)
  if (kind === 'broadcast') return chargeUsers(state, [...state.users.keys()])
  const { to } = body
  if (!Array.isArray(to) || to.length < 1 || to.length > maxMulticast) {
    return {
      status: 400,
      error: toBodyError([{ message: `Size must be between 1 and ${maxMulticast}`, property: 'to' }]),
    }
  }
  if (to.some(id => !/^U[0-9a-f]{32}$/.test(id))) {
    return {
      status: 400,
      error: { message: "The property, 'to', in the request body is invalid (line: -, column: -)" },
    }
  }
  return chargeUsers(state, [...new Set(to as string[])])
}

/** Only friends get the message and only they count; the others are accepted without a word. */
function chargeUsers(state: State, userIds: string[]): Sending {
  const chargedRecipients = userIds.filter(id => canReceive(state, id)).length
  return { recipients: userIds, chargedRecipients }
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
  return group ? { recipients: [to], chargedRecipients: group.memberIds.length } : chargeUsers(state, [to])
}

function resolveReply(state: State, replyToken: unknown): Sending | Refusal {
  const token = state.replyTokens.get(String(replyToken))
  if (!token || token.used || token.expiresAt <= state.clock.now()) {
    return { status: 400, error: { message: 'Invalid reply token' } }
  }
  token.used = true
  return { recipients: [token.chatId], chargedRecipients: 0 }
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
  for (const to of sending.recipients) {
    const delivered = canReceive(state, to)
    for (const { message, id, quoteToken } of sentMessages) {
      const notificationDisabled = body.notificationDisabled === true
      state.sentMessages.push({
        messageId: id,
        quoteToken,
        at,
        kind,
        to,
        message,
        delivered,
        notificationDisabled,
        ...receipt,
      })
      if (delivered) addChatEntry(state, to, { id, at, from: 'bot', message })
    }
  }
  state.totalUsage += sending.chargedRecipients
  state.version += 1
  return sentMessages.map(({ id, quoteToken }) => ({ id, quoteToken }))
}

async function startLoading(state: State, context: Context) {
  const read = await readBody(context)
  if ('error' in read) return context.json(read.error, 400)
  const { chatId, loadingSeconds = 20 } = read.body
  if (typeof chatId !== 'string' || !/^U[0-9a-f]{32}$/.test(chatId) || !state.users.has(chatId)) {
    return context.json(toBodyError([{ message: 'Invalid chat ID', property: 'chatId' }]), 400)
  }
  const isStep = Number.isInteger(loadingSeconds) && (loadingSeconds as number) % 5 === 0
  if (!isStep || (loadingSeconds as number) < 5 || (loadingSeconds as number) > 60) {
    const message = 'Must be a multiple of 5 between 5 and 60'
    return context.json(toBodyError([{ message, property: 'loadingSeconds' }]), 400)
  }
  return context.json({}, 202)
}

function addProfileRoutes(app: Hono, state: State): void {
  const notFound = (context: Context) => context.json({ message: 'Not found' }, 404)
  const toProfile = (userId: string) => {
    const user = state.users.get(userId)!
    const { displayName, statusMessage, language } = user
    const pictureUrl = getPictureUrl(state, user)
    return { displayName, userId, pictureUrl, ...(language && { language }), ...(statusMessage && { statusMessage }) }
  }
  const withGroup = (context: Context, answer: (group: Group) => Response) => {
    const group = state.groups.get(context.req.param('groupId') ?? '')
    return group?.botJoined ? answer(group) : notFound(context)
  }
  app.get('/v2/bot/profile/:userId', context => {
    const user = state.users.get(context.req.param('userId'))
    return user && isFriend(user) ? context.json(toProfile(user.userId)) : notFound(context)
  })
  app.get('/v2/bot/group/:groupId/member/:userId', context =>
    withGroup(context, group => {
      const userId = context.req.param('userId')
      if (!group.memberIds.includes(userId)) return notFound(context)
      const { displayName, pictureUrl } = toProfile(userId)
      return context.json({ displayName, userId, pictureUrl })
    }),
  )
  app.get('/v2/bot/group/:groupId/summary', context =>
    withGroup(context, ({ groupId, groupName }) => context.json({ groupId, groupName })),
  )
  app.get('/v2/bot/group/:groupId/members/count', context =>
    withGroup(context, ({ memberIds }) => context.json({ count: memberIds.length })),
  )
  app.post('/v2/bot/group/:groupId/leave', context =>
    withGroup(context, group => {
      group.botJoined = false
      state.version += 1
      return context.json({})
    }),
  )
}

function addWebhookRoutes(app: Hono, state: State): void {
  app.get('/v2/bot/channel/webhook/endpoint', context => context.json({ endpoint: state.webhookUrl, active: true }))
  app.put('/v2/bot/channel/webhook/endpoint', async context => {
    const { endpoint } = await context.req.json<{ endpoint?: unknown }>().catch(() => ({ endpoint: undefined }))
    if (!isHttpsOrLoopback(endpoint)) {
      return context.json(toBodyError([{ message: 'Invalid webhook endpoint URL', property: 'endpoint' }]), 400)
    }
    state.webhookUrl = endpoint as string
    return context.json({})
  })
  app.post('/v2/bot/channel/webhook/test', async context => {
    const { endpoint } = await context.req.json<{ endpoint?: string }>().catch(() => ({ endpoint: undefined }))
    return context.json(await testWebhook(state, endpoint ?? state.webhookUrl))
  })
}
