import { act, renderHook, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { InShop, startShopServer } from '../testing.tsx'
import { useGoOn } from './use-go-on.ts'

startShopServer()
afterEach(() => history.replaceState(null, '', '/'))

const getPlace = () => screen.getByLabelText('ที่อยู่').textContent
const late = { text: 'สร้างคำสั่งซื้อแล้ว', action: 'ชำระเงิน' }

test('an answer leads on from its own page', () => {
  const { result } = renderHook(useGoOn, { wrapper: InShop })
  act(() => result.current('/payment', { late }))
  expect(getPlace()).toBe('/payment')
  expect(screen.queryByText(late.text)).toBeNull()
})

test('who has gone elsewhere meanwhile stays there, is told, and is led on by a press', async () => {
  const { result } = renderHook(useGoOn, { wrapper: InShop })
  const goOn = result.current
  history.replaceState(null, '', '/game/rov')
  act(() => goOn('/game'))
  expect(getPlace()).toBe('/')
  act(() => goOn('/payment', { late }))
  expect(getPlace()).toBe('/')
  expect(screen.getByText(late.text)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'ชำระเงิน' }))
  expect(getPlace()).toBe('/payment')
})
