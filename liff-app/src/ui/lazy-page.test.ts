import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withinLimit } from './lazy-page.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('code that never arrives counts as lost after two minutes, and not before', async () => {
  let hasFailed = false
  const page = withinLimit(() => new Promise(() => {})).catch(() => {
    hasFailed = true
  })
  await vi.advanceTimersByTimeAsync(119_999)
  expect(hasFailed).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await page
  expect(hasFailed).toBe(true)
})

test('code that arrives, or fails at once, is passed on as it is', async () => {
  expect(await withinLimit(async () => 'a page')).toBe('a page')
  await expect(withinLimit(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
  expect(vi.getTimerCount()).toBe(0)
})
