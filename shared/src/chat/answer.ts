/** LINE's answers to a message, as documented. */
export type SendAnswer =
  /** LINE has accepted it, now or at an earlier try with the same key. */
  | { kind: 'accepted'; requestId: string | null }
  /** LINE will never accept it, because the message or the receiver is wrong. */
  | { kind: 'refused'; message: string }
  /** The reply came too late, or was the second one. */
  | { kind: 'tooLate' }
  /** The month's messages are used up. */
  | { kind: 'full' }
  /** Too many messages at once; the same may be sent later. */
  | { kind: 'tooMany' }
  /** The channel's token is invalid or lacks the permission. */
  | { kind: 'denied' }
  /** The result is unknown; LINE may have accepted it. */
  | { kind: 'unknown' }

interface ErrorBody {
  message?: string
  details?: { message?: string; property?: string }[]
}

const MONTH = /monthly limit/i
const REPLY_TOKEN = /reply token/i

/** Interprets LINE's answer; `null` means that no whole answer came in time. */
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
