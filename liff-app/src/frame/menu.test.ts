import { ROLES } from '@shop/shared/permissions.ts'
import { STAFF_PAGE, STAFF_PAGES, staffMenuOf } from '@shop/shared/staff-pages.ts'
import { expect, test } from 'vitest'
import { listMenu } from './menu.ts'
import { listStaffMenu } from './staff-menu.ts'

const ADMIN_URL = 'https://admin.example'
const list = (caller: Parameters<typeof listMenu>[0]) => ({
  main: listMenu(caller).map(({ to }) => to),
  staff: listStaffMenu(caller, ADMIN_URL).flatMap(({ entries }) => entries),
})

test('everybody buys and looks back, and whoever has a wallet finds it', () => {
  for (const caller of ['guest', 'customer'] as const) expect(list(caller).main).toEqual(['/game', '/purchase/history'])
  for (const role of ['agent', 'staff', 'manager'] as const) expect(list(role).main).toContain('/wallet')
})

test('agents alone find the page of their machines', () => {
  const finders = [...ROLES, 'guest' as const].filter(caller => list(caller).main.includes('/agent/api'))
  expect(finders).toEqual(['agent'])
})

test.each([...ROLES, 'guest'] as const)('%s finds exactly the pages of the admin site that its menu has', role => {
  const pages = staffMenuOf(role).flatMap(group => group.pages)
  const { staff } = list(role)
  expect(staff).toEqual(
    pages.map(page => ({ label: STAFF_PAGE[page].title, to: ADMIN_URL + STAFF_PAGE[page].path, external: true })),
  )
  const paths = STAFF_PAGES.map(page => STAFF_PAGE[page].path).filter(path => !path.includes(':'))
  for (const { to } of staff) expect(paths).toContain(to.slice(ADMIN_URL.length))
})

test('only those who work for the shop are led to the admin site', () => {
  for (const role of ['guest', 'customer', 'agent'] as const) expect(list(role).staff).toEqual([])
  for (const role of ['staff', 'manager', 'admin'] as const) expect(list(role).staff).not.toEqual([])
})
