import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arrange } from './arrange.ts'

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
