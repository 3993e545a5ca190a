import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addSeconds, bangkokDay } from '../time.ts'
import { type ChainState, chainOf, type Doubted, gapText, knownBefore } from './chain.ts'

const START = new Date('2026-11-20T02:00:00.000Z')

interface Line extends Doubted {
  name: string
}

const line = (name: string, minute: number | null, amountSatang: number, balanceSatang: number | null): Line => {
  const at = minute === null ? null : addSeconds(START, minute * 60)
  return { name, day: bangkokDay(at ?? START), at, amountSatang, balanceSatang, isBalanceExpected: false }
}

const judged = (believed: Line[], doubted: Line[]) =>
  [...chainOf(believed, doubted)].map(([{ name }, state]) => `${name} ${state}`)

const base = line('base', 0, 100, 1000)

describe('a line', () => {
  test.each<[string, Line[], Line[], string[]]>([
    [
      'of an account that nothing is known of',
      [],
      [line('a', 0, 10, 500), line('b', 1, 5, 505)],
      ['a unknown', 'b ok'],
    ],
    ['that follows', [base], [line('a', 1, 10, 1010)], ['a ok']],
    ['that does not', [base], [line('a', 1, 10, 1011)], ['a gap']],
    [
      'that follows from one that does not',
      [base],
      [line('a', 1, 10, 2000), line('b', 2, 5, 2005)],
      ['a gap', 'b gap'],
    ],
    ['told after the next one', [base], [line('b', 1, 5, 1015), line('a', 1, 10, 1010)], ['b ok', 'a ok']],
    [
      'without a time, in any order',
      [line('base', null, 1, 1000)],
      [line('b', null, 5, 1015), line('a', null, 10, 1010)],
      ['b ok', 'a ok'],
    ],
    ['between two that follow each other', [base, line('next', 9, 5, 1005)], [line('a', 5, 10, 1010)], ['a gap']],
    [
      'between those with what takes it back',
      [base, line('next', 9, 5, 1005)],
      [line('a', 5, 10, 1010), line('b', 6, -10, 1000)],
      ['a ok', 'b ok'],
    ],
    [
      'between those with what takes it back, though others of that time do not follow',
      [base, line('next', 9, 5, 1005)],
      [line('a', 5, 10, 1010), line('odd', 5, 3, 5003), line('b', 6, -10, 1000)],
      ['a ok', 'odd gap', 'b ok'],
    ],
    [
      'after a minute that came back to where it began, told backwards',
      [base, line('back', 5, -10, 1000), line('there', 5, 10, 1010)],
      [line('a', 6, 5, 1005)],
      ['a ok'],
    ],
    [
      'on the way: a payment and its return before another of that minute',
      [base],
      [line('a', 5, -5, 995), line('b', 6, -1, 994), line('there', 5, 10, 1010), line('back', 5, -10, 1000)],
      ['a ok', 'b ok', 'there ok', 'back ok'],
    ],
    [
      'of a return in the minute of the next one',
      [base, line('next', 9, 5, 1005)],
      [line('there', 6, 10, 1010), line('back', 9, -10, 1000)],
      ['there ok', 'back ok'],
    ],
    ['told a minute too early', [base, line('next', 9, 5, 1005)], [line('a', 8, 10, 1015)], ['a ok']],
    ['of before all that is known, leading to it', [base], [line('a', -5, 10, 900)], ['a ok']],
    ['of before all that is known, leading elsewhere', [base], [line('a', -5, 10, 890)], ['a gap']],
    ['without a balance', [base], [line('a', 1, 10, null)], ['a unknown']],
    [
      'without the balance that is expected',
      [base],
      [{ ...line('a', 1, 10, null), isBalanceExpected: true }],
      ['a gap'],
    ],
  ])('%s', (_, believed, doubted, expected) => {
    expect(judged(believed, doubted)).toEqual(expected)
  })

  test('that a hole was before is explained by what was in the hole', () => {
    const later = [line('c', 3, 7, 1022), line('d', 4, 1, 1023)]
    expect(judged([base], later)).toEqual(['c gap', 'd gap'])
    expect(judged([base], [line('a', 1, 10, 1010), line('b', 2, 5, 1015), ...later])).toEqual([
      'a ok',
      'b ok',
      'c ok',
      'd ok',
    ])
  })

  test('that does not follow says both numbers', () => {
    const odd = line('a', 1, 50_00, 200_000)
    expect(knownBefore([base], odd)).toBe(1000)
    expect(gapText(odd, 1000)).toBe('ยอดก่อนหน้าที่รู้จักคือ 10.00 จึงควรเหลือ 60.00 แต่รายการนี้แจ้งยอดคงเหลือ 2,000.00')
    expect(knownBefore([base], line('a', -1, 1, 1))).toBeNull()
  })
})

/** Where an account comes back to a balance again and again, more than one history fits: the same accounts are tried each time. */
const SEED = 1

const amounts = fc.oneof(fc.integer({ min: 1, max: 500_000 }), fc.integer({ min: -500_000, max: -1 }))
const histories = fc.record({
  opening: fc.integer({ min: 0, max: 10_000_000 }),
  moved: fc.array(fc.record({ amount: amounts, minutes: fc.integer({ min: 0, max: 3 }) }), {
    minLength: 3,
    maxLength: 40,
  }),
  /** Which piece each minute is told in, and in what order within it. */
  pieces: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 130, maxLength: 130 }),
  order: fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
})
type History = typeof histories extends fc.Arbitrary<infer T> ? T : never

function linesOf({ opening, moved }: History): Line[] {
  let [balance, minute] = [opening, 0]
  return moved.map(({ amount, minutes }, n) => {
    balance += amount
    minute += minutes
    return line(`line ${n}`, minute, amount, balance)
  })
}

const minuteOf = ({ at }: Line) => (at!.getTime() - START.getTime()) / 60_000

/** Told piece by piece, as an account takes them in: what is believed stays so, the rest is judged again. */
function take(pieces: Line[][], known: Line[] = []): Map<Line, ChainState> {
  const states = new Map<Line, ChainState>(known.map(each => [each, 'ok']))
  for (const piece of pieces) {
    for (const each of piece) states.set(each, 'gap')
    const all = [...states].sort(([a], [b]) => a.at!.getTime() - b.at!.getTime())
    const of = (isDoubted: boolean) => all.filter(([, state]) => (state === 'gap') === isDoubted).map(([each]) => each)
    for (const [each, state] of chainOf(of(false), of(true))) states.set(each, state)
  }
  return states
}

function piecesOf(history: History, lines: Line[]): Line[][] {
  const shuffled = lines.map((each, n) => ({ each, order: history.order[n]! })).sort((a, b) => a.order - b.order)
  return [0, 1, 2, 3, 4].map(piece =>
    shuffled.filter(({ each }) => history.pieces[minuteOf(each)] === piece).map(({ each }) => each),
  )
}

describe('1,000 accounts', () => {
  test('what really happened follows, in whatever pieces and order it is told', () => {
    fc.assert(
      fc.property(histories, history => {
        const [first, ...lines] = linesOf(history)
        // The first minute is known; a balance that nothing leads to is where an account begins.
        const isFirst = (each: Line) => minuteOf(each) === minuteOf(first!)
        const begun = [first!, ...lines.filter(isFirst)]
        const states = take(
          piecesOf(
            history,
            lines.filter(each => !isFirst(each)),
          ),
          begun,
        )
        expect([...states.values()].filter(state => state !== 'ok')).toEqual([])
      }),
      { numRuns: 1000, seed: SEED },
    )
  })

  test('an invented line never follows, nor what is invented after it, and it keeps no real one from following', () => {
    const inventions = fc.record({ after: fc.nat(), amount: fc.integer({ min: 1, max: 500_000 }), off: fc.nat() })
    fc.assert(
      fc.property(histories, inventions, (history, { after, amount, off }) => {
        const lines = linesOf(history)
        const at = lines[after % lines.length]!
        // A balance that the account never had.
        const never = 90_000_000 + off
        const fake = { ...at, name: 'fake', amountSatang: amount, balanceSatang: never }
        const next = { ...at, name: 'next', amountSatang: 5, balanceSatang: never + 5 }
        const [first, ...others] = lines
        const isFirst = (each: Line) => minuteOf(each) === minuteOf(first!)
        const begun = [first!, ...others.filter(isFirst)]
        const states = take(
          [
            ...piecesOf(
              history,
              others.filter(each => !isFirst(each)),
            ),
            [fake, next],
          ],
          begun,
        )
        expect([states.get(fake), states.get(next)]).toEqual(['gap', 'gap'])
        const again = take(
          [
            [fake, next],
            ...piecesOf(
              history,
              others.filter(each => !isFirst(each)),
            ),
          ],
          begun,
        )
        for (const each of others) expect([each.name, again.get(each)]).toEqual([each.name, 'ok'])
        expect([again.get(fake), again.get(next)]).toEqual(['gap', 'gap'])
      }),
      { numRuns: 1000, seed: SEED },
    )
  })
})
