import {
  getSupplierSettings,
  type SupplierSettings,
  saveSupplier,
  testSupplier,
} from '@shop/shared/supplier/endpoints.ts'
import { fake, refuse } from '@shop/web/testing.tsx'
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { manager } from '../testing/catalogue.ts'
import { renderSite, server } from '../testing/site.tsx'

const NOW = '2026-11-20T07:00:00.000Z'
const seagm: SupplierSettings = {
  name: 'seagm',
  capabilities: {
    currency: 'THB',
    ownReference: true,
    findByReference: true,
    refusesRepeats: false,
    validates: 'none',
    callback: 'signed',
    delivers: ['top_up', 'code'],
    mostPieces: 5,
  },
  isOn: true,
  stopped: null,
  brokenUntil: null,
  lastCallbackAt: null,
  balanceSatang: null,
  balanceAt: null,
  lowBalanceSatang: 100_000,
  lastError: null,
  lastErrorAt: null,
}
const open = async (...suppliers: SupplierSettings[]) => {
  server.use(fake(getSupplierSettings, () => ({ suppliers, waitingOrders: 2 })))
  renderSite({ path: '/management/appconfig?section=supplier', me: manager })
  await screen.findByRole('navigation', { name: 'หัวข้อการตั้งค่า' })
}

test('a card says what the supplier can do, and that its balance is not known', async () => {
  await open(seagm)
  const card = within(await screen.findByRole('region', { name: 'SEAGM' }))
  for (const text of ['ซื้อได้', 'ไม่ทราบ', 'เติมเข้าบัญชีผู้เล่น, ส่งเป็นรหัส · ครั้งละไม่เกิน 5 ชิ้น', 'มี ลงลายเซ็น']) card.getByText(text)
  screen.getByText(/รอเติม 2 คำสั่งซื้อ/)
})

test('one that stopped says why, and goes on at a press, with its own limit', async () => {
  const sent: unknown[] = []
  server.use(
    fake(saveSupplier, body => {
      sent.push(body)
      return seagm
    }),
  )
  await open({ ...seagm, isOn: false, stopped: { reason: 'auth', at: NOW } })
  await screen.findByText('หยุดอยู่: ผู้จำหน่ายไม่ยอมรับรหัสของร้าน')
  fireEvent.click(screen.getByRole('button', { name: 'เปิดอีกครั้ง' }))
  await screen.findByText('บันทึกการตั้งค่า SEAGM แล้ว')
  expect(sent).toEqual([{ name: 'seagm', isOn: true, lowBalanceSatang: 100_000 }])
})

test('the limit is typed in baht, and a test that fails says so at its supplier', async () => {
  const sent: unknown[] = []
  server.use(
    fake(saveSupplier, body => {
      sent.push(body)
      return seagm
    }),
    fake(testSupplier, refuse('SUPPLIER_SILENT')),
  )
  await open(seagm)
  const card = within(await screen.findByRole('region', { name: 'SEAGM' }))
  fireEvent.change(card.getByLabelText('เตือนเมื่อเงินต่ำกว่า'), { target: { value: '2500' } })
  fireEvent.click(card.getByRole('button', { name: 'บันทึก' }))
  await screen.findByText('บันทึกการตั้งค่า SEAGM แล้ว')
  expect(sent).toEqual([{ name: 'seagm', isOn: true, lowBalanceSatang: 250_000 }])
  fireEvent.click(card.getByRole('button', { name: 'ทดสอบการเชื่อมต่อ SEAGM' }))
  await card.findByText('ติดต่อผู้จำหน่ายไม่ได้ กรุณาลองอีกครั้ง')
})

test('without suppliers it says how one is connected', async () => {
  await open()
  await screen.findByText('ยังไม่ได้เชื่อมต่อผู้จำหน่าย ทีมงานเติมเองทุกคำสั่งซื้อ')
  screen.getByText(/ใส่ชื่อผู้จำหน่ายใน SUPPLIER/)
})
