import { listGames } from '@shop/shared/catalogue/endpoints.ts'
import { listOwnOrders, listRunningOrders } from '@shop/shared/order/own-endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ensureGuestKey } from '../guest-key.ts'
import { InShop, startShopServer } from '../testing.tsx'
import HistoryScreen from './history-screen.tsx'
import PageBanner from './resume-banner.tsx'
import { order, runningOrder } from './testing.ts'

const server = startShopServer()
const { isBlocking: _, isInHistory: _own, ...row } = runningOrder
const reported = { ...row, orderNo: 'KT2611-00000002', transferReportedAt: row.createdAt }

test('a guest sees the orders of this browser, and how to see those of an account', async () => {
  server.use(
    fake(listGames, () => []),
    fake(listOwnOrders, () => ({
      rows: [row, reported],
      total: 2,
      counts: { all: 2, pay: 1, underWay: 1, done: 0, trouble: 0 },
      nowDate: order.nowDate,
    })),
  )
  render(
    <InShop at="/purchase/history">
      <HistoryScreen />
    </InShop>,
  )
  expect(await screen.findByText(row.orderNo)).toBeTruthy()
  expect(screen.getAllByText('รอชำระเงิน').length).toBeGreaterThan(0)
  expect(screen.getByText('กำลังตรวจยอดเงิน')).toBeTruthy()
  expect(screen.getAllByRole('link', { name: /^ชำระต่อ/ })).toHaveLength(1)
  expect(screen.getByRole('link', { name: 'เข้าสู่ระบบ' })).toBeTruthy()
})

test('the banner names the order that waits, and says nothing of one that was reported', async () => {
  ensureGuestKey()
  server.use(
    fake(listRunningOrders, () => ({
      rows: [runningOrder, { ...runningOrder, ...reported, isBlocking: false }],
      nowDate: order.nowDate,
    })),
  )
  render(
    <InShop>
      <PageBanner />
    </InShop>,
  )
  const banner = await screen.findByRole('link', { name: /PUBG Mobile · 325 UC/ })
  expect(banner.textContent).toContain(order.orderNo)
  expect(banner.getAttribute('href')).toBe(`/payment?order=${order.orderNo}`)
  expect(screen.queryByText(/KT2611-00000002/)).toBeNull()
})
