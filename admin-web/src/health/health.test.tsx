import { getHealth, type HealthCheck, type ServiceHealth } from '@shop/shared/health/endpoints.ts'
import { fake, refuse } from '@shop/web/testing.tsx'
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server, staff } from '../testing/site.tsx'
import { manager, NOW } from '../testing/statement.ts'

const EARLIER = '2026-11-20T05:30:00.000Z'
const service = (change: Partial<ServiceHealth>): ServiceHealth => ({
  name: 'database',
  state: 'works',
  failingSince: null,
  succeededAt: NOW,
  failedAt: null,
  detail: null,
  ...change,
})
const shopWith = (...services: ServiceHealth[]) => watched([], ...services)
const watched = (checks: HealthCheck[], ...services: ServiceHealth[]) =>
  server.use(fake(getHealth, () => ({ services: [service({}), ...services], checks, nowDate: NOW })))

const rows = async () => {
  const list = await screen.findByRole('list', { name: 'บริการของร้าน' })
  return within(list).getAllByRole('listitem')
}

test('a service that fails comes first, with what customers meet and where to act', async () => {
  shopWith(
    service({ name: 'mail', state: 'missing', succeededAt: null }),
    service({
      name: 'slip',
      state: 'failing',
      failingSince: EARLIER,
      failedAt: NOW,
      detail: 'ผู้ตรวจสลิปปฏิเสธ (รหัส 1003)',
    }),
  )
  renderSite({ path: '/management/health', me: manager })
  const [failing, works, missing] = await rows()
  for (const text of [
    'ขัดข้อง',
    'ตรวจสลิป',
    'ระหว่างนี้: สลิปจะรอพนักงานตรวจ',
    'ผู้ตรวจสลิปปฏิเสธ (รหัส 1003)',
    '20 พ.ย. · 12:30 น.',
  ])
    within(failing!).getByText(text)
  const link = within(failing!).getByRole('link', { name: 'คำสั่งซื้อที่รอตรวจเงิน' })
  expect(link.getAttribute('href')).toBe('/management/history?waiting=reported')
  within(works!).getByText('ใช้งานได้')
  within(missing!).getByText('ยังไม่ได้ตั้งค่า')
  screen.getByText('ขัดข้อง 1 บริการ: ตรวจสลิป')
})

test('a shop in which everything works says so in one line', async () => {
  shopWith(service({ name: 'supplier', state: 'off' }))
  renderSite({ path: '/management/health', me: manager })
  await rows()
  screen.getByText('บริการที่เปิดใช้ทำงานปกติทั้งหมด')
  screen.getByText('ตอนนี้: คำสั่งซื้ออัตโนมัติรอพนักงานเติมเอง')
})

test('what can not be loaded is tried again; staff do not see the page', async () => {
  shopWith()
  server.use(fake(getHealth, refuse('INTERNAL'), { once: true }))
  const { unmount } = renderSite({ path: '/management/health', me: manager })
  fireEvent.click(await screen.findByRole('button', { name: 'ลองอีกครั้ง' }))
  expect(await rows()).toHaveLength(1)
  unmount()
  renderSite({ path: '/management/health', me: staff })
  await screen.findByText('ขออภัย คุณไม่ได้รับอนุญาตให้เข้าถึงหน้านี้')
})

test('what passes its limit comes first, with what it means; the rest of what was measured can be opened', async () => {
  const fact = { of: null, label: null, value: null, limit: 180 }
  watched([
    { name: 'poolWaiting', isRed: false, facts: [{ ...fact, value: 0, limit: 40 }] },
    {
      name: 'outboxDue',
      isRed: true,
      facts: [
        { ...fact, of: 'mail.send', label: 'ส่งอีเมล', value: 12 },
        { ...fact, of: 'slip.check', label: 'ตรวจสลิป', value: 270 },
        { ...fact, of: 'chat.send', label: 'ส่งข้อความ LINE' },
      ],
    },
  ])
  renderSite({ path: '/management/health', me: manager })
  await rows()
  screen.getByText('เกินกำหนด 1 เรื่อง: งานที่รอส่งออกนานที่สุด')
  const list = screen.getByRole('list', { name: 'สิ่งที่เฝ้าดู' })
  const [red, fine] = [...list.children] as HTMLElement[]
  for (const text of ['เกินกำหนด', 'ไม่มีใครทำงานที่รอส่งออก', 'ตรวจสลิป: 4.5 นาที (ไม่เกิน 3 นาที)', 'อีก 1 รายการ'])
    within(red!).getByText(text)
  within(red!).getByText('ส่งอีเมล: 12 วินาที (ไม่เกิน 3 นาที)')
  expect(within(red!).queryByText(/ส่งข้อความ LINE/)).toBeNull()
  for (const text of ['ปกติ', '0 (ไม่เกิน 40)']) within(fine!).getByText(text)
})
