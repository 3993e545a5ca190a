import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { prefetchPages } from './prefetch-pages.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('nothing more is fetched ahead while somebody taps or types', async () => {
  const load = vi.fn(async () => undefined)
  vi.stubGlobal('navigator', { userActivation: { isActive: true } })
  prefetchPages([load, load])
  await vi.advanceTimersByTimeAsync(5000)
  expect(load).not.toHaveBeenCalled()
  vi.stubGlobal('navigator', { userActivation: { isActive: false } })
  await vi.advanceTimersByTimeAsync(5000)
  expect(load).toHaveBeenCalledTimes(2)
})

test('what the shown page may need at any moment waits for no pause, the others do', async () => {
  const [urgent, later] = [vi.fn(async () => undefined), vi.fn(async () => undefined)]
  vi.stubGlobal('navigator', { userActivation: { isActive: true } })
  prefetchPages([urgent, later], true)
  await vi.advanceTimersByTimeAsync(5000)
  expect([urgent, later].map(each => each.mock.calls.length)).toEqual([1, 0])
})

test('who saves data has what the shown page may need, and no later pages', async () => {
  const [urgent, later] = [vi.fn(async () => undefined), vi.fn(async () => undefined)]
  vi.stubGlobal('navigator', { connection: { saveData: true } })
  prefetchPages([urgent, later], true)
  await vi.advanceTimersByTimeAsync(5000)
  expect([urgent, later].map(each => each.mock.calls.length)).toEqual([1, 0])
})
