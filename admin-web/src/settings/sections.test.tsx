import { listManagedAccounts } from '@shop/shared/catalogue/manage-endpoints.ts'
import { listManagedMethods } from '@shop/shared/catalogue/method-endpoints.ts'
import type { Role } from '@shop/shared/permissions.ts'
import { listOptions, listTerms } from '@shop/shared/settings/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server, staff } from '../testing/site.tsx'

const open = (path: string, role: Role) => renderSite({ path, me: { ...staff, role } })

const everyList = () =>
  server.use(
    fake(listOptions, () => []),
    fake(listTerms, () => []),
    fake(listManagedMethods, () => ({ gateway: null, methods: [] })),
    fake(listManagedAccounts, () => []),
  )

test.each<[Role, string[]]>([
  ['manager', ['ตั้งค่าร้าน', 'ผู้จำหน่าย', 'ข้อกำหนดการใช้บริการ', 'ภูมิภาค ภาษา แพลตฟอร์ม']],
  [
    'admin',
    [
      'ตั้งค่าร้าน',
      'ช่องทางชำระเงิน',
      'คีย์รายการธนาคาร',
      'ผู้จำหน่าย',
      'จัดการ Banner',
      'ข้อกำหนดการใช้บริการ',
      'ภูมิภาค ภาษา แพลตฟอร์ม',
    ],
  ],
])('%s finds their sections in the menu, and no others', async (role, sections) => {
  everyList()
  open('/management/appconfig', role)
  const menu = within(await screen.findByRole('navigation', { name: 'หัวข้อการตั้งค่า' }))
  expect(menu.getAllByRole('link').map(link => link.textContent)).toEqual(sections)
  await screen.findByRole('region', { name: 'เปิด–ปิดร้าน' })
})

test.each(['payment', 'banner'])('a manager at the address of %s reads that it is not for them', async section => {
  open(`/management/appconfig?section=${section}`, 'manager')
  await screen.findByRole('heading', { name: 'ขออภัย คุณไม่ได้รับอนุญาตให้เข้าถึงหน้านี้' })
  expect(screen.queryByRole('region', { name: 'บัญชีรับโอน' })).toBeNull()
})

test('staff read that the whole page is not for them', async () => {
  open('/management/appconfig', 'staff')
  await screen.findByRole('heading', { name: 'ขออภัย คุณไม่ได้รับอนุญาตให้เข้าถึงหน้านี้' })
  expect(screen.queryByRole('navigation', { name: 'หัวข้อการตั้งค่า' })).toBeNull()
})

test('a section stands in the address, and a word that names none is the first', async () => {
  everyList()
  open('/management/appconfig?section=payment', 'admin')
  await screen.findByRole('region', { name: 'บัญชีรับโอน' })
  fireEvent.click(screen.getByRole('link', { name: 'ข้อกำหนดการใช้บริการ' }))
  await screen.findByText('ยังไม่มีข้อกำหนด')
  expect(screen.getByRole('link', { name: 'ข้อกำหนดการใช้บริการ' }).getAttribute('aria-current')).toBe('page')
})

test('an address that names no section shows the first', async () => {
  everyList()
  open('/management/appconfig?section=toString', 'admin')
  await screen.findByRole('region', { name: 'เปิด–ปิดร้าน' })
})
