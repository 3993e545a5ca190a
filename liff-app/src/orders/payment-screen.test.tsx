import { getPublicConfig } from '@shop/shared/catalogue/endpoints.ts'
import { getOrder, type OrderView, reportOrderTransfer, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { createQueryClient } from '@shop/web/query-client.ts'
import { fake } from '@shop/web/testing.tsx'
import type { QueryClient } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { Route, Routes } from 'react-router-dom'
import { expect, test, vi } from 'vitest'
import { getCurrentOrder, saveCurrentOrder } from '../current-order.ts'
import { InShop, refuse, shopConfig, startShopServer } from '../testing.tsx'
import PaymentScreen from './payment-screen.tsx'
import { order } from './testing.ts'

vi.mock('../upload/prepare-slip.ts', () => ({ prepareSlip: async (file: File) => ({ file, qr: null }) }))
vi.mock('../upload/send-slip.ts', () => ({ sendSlip: async () => ({ id: 'slip', hasBankReference: false }) }))

const server = startShopServer()
const answer = (shown: Partial<OrderView>) =>
  server.use(
    http.get(`*${getOrder.path.split('/:')[0]}/*`, () => HttpResponse.json({ ...order, ...shown } satisfies OrderView)),
  )
const getPlace = () => screen.getByLabelText('ที่อยู่').textContent

function open(queries?: QueryClient) {
  return render(
    <InShop at="/payment" queries={queries}>
      <Routes>
        <Route path="/payment" element={<PaymentScreen />} />
        <Route path="*" element={null} />
      </Routes>
    </InShop>,
  )
}

test('the order is found again after a reload, with its amount and the time left by the server', async () => {
  answer({})
  saveCurrentOrder({ orderNo: order.orderNo })
  open()
  expect(await screen.findByText('เหลือเวลา 14:32')).toBeTruthy()
  expect(screen.getAllByText('149 บาท 37 สตางค์').length).toBeGreaterThan(0)
  expect(screen.getByText('012-3-45678-9')).toBeTruthy()
})

test('a time that can not be read is said, with what holds for money that is on its way', async () => {
  server.use(http.get(`*${getOrder.path.split('/:')[0]}/*`, () => refuse('INTERNAL')))
  saveCurrentOrder({ orderNo: order.orderNo })
  open()
  expect(await screen.findByText('ดึงเวลาไม่สำเร็จ กรุณาลองอีกครั้ง หากโอนเงินแล้ว ไม่ต้องโอนซ้ำ')).toBeTruthy()
})

test('after the deadline the transfer can still be reported, but no longer be made', async () => {
  answer({ nowDate: '2026-11-20T07:21:00.000Z' })
  saveCurrentOrder({ orderNo: order.orderNo })
  open()
  expect(await screen.findByText('หมดเวลาชำระแล้ว หากยังไม่ได้โอน อย่าโอนยอดนี้')).toBeTruthy()
  expect(screen.queryByText('012-3-45678-9')).toBeNull()
  expect(screen.queryByText(/เปิดแอปธนาคาร/)).toBeNull()
  expect(screen.queryAllByRole('button', { name: /คัดลอก/ })).toEqual([])
  expect(screen.getAllByRole('button', { name: 'โอนแล้ว แจ้งชำระเงิน' })[0]?.getAttribute('aria-disabled')).toBeNull()
})

test.each<[string, Partial<OrderView>, string]>([
  ['paid', { status: 'paid' }, 'ได้รับเงินแล้ว'],
  ['paid by credit', { status: 'paid', payment: 'credit' }, 'สั่งซื้อสำเร็จ'],
  ['expired', { status: 'expired' }, 'Order ของคุณถูกยกเลิกเนื่องจากเลยเวลาที่กำหนด'],
])('an order that is %s leads to its own page and says so', async (_, shown, words) => {
  answer(shown)
  saveCurrentOrder({ orderNo: order.orderNo, trackToken: order.trackToken })
  open()
  await waitFor(() => expect(getPlace()).toBe(`/track/${order.trackToken}`))
  expect(screen.getByText(words)).toBeTruthy()
  expect(getCurrentOrder()).toBeNull()
})

test('while the shop is closed, the page says when the goods come', async () => {
  answer({})
  server.use(fake(getPublicConfig, () => shopConfig({}, { nowDate: '2026-11-20T17:30:00.000Z' })))
  saveCurrentOrder({ orderNo: order.orderNo })
  open()
  expect(await screen.findByText('ร้านเปิด 09:00 น. แล้วเริ่มเติมให้ตามลำดับ')).toBeTruthy()
})

test('leaving the page never cancels the order', async () => {
  const cancelled = vi.fn()
  answer({})
  server.use(http.put(`*${updateOrderStatus.path}`, cancelled))
  saveCurrentOrder({ orderNo: order.orderNo })
  const page = open()
  await screen.findByText('เหลือเวลา 14:32')
  page.unmount()
  expect(cancelled).not.toHaveBeenCalled()
  expect(getCurrentOrder()).toEqual({ orderNo: order.orderNo })
})

test('offline, the page says that nothing needs to be paid twice', async () => {
  answer({})
  saveCurrentOrder({ orderNo: order.orderNo })
  open()
  await screen.findByText('เหลือเวลา 14:32')
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  act(() => void window.dispatchEvent(new Event('offline')))
  expect(await screen.findByText(/ออฟไลน์อยู่ หากโอนแล้ว ไม่ต้องโอนซ้ำ/)).toBeTruthy()
  vi.restoreAllMocks()
  act(() => void window.dispatchEvent(new Event('online')))
})

test('a report that failed offline is forgotten once there is a network again; asking brings the number', async () => {
  answer({})
  server.use(http.post(`*${reportOrderTransfer.path.split('/:')[0]}/*`, () => HttpResponse.error()))
  saveCurrentOrder({ orderNo: order.orderNo })
  open(createQueryClient(0))
  const [report] = await screen.findAllByRole('button', { name: 'โอนแล้ว แจ้งชำระเงิน' })
  const isOnline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  act(() => void window.dispatchEvent(new Event('offline')))
  await userEvent.click(report!)
  await userEvent.click(await screen.findByRole('button', { name: 'แจ้งโดยไม่แนบสลิป' }))
  expect(await screen.findByText(/ออฟไลน์อยู่/)).toBeTruthy()
  expect((await screen.findAllByText(/ระบบไม่พร้อม/)).length).toBeGreaterThan(0)
  isOnline.mockReturnValue(true)
  act(() => void window.dispatchEvent(new Event('online')))
  await waitFor(() => expect(screen.queryByText(/ออฟไลน์อยู่|ระบบไม่พร้อม/)).toBeNull())
  await userEvent.keyboard('{Escape}')
  // The way to ask comes with the settings, which waited for the network, too.
  const ask = (await screen.findByRole('link', { name: 'ติดต่อร้าน' })).getAttribute('href')
  expect(decodeURIComponent(ask ?? '')).toContain(order.orderNo)
})

test('an order that was cancelled elsewhere is left in the moment its report is refused', async () => {
  answer({})
  server.use(http.post(`*${reportOrderTransfer.path.split('/:')[0]}/*`, () => refuse('ORDER_STATUS_NOT_ALLOWED')))
  saveCurrentOrder({ orderNo: order.orderNo })
  open()
  const [button] = await screen.findAllByRole('button', { name: 'โอนแล้ว แจ้งชำระเงิน' })
  answer({ status: 'cancel' })
  await userEvent.click(button!)
  await userEvent.click(await screen.findByRole('button', { name: 'แจ้งโดยไม่แนบสลิป' }))
  await waitFor(() => expect(getPlace()).toMatch(/^\/track\//))
})

test('a report that is answered after its page was left leads nobody away, and is told', async () => {
  answer({})
  let tell: (answer: Response) => void = () => undefined
  const late = new Promise<Response>(resolve => (tell = resolve))
  server.use(http.post(`*${reportOrderTransfer.path.split('/:')[0]}/*`, () => late))
  saveCurrentOrder({ orderNo: order.orderNo })
  open()
  const [button] = await screen.findAllByRole('button', { name: 'โอนแล้ว แจ้งชำระเงิน' })
  await userEvent.click(button!)
  await userEvent.click(await screen.findByRole('button', { name: 'แจ้งโดยไม่แนบสลิป' }))
  history.replaceState(null, '', '/purchase/history')
  tell(HttpResponse.json({ ...order, transferReportedAt: order.nowDate }))
  expect(await screen.findByText('แจ้งชำระเงินแล้ว')).toBeTruthy()
  expect(getPlace()).not.toBe('/thankyou')
  history.replaceState(null, '', '/')
})

test('a slip that was sent stays while the order is loaded anew, as after a sign-in by itself', async () => {
  answer({})
  saveCurrentOrder({ orderNo: order.orderNo })
  const queries = createQueryClient(0, 0)
  open(queries)
  const [picker] = await screen.findAllByLabelText(/แนบสลิป/)
  await userEvent.upload(picker!, new File(['slip'], 'slip.jpg', { type: 'image/jpeg' }))
  await screen.findAllByText(/อัปโหลด slip.jpg แล้ว/)
  await act(() => queries.resetQueries())
  expect((await screen.findAllByText(/อัปโหลด slip.jpg แล้ว/)).length).toBeGreaterThan(0)
})
