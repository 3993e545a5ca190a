import * as z from 'zod'
import { type ChatAsk, readPress, readText } from './words.ts'

/** What LINE tells the shop of, as far as it concerns the shop; the rest of what people say is not kept. */
export interface Heard {
  /** LINE's id of the event, the same when it is told again. */
  eventId: string
  /** LINE's time of it. */
  at: string
  /** Who did it; null where LINE does not say. */
  userId: string | null
  /** The group it happened in; null in a chat with one person. */
  groupId: string | null
  /** Good for one answer within a minute. */
  replyToken: string | null
  what: { is: 'asked'; ask: ChatAsk } | { is: 'followed' } | { is: 'unfollowed' } | { is: 'left' }
}

/** Fields and kinds that LINE adds later are no concern of ours. */
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
  // Another service answers this chat just now.
  if (mode === 'standby') return null
  if (type === 'postback' && postback) return asked(readPress(postback.data))
  return type === 'message' && message?.type === 'text' && message.text ? asked(readText(message.text)) : null
}

/** What of a webhook call concerns the shop; whatever can't be read is left out. */
export function readWebhook(body: unknown): Heard[] {
  const events = (body as { events?: unknown } | null)?.events
  if (!Array.isArray(events)) return []
  return events.flatMap(each => {
    const { data } = event.safeParse(each)
    const what = data && whatOf(data)
    if (!what) return []
    const { webhookEventId: eventId, timestamp, source = { type: '' }, replyToken = null } = data
    const { userId = null, groupId = null } = source
    // Rooms of several people that are no group can't be bound, so nothing is done there.
    if (source.type !== 'user' && source.type !== 'group') return []
    return [{ eventId, at: new Date(timestamp).toISOString(), userId, groupId, replyToken, what }]
  })
}
