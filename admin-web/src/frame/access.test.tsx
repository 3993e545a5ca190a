import { getUser } from '@shop/shared/account/endpoints.ts'
import { listAllOrders } from '@shop/shared/order/endpoints.ts'
import { type Action, can, ROLES, type Role } from '@shop/shared/permissions.ts'
import { fake } from '@shop/web/testing.tsx'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server, staff } from '../testing/site.tsx'
import { listMenu, PAGES } from './pages.ts'

const noOrders = fake(listAllOrders, () => ({ rows: [], total: 0, nowDate: '2026-11-20T07:00:00.000Z' }))

test.each(ROLES)('the menu of %s holds exactly the pages the permission table gives', role => {
  const offered = listMenu(role).map(entry => entry.path)
  const allowed = PAGES.filter(page => page.menu && can(role, page.allow)).map(page => page.path)
  expect(offered).toEqual(allowed)
  expect(offered.length > 0).toBe(['admin', 'manager', 'staff'].includes(role))
})

test('the audit log is in the menu of an admin and not in that of staff', async () => {
  server.use(noOrders)
  const { unmount } = renderSite({ path: '/', me: { ...staff, role: 'admin' } })
  const menu = await screen.findByRole('navigation', { name: 'เมนูหลัก' })
  within(menu).getByRole('link', { name: 'บันทึกการแก้ไข' })
  unmount()

  renderSite({ path: '/' })
  const staffMenu = await screen.findByRole('navigation', { name: 'เมนูหลัก' })
  within(staffMenu).getByRole('link', { name: 'ประวัติคำสั่งซื้อ' })
  expect(within(staffMenu).queryByRole('link', { name: 'บันทึกการแก้ไข' })).toBeNull()
})

test.each<[Role, Action, string]>([
  ['staff', 'audit.view', '/management/audit'],
  ['customer', 'order.work', '/management/history'],
  ['agent', 'account.list', '/management/user'],
])('%s without %s gets 403 on %s and no data is asked for', async (role, action, path) => {
  expect(can(role, action)).toBe(false)
  renderSite({ path, me: { ...staff, role } })
  await screen.findByRole('heading', { name: 'ขออภัย คุณไม่ได้รับอนุญาตให้เข้าถึงหน้านี้' })
  screen.getByText('กลับหน้าแรก')
})

test('an address that does not exist is a 404', async () => {
  renderSite({ path: '/management/nothing' })
  await screen.findByRole('heading', { name: 'The page you requested could not be found.' })
})

test('an unchanged password must be changed before any other page opens', async () => {
  const me = { ...staff, isPasswordChange: false }
  server.use(fake(getUser, () => me))
  renderSite({ path: '/management/history', me })
  await screen.findByText('กรุณาเปลี่ยนรหัสผ่านก่อนเข้าใช้งาน')
  screen.getByLabelText('รหัสผ่านปัจจุบัน')
  expect(screen.getByRole('button', { name: 'ข้อมูลผู้ใช้' }).hasAttribute('disabled')).toBe(true)
})
