import { getSlipService } from '@shop/shared/slipcheck/endpoints.ts'
import { getSupplier } from '@shop/shared/supplier/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server } from '../testing/site.tsx'

const WAITING = /^รออยู่ 2 คำสั่งซื้อ/

const open = (state: { isOn: boolean; waitingOrders: number; isBalanceLow?: boolean }) => {
  renderSite({ path: '/dashboard' })
  server.use(
    fake(getSlipService, () => ({
      provider: null,
      isShadow: false,
      usedThisMonth: 0,
      monthlyQuota: 100,
      isQuotaLow: false,
      stopped: null,
      nowDate: '2026-11-20T07:00:00.000Z',
    })),
    fake(getSupplier, () => ({ name: 'seagm', stopped: null, isBalanceLow: false, unclearOrderNos: [], ...state })),
  )
}

test('orders that wait because automatic delivery was switched off are told of', async () => {
  open({ isOn: false, waitingOrders: 2 })
  await screen.findByText('ปิดการเติมอัตโนมัติอยู่')
  screen.getByText(WAITING)
})

test('a supplier that is on says only that the money runs out', async () => {
  open({ isOn: true, waitingOrders: 2, isBalanceLow: true })
  await screen.findByText(/ใกล้หมด/)
  expect(screen.queryByText('ปิดการเติมอัตโนมัติอยู่')).toBeNull()
})

test('switched off with nothing waiting, it is quiet', async () => {
  open({ isOn: false, waitingOrders: 0 })
  await screen.findByRole('heading', { name: 'งานรอทำ' })
  expect(screen.queryByText('ปิดการเติมอัตโนมัติอยู่')).toBeNull()
})
