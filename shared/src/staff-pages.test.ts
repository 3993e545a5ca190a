import { expect, test } from 'vitest'
import { type Caller, can, isAdminSide, ROLES } from './permissions.ts'
import { MENU_GROUPS, STAFF_PAGE, STAFF_PAGES, type StaffPage, staffMenuOf } from './staff-pages.ts'

const callers: Caller[] = ['guest', ...ROLES]
const paths = STAFF_PAGES.map(page => STAFF_PAGE[page].path)

test('every page has an address of its own that no other page answers, in one of the folders of the back office', () => {
  for (const [index, path] of paths.entries()) {
    expect(path).toMatch(/^\/(dashboard|(management|dashboard|user)\/[\w/:-]*\w)$/)
    const pattern = new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)
    expect([path, paths.filter((other, place) => place !== index && pattern.test(other))]).toEqual([path, []])
  }
})

test('a menu leads straight to its pages: none of their addresses waits for a part', () => {
  const listed = STAFF_PAGES.filter(page => STAFF_PAGE[page].group)
  expect(listed.filter(page => STAFF_PAGE[page].path.includes(':'))).toEqual([])
})

test.each(callers)('the menu of a %s lists every page of a group they may open, once, and nothing else', caller => {
  const shown = staffMenuOf(caller).flatMap(({ pages }) => pages)
  for (const page of STAFF_PAGES) {
    const isListed = STAFF_PAGE[page].group !== null && can(caller, STAFF_PAGE[page].allow)
    expect([page, shown.filter(each => each === page).length]).toEqual([page, isListed ? 1 : 0])
  }
})

test('groups and their pages stand in the order of the tables, and no group is empty', () => {
  for (const caller of callers) {
    const menu = staffMenuOf(caller)
    const places = menu.map(({ group }) => MENU_GROUPS.indexOf(group))
    expect(places).toEqual([...new Set(places)].sort())
    for (const { group, pages } of menu) {
      expect(pages).not.toEqual([])
      expect(pages.map(page => STAFF_PAGE[page].group)).toEqual(pages.map(() => group))
      const order = pages.map(page => STAFF_PAGES.indexOf(page))
      expect(order).toEqual(order.toSorted((a, b) => a - b))
    }
  }
})

test('who is not on the admin side opens no page; agents are for managers, the audit log for admins', () => {
  const mayOpen = (page: StaffPage) => callers.filter(caller => can(caller, STAFF_PAGE[page].allow))
  for (const page of STAFF_PAGES) expect(ROLES.filter(isAdminSide)).toEqual(expect.arrayContaining(mayOpen(page)))
  for (const page of ['history', 'orderDetails', 'wallet', 'users', 'user'] as const)
    expect(mayOpen(page)).toContain('staff')
  for (const page of ['agent', 'discount'] as const) expect(mayOpen(page)).toEqual(['admin', 'manager'])
  expect(mayOpen('audit')).toEqual(['admin'])
})
