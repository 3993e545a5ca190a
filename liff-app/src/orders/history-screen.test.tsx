import { listGames } from '@shop/shared/catalogue/endpoints.ts'
import { listOwnOrders } from '@shop/shared/order/own-endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { InShop, startShopServer } from '../testing.tsx'
import HistoryScreen from './history-screen.tsx'
import { order, runningOrder } from './testing.ts'

const server = startShopServer()
const { isBlocking: _, isInHistory: _own, ...row } = runningOrder
const reported = { ...row, orderNo: 'KT2611-00000002', transferReportedAt: row.createdAt }

const openHistory = () =>
  render(
    <InShop at="/purchase/history">
      <HistoryScreen />
    </InShop>,
  )

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
  openHistory()
  expect(await screen.findByText(row.orderNo)).toBeTruthy()
  expect(screen.getAllByText('รอชำระเงิน').length).toBeGreaterThan(0)
  expect(screen.getByText('กำลังตรวจยอดเงิน')).toBeTruthy()
  expect(screen.getAllByRole('link', { name: /^ชำระต่อ/ })).toHaveLength(1)
  expect(screen.getByRole('link', { name: 'เข้าสู่ระบบ' })).toBeTruthy()
})

const someCounts = { all: 9, pay: 0, underWay: 0, done: 1, trouble: 1 }

test('each row offers the one thing to do with it, and a short list no filters', async () => {
  const rows = [
    { ...row, orderNo: 'KT2611-00000003', status: 'success' as const },
    { ...row, orderNo: 'KT2611-00000004', status: 'failed' as const, asks: 'player' as const },
    { ...row, orderNo: 'KT2611-00000006', status: 'refunding' as const, asks: 'payee' as const },
    { ...row, orderNo: 'KT2611-00000005', status: 'processing' as const },
    { ...row, orderNo: 'KT2611-00000007', status: 'failed' as const, isCorrected: true },
    { ...row, orderNo: 'KT2611-00000008', status: 'failed' as const, isRefundAsked: true },
    { ...row, orderNo: 'KT2611-00000009', status: 'refunded' as const, creditBackSatang: 95_00 },
  ]
  server.use(
    fake(listGames, () => []),
    fake(listOwnOrders, () => ({ rows, total: 3, counts: someCounts, nowDate: order.nowDate })),
  )
  openHistory()
  await screen.findByText('KT2611-00000003')
  const actionsOf = (orderNo: string) => {
    const card = within(screen.getByText(orderNo).closest('li')!)
    return [...card.queryAllByRole('button'), ...card.getAllByRole('link').slice(1)].map(each => each.textContent)
  }
  expect(actionsOf('KT2611-00000003')).toEqual(['เติมอีก'])
  expect(actionsOf('KT2611-00000004')).toEqual(['แก้ ID หรือขอเงินคืน'])
  expect(actionsOf('KT2611-00000006')).toEqual(['แจ้งบัญชีรับเงิน'])
  expect(actionsOf('KT2611-00000005')).toEqual([])
  expect(actionsOf('KT2611-00000007')).toEqual([])
  expect(actionsOf('KT2611-00000008')).toEqual([])
  expect(actionsOf('KT2611-00000009')).toEqual(['ใช้เลย'])
  expect(screen.getAllByText('รับข้อมูลใหม่แล้ว')).toHaveLength(1)
  expect(screen.getAllByText('ขอเงินคืนแล้ว')).toHaveLength(1)
  expect(screen.getAllByText('฿95.00 เป็นเครดิตร้าน')).toHaveLength(1)
  expect(screen.queryByRole('button', { name: 'ตัวกรอง' })).toBeNull()
})

test('a tab asks for its own orders, and filters open behind a button', async () => {
  const asked: unknown[] = []
  const counts = { ...someCounts, all: 12 }
  server.use(
    fake(listGames, () => []),
    fake(listOwnOrders, (_, url) => {
      asked.push(url.searchParams.get('tab'))
      return { rows: [], total: 0, counts, nowDate: order.nowDate }
    }),
  )
  openHistory()
  await userEvent.click(await screen.findByRole('button', { name: /^มีปัญหา/ }))
  await screen.findByText('ไม่มีรายการที่มีปัญหา')
  expect(asked).toEqual([null, 'trouble'])
  expect(screen.queryByLabelText('เกม')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'ตัวกรอง' }))
  expect(screen.getByLabelText('เกม')).toBeTruthy()
})
