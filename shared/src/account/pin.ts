import { AppError } from '../errors.ts'
import { addSeconds, formatClock } from '../time.ts'

const PIN_WRONG_TRIES = 5
const PIN_LOCK_SECONDS = 15 * 60

/** What is kept of the tries at one person's PIN. */
export interface PinRecord {
  wrongTries: number
  lockedUntil: Date | null
}

export function isPinLocked(record: PinRecord, now: Date): boolean {
  return record.lockedUntil !== null && record.lockedUntil > now
}

/** What the tries at a secret of few digits are answered with. */
export interface TryErrors {
  wrong: 'PIN_WRONG' | 'TOTP_WRONG'
  locked: 'PIN_LOCKED' | 'TOTP_LOCKED'
}
const PIN_ERRORS: TryErrors = { wrong: 'PIN_WRONG', locked: 'PIN_LOCKED' }

/** Names the minute from which a try counts again. */
function lockedError(code: TryErrors['locked'], lockedUntil: Date): AppError {
  const nextMinute = new Date(Math.ceil(lockedUntil.getTime() / 60_000) * 60_000)
  return new AppError(code, { values: { time: formatClock(nextMinute) } })
}

/**
 * What one try does. A right PIN resets the count, the fifth wrong one locks for 15 minutes, and while locked even
 * the right one is refused and nothing is counted. The record is to be saved also when there is an error.
 */
export function decidePin(
  record: PinRecord,
  isRight: boolean,
  now: Date,
  errors: TryErrors = PIN_ERRORS,
): { record: PinRecord; error: AppError | null } {
  if (isPinLocked(record, now)) return { record, error: lockedError(errors.locked, record.lockedUntil!) }
  if (isRight) return { record: { wrongTries: 0, lockedUntil: null }, error: null }
  const wrongTries = (record.lockedUntil ? 0 : record.wrongTries) + 1
  if (wrongTries < PIN_WRONG_TRIES) {
    const left = PIN_WRONG_TRIES - wrongTries
    return { record: { wrongTries, lockedUntil: null }, error: new AppError(errors.wrong, { values: { n: left } }) }
  }
  const lockedUntil = addSeconds(now, PIN_LOCK_SECONDS)
  return { record: { wrongTries, lockedUntil }, error: lockedError(errors.locked, lockedUntil) }
}
