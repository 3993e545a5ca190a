import * as z from 'zod'
import { type ChatAsk, readPress, readText } from './words.ts'

/** An event from LINE that concerns the shop; anything else that people write is not kept. */
export interface Heard {
  /** LINE's id of the event, the same when it is sent again. */
  eventId: string
  /** LINE's time of it. */
  at: string
  /** LINE's id of the person; null when LINE does not give it. */
  userId: string | null
  /** The group of the event; null in a chat with one person. */
  groupId: string | null
  /** Valid for one reply within a minute. */
  replyToken: string | null
  what: { is: 'asked'; ask: ChatAsk } | { is: 'followed' } | { is: 'unfollowed' } | { is: 'left' }
}

/** A text that a database can store: one that it can't would take the call's other events with it. */
const stored = z.string().refine(text => !text.includes('\0') && text.isWellFormed())
const LAST_MS = Date.parse('9999-12-31T00:00:00Z')

/** Other fields and kinds, which LINE may add, are ignored. */
const event = z.looseObject({
  type: z.string(),
  mode: z.string().optional(),
  timestamp: z.int().positive().max(LAST_MS),
  webhookEventId: stored.min(1).max(100),
  replyToken: stored.optional(),
  source: z.looseObject({ type: z.string(), userId: stored.optional(), groupId: stored.optional() }).optional(),
  message: z.looseObject({ type: z.string(), text: stored.optional() }).optional(),
  postback: z.looseObject({ data: stored }).optional(),
})
type Event = z.output<typeof event>

const asked = (ask: ChatAsk | null): Heard['what'] | null => ask && { is: 'asked', ask }

function whatOf({ type, mode, message, postback }: Event): Heard['what'] | null {
  if (type === 'follow') return { is: 'followed' }
  if (type === 'unfollow') return { is: 'unfollowed' }
  if (type === 'leave') return { is: 'left' }
  // Another service answers this chat at the moment.
  if (mode === 'standby') return null
  if (type === 'postback' && postback) return asked(readPress(postback.data))
  return type === 'message' && message?.type === 'text' && message.text ? asked(readText(message.text)) : null
}

/** Returns the events of a webhook call that concern the shop; unreadable ones are left out. */
export function readWebhook(body: unknown): Heard[] {
  const events = (body as { events?: unknown } | null)?.events
  if (!Array.isArray(events)) return []
  return events.flatMap(each => {
    const { data } = event.safeParse(each)
    const what = data && whatOf(data)
    if (!what) return []
    const { webhookEventId: eventId, timestamp, source = { type: '' }, replyToken = null } = data
    const { userId = null, groupId = null } = source
    // LINE's rooms of several people are not groups and can't be bound, so their events are ignored.
    if (source.type !== 'user' && source.type !== 'group') return []
    return [{ eventId, at: new Date(timestamp).toISOString(), userId, groupId, replyToken, what }]
  })
}
