import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, test, vi } from 'vitest'
import { InShop, refuse, startShopServer } from '../testing.tsx'
import { PendingOrdersSheet } from './pending-orders-sheet.tsx'
import type { UnpaidOrder } from './unpaid-orders.ts'

const server = startShopServer()
const [first, second] = ['KT2611-00000001', 'KT2611-00000002'].map(
  (orderNo): UnpaidOrder => ({
    orderNo,
    amountSatang: 149_37,
    gameCode: 'pubg',
    gameName: 'PUBG Mobile',
    gamePicture: '/pubg.svg',
    packageName: '325 UC',
    expiresAt: '2026-11-20T07:20:00.000Z',
    transferReportedAt: null,
    nowDate: '2026-11-20T07:05:00.000Z',
  }),
) as [UnpaidOrder, UnpaidOrder]

function show() {
  const onClose = vi.fn()
  render(
    <InShop at="/game/pubg">
      <PendingOrdersSheet
        open
        orders={[first, second]}
        receivedAt={Date.now()}
        onClose={onClose}
        onChanged={async () => undefined}
      />
    </InShop>,
  )
  return onClose
}

test('an order that could not be cancelled is named in an error, and the dialog stays', async () => {
  server.use(
    http.put(`*${updateOrderStatus.path}`, async ({ request }) => {
      const { orderNo } = (await request.json()) as { orderNo: string }
      return orderNo === second.orderNo ? refuse('UNAVAILABLE') : HttpResponse.json({ orderNo, status: 'cancel' })
    }),
  )
  const onClose = show()
  await userEvent.click(await screen.findByRole('button', { name: 'ยกเลิกทั้งหมด' }))
  expect(await screen.findByText(`ยกเลิกไม่สำเร็จ กรุณาลองอีกครั้ง: ${second.orderNo}`)).toBeTruthy()
  expect(onClose).not.toHaveBeenCalled()
})

test('once all are cancelled the dialog closes', async () => {
  server.use(
    http.put(`*${updateOrderStatus.path}`, () => HttpResponse.json({ orderNo: first.orderNo, status: 'cancel' })),
  )
  const onClose = show()
  await userEvent.click(await screen.findByRole('button', { name: 'ยกเลิกทั้งหมด' }))
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled())
})

test('each order can be paid by itself', async () => {
  show()
  const link = await screen.findByRole('link', { name: `ชำระ ${first.orderNo}` })
  expect(link.getAttribute('href')).toBe(`/payment?order=${first.orderNo}`)
})
