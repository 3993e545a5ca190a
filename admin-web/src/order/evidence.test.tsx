import { getOrderForStaff, type StaffOrderView } from '@shop/shared/order/staff-endpoints.ts'
import { getSlipService } from '@shop/shared/slipcheck/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ORDER_NO, order } from '../testing/order.ts'
import { renderSite, server, staff } from '../testing/site.tsx'
import { lineOf, manager } from '../testing/statement.ts'

const { id: LINE } = lineOf(1)

function openOrder(some: Partial<StaffOrderView>, me = manager as typeof staff) {
  server.use(
    fake(getSlipService, () => ({
      ...{ provider: null, isShadow: false, usedThisMonth: 0, monthlyQuota: 100, isQuotaLow: false },
      ...{ stopped: null, nowDate: order.nowDate },
    })),
    fake(getOrderForStaff, () => ({ ...order, ...some })),
  )
  renderSite({ path: `/management/details/${ORDER_NO}`, me })
}

const line = { id: LINE, amountSatang: order.amountSatang, day: '2026-11-20', at: null, detail: 'โอนเงิน' }

test('a bank line that was found is led to, for those who match lines; to others it is told', async () => {
  openOrder({ statementLine: line })
  const link = await screen.findByRole('link', { name: 'พบรายการธนาคารแล้ว' })
  expect(link.getAttribute('href')).toBe(`/management/bankstatement?line=${LINE}`)
})

test('staff who match no lines read the same as words', async () => {
  openOrder({ statementLine: line }, staff)
  await screen.findByText(/พบรายการธนาคารแล้ว/)
  expect(screen.queryByRole('link', { name: 'พบรายการธนาคารแล้ว' })).toBeNull()
})

test('without a line there is nothing to follow', async () => {
  openOrder({})
  await screen.findByText('หลักฐานการเงิน')
  expect(screen.queryByText(/พบรายการธนาคารแล้ว/)).toBeNull()
})

test('what else the slip was handed in for is warned of, and what it paid is told apart', async () => {
  const id = '01a1f903-0007-7b09-91c6-00000000000'
  openOrder({
    slipOthers: [
      { kind: 'topUp', id: `${id}1`, no: 'WT2611-00000001', hasPaid: true },
      { kind: 'order', id: `${id}2`, no: 'KT2611-00000002', hasPaid: false },
    ],
  })
  const paid = await screen.findByRole('link', { name: 'WT2611-00000001' })
  expect(paid.getAttribute('href')).toBe(`/management/wallet?status=all&tx=${id}1`)
  expect(paid.closest('li')!.textContent).toContain('จ่ายแล้ว จ่ายซ้ำไม่ได้')
  const open = screen.getByRole('link', { name: 'KT2611-00000002' })
  expect(open.getAttribute('href')).toBe('/management/details/KT2611-00000002')
  expect(open.closest('li')!.textContent).toContain('จ่ายได้รายการเดียว')
})
