import { getUser } from '@shop/shared/account/endpoints.ts'
import { listAllOrders } from '@shop/shared/order/endpoints.ts'
import { type Action, can, type Role } from '@shop/shared/permissions.ts'
import { listWaitingFiles } from '@shop/shared/statement/import-endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server, staff } from '../testing/site.tsx'
import { fakeAccounts } from '../testing/statement.ts'

const noOrders = fake(listAllOrders, () => ({
  rows: [],
  total: 0,
  next: null,
  openBefore: 0,
  nowDate: '2026-11-20T07:00:00.000Z',
}))

const WORK = ['งานรอทำ', 'คำสั่งซื้อรอเติม', 'ประวัติคำสั่งซื้อ', 'กระเป๋าเงินตัวแทน']
const MONEY = ['จับคู่รายการธนาคาร', 'เงินรอคืนลูกค้า']
const REPORTS = ['ยอดขาย', 'แพ็กเกจใกล้หมดอายุ', 'กระทบยอดบัญชี']
const PEOPLE = ['เกมและแพ็กเกจ', 'ต้นทุนผู้จำหน่าย', 'ตัวแทนและ Tier', 'ส่วนลดตัวแทน', 'ผู้ใช้งาน']
const SETTINGS = ['การแจ้งเตือน LINE', 'ตั้งค่าระบบ', 'สุขภาพของร้าน']

test.each<[Role, string[]]>([
  ['accountant', [...MONEY, ...REPORTS]],
  ['staff', [...WORK, 'รอคนที่สอง', 'สต็อกรหัส', 'ผู้ใช้งาน', 'การแจ้งเตือน LINE']],
  [
    'manager',
    [...WORK, ...MONEY, 'รอคนที่สอง', 'สต็อกรหัส', ...REPORTS, 'สถานะผู้จำหน่าย', 'API ตัวแทน', ...PEOPLE, ...SETTINGS],
  ],
  [
    'admin',
    [
      ...WORK,
      ...MONEY,
      'รอคนที่สอง',
      'สต็อกรหัส',
      ...REPORTS,
      'ใครเคลื่อนย้ายมูลค่า',
      'สถานะผู้จำหน่าย',
      'API ตัวแทน',
      ...PEOPLE,
      'คำขอลบข้อมูล',
      ...SETTINGS,
      'บันทึกการแก้ไข',
    ],
  ],
])('%s finds their pages in the menu, and no others', async (role, pages) => {
  server.use(
    noOrders,
    fakeAccounts(),
    fake(listWaitingFiles, () => []),
  )
  renderSite({ path: '/', me: { ...staff, role } })
  const lists = within(await screen.findByRole('navigation', { name: 'เมนูหลัก' })).getAllByRole('listitem')
  expect(lists.map(entry => entry.textContent)).toEqual(pages)
})

test.each<Role>(['customer', 'agent'])('%s has no menu here, only the way to the shop', async role => {
  renderSite({ path: '/', me: { ...staff, role } })
  const link = await screen.findByRole('link', { name: 'กลับหน้าแรก' })
  expect(link.getAttribute('href')).toBe('http://localhost:5173/game')
  expect(screen.queryByRole('navigation')).toBeNull()
})

test.each<[Role, Action, string]>([
  ['staff', 'audit.view', '/management/audit'],
  ['accountant', 'order.list', '/management/history'],
  ['accountant', 'wallet.look', '/management/wallet'],
  ['accountant', 'message.look', '/management/chat'],
  ['customer', 'order.work', '/management/history'],
  ['agent', 'account.list', '/management/user'],
])('%s without %s gets 403 on %s and no data is asked for', async (role, action, path) => {
  expect(can(role, action)).toBe(false)
  renderSite({ path, me: { ...staff, role } })
  await screen.findByRole('heading', { name: 'ขออภัย คุณไม่ได้รับอนุญาตให้เข้าถึงหน้านี้' })
  screen.getByText('กลับหน้าแรก')
})

test('a page shows its shape while its code is on the way', async () => {
  server.use(noOrders)
  renderSite({ path: '/management/history' })
  await waitFor(() => {
    screen.getByRole('navigation', { name: 'เมนูหลัก' })
    screen.getByText('กรุณารอสักครู่..')
  })
  await screen.findByRole('heading', { name: 'ประวัติคำสั่งซื้อ' })
  expect(screen.queryByText('กรุณารอสักครู่..')).toBeNull()
})

test('an address that does not exist is a 404', async () => {
  renderSite({ path: '/management/nothing' })
  await screen.findByRole('heading', { name: 'ไม่พบหน้าที่คุณต้องการ' })
})

test('an unchanged password must be changed before any other page opens', async () => {
  const me = { ...staff, mustChangePassword: true }
  server.use(fake(getUser, () => me))
  renderSite({ path: '/management/history', me })
  await screen.findByText('กรุณาเปลี่ยนรหัสผ่านก่อนเข้าใช้งาน')
  screen.getByLabelText('รหัสผ่านปัจจุบัน')
  expect(screen.getByRole('button', { name: 'ข้อมูลผู้ใช้' }).hasAttribute('disabled')).toBe(true)
})
