import { expect, test } from 'vitest'
import { quotaFor } from './quota.ts'

test.each([
  [100, 66],
  [3, 2],
  [1, 0],
  [0, 0],
])('of %i questions a month strangers together have %i, buyers who are known all', (monthly, theirs) => {
  expect([quotaFor(monthly, true), quotaFor(monthly, false)]).toEqual([theirs, monthly])
})
