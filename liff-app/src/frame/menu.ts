import { type Caller, can, type Role } from '@shop/shared/permissions.ts'

/** The signed-in person as the frame shows them. */
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

/** The pages that a caller uses every day, for the menu and the wide top bar. */
export function listMenu(caller: Caller): MenuEntry[] {
  const entries: MenuEntry[] = [
    { label: 'เติมเกม', to: '/game' },
    { label: 'คำสั่งซื้อ', to: '/purchase/history' },
  ]
  if (can(caller, 'wallet.own')) entries.push({ label: 'กระเป๋าเงิน', to: '/wallet' })
  if (can(caller, 'reseller.keys')) entries.push({ label: 'API สำหรับตัวแทน', to: '/agent/api' })
  return entries
}
