import { AppError } from '../errors.ts'
import { addSeconds, bangkokDay, DAY_MS, formatClock, formatShort, startOfBangkokDay, wholeMinute } from '../time.ts'

/** This many wrong tries in a row, since the last right PIN, lock. */
export const PIN_TRIES_IN_A_ROW = 5
/** This many wrong tries in one Bangkok day, even with right ones between them, lock until the next day. */
export const PIN_TRIES_A_DAY = 10
/** The duration of the first, second and third lock; the next one holds until staff give a new PIN. */
const PIN_LOCK_SECONDS = [15 * 60, 3600, 24 * 3600] as const
/** After this time without a lock, the next one counts as the first again. */
const PIN_LOCKS_REMEMBERED_DAYS = 30

/** The stored state of the tries at one person's PIN. A new PIN begins with NO_TRIES. */
export interface PinRecord {
  /** Wrong tries in a row, since the last right PIN or lock. */
  wrongTries: number
  /** The last Bangkok day with a wrong try, "YYYY-MM-DD", and how many it had. */
  day: string | null
  dayTries: number
  /** The number of locks in a row, each within 30 days of the previous one. */
  locks: number
  lockedAt: Date | null
  /** When the last lock ends or ended; null without a lock, and when only staff can open it. */
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

/** A lock in force; `until` null means until staff give a new PIN. */
export interface PinLock {
  at: Date
  until: Date | null
}

/** Returns the lock in force; null when the PIN may be tried. */
export function pinLockOf({ lockedAt, lockedUntil }: PinRecord, now: Date): PinLock | null {
  if (lockedAt === null || (lockedUntil !== null && lockedUntil <= now)) return null
  return { at: lockedAt, until: lockedUntil }
}

/** Returns the number of wrong tries on the day of `now`. */
export const pinTriesOn = ({ day, dayTries }: PinRecord, now: Date): number =>
  day !== null && day >= bangkokDay(now) ? dayTries : 0

/** Returns when a lock ends: "14:16 น.", or "21 พ.ย. · 00:00 น." on another day. */
export function formatPinLockEnd(until: Date, now: Date): string {
  const end = wholeMinute(until)
  return bangkokDay(end) === bangkokDay(now) ? formatClock(end) : formatShort(end)
}

/** Returns the error of every try while the lock is in force. */
export function pinLockedError({ until }: PinLock, now: Date): AppError {
  if (until === null) return new AppError('PIN_NEEDS_RESET')
  return new AppError('PIN_LOCKED', { values: { time: formatPinLockEnd(until, now) } })
}

const later = (one: Date, other: Date): Date => (one > other ? one : other)

/** Returns the record with the next lock, which is longer each time. */
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
  /** The new record, which must be saved even when there is an error. */
  record: PinRecord
  error: AppError | null
  /** The lock that this very try caused. */
  lock: PinLock | null
}

/**
 * Decides one try. A right PIN ends the series of wrong ones, but does not change the day's count or a lock. While
 * locked, even the right PIN is refused and nothing is counted.
 */
export function decidePin(record: PinRecord, isRight: boolean, now: Date): PinDecision {
  const standing = pinLockOf(record, now)
  if (standing) return { record, error: pinLockedError(standing, now), lock: null }
  if (isRight) return { record: { ...record, wrongTries: 0 }, error: null, lock: null }
  // Two servers' clocks may differ around midnight; then the later day counts.
  const today = bangkokDay(now)
  const day = record.day !== null && record.day > today ? record.day : today
  const missed = { ...record, day, wrongTries: record.wrongTries + 1, dayTries: pinTriesOn(record, now) + 1 }
  const left = Math.min(PIN_TRIES_IN_A_ROW - missed.wrongTries, PIN_TRIES_A_DAY - missed.dayTries)
  if (left > 0) return { record: missed, error: new AppError('PIN_WRONG', { values: { n: left } }), lock: null }
  const locked = lockPin(missed, missed.dayTries >= PIN_TRIES_A_DAY, now)
  const lock = { at: now, until: locked.lockedUntil }
  return { record: locked, error: pinLockedError(lock, now), lock }
}
