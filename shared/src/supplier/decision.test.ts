import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addSeconds } from '../time.ts'
import { ASK_AFTER_SECONDS, type AttemptFacts, decideAnswer, STAFF_CALL, type Step, staffCallOf } from './decision.ts'
import { ATTEMPT_STATE, ATTEMPT_STATES, type AttemptState, type PlaceAnswer, type StatusAnswer } from './supplier.ts'

const sentAt = new Date('2026-11-20T05:00:00Z')
const sent: AttemptFacts = {
  state: 'sending',
  sentAt,
  notFoundCount: 0,
  firstNotFoundAt: null,
  isWithStaff: false,
  contradiction: null,
}
const at = (seconds: number) => addSeconds(sentAt, seconds)
const inState = (state: AttemptState, change: Partial<AttemptFacts> = {}): AttemptFacts => ({
  ...sent,
  state,
  ...change,
})

const place = (answer: PlaceAnswer, attempt = sent, seconds = 1) => decideAnswer(attempt, answer, 'place', at(seconds))
const status = (kind: StatusAnswer['kind'], attempt: AttemptFacts, seconds: number) =>
  decideAnswer(attempt, { kind }, 'status', at(seconds))

describe('the answer to a purchase', () => {
  test.each<[PlaceAnswer, AttemptState, Step]>([
    [{ kind: 'accepted' }, 'accepted', { to: 'ask', at: at(10) }],
    [{ kind: 'delivered' }, 'delivered', { to: 'finish' }],
    [{ kind: 'rejected', reason: 'balance' }, 'rejected', { to: 'finish' }],
    // The first one arrived: neither good nor bad.
    [{ kind: 'repeated' }, 'unknown', { to: 'ask', at: at(10) }],
    [{ kind: 'unknown' }, 'unknown', { to: 'ask', at: at(10) }],
  ])('%j', (answer, state, step) => {
    const decided = place(answer)
    expect([decided.attempt.state, decided.step]).toEqual([state, step])
  })

  test('a refusal after it was taken is no clear word', () => {
    expect(place({ kind: 'rejected', reason: 'other' }, inState('accepted')).attempt.state).toBe('accepted')
    expect(place({ kind: 'rejected', reason: 'other' }, inState('unknown')).attempt.state).toBe('rejected')
  })

  test('that comes long after the last time to ask is asked about once before staff are called', () => {
    const late = place({ kind: 'unknown' }, sent, 5000)
    expect(late.step).toEqual({ to: 'ask', at: at(5000) })
    expect(status('unknown', late.attempt, 5001).step).toEqual({ to: 'staff', why: 'unclear', at: at(5001 + 2500.5) })
  })
})

describe('asking', () => {
  test.each(['pending', 'unknown', 'notFound'] as const)('%s: 10 s, 30 s, 2, 5, 15 min, then staff', kind => {
    let attempt = inState('unknown')
    const asked: number[] = []
    let step: Step = { to: 'ask', at: at(ASK_AFTER_SECONDS[0]!) }
    while (step.to === 'ask') {
      const seconds = (step.at.getTime() - sentAt.getTime()) / 1000
      asked.push(seconds)
      ;({ attempt, step } = status(kind, attempt, seconds))
    }
    expect(asked).toEqual([10, 30, 120, 300, 900])
    expect(step).toEqual({ to: 'staff', why: kind === 'notFound' ? 'notFound' : 'unclear', at: at(1800) })
    expect(staffCallOf(attempt)).toBe(STAFF_CALL[kind === 'notFound' ? 'notFound' : 'unclear'])
    expect(ATTEMPT_STATE[attempt.state].isOpen).toBe(true)
  })

  test('not found is no proof unless it was so three times over ten minutes', () => {
    const twice = inState('unknown', { notFoundCount: 1, firstNotFoundAt: at(10) })
    expect(status('notFound', twice, 900).step).toEqual({ to: 'staff', why: 'unclear', at: at(1800) })
    const soon = inState('unknown', { notFoundCount: 4, firstNotFoundAt: at(600) })
    expect(status('notFound', soon, 900).step).toEqual({ to: 'staff', why: 'unclear', at: at(1800) })
    const taken = inState('accepted', { notFoundCount: 4, firstNotFoundAt: at(10) })
    expect(status('notFound', taken, 900)).toMatchObject({ attempt: { state: 'accepted' }, step: { why: 'unclear' } })
  })

  test('what staff were called for is asked about on and on, more and more rarely, and still ends by itself', () => {
    const waiting = inState('unknown', { isWithStaff: true })
    expect(status('pending', waiting, 2000).step).toEqual({ to: 'ask', at: at(3000) })
    expect(status('unknown', waiting, 90_000).step).toEqual({ to: 'ask', at: at(93_600) })
    expect(status('delivered', waiting, 2000)).toMatchObject({
      attempt: { state: 'delivered' },
      step: { to: 'finish' },
    })
  })
})

describe('what has ended', () => {
  test.each<[AttemptState, StatusAnswer['kind'], AttemptState | null]>([
    ['delivered', 'delivered', null],
    ['delivered', 'refunded', 'refunded'],
    ['delivered', 'failed', 'failed'],
    ['delivered', 'notFound', null],
    ['delivered', 'pending', null],
    ['failed', 'refunded', null],
    ['failed', 'delivered', 'delivered'],
    ['refunded', 'delivered', 'delivered'],
    ['rejected', 'delivered', 'delivered'],
    ['rejected', 'notFound', null],
  ])('%s stays, told %s: contradiction %s', (state, kind, contradiction) => {
    const { attempt, step } = status(kind, inState(state), 50)
    expect(attempt).toMatchObject({ state, contradiction })
    expect(step).toEqual(contradiction ? { to: 'staff', why: 'contradiction', at: null } : { to: 'nothing' })
    expect(status(kind, attempt, 51).step).toEqual({ to: 'nothing' })
  })

  test('whatever is heard in whatever order, an end is final and every open purchase has somebody to ask or to look', () => {
    const answers = fc.oneof(
      fc
        .constantFrom('pending', 'delivered', 'failed', 'refunded', 'notFound', 'unknown')
        .map(kind => ({ kind, asked: 'status' as const })),
      fc
        .constantFrom('accepted', 'delivered', 'rejected', 'repeated', 'unknown')
        .map(kind => ({ kind, asked: 'place' as const })),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(answers, fc.integer({ min: 0, max: 400 })), { maxLength: 20 }), heard => {
        let [attempt, seconds] = [sent, 0]
        for (const [{ kind, asked }, later] of heard) {
          const before = attempt
          seconds += later
          const answer = { kind, reason: 'other' } as PlaceAnswer
          const decided = decideAnswer(before, answer, asked, at(seconds))
          attempt = decided.attempt
          if (!ATTEMPT_STATE[before.state].isOpen) expect(attempt.state).toBe(before.state)
          if (ATTEMPT_STATE[attempt.state].isOpen) expect(decided.step.to === 'ask' || attempt.isWithStaff).toBe(true)
          if (decided.step.to === 'ask') expect(decided.step.at.getTime()).toBeGreaterThanOrEqual(at(seconds).getTime())
        }
        expect(ATTEMPT_STATES).toContain(attempt.state)
      }),
    )
  })
})
