import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineKeys } from './line-keys.ts'

interface Line {
  date: string
  time: string | null
  amountSatang: number
  balanceSatang: number | null
}

/** Few days, minutes and amounts, so that many lines are equal. Oldest first. */
const history = fc
  .record({
    hasTime: fc.boolean(),
    hasBalance: fc.boolean(),
    moves: fc.array(
      fc.record({
        day: fc.integer({ min: 10, max: 15 }),
        minute: fc.constantFrom(1, 2),
        amount: fc.constantFrom(-500, 500, 700),
      }),
      { maxLength: 30 },
    ),
  })
  .map(({ hasTime, hasBalance, moves }): Line[] => {
    let balance = 0
    return moves
      .sort((a, b) => a.day - b.day || a.minute - b.minute)
      .map(({ day, minute, amount }) => {
        balance += amount
        return {
          date: `2026-11-${day}`,
          time: hasTime ? `08:0${minute}` : null,
          amountSatang: amount,
          balanceSatang: hasBalance ? balance : null,
        }
      })
  })

/** An export: from the beginning of a day up to what had happened when it was made. */
const exportOf = fc.record({
  fromDay: fc.integer({ min: 9, max: 15 }),
  upTo: fc.integer({ min: 0, max: 30 }),
  isReversed: fc.boolean(),
})

test('overlapping exports of one history never lose a line and never double one', () => {
  fc.assert(
    fc.property(history, fc.array(exportOf, { maxLength: 6 }), (lines, exports) => {
      const known = new Set<string>()
      const covered = new Set<number>()
      for (const { fromDay, upTo, isReversed } of exports) {
        const made = lines.map((line, index) => ({ line, index })).slice(0, upTo)
        const taken = made.filter(({ line }) => Number(line.date.slice(-2)) >= fromDay)
        if (isReversed) taken.reverse()
        for (const { index } of taken) covered.add(index)
        for (const key of lineKeys(taken.map(({ line }) => line))) known.add(key)
      }
      expect(known.size).toBe(covered.size)
    }),
    { numRuns: 500 },
  )
})

test('two honest equal transfers are two lines; any other fact tells lines apart', () => {
  const line = { date: '2026-11-18', time: '08:05', amountSatang: 10_007, balanceSatang: null }
  const others: Line[] = [
    { ...line, date: '2026-11-19' },
    { ...line, time: '08:06' },
    { ...line, time: null },
    { ...line, amountSatang: -10_007 },
    { ...line, balanceSatang: 10_007 },
  ]
  // Written out: stored lines are found by these.
  expect(lineKeys([line, line, ...others])).toEqual([
    '2026-11-18 08:05 10007 - 1',
    '2026-11-18 08:05 10007 - 2',
    '2026-11-19 08:05 10007 - 1',
    '2026-11-18 08:06 10007 - 1',
    '2026-11-18 - 10007 - 1',
    '2026-11-18 08:05 -10007 - 1',
    '2026-11-18 08:05 10007 10007 1',
  ])
})
