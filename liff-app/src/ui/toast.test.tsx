import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Toast, ToastProvider, useToast } from './toast.tsx'

let show: (toast: Toast) => void
function Asker() {
  show = useToast()
  return null
}
const ask = (toast: Toast) => act(() => show(toast))
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms))

beforeEach(() => {
  vi.useFakeTimers()
  render(
    <ToastProvider>
      <Asker />
    </ToastProvider>,
  )
})
afterEach(() => void vi.useRealTimers())

test('there is one toast at a time, gone after two seconds', () => {
  ask({ text: 'คัดลอกยอดแล้ว' })
  pass(1500)
  ask({ text: 'บันทึกแล้ว' })
  expect(screen.queryByText('คัดลอกยอดแล้ว')).toBeNull()
  pass(1900)
  expect(screen.getByRole('status').textContent).toBe('บันทึกแล้ว')
  pass(100)
  expect(screen.getByRole('status').textContent).toBe('')
})

test('an error is an alert for six seconds and waits while it is pointed at', () => {
  const retry = vi.fn()
  ask({ kind: 'error', text: 'ยกเลิกไม่สำเร็จ', action: { label: 'ลองอีกครั้ง', onPress: retry } })
  const text = screen.getByText('ยกเลิกไม่สำเร็จ')
  expect(screen.getByRole('alert').contains(text)).toBe(true)
  pass(5000)
  fireEvent.mouseEnter(text.parentElement!)
  pass(60_000)
  expect(screen.getByRole('alert').contains(text)).toBe(true)
  fireEvent.click(screen.getByText('ลองอีกครั้ง'))
  expect(retry).toHaveBeenCalledTimes(1)
  expect(screen.getByRole('alert').textContent).toBe('')
})
