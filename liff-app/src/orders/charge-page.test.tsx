import { getPublicConfig, listPaymentMethods } from '@shop/shared/catalogue/endpoints.ts'
import type { ChargeView } from '@shop/shared/gateway/fields.ts'
import { getOrder, type OrderView } from '@shop/shared/order/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { Route, Routes } from 'react-router-dom'
import { beforeEach, expect, test } from 'vitest'
import { saveCurrentOrder } from '../current-order.ts'
import { InShop, refuse, shopConfig, startShopServer } from '../testing.tsx'
import PaymentScreen from './payment-screen.tsx'
import { order } from './testing.ts'

const server = startShopServer()

const charge: ChargeView = {
  id: '01900000-0000-7000-8000-000000000001',
  method: 'promptpay',
  state: 'waiting',
  amountSatang: 150_00,
  surchargeSatang: 1_00,
  silentSince: null,
  expiresAt: '2026-11-20T07:20:00.000Z',
  payee: 'Omise',
  pay: { by: 'qrText', text: '0002010102' },
}
const { payee: _payee, pay: _pay, ...summary } = charge
const ordered: OrderView = {
  ...order,
  payment: 'promptpay',
  tailSatang: 0,
  amountSatang: 149_00,
  receivingAccount: null,
  canReport: false,
}

/** What the order's answers are from now on. */
let shown: Partial<OrderView>
/** The methods that a charge was asked for by. */
let asked: string[]

beforeEach(() => {
  shown = {}
  asked = []
  const terms = {
    leastSatang: null,
    mostSatang: null,
    surchargeBasisPoints: 0,
    surchargeSatang: 0,
    silentSince: null,
    openingHours: '',
  }
  server.use(
    http.get(`*${getOrder.path.split('/:')[0]}/*`, () => HttpResponse.json({ ...ordered, ...shown })),
    fake(getPublicConfig, () => shopConfig({}, { nowDate: '2026-11-20T07:05:28.000Z' })),
    fake(listPaymentMethods, () => [
      { code: 'bank' as const, name: 'โอนเงินธนาคาร', image: '' },
      { code: 'promptpay' as const, name: 'พร้อมเพย์ QR', image: '', terms },
      { code: 'linepay' as const, name: 'LINE Pay', image: '', terms },
    ]),
  )
  saveCurrentOrder({ orderNo: order.orderNo })
})

/** Answers calls for a charge in turn; the last answer holds. */
function charged(...answers: (Partial<ChargeView> | 'GATEWAY_UNAVAILABLE')[]) {
  server.use(
    http.post('*/charge', async ({ request }) => {
      asked.push(((await request.json()) as { method: string }).method)
      const answer = answers.length > 1 ? answers.shift()! : answers[0]!
      return answer === 'GATEWAY_UNAVAILABLE' ? refuse(answer) : HttpResponse.json({ ...charge, ...answer })
    }),
  )
}

const open = () =>
  render(
    <InShop at="/payment">
      <Routes>
        <Route path="/payment" element={<PaymentScreen />} />
        <Route path="*" element={null} />
      </Routes>
    </InShop>,
  )

test('the QR stands with all that is paid, what the method costs and whose name the bank shows; there is no slip', async () => {
  charged({})
  open()
  expect(await screen.findByText('Omise')).toBeTruthy()
  expect(screen.getByText('เหลือเวลา 14:32')).toBeTruthy()
  expect(document.body.textContent).toContain('150.00')
  expect(screen.getAllByText(/ค่าธรรมเนียม|ค่าบริการ/).length).toBeGreaterThan(0)
  expect(screen.queryByRole('button', { name: /แจ้งชำระเงิน/ })).toBeNull()
  expect(asked).toEqual(['promptpay'])
})

test('when the money has come, the page goes on by itself', async () => {
  charged({})
  open()
  await screen.findByText('Omise')
  shown = { status: 'paid', charge: { ...summary, state: 'paid' } }
  await waitFor(() => expect(screen.getByLabelText('ที่อยู่').textContent).toBe('/thankyou'), { timeout: 4000 })
})

test('a gateway that is away is said, with another try', async () => {
  charged('GATEWAY_UNAVAILABLE', {})
  open()
  await userEvent.click(await screen.findByRole('button', { name: 'ลองอีกครั้ง' }))
  expect(await screen.findByText('Omise')).toBeTruthy()
  expect(asked).toEqual(['promptpay', 'promptpay'])
})

test('a charge that failed says that no money was taken, and is made anew only when the buyer wants', async () => {
  charged({})
  open()
  await screen.findByText('Omise')
  shown = { charge: { ...summary, state: 'failed' } }
  expect(await screen.findByText('ชำระไม่สำเร็จ ยังไม่มีการตัดเงิน', {}, { timeout: 4000 })).toBeTruthy()
  expect(asked).toHaveLength(1)
  shown = {}
  charged({ id: '01900000-0000-7000-8000-000000000002' })
  await userEvent.click(screen.getByRole('button', { name: 'ลองอีกครั้ง' }))
  expect(await screen.findByText('Omise')).toBeTruthy()
})

test('another method of the gateway leads to its own page, in the same window', async () => {
  charged({}, { method: 'linepay', pay: { by: 'page', url: 'https://pay.example/x' } })
  open()
  await screen.findByText('Omise')
  await userEvent.click(screen.getByRole('button', { name: /LINE Pay/ }))
  const link = await screen.findByRole('link', { name: 'ไปจ่ายที่ LINE Pay' })
  expect(link.getAttribute('href')).toBe('https://pay.example/x')
  expect(asked).toEqual(['promptpay', 'linepay'])
})

test('after its time nobody is led to pay', async () => {
  shown = { nowDate: '2026-11-20T07:21:00.000Z' }
  charged({})
  open()
  expect(await screen.findByText('หมดเวลาชำระแล้ว อย่าจ่ายยอดนี้')).toBeTruthy()
  expect(screen.queryByText('Omise')).toBeNull()
  expect(asked).toEqual([])
})

test('while the gateway does not answer, the buyer is told within seconds and goes on by a transfer of the same order', async () => {
  server.use(http.post('*/charge', () => new Promise<never>(() => {})))
  let wentOver = 0
  server.use(
    http.post('*/transfer', () => {
      wentOver++
      shown = { payment: 'bank', tailSatang: 37, amountSatang: 149_37, dueSatang: 149_37 }
      return HttpResponse.json({ ...ordered, ...shown })
    }),
  )
  open()
  expect(await screen.findByText(/ผู้ให้บริการรับชำระยังไม่ตอบ/, {}, { timeout: 6000 })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'ลองอีกครั้ง' })).toBeTruthy()
  expect(screen.getByRole('button', { name: /LINE Pay/ })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'โอนเงินธนาคาร' }))
  expect(await screen.findAllByRole('button', { name: 'โอนแล้ว แจ้งชำระเงิน' })).not.toHaveLength(0)
  expect(wentOver).toBe(1)
})

test('an order of which only the link is known is not taken over to a transfer', async () => {
  shown = { canCancel: false }
  charged({})
  open()
  await screen.findByText('Omise')
  expect(screen.queryByRole('button', { name: 'โอนเงินธนาคาร' })).toBeNull()
})
