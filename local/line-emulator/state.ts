import { randomBytes, randomInt } from 'node:crypto'
import type { Clock } from './clock.ts'

/** `blocked` keeps the chat but nothing is delivered, `none` was never a friend. */
export type Friendship = 'friend' | 'blocked' | 'none'

export interface User {
  userId: string
  displayName: string
  friendship: Friendship
  language?: string
  pictureUrl?: string
  statusMessage?: string
  email?: string
}

export interface Group {
  groupId: string
  groupName: string
  memberIds: string[]
  botJoined: boolean
}

type BotPrompt = 'off' | 'normal' | 'aggressive'

interface LiffApp {
  liffId: string
  endpointUrl: string
  scope: string[]
  botPrompt: BotPrompt
}

type Quota = { type: 'none' } | { type: 'limited'; value: number }

/** LINE gives a bot two seconds and, where redelivery is on, tries again a few times. */
interface WebhookDeliveryPolicy {
  timeoutSeconds: number
  redeliveries: number
  redeliveryDelaySeconds: number
}

/** What a world starts with; `reset` goes back to it. */
export interface Seed {
  loginChannel: { id: string; secret: string; name: string; callbackUrls: string[] }
  messagingChannel: { id: string; secret: string; accessToken: string }
  officialAccount: { userId: string; basicId: string; displayName: string }
  liffApp: LiffApp
  webhookUrl: string
  webhookDelivery: WebhookDeliveryPolicy
  users: User[]
  groups: Group[]
  quota: Quota
}

export interface UserToken {
  userId: string
  clientId: string
  scope: string[]
  expiresAt: number
  revoked: boolean
}

/** An authorize request, kept from the page to the token call. */
export interface LoginRequest {
  kind: 'liff' | 'web'
  clientId: string
  redirectUri: string
  state: string
  scope: string[]
  nonce?: string
  codeChallenge?: string
  botPrompt: BotPrompt
}

export type LoginCode = LoginRequest & { userId: string; expiresAt: number }

/** How the next login is answered without a person at the page. */
export interface AutoLogin {
  userId: string
  decision: 'allow' | 'deny'
  addFriend?: boolean
}

export type IdTokenFlaw = 'expired' | 'audience' | 'issuer' | 'signature' | 'kid' | 'hs256'

export interface Message {
  type: string
  [property: string]: unknown
}

/** What a person hands on to chats of theirs. */
export interface Share {
  userId: string
  messages?: Message[]
  result?: 'SUCCESS' | 'CANCEL'
}

export interface ChatEntry {
  id: string
  at: number
  /** A user id, or `bot`, or `system` for what LINE writes itself. */
  from: string
  message: Message
}

export type SendKind = 'push' | 'reply'

interface SentMessage {
  messageId: string
  quoteToken: string
  at: number
  kind: SendKind
  to: string
  message: Message
  delivered: boolean
  requestId: string
  retryKey?: string
  notificationDisabled: boolean
}

interface AcceptedSend {
  requestId: string
  at: number
  sentMessages: { id: string; quoteToken: string }[]
}

interface ReplyToken {
  chatId: string
  issuedAt: number
  expiresAt: number
  used: boolean
}

export interface WebhookDelivery {
  id: string
  at: number
  url: string
  eventIds: string[]
  eventTypes: string[]
  isRedelivery: boolean
  outcome: 'ok' | 'error_status_code' | 'request_timeout' | 'could_not_connect'
  signature: 'valid' | 'wrong' | 'missing'
  statusCode?: number
  durationMs: number
}

export interface Fault {
  /** Exact path, or a prefix when it ends with `*`. */
  path: string
  method?: string
  status?: number
  body?: unknown
  headers?: Record<string, string>
  delaySeconds?: number
  /** The request takes effect first and only then the fault answers, like a lost reply. */
  afterAcceptance?: boolean
  /** Drops the connection without an answer. */
  dropConnection?: boolean
  count: number
}

export interface WebhookEvent {
  type: string
  mode: 'active' | 'standby'
  timestamp: number
  source?: { type: string; userId?: string; groupId?: string }
  webhookEventId: string
  deliveryContext: { isRedelivery: boolean }
  replyToken?: string
  [property: string]: unknown
}

/** A menu under the account's chat. */
export interface RichMenu {
  richMenuId: string
  definition: Record<string, unknown>
  /** PNG or JPEG, once it was uploaded. */
  picture?: { bytes: Buffer; type: string }
}

export interface State {
  seed: Seed
  clock: Clock
  /** Origin of the plain HTTP listener; pictures and links of the chat view use it. */
  publicUrl: string
  loginChannel: Seed['loginChannel']
  messagingChannel: Seed['messagingChannel']
  officialAccount: Seed['officialAccount']
  liffApp: LiffApp
  webhookUrl: string
  webhookDelivery: WebhookDeliveryPolicy
  users: Map<string, User>
  groups: Map<string, Group>
  quota: Quota
  /** Messages counted this month. */
  totalUsage: number
  userTokens: Map<string, UserToken>
  loginRequests: Map<string, LoginRequest>
  loginCodes: Map<string, LoginCode>
  autoLogin?: AutoLogin
  nextIdTokenFlaws: IdTokenFlaw[]
  /** By the one-time token of the page that shares. */
  shares: Map<string, Share>
  chats: Map<string, ChatEntry[]>
  sentMessages: SentMessage[]
  retryKeys: Map<string, AcceptedSend>
  replyTokens: Map<string, ReplyToken>
  deliveries: WebhookDelivery[]
  heldEvents?: WebhookEvent[]
  sentEvents: Map<string, WebhookEvent>
  faults: Fault[]
  richMenus: Map<string, RichMenu>
  /** The menu that everybody sees. */
  defaultRichMenu?: string
  /** Grows with every change of a chat, so that the chat view knows when to draw again. */
  version: number
}

/** A world with nothing said yet, as the seed describes it. */
export function createState(seed: Seed, clock: Clock, publicUrl: string): State {
  const world = structuredClone(seed)
  return {
    seed,
    clock,
    publicUrl,
    loginChannel: world.loginChannel,
    messagingChannel: world.messagingChannel,
    officialAccount: world.officialAccount,
    liffApp: world.liffApp,
    webhookUrl: world.webhookUrl,
    webhookDelivery: world.webhookDelivery,
    users: new Map(world.users.map(user => [user.userId, user])),
    groups: new Map(world.groups.map(group => [group.groupId, group])),
    quota: world.quota,
    totalUsage: 0,
    userTokens: new Map(),
    loginRequests: new Map(),
    loginCodes: new Map(),
    nextIdTokenFlaws: [],
    shares: new Map(),
    chats: new Map(),
    sentMessages: [],
    retryKeys: new Map(),
    replyTokens: new Map(),
    deliveries: [],
    sentEvents: new Map(),
    faults: [],
    richMenus: new Map(),
    version: 1,
  }
}

/** Puts the world back to its seed, clock included; the listener keeps its address, and the account the menu it was given. */
export function resetState(state: State): void {
  const { version, richMenus, defaultRichMenu } = state
  delete state.autoLogin
  delete state.heldEvents
  state.clock.setOffset(0)
  Object.assign(state, createState(state.seed, state.clock, state.publicUrl), {
    version: version + 1,
    richMenus,
    defaultRichMenu,
  })
}

export function isFriend(user: User): boolean {
  return user.friendship === 'friend'
}

/** A profile picture for other sites; the emulator's own pages use the path, as they may be on TLS. */
export function getPictureUrl(state: State, user: User): string {
  return new URL(getPicturePath(user), state.publicUrl).href
}

export function getPicturePath(user: User): string {
  return user.pictureUrl ?? `/__emu/pictures/${user.userId}`
}

export function addChatEntry(state: State, chatId: string, entry: ChatEntry): void {
  const chat = state.chats.get(chatId)
  if (chat) chat.push(entry)
  else state.chats.set(chatId, [entry])
  state.version += 1
}

/** LINE's ids: one letter for the kind, then 32 hex digits. */
export function createLineId(kind: 'U' | 'C'): string {
  return kind + randomBytes(16).toString('hex')
}

/** Message ids are long decimal numbers. */
export function createMessageId(): string {
  return `5${Array.from({ length: 17 }, () => randomInt(10)).join('')}`
}

export function createSecretText(byteCount = 24): string {
  return randomBytes(byteCount).toString('base64url')
}

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A ULID, the form of `webhookEventId`. */
export function createUlid(now: number): string {
  let time = ''
  for (let left = now, i = 0; i < 10; i += 1, left = Math.floor(left / 32)) time = crockford[left % 32] + time
  return time + Array.from(randomBytes(16), byte => crockford[byte % 32]).join('')
}
