import type { Action, Role } from '@shop/shared/permissions.ts'
import { can } from '@shop/shared/permissions.ts'
import { BadgePercent, History, type LucideIcon, ScrollText, UserCog, Users, WalletCards } from 'lucide-react'
import { type ComponentType, lazy } from 'react'

export const MENU_GROUPS = ['งาน', 'รายงาน', 'ตั้งค่า'] as const

export interface Page {
  path: string
  allow: Action
  screen: ComponentType
  /** Pages with a menu entry; the others are reached from them. */
  menu?: { group: (typeof MENU_GROUPS)[number]; label: string; icon: LucideIcon }
}

/** Every page of the site, in menu order: routes and menu are made of this one list. */
export const PAGES: readonly Page[] = [
  {
    path: '/management/history',
    allow: 'order.work',
    screen: lazy(async () => ({ default: (await import('../order/history-screen.tsx')).HistoryScreen })),
    menu: { group: 'งาน', label: 'ประวัติคำสั่งซื้อ', icon: History },
  },
  {
    path: '/management/details/:orderNo',
    allow: 'order.work',
    screen: lazy(async () => ({ default: (await import('../order/details-screen.tsx')).DetailsScreen })),
  },
  {
    path: '/management/wallet',
    allow: 'wallet.look',
    screen: lazy(async () => ({ default: (await import('../wallet/wallet-screen.tsx')).WalletScreen })),
    menu: { group: 'งาน', label: 'กระเป๋าเงินตัวแทน', icon: WalletCards },
  },
  {
    path: '/management/agent',
    allow: 'agent.manage',
    screen: lazy(async () => ({ default: (await import('../agent/agent-screen.tsx')).AgentScreen })),
    menu: { group: 'ตั้งค่า', label: 'ตัวแทนและ Tier', icon: Users },
  },
  {
    path: '/management/benefitgametopup',
    allow: 'agent.manage',
    screen: lazy(async () => ({ default: (await import('../agent/benefit-screen.tsx')).BenefitScreen })),
    menu: { group: 'ตั้งค่า', label: 'ส่วนลดตัวแทน', icon: BadgePercent },
  },
  {
    path: '/management/user',
    allow: 'account.list',
    screen: lazy(async () => ({ default: (await import('../account/users-screen.tsx')).UsersScreen })),
    menu: { group: 'ตั้งค่า', label: 'ผู้ใช้งาน', icon: UserCog },
  },
  {
    path: '/user/:uid',
    allow: 'account.list',
    screen: lazy(async () => ({ default: (await import('../account/user-screen.tsx')).UserScreen })),
  },
  {
    path: '/management/audit',
    allow: 'audit.view',
    screen: lazy(async () => ({ default: (await import('../audit/audit-screen.tsx')).AuditScreen })),
    menu: { group: 'ตั้งค่า', label: 'บันทึกการแก้ไข', icon: ScrollText },
  },
]

/** The menu entries a role may open. */
export function listMenu(role: Role) {
  return PAGES.flatMap(({ path, allow, menu }) => (menu && can(role, allow) ? [{ path, ...menu }] : []))
}
