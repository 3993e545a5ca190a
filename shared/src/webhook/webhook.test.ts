import { expect, test } from 'vitest'
import { askedPause, MOST_FAILING_SECONDS, RETRY_SECONDS, restAfter, retryAfter } from './webhook.ts'

test('ten tries within four days, each a tenth earlier or later', () => {
  const middle = RETRY_SECONDS.map((_, at) => retryAfter(at + 1, 500, 0.5))
  expect(middle).toEqual(RETRY_SECONDS)
  expect(retryAfter(2, 500, 0)).toBe(270)
  expect(retryAfter(2, 500, 0.999)).toBe(330)
  expect(retryAfter(10, 500, 0.5)).toBeNull()
  expect(MOST_FAILING_SECONDS / 86_400).toBeCloseTo(3.15, 1)
})

test.each([429, 502, 504])('who answers %i is left alone for five minutes at least', status => {
  expect(retryAfter(1, status, 0.5)).toBe(300)
  expect(retryAfter(3, status, 0.5)).toBe(1800)
})

test('a receiver rests as long as it has been failing, for half an hour at most', () => {
  expect([0, 3, 5, 90, 1800, 86_400].map(restAfter)).toEqual([5, 5, 5, 90, 1800, 1800])
})

const now = new Date('2026-11-20T05:00:00.000Z')
test.each([
  [429, '120', 120],
  [503, ' 7 ', 7],
  [503, 'Fri, 20 Nov 2026 05:01:40 GMT', 100],
  [503, 'Fri, 20 Nov 2026 04:00:00 GMT', 0],
  [429, '999999999', 86_400],
  [429, '-5', 0],
  [429, 'soon', 0],
  [429, '', 0],
  [429, null, 0],
  [500, '120', 0],
  [null, '120', 0],
])('%s with Retry-After %j asks for %i seconds', (status, header, seconds) => {
  expect(askedPause(status, header, now)).toBe(seconds)
})
