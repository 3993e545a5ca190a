import { type Caller, can, type Role } from '@shop/shared/permissions.ts'
import { STAFF_PAGE, staffMenuOf } from '@shop/shared/staff-pages.ts'

/** Who the frame shows as signed in. */
export interface FrameUser {
  displayName: string
  role: Role
  profilePath: string
}

export interface MenuEntry {
  label: string
  /** A path of this app, or the full address of the admin site. */
  to: string
  external?: boolean
}
interface MenuGroup {
  title: string
  entries: MenuEntry[]
}
export interface Menu {
  /** Everyday pages; also the links of the wide top bar and the tabs. */
  main: MenuEntry[]
  /** Links to the admin site, empty for customers. */
  groups: MenuGroup[]
}

/** The entries a caller may see; staff pages live on the admin site at `adminUrl` (no slash at the end). */
export function listMenu(caller: Caller, adminUrl: string): Menu {
  const main: MenuEntry[] = [{ label: 'เติมเกม', to: '/game' }]
  if (can(caller, 'order.history')) main.push({ label: 'คำสั่งซื้อ', to: '/purchase/history' })
  if (can(caller, 'wallet.own')) main.push({ label: 'กระเป๋าเงิน', to: '/wallet' })
  const toLink = ({ title, path }: { title: string; path: string }) => ({
    label: title,
    to: adminUrl + path,
    external: true,
  })
  const groups = staffMenuOf(caller).map(({ group, pages }) => ({
    title: group,
    entries: pages.map(page => toLink(STAFF_PAGE[page])),
  }))
  return { main, groups }
}
