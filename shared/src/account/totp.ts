import { AppError } from '../errors.ts'
import { keysOf } from '../table.ts'
import { addSeconds, formatClock, wholeMinute } from '../time.ts'

/** The header with the secret that a browser received when a code confirmed its session. */
export const SESSION_KEY = 'session-key'

/** How long a new app waits for its first code. */
export const ENROLMENT_SECONDS = 600

const QUARTER_HOUR = 15 * 60

/** How wrong codes are counted: how many in a row each counter allows, and how long it is then locked. */
const CODE_COUNT = {
  /** For a browser from which the person once gave a right code. */
  browser: { most: 5, lockSeconds: QUARTER_HOUR, lockedAs: 'TOTP_LOCKED' },
  /** For one sign-in in any other browser. */
  signIn: { most: 5, lockSeconds: QUARTER_HOUR, lockedAs: 'TOTP_LOCKED' },
  /** For all sign-ins in other browsers together, because somebody with the password can begin any number of them. */
  strangers: { most: 10, lockSeconds: 3600, lockedAs: 'TOTP_STRANGERS_LOCKED' },
} as const
export type CodeCount = keyof typeof CODE_COUNT

/** The stored state of one counter. */
export interface CodeRecord {
  wrongTries: number
  lockedUntil: Date | null
}
export type CodeRecords = Partial<Record<CodeCount, CodeRecord>>

export const NO_CODE_TRIES: CodeRecord = { wrongTries: 0, lockedUntil: null }

interface Counted extends CodeRecord {
  count: CodeCount
}

const countedOf = (records: CodeRecords): Counted[] => keysOf(records).map(count => ({ count, ...records[count]! }))

const recordsOf = (counted: readonly Counted[]): CodeRecords =>
  Object.fromEntries(counted.map(({ count, ...record }) => [count, record]))

const isLocked = ({ lockedUntil }: CodeRecord, now: Date): boolean => lockedUntil !== null && lockedUntil > now

export const isCodeLocked = (records: CodeRecords, now: Date): boolean =>
  countedOf(records).some(each => isLocked(each, now))

/** When several counters are locked, the error names the lock that ends last. */
function lockedError(locked: readonly Counted[]): AppError {
  const [last] = locked.toSorted((a, b) => b.lockedUntil!.getTime() - a.lockedUntil!.getTime())
  const time = formatClock(wholeMinute(last!.lockedUntil!))
  return new AppError(CODE_COUNT[last!.count].lockedAs, { values: { time } })
}

function afterWrong({ count, wrongTries, lockedUntil }: Counted, now: Date): Counted {
  const { most, lockSeconds } = CODE_COUNT[count]
  const tries = (lockedUntil ? 0 : wrongTries) + 1
  return { count, wrongTries: tries, lockedUntil: tries < most ? null : addSeconds(now, lockSeconds) }
}

const leftOf = ({ count, wrongTries }: Counted): number => CODE_COUNT[count].most - wrongTries

/** The result of a try. The counters must be saved even when there is an error. */
export interface CodeDecision {
  records: CodeRecords
  error: AppError | null
  /** The counters that this try locked. */
  locks: CodeCount[]
}

/**
 * Applies one try to all of its counters. A right code resets them and a wrong one may lock them. While one is locked,
 * even the right code is refused and nothing is counted.
 */
export function decideCode(records: CodeRecords, isRight: boolean, now: Date): CodeDecision {
  const before = countedOf(records)
  const locked = before.filter(each => isLocked(each, now))
  if (locked.length > 0) return { records, error: lockedError(locked), locks: [] }
  if (isRight)
    return { records: recordsOf(before.map(({ count }) => ({ count, ...NO_CODE_TRIES }))), error: null, locks: [] }
  const after = before.map(each => afterWrong(each, now))
  const locks = after.filter(each => isLocked(each, now))
  const left = Math.min(...after.map(leftOf))
  const error = locks.length > 0 ? lockedError(locks) : new AppError('TOTP_WRONG', { values: { n: left } })
  return { records: recordsOf(after), error, locks: locks.map(({ count }) => count) }
}
