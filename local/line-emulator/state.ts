import { randomBytes, randomInt } from 'node:crypto'
import type { Clock } from './clock.ts'

/** `blocked`: the person blocked the account. `none`: the person never added it. Neither gets its messages. */
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

/** How long LINE waits for the bot to answer an event, and how often it sends an event again that was not answered. */
interface WebhookDeliveryPolicy {
  timeoutSeconds: number
  redeliveries: number
  redeliveryDelaySeconds: number
}

/** What the emulator starts with. `reset` goes back to it. */
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

/** A request to log in, kept from the login page until its code is exchanged for tokens. */
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

/** How logins are answered without showing the login page. */
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

/** What a person shares with the share target picker. */
export interface Share {
  userId: string
  messages?: Message[]
  result?: 'SUCCESS' | 'CANCEL'
}

export interface ChatEntry {
  id: string
  at: number
  /** A user id, `bot` for the shop's account, or `system` for what LINE itself writes. */
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
  /** The exact path, or a prefix that ends with `*`. */
  path: string
  method?: string
  status?: number
  body?: unknown
  headers?: Record<string, string>
  delaySeconds?: number
  /** The request takes effect before it fails, as when an answer gets lost. */
  afterAcceptance?: boolean
  /** The connection is closed without an answer. */
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

/** A menu that LINE shows below the account's chat. */
export interface RichMenu {
  richMenuId: string
  definition: Record<string, unknown>
  /** A PNG or JPEG; undefined until it is uploaded. */
  picture?: { bytes: Buffer; type: string }
}

export interface State {
  seed: Seed
  clock: Clock
  /** The origin at which other sites find the pictures of people. */
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
  /** How much of the quota is used. */
  totalUsage: number
  userTokens: Map<string, UserToken>
  loginRequests: Map<string, LoginRequest>
  loginCodes: Map<string, LoginCode>
  autoLogin?: AutoLogin
  nextIdTokenFlaws: IdTokenFlaw[]
  /** The keys are one-time tokens. */
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
  /** The id of the menu that everybody sees. */
  defaultRichMenu?: string
  /** Grows with every change that the chat view shows, so that the view knows when to reload. */
  version: number
}

/** Creates the state that a seed describes, with no messages yet. */
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

/** Goes back to the seed, and the clock to the machine's time. The public address and the rich menus stay. */
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

/** Returns a picture's address for other sites. The emulator's own pages use the path, because they may be on TLS. */
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

/** Returns an id in LINE's form: one letter for the kind, then 32 hex digits. */
export function createLineId(kind: 'U' | 'C'): string {
  return kind + randomBytes(16).toString('hex')
}

/** Returns a long decimal number, as LINE's message ids are. */
export function createMessageId(): string {
  return `5${Array.from({ length: 17 }, () => randomInt(10)).join('')}`
}

export function createSecretText(byteCount = 24): string {
  return randomBytes(byteCount).toString('base64url')
}

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Returns a ULID, which is the form of `webhookEventId`. */
export function createUlid(now: number): string {
  let time = ''
  for (let left = now, i = 0; i < 10; i += 1, left = Math.floor(left / 32)) time = crockford[left % 32] + time
  return time + Array.from(randomBytes(16), byte => crockford[byte % 32]).join('')
}
