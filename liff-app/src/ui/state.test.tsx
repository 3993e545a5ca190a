import { onlineManager } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

// Only a fresh module has its first load before it.
vi.resetModules()
const { Pending } = await import('./state.tsx')

const page = (pending: boolean) => (
  <Pending pending={pending} skeleton={<i>กระดูก</i>}>
    {() => <b>เกม</b>}
  </Pending>
)
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms))
const isHidden = () => screen.getByText('กระดูก').parentElement?.className === 'invisible'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test("the first load goes on with the static page's skeleton; later ones wait 200 ms and then hold 300 ms", () => {
  const first = render(page(true))
  expect(isHidden()).toBe(false)
  first.rerender(page(false))
  pass(0)
  expect(screen.getByText('เกม')).toBeTruthy()
  first.unmount()

  const later = render(page(true))
  expect(isHidden()).toBe(true)
  pass(200)
  expect(isHidden()).toBe(false)
  later.rerender(page(false))
  pass(299)
  expect(screen.queryByText('เกม')).toBeNull()
  pass(1)
  expect(screen.getByText('เกม')).toBeTruthy()
})

test('a page without a network says so, and goes on without a reload once the shop answers', async () => {
  render(page(true))
  pass(200)
  expect(screen.getByRole('button', { name: 'ลองอีกครั้ง' })).toBeTruthy()
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  act(() => void window.dispatchEvent(new Event('offline')))
  expect(screen.getByRole('status').textContent).toContain('ออฟไลน์อยู่ จะโหลดต่อเองเมื่อกลับมาออนไลน์')
  const goesOn = vi.spyOn(onlineManager, 'setOnline')
  const ask = vi.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new TypeError('no network'))
  const retry = () => act(async () => screen.getByRole('button', { name: 'ลองอีกครั้ง' }).click())
  await retry()
  expect(goesOn).not.toHaveBeenCalled()
  ask.mockResolvedValueOnce(new Response())
  await retry()
  expect(goesOn).toHaveBeenCalledWith(true)
})
