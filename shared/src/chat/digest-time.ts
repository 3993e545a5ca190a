import { nextOpeningOf } from '../settings/opening-hours.ts'

/** When this part of the month's messages is used, messages are saved where possible. */
const LOW = 0.8
/** Single messages are then replaced by a digest in this interval. */
const LOW_MINUTES = 30
const MINUTE_MS = 60_000

/** The messages that the month allows (null = no limit) and those used. */
export interface ChatQuota {
  limit: number | null
  used: number
}

export const isChatQuotaLow = ({ limit, used }: ChatQuota): boolean => limit !== null && used >= limit * LOW

/**
 * Returns when a message to a room is sent as part of a digest; null when it is sent alone and now.
 * @param hours the hours in which single messages are sent, "HH:MM-HH:MM"; '' means always
 * @param everyMinutes the interval of digests within these hours; 0 means that each message is sent alone
 * @param mayWait whether this message may wait for a digest when the month's messages run out
 */
export function digestTimeOf(
  at: { hours: string; everyMinutes: number; mayWait: boolean; quota: ChatQuota },
  now: Date,
): Date | null {
  const opening = nextOpeningOf(at.hours, now)
  if (opening || !at.mayWait) return opening
  const minutes = Math.max(at.everyMinutes, isChatQuotaLow(at.quota) ? LOW_MINUTES : 0)
  if (minutes === 0) return null
  const everyMs = minutes * MINUTE_MS
  return new Date((Math.floor(now.getTime() / everyMs) + 1) * everyMs)
}
