import { act, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { expect, test } from 'vitest'
import { useFocusReturn } from './use-focus-return.ts'

function Site() {
  useFocusReturn()
  const [depth, setDepth] = useState(0)
  return (
    <>
      <button type="button" onClick={() => setDepth(1)}>
        เปิด
      </button>
      {depth > 0 &&
        createPortal(
          <button type="button" onClick={() => setDepth(2)}>
            เปิดอีก
          </button>,
          document.body,
        )}
      {depth > 1 &&
        createPortal(
          <button type="button" onClick={() => setDepth(1)}>
            ปิด
          </button>,
          document.body,
        )}
      <button type="button" onClick={() => setDepth(0)}>
        ปิดทั้งหมด
      </button>
    </>
  )
}

/** Pressed as by a keyboard, which has the focus there. */
async function press(name: string) {
  const button = screen.getByRole('button', { name })
  button.focus()
  await act(async () => void fireEvent.click(button))
}
const focused = () => document.activeElement?.textContent

test('the focus goes back step by step through what opened what', async () => {
  render(<Site />)
  await press('เปิด')
  await press('เปิดอีก')
  await press('ปิด')
  expect(focused()).toBe('เปิดอีก')
  screen.getByRole('button', { name: 'เปิดอีก' }).focus()
  // Closed without taking the focus there.
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'ปิดทั้งหมด' })))
  expect(focused()).toBe('เปิด')
})

test('who left for nowhere is not called back when something closes', async () => {
  render(<Site />)
  await press('เปิด')
  screen.getByRole('button', { name: 'ปิดทั้งหมด' }).focus()
  screen.getByRole('button', { name: 'ปิดทั้งหมด' }).blur()
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'ปิดทั้งหมด' })))
  expect(document.activeElement).toBe(document.body)
})
