import type { AccountStatus } from '../account/account.ts'
import { can, ROLES, type Role } from '../permissions.ts'

/** Roles of people who may make keys: a key works no longer than its maker is one of them. */
const KEY_MAKERS: readonly Role[] = ROLES.filter(role => can(role, 'settings.pay'))

/** Letters of a key that are shown afterwards, so that people can tell which one a machine has. */
export const KEY_PREFIX_LENGTH = 6
/** How long a key works unless somebody says otherwise. */
export const KEY_DAYS = 365

/** Why a key takes no lines any more. */
export type FeedKeyEnd = 'revoked' | 'expired' | 'maker'

/** The one table of it. */
export const FEED_KEY_END: Record<FeedKeyEnd, { label: string }> = {
  revoked: { label: 'ยกเลิกแล้ว' },
  expired: { label: 'หมดอายุแล้ว' },
  maker: { label: 'ผู้สร้างไม่มีสิทธิ์แล้ว' },
}
export const FEED_KEY_ENDS = Object.keys(FEED_KEY_END) as FeedKeyEnd[]

/** What a key's life hangs on. `maker`: as their account is now; null when there is none. */
export interface FeedKeyFacts {
  revokedAt: Date | null
  expiresAt: Date | null
  maker: { role: Role; status: AccountStatus } | null
}

/** Why a key takes no lines now; null while it does. */
export function feedKeyEnd({ revokedAt, expiresAt, maker }: FeedKeyFacts, now: Date): FeedKeyEnd | null {
  if (revokedAt) return 'revoked'
  if (!maker || maker.status === 'inactive' || !KEY_MAKERS.includes(maker.role)) return 'maker'
  return expiresAt && expiresAt <= now ? 'expired' : null
}
