import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addSeconds, bangkokDay, DAY_MS } from '../time.ts'
import { decidePin, NO_TRIES, PIN_TRIES_A_DAY, PIN_TRIES_IN_A_ROW, type PinRecord, pinLockOf } from './pin.ts'

/** 14:00:30 in Bangkok. */
const now = new Date('2026-11-20T07:00:30Z')
const DAY = DAY_MS / 1000

/** What a row of tries gives, each so many seconds after the one before. */
function tryAll(tries: readonly { after?: number; isRight?: boolean }[], from: PinRecord = NO_TRIES) {
  let record = from
  let at = now
  return tries.map(({ after = 0, isRight = false }) => {
    at = addSeconds(at, after)
    const decision = decidePin(record, isRight, at)
    const isCounted = decision.error !== null && decision.record !== record
    record = decision.record
    return { ...decision, at, isRight, isCounted }
  })
}
const wrong = (count: number, after = 0) => Array.from({ length: count }, () => ({ after }))
const right = { isRight: true }
const last = <T>(list: readonly T[]): T => list.at(-1)!
/** The locks that began, in seconds; null: until staff open it. */
const locksOf = (tries: ReturnType<typeof tryAll>) =>
  tries.flatMap(({ lock, at }) => (lock ? [lock.until && (lock.until.getTime() - at.getTime()) / 1000] : []))

test('each wrong try says how many are left, the fifth locks for 15 minutes and says until when', () => {
  const messages = tryAll(wrong(5)).map(({ error }) => `${error?.code} ${error?.message}`)
  expect(messages.slice(0, 4)).toEqual([4, 3, 2, 1].map(n => `PIN_WRONG PIN ไม่ถูกต้อง เหลืออีก ${n} ครั้ง`))
  expect(messages[4]).toBe('PIN_LOCKED กรอก PIN ผิดหลายครั้ง ลองใหม่ได้ตั้งแต่ 14:16 น.')
})

test('while locked the right PIN is refused, and nothing is counted or told again', () => {
  const { record } = last(tryAll(wrong(5)))
  for (const isRight of [true, false]) {
    const decision = decidePin(record, isRight, addSeconds(now, 899))
    expect(decision).toMatchObject({ error: { code: 'PIN_LOCKED' }, lock: null })
    expect(decision.record).toBe(record)
  }
  expect(decidePin(record, true, addSeconds(now, 900)).error).toBeNull()
})

test('a right PIN ends the wrong ones in a row, but neither those of the day nor the locks', () => {
  const decisions = tryAll([...wrong(5), { after: 900, isRight: true }, ...wrong(4), right])
  expect(last(decisions).record).toMatchObject({ wrongTries: 0, dayTries: 9, locks: 1 })
})

test('each lock in a row holds longer, and after the third only staff can open it', () => {
  const tries = tryAll([
    ...wrong(5),
    ...wrong(5, DAY),
    ...wrong(5, DAY),
    ...wrong(5, DAY),
    { after: 29 * DAY, ...right },
  ])
  expect(locksOf(tries)).toEqual([900, 3600, DAY, null])
  expect(last(tries).error).toMatchObject({ code: 'PIN_NEEDS_RESET' })
  expect(last(tries).error?.message).toContain('ติดต่อร้าน')
  expect(decidePin(last(tries).record, true, addSeconds(now, 1000 * DAY)).error?.code).toBe('PIN_NEEDS_RESET')
})

test('thirty days after a lock the next one is a first one again', () => {
  const next = (days: number) => locksOf(tryAll([...wrong(5), { after: days * DAY }, ...wrong(4)]))
  expect([next(29), next(30)]).toEqual([
    [900, 3600],
    [900, 900],
  ])
})

test('ten wrong tries in a day lock until the next, with right ones between them, and the last says so', () => {
  const tries = tryAll([...wrong(4), right, ...wrong(4), right, ...wrong(2)])
  expect(tries.map(({ error }) => error?.message.match(/\d ครั้ง/)?.[0])).toEqual([
    '4 ครั้ง',
    '3 ครั้ง',
    '2 ครั้ง',
    '1 ครั้ง',
    undefined,
    '4 ครั้ง',
    '3 ครั้ง',
    '2 ครั้ง',
    '1 ครั้ง',
    undefined,
    '1 ครั้ง',
    undefined,
  ])
  expect(last(tries).lock?.until).toEqual(new Date('2026-11-20T17:00:00Z'))
  expect(last(tries).error?.message).toBe('กรอก PIN ผิดหลายครั้ง ลองใหม่ได้ตั้งแต่ 21 พ.ย. · 00:00 น.')
})

test('the day is over at midnight in Bangkok, and a clock that is behind does not begin it anew', () => {
  const midnight = new Date('2026-11-20T17:00:00Z')
  const record = { ...NO_TRIES, day: '2026-11-20', dayTries: 9 }
  expect(decidePin(record, false, addSeconds(midnight, -1)).error?.code).toBe('PIN_LOCKED')
  const after = decidePin(record, false, midnight).record
  expect(after).toMatchObject({ day: '2026-11-21', dayTries: 1 })
  expect(decidePin(after, false, addSeconds(midnight, -1)).record).toMatchObject({ day: '2026-11-21', dayTries: 2 })
})

describe('whatever is typed, and whenever', () => {
  const step = (seconds: number) =>
    fc.record({ after: fc.oneof(fc.constant(0), fc.nat(seconds)), isRight: fc.boolean() })
  const steps = fc.oneof(
    fc.array(step(600), { maxLength: 200 }),
    fc.array(step(29 * DAY), { maxLength: 200 }),
    fc.array(step(60 * DAY), { maxLength: 200 }),
  )

  test('no day has more than ten guesses, right ones of the owner between them or not', () => {
    fc.assert(
      fc.property(steps, tries => {
        const days = tryAll(tries)
          .filter(({ isCounted }) => isCounted)
          .map(({ at }) => bangkokDay(at))
        for (const guesses of Object.values(Object.groupBy(days, day => day)))
          expect(guesses!.length).toBeLessThanOrEqual(PIN_TRIES_A_DAY)
      }),
    )
  })

  test('without the owner there are twenty guesses before staff, unless each lock is followed by thirty quiet days', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5 * DAY), { maxLength: 200 }), waits => {
        const tries = tryAll(waits.map(after => ({ after })))
        // At most 5 tries of up to 5 days lie between two locks: they are always within thirty days.
        expect(tries.filter(({ isCounted }) => isCounted).length).toBeLessThanOrEqual(20)
        if (tries.filter(({ isCounted }) => isCounted).length === 20)
          expect(last(tries).error?.code).toBe('PIN_NEEDS_RESET')
      }),
    )
  })

  test('locks within thirty days of each other are four at most', () => {
    fc.assert(
      fc.property(steps, tries => {
        const began = tryAll(tries).filter(({ lock }) => lock)
        let inRow = 0
        began.forEach(({ at }, index) => {
          const gap = index === 0 ? Number.POSITIVE_INFINITY : at.getTime() - began[index - 1]!.at.getTime()
          inRow = gap < 30 * DAY_MS ? inRow + 1 : 1
          expect(inRow).toBeLessThanOrEqual(4)
        })
      }),
    )
  })

  test('a lock lets nothing through while it holds, and every lock is told once', () => {
    fc.assert(
      fc.property(steps, tries => {
        let record = NO_TRIES
        for (const { at, isRight, record: after, error, lock } of tryAll(tries)) {
          if (pinLockOf(record, at)) expect([after === record, error !== null, lock]).toEqual([true, true, null])
          else if (isRight) expect(error).toBeNull()
          else expect(pinLockOf(after, at) !== null).toBe(lock !== null)
          record = after
        }
      }),
    )
  })

  test('who is wrong at most four times in a row and nine times a day is never locked', () => {
    const day = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 })
    fc.assert(
      fc.property(fc.array(day, { maxLength: 60 }), days => {
        const tries = days.flatMap(rows => [{ after: DAY, ...right }, ...rows.flatMap(n => [...wrong(n), right])])
        expect(locksOf(tryAll(tries))).toEqual([])
      }),
    )
  })

  test('who does not know the PIN is locked out at the fifth try at the latest', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(10 * DAY), { minLength: PIN_TRIES_IN_A_ROW, maxLength: PIN_TRIES_IN_A_ROW }),
        waits => {
          expect(last(tryAll(waits.map(after => ({ after })))).lock).not.toBeNull()
        },
      ),
    )
  })
})
