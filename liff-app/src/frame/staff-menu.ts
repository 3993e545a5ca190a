import type { Caller } from '@shop/shared/permissions.ts'
import { STAFF_PAGE, staffMenuOf } from '@shop/shared/staff-pages.ts'
import type { MenuEntry } from './menu.ts'

interface MenuGroup {
  title: string
  entries: MenuEntry[]
}

/** Lists the links to the admin site at `adminUrl` (without a slash at the end); none for customers. */
export const listStaffMenu = (caller: Caller, adminUrl: string): MenuGroup[] =>
  staffMenuOf(caller).map(({ group, pages }) => ({
    title: group,
    entries: pages.map(page => ({
      label: STAFF_PAGE[page].title,
      to: adminUrl + STAFF_PAGE[page].path,
      external: true,
    })),
  }))
