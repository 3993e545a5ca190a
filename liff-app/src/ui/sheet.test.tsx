import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { Sheet } from './sheet.tsx'

function Page({ busy }: { busy?: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        เปิด
      </button>
      <Sheet open={open} onClose={() => setOpen(false)} title="ยืนยัน" busy={busy}>
        เนื้อหา
      </Sheet>
    </>
  )
}

async function openSheet(busy?: boolean) {
  render(<Page busy={busy} />)
  await userEvent.click(screen.getByText('เปิด'))
  return screen.findByRole('dialog', { name: 'ยืนยัน' })
}
const gone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
const pressBack = () => {
  history.replaceState(null, '')
  window.dispatchEvent(new PopStateEvent('popstate'))
}

beforeEach(() => history.replaceState(null, ''))

test('opening focuses the title; Escape closes and gives the focus back to the opener', async () => {
  await openSheet()
  await waitFor(() => expect(document.activeElement?.textContent).toBe('ยืนยัน'))
  await userEvent.keyboard('{Escape}')
  await gone()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByText('เปิด')))
})

test("the browser's Back closes the sheet", async () => {
  await openSheet()
  pressBack()
  await gone()
})

test('while work is under way neither Escape nor Back nor the close button closes it', async () => {
  await openSheet(true)
  await userEvent.keyboard('{Escape}')
  await userEvent.click(screen.getByRole('button', { name: 'ปิด' }))
  pressBack()
  expect(history.state).toHaveProperty('sheet')
  expect(screen.getByRole('dialog')).toBeTruthy()
})

test('a sheet that asks first stays open, and hears Back as often as it is pressed', async () => {
  const ask = vi.fn()
  render(
    <Sheet open onClose={ask} title="ยืนยัน" asksFirst>
      เนื้อหา
    </Sheet>,
  )
  await screen.findByRole('dialog', { name: 'ยืนยัน' })
  for (const times of [1, 2]) {
    pressBack()
    expect(ask).toHaveBeenCalledTimes(times)
    expect(history.state).toHaveProperty('sheet')
  }
  await userEvent.keyboard('{Escape}')
  expect(ask).toHaveBeenCalledTimes(3)
  expect(screen.getByRole('dialog')).toBeTruthy()
})
