import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Button } from './button.tsx'
import { focusOn } from './focus-on.ts'

test('a busy button keeps its label for its width, says it is busy and ignores a second tap', async () => {
  const save = vi.fn()
  const { rerender } = render(<Button onClick={save}>บันทึก</Button>)
  await userEvent.click(screen.getByRole('button'))
  rerender(
    <Button busy onClick={save}>
      บันทึก
    </Button>,
  )
  await userEvent.click(screen.getByRole('button'))
  expect(save).toHaveBeenCalledTimes(1)
  expect(screen.getByRole('button').getAttribute('aria-busy')).toBe('true')
  expect(screen.getByText('บันทึก')).toBeTruthy()
  expect(screen.getByText('กำลังบันทึก')).toBeTruthy()
})

test('a busy submit button does not submit its form again', async () => {
  const submit = vi.fn((event: React.FormEvent) => event.preventDefault())
  render(
    <form onSubmit={submit}>
      <Button type="submit" busy>
        ส่ง
      </Button>
    </form>,
  )
  await userEvent.click(screen.getByRole('button'))
  expect(submit).not.toHaveBeenCalled()
})

test('a button that is not possible yet says what is missing, and a tap focuses it instead of going on', async () => {
  const next = vi.fn()
  render(
    <>
      <div id="player">
        <input aria-label="Player ID" />
      </div>
      <Button unmet="กรอก Player ID ก่อน" onUnmet={() => focusOn('player')} onClick={next}>
        ดำเนินการต่อ
      </Button>
    </>,
  )
  const button = screen.getByRole('button', { name: 'กรอก Player ID ก่อน' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(button)
  expect(next).not.toHaveBeenCalled()
  expect(document.activeElement).toBe(screen.getByLabelText('Player ID'))
})
