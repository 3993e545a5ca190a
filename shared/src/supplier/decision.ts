import { addSeconds } from '../time.ts'
import { ATTEMPT_STATE, type AttemptState, type PlaceAnswer, type StatusAnswer } from './supplier.ts'

/**
 * When an open purchase is asked about, in seconds after it was sent. After the last time staff must look at it, and it is
 * asked about further on, more and more rarely: silence of a supplier ends nothing.
 */
export const ASK_AFTER_SECONDS = [10, 30, 120, 300, 900]
const MOST_PAUSE_SECONDS = 3600
/** Staff are told that a purchase is not found only after this many such answers, the first at least this long ago. */
const NOT_FOUND_TIMES = 3
const NOT_FOUND_SECONDS = 600

/** The known facts about a purchase. */
export interface AttemptFacts {
  state: AttemptState
  sentAt: Date
  notFoundCount: number
  firstNotFoundAt: Date | null
  /** Whether staff were told that its outcome is open. */
  isWithStaff: boolean
  /** A later answer that contradicts the way it ended. */
  contradiction: AttemptState | null
}

/** Why staff must look at a purchase. */
export const STAFF_CALL = {
  unclear: 'ผู้จำหน่ายยังไม่บอกผลหลัง 15 นาที',
  notFound: 'ผู้จำหน่ายไม่พบคำสั่งซื้อนี้ แต่ยังยืนยันไม่ได้ว่าไม่ได้ซื้อ',
  contradiction: 'ผู้จำหน่ายบอกผลตรงข้ามกับที่บอกไว้ก่อน',
} as const

export type Step =
  | { to: 'ask'; at: Date }
  /** `at` is when it is asked about all the same; null for a purchase that has ended. */
  | { to: 'staff'; why: keyof typeof STAFF_CALL; at: Date | null }
  /** The purchase has ended, so the order goes on. */
  | { to: 'finish' }
  | { to: 'nothing' }

type Answer = PlaceAnswer | StatusAnswer

/** Returns the state of an open purchase after an answer; an uncertain answer does not change what is known. */
function stateAfter(state: AttemptState, answer: Answer): AttemptState {
  const { kind } = answer
  if (kind === 'delivered' || kind === 'failed' || kind === 'refunded') return kind
  if (kind === 'accepted' || kind === 'pending') return 'accepted'
  // A rejection after the supplier accepted the purchase is not certain.
  if (kind === 'rejected' && state !== 'accepted') return 'rejected'
  return state === 'accepted' ? 'accepted' : 'unknown'
}

const isGoods = (state: AttemptState) => ATTEMPT_STATE[state].hasGoods

/** Decides about an answer to a closed purchase: its state stays, and staff look at a contradiction. */
function decideLate(attempt: AttemptFacts, answer: Answer): { attempt: AttemptFacts; step: Step } {
  const said = stateAfter('unknown', answer)
  const isOpposite = !ATTEMPT_STATE[said].isOpen && isGoods(said) !== isGoods(attempt.state)
  if (!isOpposite || attempt.contradiction === said) return { attempt, step: { to: 'nothing' } }
  return { attempt: { ...attempt, contradiction: said }, step: { to: 'staff', why: 'contradiction', at: null } }
}

/** Returns when a purchase is asked about next, or that staff must look at it. */
function stepOf(attempt: AttemptFacts, wasAsked: boolean, now: Date): Step {
  const elapsed = (now.getTime() - attempt.sentAt.getTime()) / 1000
  const later = addSeconds(now, Math.min(Math.max(elapsed / 2, ASK_AFTER_SECONDS.at(-1)!), MOST_PAUSE_SECONDS))
  if (attempt.isWithStaff) return { to: 'ask', at: later }
  const next = ASK_AFTER_SECONDS.find(seconds => seconds > elapsed)
  if (next !== undefined) return { to: 'ask', at: addSeconds(attempt.sentAt, next) }
  // The job that should have asked did not run, so the supplier is asked once before staff are called.
  if (!wasAsked) return { to: 'ask', at: now }
  const { notFoundCount, firstNotFoundAt, state } = attempt
  const isLongGone = firstNotFoundAt !== null && addSeconds(firstNotFoundAt, NOT_FOUND_SECONDS) <= now
  const isNowhere = state !== 'accepted' && isLongGone && notFoundCount >= NOT_FOUND_TIMES
  return { to: 'staff', why: isNowhere ? 'notFound' : 'unclear', at: later }
}

/** Decides what an answer means for a purchase, and what happens next and when. */
export function decideAnswer(
  attempt: AttemptFacts,
  answer: Answer,
  asked: 'place' | 'status',
  now: Date,
): { attempt: AttemptFacts; step: Step } {
  if (!ATTEMPT_STATE[attempt.state].isOpen) return decideLate(attempt, answer)
  const state = stateAfter(attempt.state, answer)
  if (!ATTEMPT_STATE[state].isOpen) return { attempt: { ...attempt, state }, step: { to: 'finish' } }
  const isNotFound = answer.kind === 'notFound'
  const heard: AttemptFacts = {
    ...attempt,
    state,
    notFoundCount: attempt.notFoundCount + (isNotFound ? 1 : 0),
    firstNotFoundAt: attempt.firstNotFoundAt ?? (isNotFound ? now : null),
  }
  const step = stepOf(heard, asked === 'status', now)
  return { attempt: { ...heard, isWithStaff: heard.isWithStaff || step.to === 'staff' }, step }
}

/** Returns what staff are told about a purchase that waits for them; null when it does not. */
export function staffCallOf(attempt: Omit<AttemptFacts, 'sentAt' | 'firstNotFoundAt'>): string | null {
  const { contradiction, isWithStaff, state, notFoundCount } = attempt
  if (contradiction) return STAFF_CALL.contradiction
  if (!isWithStaff || !ATTEMPT_STATE[state].isOpen) return null
  return state === 'unknown' && notFoundCount >= NOT_FOUND_TIMES ? STAFF_CALL.notFound : STAFF_CALL.unclear
}

/**
 * Tells whether somebody went on although the outcome was open, or refunded the order; others must then check the
 * supplier's contradiction. @param refundedBy everybody who agreed to the refund
 */
export const isOwnRisk = (
  uid: string | null,
  { overruledBy }: { overruledBy: string | null },
  refundedBy: readonly (string | null)[],
): boolean => uid !== null && [overruledBy, ...refundedBy].includes(uid)
