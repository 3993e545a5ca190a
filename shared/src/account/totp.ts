import { AppError } from '../errors.ts'
import { addSeconds, formatClock, wholeMinute } from '../time.ts'

/** The header with the secret that a browser was given when a code confirmed its session. */
export const SESSION_KEY = 'session-key'

/** So long a new app waits for its first code. */
export const ENROLMENT_SECONDS = 600

const QUARTER_HOUR = 15 * 60

/** What wrong codes are counted by, how many each bears in a row, and for how long it is locked then. */
const CODE_COUNT = {
  /** A browser from which the person once gave a right code. */
  browser: { most: 5, lockSeconds: QUARTER_HOUR, lockedAs: 'TOTP_LOCKED' },
  /** One sign-in in any other browser. */
  signIn: { most: 5, lockSeconds: QUARTER_HOUR, lockedAs: 'TOTP_LOCKED' },
  /** All sign-ins in other browsers together: somebody with the password begins as many as they like. */
  strangers: { most: 10, lockSeconds: 3600, lockedAs: 'TOTP_STRANGERS_LOCKED' },
} as const
export type CodeCount = keyof typeof CODE_COUNT

/** What is kept of the tries that one of them counts. */
export interface CodeRecord {
  wrongTries: number
  lockedUntil: Date | null
}
export type CodeRecords = Partial<Record<CodeCount, CodeRecord>>

export const NO_CODE_TRIES: CodeRecord = { wrongTries: 0, lockedUntil: null }

interface Counted extends CodeRecord {
  count: CodeCount
}

const countedOf = (records: CodeRecords): Counted[] =>
  (Object.keys(records) as CodeCount[]).map(count => ({ count, ...records[count]! }))

const recordsOf = (counted: readonly Counted[]): CodeRecords =>
  Object.fromEntries(counted.map(({ count, ...record }) => [count, record]))

const isLocked = ({ lockedUntil }: CodeRecord, now: Date): boolean => lockedUntil !== null && lockedUntil > now

export const isCodeLocked = (records: CodeRecords, now: Date): boolean =>
  countedOf(records).some(each => isLocked(each, now))

/** Of several locks the one that ends last is told. */
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

/** What a try made of the counts. They are to be saved also when there is an error. */
export interface CodeDecision {
  records: CodeRecords
  error: AppError | null
  /** The counts that this try locked. */
  locks: CodeCount[]
}

/**
 * What one try does to every count it falls under. A right code resets them, a wrong one may lock them, and while one is
 * locked even the right code is refused and nothing is counted.
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
