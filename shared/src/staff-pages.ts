import { type Action, type Caller, can } from './permissions.ts'
import { keysOf } from './table.ts'

/** Groups of the back office's menu, in order. */
export const MENU_GROUPS = ['งาน', 'รายงาน', 'ตั้งค่า'] as const
export type MenuGroup = (typeof MENU_GROUPS)[number]

interface StaffPageEntry {
  /** Path on the admin site; `:name` stands for a variable part. */
  path: string
  title: string
  allow: Action
  /** The menu group that lists it; null for pages that are reached from others. */
  group: MenuGroup | null
}

/** All pages of the back office in menu order, for the admin site's routes and menu and the storefront's links. */
const pages = {
  backlog: { path: '/dashboard', title: 'งานรอทำ', allow: 'backlog.look', group: 'งาน' },
  queue: { path: '/management/queue', title: 'คำสั่งซื้อรอเติม', allow: 'order.list', group: 'งาน' },
  history: { path: '/management/history', title: 'ประวัติคำสั่งซื้อ', allow: 'order.list', group: 'งาน' },
  orderDetails: { path: '/management/details/:orderNo', title: 'คำสั่งซื้อ', allow: 'order.look', group: null },
  wallet: { path: '/management/wallet', title: 'กระเป๋าเงินตัวแทน', allow: 'wallet.look', group: 'งาน' },
  statement: { path: '/management/bankstatement', title: 'จับคู่รายการธนาคาร', allow: 'statement.look', group: 'งาน' },
  refunds: { path: '/management/refund', title: 'เงินรอคืนลูกค้า', allow: 'refund.look', group: 'งาน' },
  secondWords: { path: '/management/secondword', title: 'รอคนที่สอง', allow: 'value.wait', group: 'งาน' },
  codes: { path: '/management/codes', title: 'สต็อกรหัส', allow: 'voucher.look', group: 'งาน' },
  codesOf: { path: '/management/codes/:packageId', title: 'รหัสของแพ็กเกจ', allow: 'voucher.look', group: null },
  sale: { path: '/dashboard/sale', title: 'ยอดขาย', allow: 'dashboard.view', group: 'รายงาน' },
  stock: { path: '/dashboard/stock', title: 'แพ็กเกจใกล้หมดอายุ', allow: 'dashboard.view', group: 'รายงาน' },
  reconciliation: {
    path: '/management/reconciliation',
    title: 'กระทบยอดบัญชี',
    allow: 'reconciliation.look',
    group: 'รายงาน',
  },
  valueMoves: { path: '/management/value', title: 'ใครเคลื่อนย้ายมูลค่า', allow: 'value.review', group: 'รายงาน' },
  suppliers: { path: '/management/supplier', title: 'สถานะผู้จำหน่าย', allow: 'supplier.manage', group: 'รายงาน' },
  reseller: { path: '/management/reseller', title: 'API ตัวแทน', allow: 'agent.manage', group: 'รายงาน' },
  game: { path: '/management/game', title: 'เกมและแพ็กเกจ', allow: 'catalogue.manage', group: 'ตั้งค่า' },
  package: { path: '/management/package/:id', title: 'แพ็กเกจ', allow: 'catalogue.manage', group: null },
  costs: { path: '/management/cost', title: 'ต้นทุนผู้จำหน่าย', allow: 'supplier.manage', group: 'ตั้งค่า' },
  priceRules: { path: '/management/package/:id/rules', title: 'กฎราคา', allow: 'catalogue.manage', group: null },
  agent: { path: '/management/agent', title: 'ตัวแทนและ Tier', allow: 'agent.manage', group: 'ตั้งค่า' },
  agentDetails: { path: '/management/agent/:uid', title: 'ตัวแทน', allow: 'agent.manage', group: null },
  discount: { path: '/management/benefitgametopup', title: 'ส่วนลดตัวแทน', allow: 'agent.manage', group: 'ตั้งค่า' },
  lost: { path: '/management/lost', title: 'หลังกู้ข้อมูล', allow: 'order.work', group: null },
  users: { path: '/management/user', title: 'ผู้ใช้งาน', allow: 'account.list', group: 'ตั้งค่า' },
  user: { path: '/user/:uid', title: 'ข้อมูลผู้ใช้', allow: 'backOffice.enter', group: null },
  erasures: { path: '/management/erasure', title: 'คำขอลบข้อมูล', allow: 'account.erase', group: 'ตั้งค่า' },
  chat: { path: '/management/chat', title: 'การแจ้งเตือน LINE', allow: 'message.look', group: 'ตั้งค่า' },
  appconfig: { path: '/management/appconfig', title: 'ตั้งค่าระบบ', allow: 'settings.manage', group: 'ตั้งค่า' },
  health: { path: '/management/health', title: 'สุขภาพของร้าน', allow: 'health.look', group: 'ตั้งค่า' },
  audit: { path: '/management/audit', title: 'บันทึกการแก้ไข', allow: 'audit.view', group: 'ตั้งค่า' },
} as const satisfies Record<string, StaffPageEntry>
export type StaffPage = keyof typeof pages
export const STAFF_PAGE: Record<StaffPage, StaffPageEntry> = pages
export const STAFF_PAGES = keysOf(pages)

/** Returns the menu of the back office for a caller; empty for customers. */
export function staffMenuOf(caller: Caller): { group: MenuGroup; pages: StaffPage[] }[] {
  return MENU_GROUPS.map(group => ({
    group,
    pages: STAFF_PAGES.filter(page => STAFF_PAGE[page].group === group && can(caller, STAFF_PAGE[page].allow)),
  })).filter(({ pages }) => pages.length > 0)
}
