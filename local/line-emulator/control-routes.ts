import { Hono } from 'hono'
import * as z from 'zod'
import { type Control, ControlError } from './control.ts'
import type { State } from './state.ts'

const friendship = z.enum(['friend', 'blocked', 'none'])
const flaw = z.enum(['expired', 'audience', 'issuer', 'signature', 'kid', 'hs256'])
const webhookOptions = {
  signature: z.enum(['valid', 'wrong', 'missing']).optional(),
  encoding: z.enum(['compact', 'pretty', 'escaped']).optional(),
}
const actionOptions = {
  ...webhookOptions,
  mode: z.enum(['active', 'standby']).optional(),
  withoutUserId: z.boolean().optional(),
}
const user = z.object({
  userId: z.string().optional(),
  displayName: z.string(),
  friendship: friendship.optional(),
  language: z.string().optional(),
  email: z.string().optional(),
  statusMessage: z.string().optional(),
})
const group = z.object({
  groupId: z.string().optional(),
  groupName: z.string(),
  memberIds: z.array(z.string()).optional(),
  botJoined: z.boolean().optional(),
})
const fault = z.object({
  path: z.string(),
  method: z.string().optional(),
  status: z.number().int().optional(),
  body: z.unknown().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  delaySeconds: z.number().nonnegative().optional(),
  afterAcceptance: z.boolean().optional(),
  dropConnection: z.boolean().optional(),
  count: z.number().int().positive().optional(),
})
const event = z.looseObject({ type: z.string() })
const nothing = z.object({})

/** The control API over HTTP, `/__emu`; bodies are JSON, wrong ones answer 400 with what is wrong. */
export function createControlRoutes(state: State, control: Control): Hono {
  const app = new Hono()
  app.onError((error, context) => {
    if (error instanceof ControlError) return context.json({ message: error.message }, 404)
    if (error instanceof SyntaxError) return context.json({ message: error.message }, 400)
    if (error instanceof z.ZodError) return context.json({ message: z.prettifyError(error) }, 400)
    throw error
  })
  function command<Schema extends z.ZodType>(path: string, schema: Schema, run: (body: z.output<Schema>) => unknown) {
    app.post(path, async context => {
      const text = await context.req.text()
      const result = await run(schema.parse(text ? JSON.parse(text) : {}))
      return context.json((result ?? {}) as Record<string, unknown>)
    })
  }
  addWorldCommands(command, state, control)
  addPeopleCommands(command, control)
  addWebhookCommands(command, state, control)
  addTokenCommands(command, control)
  addQueries(app, state, control)
  app.delete('/faults', context => {
    control.clearFaults()
    return context.json({})
  })
  app.delete('/login/auto', context => {
    control.setAutoLogin(undefined)
    return context.json({})
  })
  return app
}

type Command = <Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  run: (body: z.output<Schema>) => unknown,
) => void

function addWorldCommands(command: Command, state: State, control: Control): void {
  command('/reset', nothing, () => control.reset())
  command('/clock', z.object({ offsetSeconds: z.number() }), ({ offsetSeconds }) =>
    control.setClockOffset(offsetSeconds),
  )
  command('/users', user, body => control.createUser(body))
  command('/groups', group, body => control.createGroup(body))
  command('/friendship', z.object({ userId: z.string(), friendship }), body =>
    control.setFriendship(body.userId, body.friendship),
  )
  const quota = z.discriminatedUnion('type', [
    z.object({ type: z.literal('none') }),
    z.object({ type: z.literal('limited'), value: z.number().int() }),
  ])
  command('/quota', z.object({ quota: quota.optional(), totalUsage: z.number().int().optional() }), body =>
    control.setQuota(body.quota ?? state.quota, body.totalUsage),
  )
  command('/faults', fault, body => void control.injectFault(body))
}

function addPeopleCommands(command: Command, control: Control): void {
  const person = z.object({ userId: z.string(), ...actionOptions })
  const place = z.object({ groupId: z.string(), ...actionOptions })
  command('/follow', person, ({ userId, ...options }) => control.follow(userId, options))
  command('/unfollow', person, ({ userId, ...options }) => control.unfollow(userId, options))
  command('/join', place, ({ groupId, ...options }) => control.joinGroup(groupId, options))
  command('/leave', place, ({ groupId, ...options }) => control.leaveGroup(groupId, options))
  command('/members', place.extend({ userId: z.string() }), ({ groupId, userId, ...options }) =>
    control.addMember(groupId, userId, options),
  )
  const inChat = person.extend({ chatId: z.string().optional() })
  command('/text', inChat.extend({ text: z.string().min(1) }), ({ userId, chatId = userId, text, ...options }) =>
    control.sendText(userId, chatId, text, options),
  )
  const postback = inChat.extend({ data: z.string(), displayText: z.string().optional() })
  command('/postback', postback, ({ userId, chatId = userId, data, displayText, ...options }) =>
    control.pressPostback(userId, chatId, { data, displayText }, options),
  )
  const press = person.extend({ messageId: z.string(), label: z.string() })
  command('/press', press, ({ userId, messageId, label, ...options }) =>
    control.pressButton(userId, messageId, label, options),
  )
}

function addWebhookCommands(command: Command, state: State, control: Control): void {
  const events = z.object({ events: z.array(event), ...webhookOptions })
  command('/webhook/events', events, ({ events, ...options }) => control.sendRawEvents(events, options))
  command('/webhook/hold', nothing, () => control.holdEvents())
  const release = z.object({ order: z.enum(['same', 'reversed']).optional(), together: z.boolean().optional() })
  command('/webhook/release', release, body => control.releaseEvents(body))
  const again = z.object({ webhookEventId: z.string().optional(), ...webhookOptions })
  command('/webhook/redeliver', again, ({ webhookEventId, ...options }) => control.redeliver(webhookEventId, options))
  const settings = z.object({
    url: z.url().optional(),
    timeoutSeconds: z.number().positive().optional(),
    redeliveries: z.number().int().nonnegative().optional(),
    redeliveryDelaySeconds: z.number().nonnegative().optional(),
  })
  command('/webhook/settings', settings, ({ url = state.webhookUrl, ...policy }) => {
    state.webhookUrl = url
    Object.assign(state.webhookDelivery, policy)
  })
}

function addTokenCommands(command: Command, control: Control): void {
  const auto = z.object({ userId: z.string(), decision: z.enum(['allow', 'deny']), addFriend: z.boolean().optional() })
  command('/login/auto', auto, body => control.setAutoLogin(body))
  command('/keys/rotate', nothing, () => control.rotateKeys())
  command('/tokens/flaws', z.object({ flaws: z.array(flaw) }), body => void control.spoilNextIdTokens(body.flaws))
  const idToken = z.object({
    userId: z.string(),
    flaw: flaw.optional(),
    algorithm: z.enum(['ES256', 'HS256']).optional(),
    nonce: z.string().optional(),
  })
  command('/tokens/id', idToken, async ({ userId, ...options }) => ({
    idToken: await control.issueIdToken(userId, options),
  }))
  const accessToken = z.object({
    userId: z.string(),
    clientId: z.string().optional(),
    lifetimeSeconds: z.number().optional(),
    revoked: z.boolean().optional(),
  })
  command('/tokens/access', accessToken, ({ userId, ...options }) => ({
    accessToken: control.issueAccessToken(userId, options),
  }))
}

function addQueries(app: Hono, state: State, control: Control): void {
  app.get('/state', context =>
    context.json({
      offsetSeconds: state.clock.offsetSeconds(),
      now: new Date(state.clock.now()).toISOString(),
      users: [...state.users.values()],
      groups: [...state.groups.values()],
      webhookUrl: state.webhookUrl,
      quota: state.quota,
      totalUsage: state.totalUsage,
      version: state.version,
    }),
  )
  app.get('/outbox', context => {
    const to = context.req.query('to')
    return context.json(state.sentMessages.filter(sent => to === undefined || sent.to === to))
  })
  app.get('/chats/:chatId', context => context.json(state.chats.get(context.req.param('chatId')) ?? []))
  app.get('/deliveries', context => context.json(state.deliveries))
  const getInClientUrl = (query: Record<string, string>) => {
    const userId = query.userId ?? ''
    if (!state.users.has(userId)) throw new ControlError(`no user ${userId}`)
    return control.getInClientUrl(userId, query.path)
  }
  app.get('/in-client-url', async context => context.json({ url: await getInClientUrl(context.req.query()) }))
  app.get('/open', async context => context.redirect(await getInClientUrl(context.req.query())))
}
