import { getSlipService } from '@shop/shared/slipcheck/endpoints.ts'
import { getSupplier } from '@shop/shared/supplier/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server } from '../testing/site.tsx'

const WAITING = /^รออยู่ 2 คำสั่งซื้อ/
const seagm = { name: 'seagm', isOn: true, stopped: null, brokenUntil: null, isBalanceLow: false }
const AT = '2026-11-20T07:00:00.000Z'

const open = (suppliers: (Omit<typeof seagm, 'stopped' | 'brokenUntil'> & object)[], waitingOrders: number) => {
  renderSite({ path: '/dashboard' })
  server.use(
    fake(getSlipService, () => ({
      provider: null,
      isShadow: false,
      usedThisMonth: 0,
      monthlyQuota: 100,
      isQuotaLow: false,
      stopped: null,
      nowDate: AT,
    })),
    fake(getSupplier, () => ({ suppliers: suppliers as (typeof seagm)[], waitingOrders, unclearOrderNos: [] })),
  )
}

test('orders that wait because automatic delivery was switched off are told of', async () => {
  open([{ ...seagm, isOn: false }], 2)
  await screen.findByText('ปิดการซื้อจาก SEAGM อยู่')
  screen.getByText(WAITING)
})

test('a supplier that is on says only that the money runs out', async () => {
  open([{ ...seagm, isBalanceLow: true }], 2)
  await screen.findByText('เงินของร้านที่ SEAGM ใกล้หมด กรุณาแจ้งผู้จัดการ')
  expect(screen.queryByText(/^ปิดการซื้อ/)).toBeNull()
})

test('switched off with nothing waiting, it is quiet', async () => {
  open([{ ...seagm, isOn: false }], 0)
  await screen.findByRole('heading', { name: 'งานรอทำ' })
  expect(screen.queryByText(/^ปิดการซื้อ/)).toBeNull()
})

test('of several, each that stopped or rests is named with why', async () => {
  open(
    [
      { ...seagm, stopped: { reason: 'balance', at: AT } } as never,
      { ...seagm, name: 'other', brokenUntil: '2026-11-20T07:10:00.000Z' } as never,
    ],
    2,
  )
  await screen.findByText('หยุดซื้อจาก SEAGM')
  screen.getByText(/^SEAGM: เงินของร้านที่ผู้จำหน่ายไม่พอ ตั้งแต่/)
  screen.getByText(WAITING)
  screen.getByText('พักซื้อจาก other เพราะตอบไม่แน่นอนหลายครั้ง')
  screen.getByText(/^other กลับมาซื้อเองเวลา 14:10/)
})
