import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arrange, movesOf } from './arrange.ts'

test('what is moved stands where it was put, the others close up around it', () => {
  expect(arrange([1, 2, 3, 4], [{ id: 4, no: 1 }])).toEqual([4, 1, 2, 3])
  expect(arrange([1, 2, 3, 4], [{ id: 1, no: 3 }])).toEqual([2, 3, 1, 4])
  expect(arrange([1, 2, 3], [{ id: 1, no: 99 }])).toEqual([2, 3, 1])
  const all = [3, 1, 2].map((id, index) => ({ id, no: index + 1 }))
  expect(arrange([1, 2, 3], all)).toEqual([3, 1, 2])
})

test('two that want one place stand one after the other, an unknown id takes none', () => {
  expect(
    arrange(
      [1, 2, 3],
      [2, 3].map(id => ({ id, no: 1 })),
    ),
  ).toEqual([2, 3, 1])
  expect(arrange([1, 2], [{ id: 9, no: 1 }])).toEqual([1, 2])
})

test('nothing is lost and nothing stands twice', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 30 })
  const wanted = fc.array(fc.record({ id: fc.integer({ min: 1, max: 50 }), no: fc.integer({ min: 1, max: 60 }) }))
  fc.assert(
    fc.property(ids, wanted, (current, moves) => {
      expect(arrange(current, moves).toSorted()).toEqual(current.toSorted())
    }),
  )
})

test('a far move is one move, whichever way', () => {
  const ids = Array.from({ length: 10_000 }, (_, index) => index + 1)
  expect(movesOf(ids, arrange(ids, [{ id: 10_000, no: 1 }]))).toEqual([{ id: 10_000, from: 10_000, to: 1 }])
  expect(movesOf(ids, arrange(ids, [{ id: 2, no: 9_000 }]))).toEqual([{ id: 2, from: 2, to: 9_000 }])
  expect(movesOf(ids, ids)).toEqual([])
})

test('the moves alone make the new order of the old one', () => {
  const orders = fc
    .uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 20 })
    .chain(ids => fc.tuple(fc.constant(ids), fc.shuffledSubarray(ids, { minLength: ids.length })))
  fc.assert(
    fc.property(orders, ([before, after]) => {
      const moves = movesOf(before, after)
      expect(
        arrange(
          before,
          moves.map(({ id, to }) => ({ id, no: to })),
        ),
      ).toEqual(after)
      for (const { id, from } of moves) expect(before[from - 1]).toBe(id)
    }),
  )
})
