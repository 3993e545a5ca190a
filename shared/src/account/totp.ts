import { AppError } from '../errors.ts'
import { addSeconds, formatClock, wholeMinute } from '../time.ts'

const WRONG_TRIES = 5
const LOCK_SECONDS = 15 * 60

/** What is kept of the tries at the code of one person's authenticator app. */
export interface CodeRecord {
  wrongTries: number
  lockedUntil: Date | null
}

export function isCodeLocked({ lockedUntil }: CodeRecord, now: Date): boolean {
  return lockedUntil !== null && lockedUntil > now
}

const lockedError = (lockedUntil: Date): AppError =>
  new AppError('TOTP_LOCKED', { values: { time: formatClock(wholeMinute(lockedUntil)) } })

/**
 * What one try does. A right code resets the count, the fifth wrong one locks for 15 minutes, and while locked even
 * the right one is refused and nothing is counted. The record is to be saved also when there is an error.
 */
export function decideCode(
  record: CodeRecord,
  isRight: boolean,
  now: Date,
): { record: CodeRecord; error: AppError | null } {
  if (isCodeLocked(record, now)) return { record, error: lockedError(record.lockedUntil!) }
  if (isRight) return { record: { wrongTries: 0, lockedUntil: null }, error: null }
  const wrongTries = (record.lockedUntil ? 0 : record.wrongTries) + 1
  if (wrongTries < WRONG_TRIES) {
    const left = WRONG_TRIES - wrongTries
    return { record: { wrongTries, lockedUntil: null }, error: new AppError('TOTP_WRONG', { values: { n: left } }) }
  }
  const lockedUntil = addSeconds(now, LOCK_SECONDS)
  return { record: { wrongTries, lockedUntil }, error: lockedError(lockedUntil) }
}
