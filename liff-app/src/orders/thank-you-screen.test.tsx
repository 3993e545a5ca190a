import { getCredit } from '@shop/shared/credit/endpoints.ts'
import { getOrder, type OrderView } from '@shop/shared/order/endpoints.ts'
import { person as customer, fake } from '@shop/web/testing.tsx'
import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { saveCurrentOrder } from '../current-order.ts'
import { write } from '../storage.ts'
import { InShop, noCredit, startShopServer } from '../testing.tsx'
import { order } from './testing.ts'
import ThankYouScreen from './thank-you-screen.tsx'

vi.mock('../firebase.ts', () => ({
  onUser: () => undefined,
  getToken: async () => 'token',
  signOut: async () => undefined,
}))

const server = startShopServer()

async function open(shown: Partial<OrderView>) {
  server.use(fake(getOrder, () => ({ ...order, ...shown })))
  saveCurrentOrder({ orderNo: order.orderNo, trackToken: order.trackToken! })
  render(
    <InShop at="/thankyou">
      <ThankYouScreen />
    </InShop>,
  )
  await screen.findByText(order.orderNo)
}

test('what the page of the payment has told is not told again', async () => {
  await open({ transferReportedAt: order.nowDate })
  expect(screen.getByText('5123456789')).toBeTruthy()
  expect(screen.queryByText('ยอดชำระ')).toBeNull()
  expect(screen.queryByText(/^โอนเงิน/)).toBeNull()
})

test('who paid by credit reads what it took and what is left', async () => {
  write('user', customer)
  server.use(fake(getCredit, () => ({ ...noCredit, balanceSatang: 61_00 })))
  await open({ status: 'paid', payment: 'credit', creditSatang: 149_00, dueSatang: 0, tailSatang: 0 })
  expect(screen.getByRole('heading', { name: 'สั่งซื้อสำเร็จ' })).toBeTruthy()
  expect(screen.getByText('149 บาท')).toBeTruthy()
  expect(await screen.findByText('เครดิตร้านคงเหลือ')).toBeTruthy()
  expect(screen.getByText('61 บาท')).toBeTruthy()
})
