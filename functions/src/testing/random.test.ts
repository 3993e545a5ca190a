import { expect, test } from 'vitest'
import { drawsOf, randomFrom } from './random.ts'

const how = { size: 300, seeds: [7, [8, 40]] } as const
const fresh = () => 99

test('what failed once is run each time, and a fresh seed with it', () => {
  expect(drawsOf(how, { LONG: '1' }, fresh)).toEqual([
    { seed: 7, size: 300 },
    { seed: 8, size: 40 },
    { seed: 99, size: 300 },
  ])
})

test('on each push runs are shorter, but for what failed at its own size', () => {
  expect(drawsOf(how, {}, fresh)).toEqual([
    { seed: 7, size: 30 },
    { seed: 8, size: 40 },
    { seed: 99, size: 30 },
  ])
  expect(drawsOf({ size: 16, quick: 8 }, {}, fresh)).toEqual([{ seed: 99, size: 8 }])
})

test('one seed is repeated, or many are tried, of any size', () => {
  expect(drawsOf(how, { SEED: '8', SIZE: '30' }, fresh)).toEqual([{ seed: 8, size: 30 }])
  expect(drawsOf(how, { SEEDS: '500', SIZE: '30' }, fresh)).toEqual(Array(500).fill({ seed: 99, size: 30 }))
  expect(drawsOf(how, { SEED: '0', LONG: '1' }, fresh)).toEqual([{ seed: 0, size: 300 }])
  for (const env of [{ SEED: 'x' }, { SEEDS: '1e3' }, { SIZE: '-1' }])
    expect(() => drawsOf(how, env, fresh)).toThrow('no whole number')
})

test('fresh seeds differ', () => {
  expect(new Set(drawsOf(how, { SEEDS: '20' }).map(({ seed }) => seed)).size).toBe(20)
})

test('a seed repeats its numbers', () => {
  const numbers = (seed: number) => Array.from({ length: 5 }, randomFrom(seed))
  expect(numbers(7)).toEqual(numbers(7))
  expect(numbers(7)).not.toEqual(numbers(8))
})
