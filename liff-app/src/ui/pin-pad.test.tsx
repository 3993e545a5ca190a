import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { PinPad } from './pin-pad.tsx'

const input = () => screen.getByLabelText('กรุณากรอก PIN', { selector: 'input' }) as HTMLInputElement
const tap = (name: string) => userEvent.click(screen.getByRole('button', { name }))

test('four taps submit once; backspace takes the last digit back', async () => {
  const done = vi.fn()
  render(<PinPad label="กรุณากรอก PIN" onComplete={done} />)
  for (const digit of ['1', '2', '9']) await tap(digit)
  await tap('ลบ')
  await tap('3')
  expect(done).not.toHaveBeenCalled()
  await tap('4')
  expect(done.mock.calls).toEqual([['1234']])
  await tap('5')
  expect(done).toHaveBeenCalledTimes(1)
})

test('a try that ended before it was seen to be busy does not stand in the way of the next one', async () => {
  const done = vi.fn()
  render(<PinPad label="กรุณากรอก PIN" onComplete={done} />)
  await userEvent.type(input(), '99991')
  expect(done.mock.calls).toEqual([['9999']])
  expect(input().value).toBe('1')
  await userEvent.type(input(), '234')
  expect(done.mock.calls).toEqual([['9999'], ['1234']])
})

test('a pasted PIN is taken, without what is not a digit', async () => {
  const done = vi.fn()
  render(<PinPad label="กรุณากรอก PIN" onComplete={done} />)
  await userEvent.click(input())
  await userEvent.paste(' 12-34 ')
  expect(done.mock.calls).toEqual([['1234']])
})

test('keys arrive at once, wherever the focus is, but for what is typed into another field', async () => {
  const done = vi.fn()
  render(
    <>
      <PinPad label="กรุณากรอก PIN" onComplete={done} />
      <input aria-label="อื่น" />
    </>,
  )
  await userEvent.keyboard('12')
  await userEvent.type(screen.getByLabelText('อื่น'), '99')
  expect(screen.getByLabelText<HTMLInputElement>('อื่น').value).toBe('99')
  expect(done).not.toHaveBeenCalled()
  screen.getByRole('button', { name: 'ลบ' }).focus()
  await userEvent.keyboard('34')
  expect(done.mock.calls).toEqual([['1234']])
})

test.each([
  [
    'a Thai keyboard, which writes letters on the digits',
    ['Digit1', 'ๅ', 'Digit4', 'ภ', 'Digit9', 'ต', 'Digit0', 'จ'],
    '1490',
  ],
  ['the keypad', ['Numpad5', '5', 'Numpad6', '6', 'Numpad7', '7', 'Numpad8', '8'], '5678'],
  ['Thai digits', ['', '๒', '', '๓', '', '๔', '', '๕'], '2345'],
])('a PIN from %s', (_, keys, pin) => {
  const done = vi.fn()
  render(<PinPad label="กรุณากรอก PIN" onComplete={done} />)
  for (let at = 0; at < keys.length; at += 2) fireEvent.keyDown(document.body, { code: keys[at], key: keys[at + 1] })
  expect(done.mock.calls).toEqual([[pin]])
})

test('hardware keys work wherever the focus is on the pad', async () => {
  const done = vi.fn()
  render(<PinPad label="กรุณากรอก PIN" onComplete={done} />)
  screen.getByRole('button', { name: '7' }).focus()
  await userEvent.keyboard('98{Backspace}765')
  expect(done.mock.calls).toEqual([['9765']])
})

test('a checked PIN is not changed while it is checked, and a refused one is emptied and explained', async () => {
  const done = vi.fn()
  const pad = (busy: boolean, error?: string) => (
    <PinPad label="กรุณากรอก PIN" onComplete={done} busy={busy} error={error} />
  )
  const { rerender } = render(pad(false))
  await userEvent.type(input(), '1111')
  rerender(pad(true))
  await tap('ลบ')
  expect(input().value).toBe('1111')
  rerender(pad(false, 'PIN ไม่ถูกต้อง เหลืออีก 4 ครั้ง'))
  expect(input().value).toBe('')
  expect(screen.getByText('PIN ไม่ถูกต้อง เหลืออีก 4 ครั้ง')).toBeTruthy()
  await userEvent.type(input(), '2222')
  expect(done.mock.calls).toEqual([['1111'], ['2222']])
})

test('after a wrong PIN the way out for who forgot it stays', () => {
  render(<PinPad label="กรุณากรอก PIN" error="PIN ไม่ถูกต้อง" help={<a href="/help">ลืม PIN</a>} onComplete={vi.fn()} />)
  expect(screen.getByText('PIN ไม่ถูกต้อง')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'ลืม PIN' })).toBeTruthy()
})
