import { AppError } from '@shop/shared/errors.ts'
import { askRefund, giveNewsAddress } from '@shop/shared/order/correction-endpoints.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { InShop, startShopServer } from '../testing.tsx'
import MoneyBack from './money-back.tsx'
import { order } from './testing.ts'

const server = startShopServer()
const failed: OrderView = { ...order, status: 'failed', canAskRefund: true, canGiveNewsAddress: true }

test('the money is asked for with one button, and a refusal says why', async () => {
  let asked = 0
  let changed = 0
  server.use(
    fake(askRefund, () => {
      asked++
      if (asked === 1) throw new AppError('ORDER_STATUS_NOT_ALLOWED')
      return failed
    }),
  )
  render(
    <InShop>
      <MoneyBack order={failed} onChanged={() => void changed++} />
    </InShop>,
  )
  const press = () => userEvent.click(screen.getByRole('button', { name: 'ขอเงินคืน' }))
  await press()
  expect((await screen.findAllByRole('alert')).length).toBeGreaterThan(0)
  expect(changed).toBe(0)
  await press()
  await expect.poll(() => changed).toBe(1)
})

test('a guest says where to be told; a bad address is kept and explained', async () => {
  const sent: unknown[] = []
  server.use(
    fake(giveNewsAddress, body => {
      sent.push(body)
      return failed
    }),
  )
  const page = render(<MoneyBack order={failed} onChanged={() => {}} />, { wrapper: InShop })
  const field = screen.getByLabelText('อีเมล') as HTMLInputElement
  const send = () => userEvent.click(screen.getByRole('button', { name: 'แจ้งฉันทางอีเมลนี้' }))
  await userEvent.type(field, 'guest@')
  await send()
  expect(await screen.findByText('กรุณากรอกอีเมลให้ถูกต้อง')).toBeTruthy()
  expect(field.value).toBe('guest@')
  await userEvent.type(field, 'somewhere.example')
  await send()
  await screen.findByText('ร้านจะแจ้งทางอีเมลนี้')
  expect(sent).toEqual([{ address: 'guest@somewhere.example' }])
  page.rerender(<MoneyBack order={{ ...failed, newsAddress: 'guest@somewhere.example' }} onChanged={() => {}} />)
  expect(screen.getByText('guest@somewhere.example')).toBeTruthy()
})
