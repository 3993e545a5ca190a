import { expect, test } from 'vitest'
import { addSeconds } from '../time.ts'
import { latenessOf, usualMinutesOf } from './queue.ts'

const paidAt = new Date('2026-11-20T07:00:00Z')

test.each([
  [0, 'fine'],
  [449, 'fine'],
  [450, 'near'],
  [600, 'near'],
  [601, 'overdue'],
])('an order of a game that takes 5 to 10 minutes is after %i s %s', (seconds, lateness) => {
  expect(latenessOf(paidAt, { from: 5, to: 10 }, addSeconds(paidAt, seconds))).toBe(lateness)
})

const minutes = (...all: number[]) => all.map(each => each * 60)

test.each<[string, number[], { from: number; to: number } | null]>([
  ['too few', minutes(1, 2, 3, 4, 5, 6, 7, 8, 9), null],
  ['ten, in any order', minutes(9, 10, 8, 7, 6, 5, 4, 3, 2, 1), { from: 5, to: 9 }],
  ['seconds count as the minute they end in', Array.from({ length: 10 }, () => 61), { from: 2, to: 2 }],
  ['at once is a minute', Array.from({ length: 10 }, () => 0), { from: 1, to: 1 }],
  ['one that hung for a day is no rule', [...Array.from({ length: 19 }, () => 300), 86_400], { from: 5, to: 5 }],
])('the usual time of %s', (_, seconds, usual) => {
  expect(usualMinutesOf(seconds)).toEqual(usual)
})
