import type { AccountStatus } from '../account/account.ts'
import { can, ROLES, type Role } from '../permissions.ts'
import { keysOf } from '../table.ts'

/** Roles that may make keys: a key works only as long as its maker has one of them. */
const KEY_MAKERS: readonly Role[] = ROLES.filter(role => can(role, 'settings.pay'))

/** The number of a key's characters that are shown later, so that people can tell which key a machine has. */
export const KEY_PREFIX_LENGTH = 6
/** How long a key works unless somebody says otherwise. */
export const KEY_DAYS = 365

/** Reasons for which a key accepts no more lines. */
export type FeedKeyEnd = 'revoked' | 'expired' | 'maker'

/** The table of these reasons. */
export const FEED_KEY_END: Record<FeedKeyEnd, { label: string }> = {
  revoked: { label: 'ยกเลิกแล้ว' },
  expired: { label: 'หมดอายุแล้ว' },
  maker: { label: 'ผู้สร้างไม่มีสิทธิ์แล้ว' },
}
export const FEED_KEY_ENDS = keysOf(FEED_KEY_END)

/** The facts that decide whether a key works. `maker` is their current account; null when it no longer exists. */
export interface FeedKeyFacts {
  revokedAt: Date | null
  expiresAt: Date | null
  maker: { role: Role; status: AccountStatus } | null
}

/** Returns why a key accepts no lines now; null while it works. */
export function feedKeyEnd({ revokedAt, expiresAt, maker }: FeedKeyFacts, now: Date): FeedKeyEnd | null {
  if (revokedAt) return 'revoked'
  if (!maker || maker.status === 'inactive' || !KEY_MAKERS.includes(maker.role)) return 'maker'
  return expiresAt && expiresAt <= now ? 'expired' : null
}
