import { AppError } from '@shop/shared/errors.ts'
import { listAllOrders, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import { getSlipService } from '@shop/shared/slipcheck/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { NOW, ORDER_NO, order } from '../testing/order.ts'
import { renderSite, server } from '../testing/site.tsx'

const row = {
  orderNo: ORDER_NO,
  status: 'waiting_payment' as const,
  gameCode: 'pubg',
  gameName: 'PUBG Mobile',
  gamePicture: '/files/games/pubg.svg',
  packageName: '325 UC',
  quantity: 1,
  playerId: '5123456789',
  payment: 'bank' as const,
  amountSatang: 14937,
  createdAt: '2026-11-20T06:30:00.000Z',
  expiresAt: '2026-11-20T06:45:00.000Z',
  paidAt: null,
  playerName: null,
  lineId: null,
  queueNo: null,
  transferReportedAt: '2026-11-20T06:42:00.000Z',
  buyerName: 'น้ำข้าว',
  claimedBy: null,
  claimedByName: null,
  commands: ['cancel', 'markPaid'] as ('cancel' | 'markPaid')[],
}

const slipService = {
  provider: null,
  isShadow: false,
  usedThisMonth: 0,
  monthlyQuota: 100,
  isQuotaLow: false,
  stopped: null,
  nowDate: NOW,
}

test('marking an order paid asks for the reason, names order and amount, and sends it', async () => {
  const sent: unknown[] = []
  server.use(
    fake(getSlipService, () => slipService),
    fake(listAllOrders, () => ({ rows: [row], total: 1, next: null, openBefore: 0, nowDate: NOW })),
    fake(updateOrderStatus, body => {
      sent.push(body)
      return { orderNo: ORDER_NO, status: 'paid' as const }
    }),
  )
  renderSite({ path: '/management/history' })
  await screen.findByText('แจ้งโอน 18 นาที')
  fireEvent.click(screen.getByRole('button', { name: `เปลี่ยนสถานะ ${ORDER_NO}: รอชำระเงิน` }))
  const offered = await screen.findAllByRole('menuitem')
  expect(offered.map(({ textContent }) => textContent)).toEqual(['ยกเลิกคำสั่งซื้อ…', 'ได้รับเงินแล้ว…'])
  fireEvent.click(offered[1]!)

  const dialog = await screen.findByRole('dialog')
  within(dialog).getByText(`${ORDER_NO} · ฿149.37`)
  fireEvent.click(within(dialog).getByRole('button', { name: 'ได้รับเงินแล้ว' }))
  await within(dialog).findByText('กรุณาระบุเหตุผล')
  expect(sent).toEqual([])

  fireEvent.change(within(dialog).getByLabelText('เหตุผล'), { target: { value: ' เห็นเงินในแอปธนาคาร ' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'ได้รับเงินแล้ว' }))
  await waitFor(() => expect(sent).toEqual([{ orderNo: ORDER_NO, status: 'paid', reason: 'เห็นเงินในแอปธนาคาร' }]))
})

test('a usual reason is a press, Enter takes the order as well, and the next of the list opens', async () => {
  const sent: unknown[] = []
  const next = { ...row, orderNo: 'KT2611-04821938' }
  server.use(
    fake(getSlipService, () => slipService),
    fake(listAllOrders, () => ({
      rows: sent.length === 0 ? [row, next] : [next],
      total: 2 - sent.length,
      next: null,
      openBefore: 0,
      nowDate: NOW,
    })),
    fake(getOrderForStaff, (_, url) => ({
      ...order,
      orderNo: url.pathname.split('/').at(-1)!,
      status: 'waiting_payment' as const,
      commands: ['cancel' as const, 'markPaid' as const],
    })),
    fake(updateOrderStatus, body => {
      sent.push(body)
      return { orderNo: ORDER_NO, status: 'paid' as const }
    }),
  )
  renderSite({ path: `/management/history?waiting=reported&order=${ORDER_NO}` })
  const panel = await screen.findByRole('complementary', { name: `รายละเอียดคำสั่งซื้อ ${ORDER_NO}` })
  fireEvent.click(await within(panel).findByRole('button', { name: 'ได้รับเงินแล้ว…' }))
  const dialog = await screen.findByRole('dialog')
  fireEvent.click(within(dialog).getByRole('button', { name: 'สลิปตรงกับยอดในแอปธนาคาร' }))
  const box = within(dialog).getByLabelText<HTMLTextAreaElement>('เหตุผล')
  await waitFor(() => expect(box.value).toBe('สลิปตรงกับยอดในแอปธนาคาร'))
  fireEvent.click(within(dialog).getByRole('button', { name: 'ได้รับเงินแล้ว' }))
  await screen.findByRole('complementary', { name: `รายละเอียดคำสั่งซื้อ ${next.orderNo}` })
  fireEvent.click(await screen.findByRole('button', { name: 'ได้รับเงินแล้ว…' }))
  const second = await screen.findByRole('dialog')
  const typed = within(second).getByLabelText<HTMLTextAreaElement>('เหตุผล')
  fireEvent.keyDown(typed, { code: 'Digit1', key: '1', altKey: true })
  await waitFor(() => expect(typed.value).toBe('เห็นเงินเข้าบัญชีแล้ว'))
  fireEvent.change(typed, { target: { value: 'เห็นเงิน' } })
  fireEvent.keyDown(within(second).getByLabelText('เหตุผล'), { key: 'Enter', code: 'Enter', keyCode: 13 })
  await waitFor(() => expect(sent).toHaveLength(2))
  expect(sent).toEqual([
    { orderNo: ORDER_NO, status: 'paid', reason: 'สลิปตรงกับยอดในแอปธนาคาร' },
    { orderNo: next.orderNo, status: 'paid', reason: 'เห็นเงิน', andClaim: true },
  ])
})

test('a double click is one call', async () => {
  const sent: unknown[] = []
  server.use(
    fake(getSlipService, () => slipService),
    fake(listAllOrders, () => ({ rows: [row], total: 1, next: null, openBefore: 0, nowDate: NOW })),
    fake(updateOrderStatus, async body => {
      sent.push(body)
      await new Promise(resolve => setTimeout(resolve, 30))
      return { orderNo: ORDER_NO, status: 'paid' as const }
    }),
  )
  renderSite({ path: '/management/history' })
  fireEvent.click(await screen.findByRole('button', { name: `เปลี่ยนสถานะ ${ORDER_NO}: รอชำระเงิน` }))
  fireEvent.click(await screen.findByText('ได้รับเงินแล้ว…'))
  const dialog = await screen.findByRole('dialog')
  fireEvent.change(within(dialog).getByLabelText('เหตุผล'), { target: { value: 'เห็นเงิน' } })
  const both = within(dialog).getByRole('button', { name: 'ได้รับเงินแล้ว และรับเรื่อง' })
  fireEvent.click(both)
  fireEvent.click(both)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent).toEqual([{ orderNo: ORDER_NO, status: 'paid', reason: 'เห็นเงิน', andClaim: true }])
})

test('a change the server refuses keeps the dialog and the typed reason', async () => {
  server.use(
    fake(getSlipService, () => slipService),
    fake(listAllOrders, () => ({ rows: [row], total: 1, next: null, openBefore: 0, nowDate: NOW })),
    fake(updateOrderStatus, () => {
      throw new AppError('UNAVAILABLE')
    }),
  )
  renderSite({ path: '/management/history' })
  fireEvent.click(await screen.findByRole('button', { name: `เปลี่ยนสถานะ ${ORDER_NO}: รอชำระเงิน` }))
  fireEvent.click(await screen.findByText('ยกเลิกคำสั่งซื้อ…'))
  const dialog = await screen.findByRole('dialog')
  fireEvent.change(within(dialog).getByLabelText('เหตุผล'), { target: { value: 'ลูกค้าขอยกเลิก' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'ยกเลิกคำสั่งซื้อ' }))

  expect((await within(dialog).findByRole('alert')).textContent).toContain('บันทึกข้อมูลไม่สำเร็จ')
  expect(within(dialog).getByLabelText<HTMLTextAreaElement>('เหตุผล').value).toBe('ลูกค้าขอยกเลิก')
})

test('losing the race for a claim names who has the order and shows it as taken', async () => {
  let isTaken = false
  server.use(
    fake(getOrderForStaff, () =>
      isTaken
        ? {
            ...order,
            status: 'processing' as const,
            claimedBy: 'u-other',
            claimedByName: 'มานพ',
            claimedAt: NOW,
            commands: [],
          }
        : order,
    ),
    fake(updateOrderStatus, () => {
      isTaken = true
      throw new AppError('ORDER_CLAIMED_BY_OTHER')
    }),
  )
  renderSite({ path: `/management/details/${ORDER_NO}` })
  fireEvent.click(await screen.findByRole('button', { name: 'รับเรื่อง' }))

  await screen.findByText(`มานพ รับเรื่อง ${ORDER_NO} ไปแล้ว`)
  await screen.findByText(/รับเรื่องโดยมานพ/)
  expect(screen.queryByRole('button', { name: 'รับเรื่อง' })).toBeNull()
})
