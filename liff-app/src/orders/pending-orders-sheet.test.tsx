import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, test, vi } from 'vitest'
import { InShop, refuse, startShopServer } from '../testing.tsx'
import { PendingOrdersSheet } from './pending-orders-sheet.tsx'
import { runningOrder } from './testing.ts'
import type { UnpaidOrder, useUnpaidOrders } from './unpaid-orders.ts'

const server = startShopServer()
const [first, second] = ['KT2611-00000001', 'KT2611-00000002'].map(
  (orderNo): UnpaidOrder => ({
    ...runningOrder,
    orderNo,
    expiresAt: '2026-11-20T07:20:00.000Z',
    nowDate: '2026-11-20T07:05:00.000Z',
  }),
) as [UnpaidOrder, UnpaidOrder]

function show(orders = [first, second]) {
  const onClose = vi.fn()
  const refetch = vi.fn<ReturnType<typeof useUnpaidOrders>['refetch']>()
  const unpaid = { orders, receivedAt: Date.now(), isLoading: false, refetch }
  render(
    <InShop at="/game/pubg">
      <PendingOrdersSheet open unpaid={unpaid} onClose={onClose} />
    </InShop>,
  )
  return onClose
}

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))

test('cancelling asks first, naming the order, and keeping it changes nothing', async () => {
  const cancelled = vi.fn(() => HttpResponse.json({ orderNo: first.orderNo, status: 'cancel' }))
  server.use(http.put(`*${updateOrderStatus.path}`, cancelled))
  show()
  await press(`ยกเลิกคำสั่งซื้อ ${first.orderNo}`)
  expect(await screen.findByText(/หากโอนเงินแล้ว อย่ายกเลิก/)).toBeTruthy()
  expect(screen.getByText(first.orderNo)).toBeTruthy()
  expect(screen.queryByText(second.orderNo)).toBeNull()
  await press('เก็บรายการไว้')
  expect(await screen.findByRole('link', { name: `ชำระ ${first.orderNo}` })).toBeTruthy()
  expect(cancelled).not.toHaveBeenCalled()
})

test('an order that could not be cancelled is named in an error, and the dialog stays', async () => {
  server.use(
    http.put(`*${updateOrderStatus.path}`, async ({ request }) => {
      const { orderNo } = (await request.json()) as { orderNo: string }
      return orderNo === second.orderNo ? refuse('UNAVAILABLE') : HttpResponse.json({ orderNo, status: 'cancel' })
    }),
  )
  const onClose = show()
  await press('ยกเลิกทั้งหมด')
  await press('ยกเลิกคำสั่งซื้อ')
  expect(await screen.findByText(`ยกเลิกไม่สำเร็จ กรุณาลองอีกครั้ง: ${second.orderNo}`)).toBeTruthy()
  expect(onClose).not.toHaveBeenCalled()
})

test('once all are cancelled the dialog closes', async () => {
  server.use(
    http.put(`*${updateOrderStatus.path}`, () => HttpResponse.json({ orderNo: first.orderNo, status: 'cancel' })),
  )
  const onClose = show()
  await press('ยกเลิกทั้งหมด')
  await press('ยกเลิกคำสั่งซื้อ')
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled())
})

test('each order can be paid by itself, and all are cancelled only where there are several', async () => {
  show([first])
  const link = await screen.findByRole('link', { name: `ชำระ ${first.orderNo}` })
  expect(link.getAttribute('href')).toBe(`/payment?order=${first.orderNo}`)
  expect(screen.queryByRole('button', { name: 'ยกเลิกทั้งหมด' })).toBeNull()
})
