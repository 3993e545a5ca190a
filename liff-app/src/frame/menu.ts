import { type Action, type Caller, can, isAdminSide, type Role } from '@shop/shared/permissions.ts'

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

const settings: { label: string; path: string; action: Action }[] = [
  { label: 'คำสั่งซื้อทั้งหมด', path: '/management/history', action: 'order.work' },
  { label: 'เกมและแพ็กเกจ', path: '/management/game', action: 'catalogue.manage' },
  { label: 'ผู้ใช้', path: '/management/user', action: 'account.edit' },
  { label: 'ตัวแทน', path: '/management/agent', action: 'agent.manage' },
  { label: 'กระเป๋าเงินตัวแทน', path: '/management/wallet', action: 'wallet.approve' },
  { label: 'ส่วนลดตัวแทน', path: '/management/benefitgametopup', action: 'agent.manage' },
  { label: 'รายการเดินบัญชี', path: '/management/bankstatement', action: 'statement.match' },
  { label: 'ตั้งค่าระบบ', path: '/management/appconfig', action: 'settings.manage' },
]
const reports: typeof settings = [
  { label: 'ยอดขาย', path: '/dashboard/sale', action: 'dashboard.view' },
  { label: 'สต็อก', path: '/dashboard/stock', action: 'dashboard.view' },
]

/** The entries a caller may see; staff pages live on the admin site at `adminUrl` (no slash at the end). */
export function listMenu(caller: Caller, adminUrl: string): Menu {
  const main: MenuEntry[] = [{ label: 'เติมเกม', to: '/game' }]
  if (can(caller, 'order.history')) main.push({ label: 'คำสั่งซื้อ', to: '/purchase/history' })
  if (can(caller, 'wallet.own')) main.push({ label: 'กระเป๋าเงิน', to: '/wallet' })
  if (!isAdminSide(caller)) return { main, groups: [] }
  const group = (title: string, pages: typeof settings): MenuGroup => ({
    title,
    entries: pages
      .filter(page => can(caller, page.action))
      .map(({ label, path }) => ({ label, to: adminUrl + path, external: true })),
  })
  const groups = [group('จัดการร้าน', settings), group('รายงาน', reports)]
  return { main, groups: groups.filter(({ entries }) => entries.length > 0) }
}
