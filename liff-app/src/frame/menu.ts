import { type Caller, can, type Role } from '@shop/shared/permissions.ts'

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

/** The everyday pages of a caller; also the links of the wide top bar. */
export function listMenu(caller: Caller): MenuEntry[] {
  const entries: MenuEntry[] = [
    { label: 'เติมเกม', to: '/game' },
    { label: 'คำสั่งซื้อ', to: '/purchase/history' },
  ]
  if (can(caller, 'wallet.own')) entries.push({ label: 'กระเป๋าเงิน', to: '/wallet' })
  return entries
}
