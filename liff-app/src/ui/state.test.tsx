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
afterEach(() => void vi.useRealTimers())

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
