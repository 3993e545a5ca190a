/** What LINE made of a message, as its documents say. */
export type SendAnswer =
  /** It has it, now or from an earlier try with the same key. */
  | { kind: 'accepted'; requestId: string | null }
  /** It never will: the message or the receiver is wrong. */
  | { kind: 'refused'; message: string }
  /** A reply came after its time, or a second one. */
  | { kind: 'tooLate' }
  /** The month's messages are used up. */
  | { kind: 'full' }
  /** Too many at once; the same may be sent in a while. */
  | { kind: 'tooMany' }
  /** The channel's token is none, or not for this. */
  | { kind: 'denied' }
  /** Nothing that can be relied on: it may have it. */
  | { kind: 'unknown' }

interface ErrorBody {
  message?: string
  details?: { message?: string; property?: string }[]
}

const MONTH = /monthly limit/i
const REPLY_TOKEN = /reply token/i

/** What LINE's answer means. `null`: no whole answer came in time. */
export function readSendAnswer(reply: { status: number; requestId: string | null; body: unknown } | null): SendAnswer {
  if (!reply) return { kind: 'unknown' }
  const { status, requestId } = reply
  // The same key was accepted before.
  if (status === 200 || status === 409) return { kind: 'accepted', requestId }
  const { message = '', details = [] } = (reply.body ?? {}) as ErrorBody
  if (status === 429) return { kind: MONTH.test(message) ? 'full' : 'tooMany' }
  if (status === 401 || status === 403) return { kind: 'denied' }
  if (status < 400 || status >= 500 || status === 408) return { kind: 'unknown' }
  if (REPLY_TOKEN.test(message)) return { kind: 'tooLate' }
  const [first] = details
  return { kind: 'refused', message: [message, first?.property, first?.message].filter(Boolean).join(' · ') }
}
