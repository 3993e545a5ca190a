import { expect, test } from 'vitest'
import { formatMinutes } from './minutes.ts'

test.each([
  [5, 15, '5–15 นาที'],
  [7, 7, '7 นาที'],
  [50, 119, '50–119 นาที'],
  [50, 170, '1–3 ชม.'],
  [110, 120, '2 ชม.'],
])('%i to %i minutes are told as "%s"', (from, to, text) => {
  expect(formatMinutes({ from, to })).toBe(text)
})
