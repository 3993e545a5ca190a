import { getOrder, type OrderView } from '@shop/shared/order/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { startServer } from '../account/testing.ts'
import { getCurrentOrder, saveCurrentOrder } from '../current-order.ts'
import { AppRoutes } from '../routes.tsx'
import { removeAll } from '../storage.ts'
import { InShop } from '../testing.tsx'
import { order } from './testing.ts'

const server = startServer()
const WARNING = 'Order ของคุณถูกยกเลิกเนื่องจากเลยเวลาที่กำหนด'
beforeEach(() => removeAll())

let asked = 0
function open(shown: Partial<OrderView>) {
  asked = 0
  server.use(
    fake(getOrder, () => {
      asked++
      return { ...order, ...shown }
    }),
  )
  saveCurrentOrder({ orderNo: order.orderNo, trackToken: order.trackToken })
  return render(
    <InShop at="/privacy">
      <AppRoutes />
    </InShop>,
  )
}

test('who left the payment page and comes back after its time is warned on whatever page that is, once', async () => {
  const { unmount } = open({ status: 'expired' })
  expect(await screen.findByText(WARNING)).toBeTruthy()
  expect(getCurrentOrder()).toBeNull()
  unmount()
  render(
    <InShop at="/privacy">
      <AppRoutes />
    </InShop>,
  )
  await screen.findAllByRole('heading', { name: 'นโยบายความเป็นส่วนตัว' })
  expect(screen.queryByText(WARNING)).toBeNull()
})

test.each<[string, Partial<OrderView>]>([
  ['still waits', {}],
  ['was reported and is being checked', { transferReportedAt: order.createdAt, status: 'expired' }],
  ['is paid', { status: 'paid' }],
])('an order that %s is no reason to', async (_, shown) => {
  open(shown)
  await waitFor(() => expect(asked).toBe(1))
  await screen.findAllByRole('heading', { name: 'นโยบายความเป็นส่วนตัว' })
  expect(screen.queryByText(WARNING)).toBeNull()
  expect(getCurrentOrder()).not.toBeNull()
})
