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

/** Other fields and kinds, which LINE may add, are ignored. */
const event = z.looseObject({
  type: z.string(),
  mode: z.string().optional(),
  timestamp: z.number(),
  webhookEventId: z.string().min(1).max(100),
  replyToken: z.string().optional(),
  source: z.looseObject({ type: z.string(), userId: z.string().optional(), groupId: z.string().optional() }).optional(),
  message: z.looseObject({ type: z.string(), text: z.string().optional() }).optional(),
  postback: z.looseObject({ data: z.string() }).optional(),
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
