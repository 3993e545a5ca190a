import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { ensureGuestKey, getGuestKey } from '../guest-key.ts'
import { isText, read, write } from '../storage.ts'
import { ErrorBoundary } from './error-boundary.tsx'

afterEach(() => {
  vi.restoreAllMocks()
  localStorage.clear()
})

function Broken(): never {
  throw new Error('cannot be drawn')
}

test('a page that can’t be drawn offers a fresh start, which keeps the key to a guest’s orders', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  ensureGuestKey()
  const key = getGuestKey()
  write('lineSubject', 'U1')
  render(
    <ErrorBoundary>
      <Broken />
    </ErrorBoundary>,
  )
  expect(screen.getByRole('alert').textContent).toContain('เปิดหน้านี้ไม่สำเร็จ')
  await userEvent.click(screen.getByRole('button', { name: 'เริ่มใหม่' }))
  expect(read('lineSubject', isText)).toBeNull()
  expect(getGuestKey()).toBe(key)
  expect(assign).toHaveBeenCalledWith('/game')
})
