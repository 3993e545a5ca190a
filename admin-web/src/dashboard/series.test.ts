import { expect, test } from 'vitest'
import { percent } from './series.ts'

test.each([
  [0.036, '3.6%'],
  [-0.036, '−3.6%'],
  [-0.0004, '0.0%'],
  [0, '0.0%'],
])('%s is told as %s', (share, text) => {
  expect(percent(share)).toBe(text)
})
