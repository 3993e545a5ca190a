import { addSeconds } from '../time.ts'
import { ATTEMPT_STATE, type AttemptState, type PlaceAnswer, type StatusAnswer } from './supplier.ts'

/** When a purchase whose outcome is open is asked about, in seconds from its sending; after the last one it is staff's. */
export const ASK_AFTER_SECONDS = [10, 30, 120, 300, 900]
/** That it is not found proves nothing, until it was not found so often in so long: then staff are told just that. */
const NOT_FOUND_TIMES = 3
const NOT_FOUND_SECONDS = 600

/** What is known of a purchase. */
export interface AttemptFacts {
  state: AttemptState
  sentAt: Date
  notFoundCount: number
  firstNotFoundAt: Date | null
  /** Staff were told that its outcome is open. */
  isWithStaff: boolean
  /** A later answer that says the opposite of how it ended. */
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
  | { to: 'staff'; why: keyof typeof STAFF_CALL }
  /** The purchase has ended: the order goes on. */
  | { to: 'finish' }
  | { to: 'nothing' }

type Answer = PlaceAnswer | StatusAnswer

/** What an answer makes of an open purchase; one that says nothing leaves what is known. */
function stateAfter(state: AttemptState, answer: Answer): AttemptState {
  const { kind } = answer
  if (kind === 'delivered' || kind === 'failed' || kind === 'refunded') return kind
  if (kind === 'accepted' || kind === 'pending') return 'accepted'
  // Once it was accepted, that it was never taken is no clear word any more.
  if (kind === 'rejected' && state !== 'accepted') return 'rejected'
  return state === 'accepted' ? 'accepted' : 'unknown'
}

const isGoods = (state: AttemptState) => state === 'delivered'

/** How a closed purchase takes a late answer: what is final stays, and its opposite is for people. */
function decideLate(attempt: AttemptFacts, answer: Answer): { attempt: AttemptFacts; step: Step } {
  const said = stateAfter('unknown', answer)
  const isOpposite = !ATTEMPT_STATE[said].isOpen && isGoods(said) !== isGoods(attempt.state)
  if (!isOpposite || attempt.contradiction === said) return { attempt, step: { to: 'nothing' } }
  return { attempt: { ...attempt, contradiction: said }, step: { to: 'staff', why: 'contradiction' } }
}

/** When it is asked about next, or that staff must look. */
function stepOf(attempt: AttemptFacts, wasAsked: boolean, now: Date): Step {
  if (attempt.isWithStaff) return { to: 'nothing' }
  const elapsed = (now.getTime() - attempt.sentAt.getTime()) / 1000
  const next = ASK_AFTER_SECONDS.find(seconds => seconds > elapsed)
  if (next !== undefined) return { to: 'ask', at: addSeconds(attempt.sentAt, next) }
  // Whoever was to ask was not there: it is asked about once before staff are called.
  if (!wasAsked) return { to: 'ask', at: now }
  const { notFoundCount, firstNotFoundAt, state } = attempt
  const isLongGone = firstNotFoundAt !== null && addSeconds(firstNotFoundAt, NOT_FOUND_SECONDS) <= now
  const isNowhere = state !== 'accepted' && isLongGone && notFoundCount >= NOT_FOUND_TIMES
  return { to: 'staff', why: isNowhere ? 'notFound' : 'unclear' }
}

/** The one decision about a purchase: what an answer means for it, and what happens next and when. */
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

/** What staff are told of a purchase that waits for them; null when it does not. */
export function staffCallOf(attempt: Omit<AttemptFacts, 'sentAt' | 'firstNotFoundAt'>): string | null {
  const { contradiction, isWithStaff, state, notFoundCount } = attempt
  if (contradiction) return STAFF_CALL.contradiction
  if (!isWithStaff || !ATTEMPT_STATE[state].isOpen) return null
  return state === 'unknown' && notFoundCount >= NOT_FOUND_TIMES ? STAFF_CALL.notFound : STAFF_CALL.unclear
}

/**
 * Whether somebody went on in spite of an open outcome, or gave the money back: what the supplier then contradicts is for
 * others to see to.
 * @param refundedBy everybody whose word gave it back
 */
export const isOwnRisk = (
  uid: string | null,
  { overruledBy }: { overruledBy: string | null },
  refundedBy: readonly (string | null)[],
): boolean => uid !== null && [overruledBy, ...refundedBy].includes(uid)
