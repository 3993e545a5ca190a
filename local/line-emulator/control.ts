import { createInClientUrl } from './liff.ts'
import {
  type AutoLogin,
  addChatEntry,
  createLineId,
  createMessageId,
  createSecretText,
  type Fault,
  type Friendship,
  type Group,
  type IdTokenFlaw,
  type Message,
  resetState,
  type State,
  type User,
  type WebhookDelivery,
  type WebhookEvent,
} from './state.ts'
import { issueAccessToken, type SigningKeys, signIdToken } from './tokens.ts'
import {
  createEvent,
  type EventOptions,
  type EventSource,
  redeliverEvents,
  sendEvents,
  type WebhookOptions,
} from './webhook.ts'

type Delivered = Promise<WebhookDelivery | undefined>
type ActionOptions = WebhookOptions & EventOptions & { withoutUserId?: boolean }
export type Control = ReturnType<typeof createControl>

/** Lets tests and the chat view act as the people in LINE, and make LINE fail. */
export function createControl(state: State, keys: SigningKeys) {
  return {
    ...createWorldControl(state, keys),
    ...createTokenControl(state, keys),
    ...createPeopleControl(state),
    ...createWebhookControl(state),
  }
}

function createWorldControl(state: State, keys: SigningKeys) {
  return {
    reset: () => resetState(state),
    setClockOffset: (seconds: number) => state.clock.setOffset(seconds),
    createUser(user: Partial<User> & { displayName: string }): User {
      const created: User = { userId: createLineId('U'), friendship: 'none', ...user }
      state.users.set(created.userId, created)
      state.version += 1
      return created
    },
    createGroup(group: Partial<Group> & { groupName: string }): Group {
      const created: Group = { groupId: createLineId('C'), memberIds: [], botJoined: false, ...group }
      state.groups.set(created.groupId, created)
      state.version += 1
      return created
    },
    /** Changes the friendship alone; `follow` and `unfollow` also send a webhook event. */
    setFriendship(userId: string, friendship: Friendship): void {
      findUser(state, userId).friendship = friendship
      state.version += 1
    },
    setQuota(quota: State['quota'], totalUsage = state.totalUsage): void {
      state.quota = quota
      state.totalUsage = totalUsage
    },
    injectFault: (fault: Omit<Fault, 'count'> & { count?: number }) => state.faults.push({ count: 1, ...fault }),
    setAutoLogin(login: AutoLogin | undefined): void {
      state.autoLogin = login
    },
    rotateKeys: () => keys.rotate(),
  }
}

function createTokenControl(state: State, keys: SigningKeys) {
  return {
    /** Gives each of the next ID tokens one of these flaws, in this order. */
    spoilNextIdTokens: (flaws: IdTokenFlaw[]) => state.nextIdTokenFlaws.push(...flaws),
    issueIdToken(userId: string, options: { flaw?: IdTokenFlaw; algorithm?: 'ES256' | 'HS256'; nonce?: string } = {}) {
      const user = findUser(state, userId)
      return signIdToken(state, keys, user, { algorithm: 'ES256', scope: state.liffApp.scope, ...options })
    },
    issueAccessToken(userId: string, options: { clientId?: string; lifetimeSeconds?: number; revoked?: boolean } = {}) {
      const { clientId, lifetimeSeconds = 43_200, revoked = false } = options
      const token = issueAccessToken(state, userId, { clientId, lifetimeSeconds, scope: state.liffApp.scope })
      state.userTokens.get(token)!.revoked = revoked
      return token
    },
    getInClientUrl: (userId: string, path = '/') => createInClientUrl(state, keys, userId, path),
  }
}

function createPeopleControl(state: State) {
  return {
    follow(userId: string, options: ActionOptions = {}): Delivered {
      const user = findUser(state, userId)
      const isUnblocked = user.friendship === 'blocked'
      user.friendship = 'friend'
      say(state, userId, 'system', systemText(isUnblocked ? 'เลิกบล็อกร้านแล้ว' : 'เพิ่มร้านเป็นเพื่อนแล้ว'))
      return emit(state, 'follow', { type: 'user', userId }, { follow: { isUnblocked } }, options)
    },
    unfollow(userId: string, options: ActionOptions = {}): Delivered {
      findUser(state, userId).friendship = 'blocked'
      say(state, userId, 'system', systemText('บล็อกร้านแล้ว'))
      return emit(state, 'unfollow', { type: 'user', userId }, {}, { ...options, hasReplyToken: false })
    },
    joinGroup(groupId: string, options: ActionOptions = {}): Delivered {
      findGroup(state, groupId).botJoined = true
      say(state, groupId, 'system', systemText('ร้านเข้าร่วมกลุ่มแล้ว'))
      return emit(state, 'join', { type: 'group', groupId }, {}, options)
    },
    leaveGroup(groupId: string, options: ActionOptions = {}): Delivered {
      findGroup(state, groupId).botJoined = false
      say(state, groupId, 'system', systemText('ร้านถูกนำออกจากกลุ่ม'))
      return emit(state, 'leave', { type: 'group', groupId }, {}, { ...options, hasReplyToken: false })
    },
    addMember(groupId: string, userId: string, options: ActionOptions = {}): Delivered {
      const group = findGroup(state, groupId)
      if (!group.memberIds.includes(userId)) group.memberIds.push(userId)
      const joined = { members: [{ type: 'user', userId }] }
      return emit(state, 'memberJoined', { type: 'group', groupId }, { joined }, options)
    },
    sendText(userId: string, chatId: string, text: string, options: ActionOptions = {}): Delivered {
      const message = { type: 'text', id: createMessageId(), text, quoteToken: createSecretText() }
      const source = getSource(state, userId, chatId, options)
      say(state, chatId, userId, { type: 'text', text })
      return emitFromChat(state, 'message', source, { message }, options)
    },
    /** Presses a postback button. Its `displayText` or `text` appears in the chat as the person's message. */
    pressPostback: (userId: string, chatId: string, action: PostbackAction, options: ActionOptions = {}) =>
      pressPostback(state, { userId, chatId, action, options }),
    /** Presses the postback button with this label in a message that the bot sent. */
    pressButton(userId: string, messageId: string, label: string, options: ActionOptions = {}): Delivered {
      const sent = state.sentMessages.find(
        entry => entry.messageId === messageId && (entry.to === userId || state.groups.has(entry.to)),
      )
      if (!sent) throw new ControlError(`no message ${messageId} in a chat of ${userId}`)
      const action = findActions(sent.message).find(found => found.label === label)
      if (action?.type !== 'postback') throw new ControlError(`message ${messageId} has no postback button "${label}"`)
      return pressPostback(state, { userId, chatId: sent.to, action: action as unknown as PostbackAction, options })
    },
  }
}

interface Press {
  userId: string
  chatId: string
  action: PostbackAction
  options: ActionOptions
}

function pressPostback(state: State, { userId, chatId, action, options }: Press): Delivered {
  const source = getSource(state, userId, chatId, options)
  const words = action.displayText ?? action.text
  if (words) say(state, chatId, userId, { type: 'text', text: words })
  return emitFromChat(state, 'postback', source, { postback: { data: action.data } }, options)
}

function createWebhookControl(state: State) {
  return {
    /** Sends any events, also of kinds that LINE may add later. Missing fields are filled in. */
    sendRawEvents(events: Partial<WebhookEvent>[], options: WebhookOptions = {}): Delivered {
      const source: EventSource = { type: 'user', userId: [...state.users.keys()][0]! }
      return sendEvents(
        state,
        events.map(event => ({ ...createEvent(state, event.type ?? 'unknown', source), ...event })),
        options,
      )
    },
    /** Keeps all events back until `releaseEvents` sends them. */
    holdEvents(): void {
      state.heldEvents ??= []
    },
    async releaseEvents({ order = 'same', together = true } = {} as ReleaseOptions): Promise<WebhookDelivery[]> {
      const held = state.heldEvents ?? []
      delete state.heldEvents
      const events = order === 'reversed' ? held.toReversed() : held
      const batches = together ? [events] : events.map(event => [event])
      const deliveries: WebhookDelivery[] = []
      for (const batch of batches) deliveries.push((await sendEvents(state, batch))!)
      return deliveries
    },
    /** Sends an event again as LINE does. Without an id it sends the last one. */
    redeliver(webhookEventId?: string, options: WebhookOptions = {}): Promise<WebhookDelivery> {
      const event = webhookEventId ? state.sentEvents.get(webhookEventId) : [...state.sentEvents.values()].at(-1)
      if (!event) throw new ControlError('no such event')
      return redeliverEvents(state, [event], options)
    },
  }
}

interface ReleaseOptions {
  order?: 'same' | 'reversed'
  together?: boolean
}
interface PostbackAction {
  data: string
  displayText?: string
  text?: string
}

/** The caller named a user, group, message, button or event that does not exist. */
export class ControlError extends Error {}

function findUser(state: State, userId: string): User {
  const user = state.users.get(userId)
  if (!user) throw new ControlError(`no user ${userId}`)
  return user
}

function findGroup(state: State, groupId: string): Group {
  const group = state.groups.get(groupId)
  if (!group) throw new ControlError(`no group ${groupId}`)
  return group
}

function getSource(state: State, userId: string, chatId: string, options: ActionOptions): EventSource {
  findUser(state, userId)
  if (chatId === userId) return { type: 'user', userId }
  findGroup(state, chatId)
  return { type: 'group', groupId: chatId, ...(!options.withoutUserId && { userId }) }
}

type EventFields = Record<string, unknown>

/** Sends an event from a chat. LINE sends none from people who blocked the account, or from groups it is not in. */
function emitFromChat(state: State, type: string, source: EventSource, fields: EventFields, options: ActionOptions) {
  const isHeard =
    source.type === 'user'
      ? findUser(state, source.userId).friendship !== 'blocked'
      : findGroup(state, source.groupId).botJoined
  return isHeard ? emit(state, type, source, fields, options) : Promise.resolve(undefined)
}

function emit(
  state: State,
  type: string,
  source: EventSource,
  fields: EventFields,
  { signature, encoding, mode, hasReplyToken }: ActionOptions,
): Delivered {
  return sendEvents(state, [createEvent(state, type, source, fields, { mode, hasReplyToken })], { signature, encoding })
}

function systemText(text: string): Message {
  return { type: 'text', text }
}

function say(state: State, chatId: string, from: string, message: Message): void {
  addChatEntry(state, chatId, { id: createMessageId(), at: state.clock.now(), from, message })
}

/** Finds all actions in a message, at any depth. */
function findActions(value: unknown): { type: string; label?: string; [property: string]: unknown }[] {
  if (Array.isArray(value)) return value.flatMap(findActions)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, child]) =>
    name === 'action' && typeof child === 'object' && child ? [child, ...findActions(child)] : findActions(child),
  )
}
