import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pairMovements, type ToldMovement } from './same-movement.ts'

let keys = 0
const freshOf = (told: ToldMovement[], known: ToldMovement[]) => pairMovements(told, known).fresh
const told = (change: Partial<ToldMovement> = {}): ToldMovement => ({
  key: `key ${++keys}`,
  day: '2026-11-20',
  time: '10:15',
  amountSatang: 10_007,
  balanceSatang: null,
  reference: null,
  ...change,
})

describe('one movement told twice', () => {
  test.each<[string, Partial<ToldMovement>, Partial<ToldMovement>, boolean]>([
    ['with seconds and to the minute', { time: '10:15:09' }, {}, true],
    ['with a time and without', { time: '10:15:09' }, { time: null }, true],
    ['with a balance and without', { balanceSatang: 5 }, {}, true],
    [
      'with the same balance and clocks seconds apart',
      { time: '10:15:09', balanceSatang: 5 },
      { time: '10:15:11', balanceSatang: 5 },
      true,
    ],
    ['by the bank’s own id and by a file', { reference: 'r1' }, {}, true],
    ['by two ids of the bank', { reference: 'r1' }, { reference: 'r2' }, false],
    ['with another balance', { balanceSatang: 5 }, { balanceSatang: 6 }, false],
    ['with other seconds', { time: '10:15:09' }, { time: '10:15:11' }, false],
    ['with another minute', {}, { time: '10:16' }, false],
    ['of another day', {}, { day: '2026-11-21' }, false],
    ['the other way', {}, { amountSatang: -10_007 }, false],
  ])('%s', (_, one, other, isSame) => {
    const [a, b] = [told(one), told(other)]
    expect(freshOf([a], [b])).toEqual(isSame ? [] : [a])
    expect(freshOf([b], [a])).toEqual(isSame ? [] : [b])
  })

  test('each known one stands for one, the likest first', () => {
    const known = [told({ time: null }), told({ time: '10:15:09' })]
    const [first, second, third] = [told({ time: '10:15:09' }), told({ time: '11:00' }), told({ time: '12:00' })]
    expect(freshOf([third, second, first], known)).toEqual([second])
    expect(freshOf([first, second, third], known)).toEqual([third])
  })

  test('what one source tells twice under one key is told once', () => {
    const twice = told()
    expect(freshOf([twice, { ...twice }], [])).toEqual([twice])
  })
})

test('1,000 pasts: a file and a feed that both tell everything make each movement one line, whichever comes first', () => {
  const movement = fc.record({
    minute: fc.integer({ min: 0, max: 3 }),
    second: fc.integer({ min: 0, max: 59 }),
    amountSatang: fc.constantFrom(100, 200),
  })
  fc.assert(
    fc.property(fc.array(movement, { maxLength: 12 }), fc.boolean(), fc.boolean(), (movements, fileHas, feedHas) => {
      const sorted = movements.toSorted((a, b) => a.minute - b.minute || a.second - b.second)
      const all = sorted.map((each, index) => ({ ...each, balance: 1000 * (index + 1) }))
      const two = (n: number) => String(n).padStart(2, '0')
      const balanceOf = (has: boolean, satang: number) => (has ? satang : null)
      const file = all.map(each =>
        told({
          time: `10:${two(each.minute)}`,
          amountSatang: each.amountSatang,
          balanceSatang: balanceOf(fileHas, each.balance),
        }),
      )
      const feed = all.map(each =>
        told({
          time: `10:${two(each.minute)}:${two(each.second)}`,
          amountSatang: each.amountSatang,
          balanceSatang: balanceOf(feedHas, each.balance),
        }),
      )
      expect(freshOf(file, feed)).toEqual([])
      expect(freshOf(feed, file)).toEqual([])
      expect(freshOf(file, feed.slice(1))).toHaveLength(Math.min(1, all.length))
    }),
    { numRuns: 1000 },
  )
})
