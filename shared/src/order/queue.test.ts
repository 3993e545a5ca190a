import { expect, test } from 'vitest'
import { usualMinutesOf } from './queue.ts'

const minutes = (...all: number[]) => all.map(each => each * 60)

test.each<[string, number[], { from: number; to: number } | null]>([
  ['too few', minutes(1, 2, 3, 4, 5, 6, 7, 8, 9), null],
  ['ten, in any order', minutes(9, 10, 8, 7, 6, 5, 4, 3, 2, 1), { from: 5, to: 10 }],
  [
    'more than five minutes in steps of five',
    [...minutes(11, 11, 11, 11, 11, 11, 12, 12, 12), 86_400],
    { from: 10, to: 15 },
  ],
  ['seconds count as the minute they end in', Array.from({ length: 10 }, () => 61), { from: 2, to: 2 }],
  ['at once is a minute', Array.from({ length: 10 }, () => 0), { from: 1, to: 1 }],
  ['one that hung for a day is no rule', [...Array.from({ length: 19 }, () => 300), 86_400], { from: 5, to: 5 }],
])('the usual time of %s', (_, seconds, usual) => {
  expect(usualMinutesOf(seconds)).toEqual(usual)
})
