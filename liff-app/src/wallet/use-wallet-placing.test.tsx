import type { GamePackage } from '@shop/shared/catalogue/endpoints.ts'
import { confirmOrder, getPrice } from '@shop/shared/order/endpoints.ts'
import { getWallet } from '@shop/shared/wallet/endpoints.ts'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { useState } from 'react'
import { useLocation } from 'react-router-dom'
import { expect, test, vi } from 'vitest'
import { getCurrentOrder } from '../order/current-order.ts'
import { createDraft, type Draft } from '../order/draft.ts'
import type { Offer } from '../order/use-offer.ts'
import { findAlert, InShop, refuse, startWalletServer, wallet } from './testing.tsx'
import { useWalletPlacing } from './use-wallet-placing.tsx'

vi.mock('../account/firebase.ts', () => ({
  onUser: (hear: (uid: string) => void) => hear('u1'),
  getToken: async () => 'token',
  signOut: async () => undefined,
}))
const server = startWalletServer()

const chosen: GamePackage = {
  id: 7,
  gameId: 3,
  gameCode: 'rov',
  name: '230 คูปอง',
  desc: '',
  priceSatang: 97_00,
  discountSatang: 10_00,
  payment: 'wallet',
}
const draft: Draft = {
  ...createDraft('rov'),
  playerId: '5123456789',
  paymentMethod: 'wallet',
  package: 7,
  actualPrice: 87_00,
  quantity: 3,
}
const offer = { game: { name: 'RoV' } } as Offer

function Page() {
  const [current, setCurrent] = useState(draft)
  const placing = useWalletPlacing({ draft: current, chosen, offer, onChange: setCurrent })
  const { pathname } = useLocation()
  return (
    <>
      <p data-testid="path">{pathname}</p>
      {placing.notice}
      <button type="button" onClick={placing.start}>
        ยืนยันการสั่งซื้อ
      </button>
      {placing.sheets}
    </>
  )
}

type Sent = { key: string | null; body: Record<string, unknown> }

function answerOrders(...answers: (() => Response | Promise<Response>)[]): Sent[] {
  const sent: Sent[] = []
  const pricePath = getPrice.path.replace(':gameCode', 'rov')
  server.use(
    http.get(`*${pricePath}`, () => HttpResponse.json({ priceSatang: 87_00 })),
    http.post(`*${confirmOrder.path}`, async ({ request }) => {
      sent.push({ key: request.headers.get('idempotency-key'), body: (await request.json()) as Sent['body'] })
      return answers[sent.length - 1]!()
    }),
  )
  return sent
}
const accept = () => HttpResponse.json({ orderNo: 'KT2611-00000001', playerName: null })

const confirm = () => userEvent.click(screen.getByRole('button', { name: 'ยืนยันการสั่งซื้อ' }))
async function openPin() {
  render(<Page />, { wrapper: InShop })
  await confirm()
  await screen.findByRole('dialog', { name: 'ยืนยันการเติมเงิน' })
}
const typePin = async (pin: string) => {
  for (const digit of pin) await userEvent.click(screen.getByRole('button', { name: digit }))
}
const path = () => screen.getByTestId('path').textContent

test('the sheet says what, how much and what is left; the right PIN leads to the thanks', async () => {
  const sent = answerOrders(accept)
  await openPin()
  expect(screen.getByText('RoV · 230 คูปอง × 3')).toBeTruthy()
  expect(screen.getByText('261 บาท')).toBeTruthy()
  expect(screen.getByText('4,024 บาท')).toBeTruthy()
  await typePin('1234')
  await waitFor(() => expect(path()).toBe('/thankyou'))
  expect(getCurrentOrder()).toEqual({ orderNo: 'KT2611-00000001' })
  expect(sent).toHaveLength(1)
  expect(sent[0]!.body).toMatchObject({ gameId: 3, packageId: 7, playerId: '5123456789', quantity: 3, pin: '1234' })
})

test('a wrong PIN says how many tries are left and empties the dots', async () => {
  const sent = answerOrders(() => refuse('PIN_WRONG', { n: 4 }), accept)
  await openPin()
  await typePin('9999')
  expect(await screen.findByText('PIN ไม่ถูกต้อง เหลืออีก 4 ครั้ง')).toBeTruthy()
  await typePin('1234')
  await waitFor(() => expect(path()).toBe('/thankyou'))
  expect(sent.map(({ body }) => body.pin)).toEqual(['9999', '1234'])
})

test('a locked PIN gives the time and takes the pad away', async () => {
  answerOrders(() => refuse('PIN_LOCKED', { time: '14:27 น.' }))
  await openPin()
  await typePin('9999')
  expect(await findAlert()).toContain('ลองใหม่ได้เวลา 14:27 น. หรือติดต่อแอดมิน')
  expect(screen.queryByRole('button', { name: '1' })).toBeNull()
})

test('after a lost connection the PIN again is the same request, even after a reload; the PIN is not kept', async () => {
  const sent = answerOrders(() => HttpResponse.error(), accept)
  await openPin()
  await typePin('1234')
  expect(await findAlert()).toContain('ระบบจะไม่ตัดเงินซ้ำ')
  const kept = JSON.parse(localStorage.getItem('placing')!)
  expect(kept.key).toBe(sent[0]!.key)
  expect(kept.request).toMatchObject({ packageId: 7, quantity: 3 })
  expect(kept.request).not.toHaveProperty('pin')
  await typePin('1234')
  await waitFor(() => expect(path()).toBe('/thankyou'))
  expect(sent[1]).toEqual(sent[0])
  expect(localStorage.getItem('placing')).toBeNull()
})

test('four more digits while it is being ordered send nothing', async () => {
  const [arrived, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const sent = answerOrders(async () => {
    arrived.resolve()
    await release.promise
    return accept()
  })
  await openPin()
  await typePin('1234')
  await arrived.promise
  await typePin('1234')
  release.resolve()
  await waitFor(() => expect(path()).toBe('/thankyou'))
  expect(sent).toHaveLength(1)
})

test('a balance that shrank meanwhile is said before a PIN is asked for', async () => {
  answerOrders()
  server.use(http.get(`*${getWallet.path}`, () => HttpResponse.json({ ...wallet, balanceSatang: 260_99 })))
  render(<Page />, { wrapper: InShop })
  await confirm()
  expect(await findAlert()).toContain('ยอดเงินใน Wallet ไม่พอ กรุณาเติมเงิน')
  expect(screen.getByRole('link', { name: 'เติมเงิน' }).getAttribute('href')).toBe('/wallet')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a price that changed is shown before a PIN is asked for', async () => {
  answerOrders()
  server.use(http.get('*/getprice/*', () => HttpResponse.json({ priceSatang: 90_00 })))
  render(<Page />, { wrapper: InShop })
  await confirm()
  expect(await findAlert()).toContain('ราคาเปลี่ยนเป็น ฿90.00 แล้ว')
  expect(screen.queryByRole('dialog')).toBeNull()
})
