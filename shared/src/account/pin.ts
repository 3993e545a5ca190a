import { AppError } from '../errors.ts'
import { addSeconds, bangkokDay, DAY_MS, formatClock, formatShort, startOfBangkokDay, wholeMinute } from '../time.ts'

/** Wrong tries in a row, from one right PIN to the next; this many lock. */
export const PIN_TRIES_IN_A_ROW = 5
/** Wrong tries in one Bangkok day, whatever else was typed between them; this many lock until the next day. */
export const PIN_TRIES_A_DAY = 10
/** How long the first, second and third lock hold; the one after them holds until staff give a new PIN. */
const PIN_LOCK_SECONDS = [15 * 60, 3600, 24 * 3600] as const
/** So long after the last lock the next one is a first one again. */
const PIN_LOCKS_REMEMBERED_DAYS = 30

/** What is kept of the tries at one person's PIN. A new PIN begins with NO_TRIES. */
export interface PinRecord {
  /** In a row, since the last right PIN or lock. */
  wrongTries: number
  /** The last Bangkok day that had a wrong try, "YYYY-MM-DD", and how many it had. */
  day: string | null
  dayTries: number
  /** How many locks in a row, each within 30 days of the one before. */
  locks: number
  lockedAt: Date | null
  /** Until when the last lock holds or held; null without one, and where only staff can open it. */
  lockedUntil: Date | null
}

export const NO_TRIES: PinRecord = {
  wrongTries: 0,
  day: null,
  dayTries: 0,
  locks: 0,
  lockedAt: null,
  lockedUntil: null,
}

/** A lock that holds; `until` null: until staff give a new PIN. */
export interface PinLock {
  at: Date
  until: Date | null
}

/** The lock that holds now; null when the PIN may be tried. */
export function pinLockOf({ lockedAt, lockedUntil }: PinRecord, now: Date): PinLock | null {
  if (lockedAt === null || (lockedUntil !== null && lockedUntil <= now)) return null
  return { at: lockedAt, until: lockedUntil }
}

/** How many wrong tries the day of `now` has had. */
export const pinTriesOn = ({ day, dayTries }: PinRecord, now: Date): number =>
  day !== null && day >= bangkokDay(now) ? dayTries : 0

/** From when a lock lets try again: "14:16 น.", or "21 พ.ย. · 00:00 น." on another day. */
export function formatPinLockEnd(until: Date, now: Date): string {
  const end = wholeMinute(until)
  return bangkokDay(end) === bangkokDay(now) ? formatClock(end) : formatShort(end)
}

/** What every try is answered with while the lock holds. */
export function pinLockedError({ until }: PinLock, now: Date): AppError {
  if (until === null) return new AppError('PIN_NEEDS_RESET')
  return new AppError('PIN_LOCKED', { values: { time: formatPinLockEnd(until, now) } })
}

const later = (one: Date, other: Date): Date => (one > other ? one : other)

/** The wrong tries are used up: the lock that follows, longer each time. */
function lockPin(record: PinRecord, isDayUsedUp: boolean, now: Date): PinRecord {
  const forgottenAt = record.lockedAt && addSeconds(record.lockedAt, (PIN_LOCKS_REMEMBERED_DAYS * DAY_MS) / 1000)
  const earlier = forgottenAt && forgottenAt > now ? record.locks : 0
  const seconds = PIN_LOCK_SECONDS[earlier]
  const nextDay = new Date(startOfBangkokDay(bangkokDay(now)).getTime() + DAY_MS)
  const end = seconds === undefined ? null : addSeconds(now, seconds)
  const lockedUntil = end && isDayUsedUp ? later(end, nextDay) : end
  return { ...record, wrongTries: 0, locks: earlier + 1, lockedAt: now, lockedUntil }
}

export interface PinDecision {
  /** To be saved, also when there is an error. */
  record: PinRecord
  error: AppError | null
  /** The lock that began with this very try. */
  lock: PinLock | null
}

/**
 * What one try does. A right PIN ends the wrong ones in a row, but takes back neither the day's nor a lock. While
 * locked even the right one is refused and nothing is counted.
 */
export function decidePin(record: PinRecord, isRight: boolean, now: Date): PinDecision {
  const standing = pinLockOf(record, now)
  if (standing) return { record, error: pinLockedError(standing, now), lock: null }
  if (isRight) return { record: { ...record, wrongTries: 0 }, error: null, lock: null }
  // Of two servers' clocks around midnight the later day counts.
  const today = bangkokDay(now)
  const day = record.day !== null && record.day > today ? record.day : today
  const missed = { ...record, day, wrongTries: record.wrongTries + 1, dayTries: pinTriesOn(record, now) + 1 }
  const left = Math.min(PIN_TRIES_IN_A_ROW - missed.wrongTries, PIN_TRIES_A_DAY - missed.dayTries)
  if (left > 0) return { record: missed, error: new AppError('PIN_WRONG', { values: { n: left } }), lock: null }
  const locked = lockPin(missed, missed.dayTries >= PIN_TRIES_A_DAY, now)
  const lock = { at: now, until: locked.lockedUntil }
  return { record: locked, error: pinLockedError(lock, now), lock }
}
