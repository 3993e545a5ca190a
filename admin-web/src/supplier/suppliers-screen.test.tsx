import { getSupplierHealth, type SupplierHealth } from '@shop/shared/supplier/endpoints.ts'
import { fake, refuse } from '@shop/web/testing.tsx'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { manager } from '../testing/catalogue.ts'
import { renderSite, server } from '../testing/site.tsx'

const NOW = '2026-11-20T07:00:00.000Z'
const nothing = { sent: 0, delivered: 0, settled: 0 }
const fresh: SupplierHealth = {
  name: 'seagm',
  isOn: true,
  stopped: null,
  brokenUntil: null,
  callback: 'signed',
  lastCallbackAt: null,
  balanceSatang: null,
  balanceAt: null,
  isBalanceLow: false,
  lastError: null,
  lastErrorAt: null,
  day: nothing,
  week: nothing,
  medianSeconds: null,
  unclearOrderNos: [],
}
const open = async (...suppliers: SupplierHealth[]) => {
  server.use(fake(getSupplierHealth, () => ({ suppliers, nowDate: NOW })))
  renderSite({ path: '/management/supplier', me: manager })
  await screen.findByRole('heading', { level: 1, name: 'สถานะผู้จำหน่าย' })
}
const factsOf = async () => {
  const card = await screen.findByRole('listitem', { name: 'SEAGM' })
  const terms = within(card).getAllByRole('term')
  const values = within(card).getAllByRole('definition')
  return Object.fromEntries(terms.map((term, at) => [term.textContent, values[at]!.textContent]))
}

test('what is unknown is said to be unknown, and never a zero', async () => {
  await open({ ...fresh, week: { sent: 1, delivered: 0, settled: 0 } })
  expect(await factsOf()).toEqual({
    เงินคงเหลือ: 'ไม่ทราบ',
    ส่งสำเร็จวันนี้: 'ยังไม่มีการซื้อ',
    'ส่งสำเร็จ 7 วัน': 'ไม่ทราบ · รอผล 1',
    'เวลาส่งกลาง 7 วัน': 'ไม่ทราบ',
    แจ้งผลกลับล่าสุด: 'ไม่ทราบ',
    ปัญหาล่าสุด: '–',
    ต้องตรวจกับผู้จำหน่าย: 'ไม่มี',
  })
})

test('the balance with its age, shares, speed, errors and what is unclear', async () => {
  await open({
    ...fresh,
    balanceSatang: 1_234_50,
    balanceAt: '2026-11-20T06:40:00.000Z',
    isBalanceLow: true,
    day: { sent: 3, delivered: 2, settled: 2 },
    week: { sent: 200, delivered: 199, settled: 200 },
    medianSeconds: 75,
    lastCallbackAt: '2026-11-20T04:00:00.000Z',
    lastError: 'ติดต่อผู้จำหน่ายไม่ได้',
    lastErrorAt: NOW,
    brokenUntil: '2026-11-20T07:10:00.000Z',
    unclearOrderNos: ['KT2611-00000001'],
  })
  expect(await factsOf()).toMatchObject({
    เงินคงเหลือ: '1,234.50 บาท (ใกล้หมด) · 20 นาทีก่อน',
    ส่งสำเร็จวันนี้: '2 จาก 2 (100%) · รอผล 1',
    // 99.5 % are not all.
    'ส่งสำเร็จ 7 วัน': '199 จาก 200 (99%)',
    'เวลาส่งกลาง 7 วัน': '1.3 นาที',
    แจ้งผลกลับล่าสุด: expect.stringContaining('3 ชม. ก่อน'),
    ปัญหาล่าสุด: expect.stringContaining('ติดต่อผู้จำหน่ายไม่ได้'),
  })
  screen.getByText(/^พักถึง 14:10/)
  const link = screen.getByRole('link', { name: 'KT2611-00000001' })
  expect(link.getAttribute('href')).toBe('/management/details/KT2611-00000001')
})

test('without suppliers it says who delivers; a failure can be tried again', async () => {
  await open()
  await screen.findByText('ยังไม่ได้เชื่อมต่อผู้จำหน่าย ทีมงานเติมเองทุกคำสั่งซื้อ')
})

test('a failure is told with a way to try again', async () => {
  server.use(fake(getSupplierHealth, refuse('INTERNAL')))
  renderSite({ path: '/management/supplier', me: manager })
  await screen.findByRole('button', { name: /ลองอีกครั้ง/ })
})
