import { getPublicConfig } from '@shop/shared/catalogue/endpoints.ts'
import type { ChargeView } from '@shop/shared/gateway/fields.ts'
import { cancelTopUp } from '@shop/shared/wallet/endpoints.ts'
import { type GatewayTopUp, listTopUpMethods } from '@shop/shared/wallet/top-up-endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { Route, Routes } from 'react-router-dom'
import { beforeEach, expect, test, vi } from 'vitest'
import { InShop, refuse, shopConfig } from '../testing.tsx'
import { startWalletServer } from './testing.ts'
import TopUpPaymentScreen from './top-up-payment-screen.tsx'

vi.mock('../firebase.ts', () => ({
  onUser: (hear: (uid: string) => void) => hear('u1'),
  getToken: async () => 'token',
  signOut: async () => undefined,
}))
const server = startWalletServer()

const ID = '01900000-0000-7000-8000-000000000009'
const charge: ChargeView = {
  id: '01900000-0000-7000-8000-000000000001',
  method: 'promptpay',
  state: 'waiting',
  amountSatang: 510_00,
  surchargeSatang: 10_00,
  silentSince: null,
  expiresAt: '2026-11-20T07:20:00.000Z',
  payee: 'Omise',
  pay: { by: 'qrText', text: '0002010102' },
}
const { payee: _payee, pay: _pay, ...summary } = charge
const topUp: GatewayTopUp = {
  id: ID,
  no: 'WT2611-00000009',
  status: 'waiting_payment',
  amountSatang: 500_00,
  method: 'promptpay',
  charge: null,
  createdDate: '2026-11-20T07:05:00.000Z',
  expiresAt: '2026-11-20T07:20:00.000Z',
  balanceSatang: 4285_00,
  nowDate: '2026-11-20T07:05:28.000Z',
}

/** What the top-up's answers are from now on. */
let shown: Partial<GatewayTopUp>
/** The methods that a charge was asked for by. */
let asked: string[]
beforeEach(() => {
  shown = {}
  asked = []
  const terms = { leastSatang: 20_00, mostSatang: 150_000_00, surchargeSatang: 0, silentSince: null, openingHours: '' }
  server.use(
    http.get(`*/wallet/topup/${ID}`, () => HttpResponse.json({ ...topUp, ...shown })),
    fake(getPublicConfig, () => shopConfig({}, { nowDate: topUp.nowDate })),
    fake(listTopUpMethods, () => [
      { code: 'promptpay' as const, name: 'พร้อมเพย์ QR', terms: { ...terms, surchargeBasisPoints: 200 } },
      { code: 'linepay' as const, name: 'LINE Pay', terms: { ...terms, surchargeBasisPoints: 300 } },
    ]),
  )
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
    <InShop at={`/wallet/topup/${ID}`}>
      <Routes>
        <Route path="/wallet/topup/:id" element={<TopUpPaymentScreen />} />
        <Route path="*" element={null} />
      </Routes>
    </InShop>,
  )
const LATER = { timeout: 5000 }

test('the QR stands with all that is paid, what of it comes onto the wallet, and whose name the bank shows', async () => {
  charged({})
  open()
  expect(await screen.findByText('Omise', {}, LATER)).toBeTruthy()
  expect(screen.getByText('เหลือเวลา 14:32')).toBeTruthy()
  expect(screen.getByText('510 บาท')).toBeTruthy()
  expect(screen.getByText(/ค่าธรรมเนียม/).textContent).toContain('500')
  expect(asked).toEqual(['promptpay'])
})

test('when the money has come, the page goes on by itself and shows the new balance', async () => {
  charged({})
  open()
  await screen.findByText('Omise', {}, LATER)
  shown = { status: 'approve', balanceSatang: 4785_00, charge: { ...summary, state: 'paid' } }
  expect(await screen.findByText('เงินเข้ากระเป๋าเงินแล้ว', {}, LATER)).toBeTruthy()
  expect(screen.getByText('4,785 บาท')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'ไปที่กระเป๋าเงิน' }).getAttribute('href')).toBe('/wallet')
})

test('another method leads to its own page, at its own cost', async () => {
  charged({}, { method: 'linepay', pay: { by: 'page', url: 'https://pay.example/x' }, amountSatang: 515_00 })
  open()
  await screen.findByText('Omise', {}, LATER)
  await userEvent.click(screen.getByRole('button', { name: 'LINE Pay (+15.00 บาท)' }))
  const link = await screen.findByRole('link', { name: 'ไปจ่ายที่ LINE Pay' }, LATER)
  expect(link.getAttribute('href')).toBe('https://pay.example/x')
  expect(asked).toEqual(['promptpay', 'linepay'])
})

test('a gateway that is away is said, with another try', async () => {
  charged('GATEWAY_UNAVAILABLE', {})
  open()
  await userEvent.click(await screen.findByRole('button', { name: 'ลองอีกครั้ง' }, LATER))
  expect(await screen.findByText('Omise', {}, LATER)).toBeTruthy()
})

test('it is cancelled after a question that says what becomes of money that was paid', async () => {
  charged({})
  server.use(
    http.patch(`*${cancelTopUp.path}`, () => {
      shown = { status: 'cancel' }
      return HttpResponse.json({ id: ID, no: topUp.no, status: 'cancel' })
    }),
  )
  open()
  await userEvent.click(await screen.findByRole('button', { name: 'ยกเลิกรายการ' }, LATER))
  const dialog = within(await screen.findByRole('dialog', { name: 'ยกเลิกรายการ' }))
  expect(dialog.getByText(/ยอดจะเข้ากระเป๋าเงินเอง/)).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'ยกเลิก' }))
  expect(await screen.findByText('ยกเลิกรายการแล้ว', {}, LATER)).toBeTruthy()
  expect(screen.queryByText('Omise')).toBeNull()
})

test('after its time nobody is led to pay', async () => {
  charged({})
  shown = { nowDate: '2026-11-20T07:21:00.000Z' }
  open()
  expect(await screen.findByText('หมดเวลาชำระแล้ว อย่าจ่ายยอดนี้', {}, LATER)).toBeTruthy()
  expect(asked).toEqual([])
})
