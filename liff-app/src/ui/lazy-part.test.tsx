import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { lazyPart, lazySheet } from './lazy-part.tsx'

// React writes what a boundary caught.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined))

test('a part whose code does not come fails alone, and comes when it is tried again', async () => {
  const load = vi.fn(async () => {
    if (load.mock.calls.length < 2) throw new Error('no network')
    return { default: ({ text }: { text: string }) => <p>{text}</p> }
  })
  const Part = lazyPart(load)
  render(
    <>
      <input aria-label="ชื่อ" />
      <Part text="มาแล้ว" />
    </>,
  )
  const typed = screen.getByLabelText('ชื่อ') as HTMLInputElement
  await userEvent.type(typed, 'ใจดี')
  const again = await screen.findByRole('button', { name: 'ลองอีกครั้ง' })
  await userEvent.click(again)
  expect(await screen.findByText('มาแล้ว')).toBeTruthy()
  expect(typed.value).toBe('ใจดี')
  expect(load).toHaveBeenCalledTimes(2)
})

test('a sheet that does not come can be closed again', async () => {
  const close = vi.fn()
  const Sheet = lazySheet<{ open: boolean; onClose: () => void }>(async () => {
    throw new Error('no network')
  })
  const page = render(<Sheet open onClose={close} />)
  await userEvent.click(await screen.findByRole('button', { name: 'ปิด' }))
  expect(close).toHaveBeenCalledTimes(1)
  page.rerender(<Sheet open={false} onClose={close} />)
  expect(screen.queryByRole('alert')).toBeNull()
})
