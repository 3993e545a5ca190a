import type { Me } from '@shop/shared/account/endpoints.ts'
import type { ErrorCode } from '@shop/shared/errors.ts'

/** What must be changed before anything else: staff gave it, so others know it. */
export type ForcedChange = 'password' | 'pin'

type Flags = Pick<Me, 'isPasswordChange' | 'isPinChange'>

export function getForcedChange(me: Flags): ForcedChange | null {
  if (!me.isPasswordChange) return 'password'
  return me.isPinChange ? null : 'pin'
}

/** The profile page that makes a person change it. */
export function getForcedPath(uid: string, forced: ForcedChange): string {
  return `/user/${uid}?${forced === 'password' ? 'isConfirmPassword' : 'isConfirmPin'}=true`
}

/** The account as it is after the server refused with `code`; null when that says nothing about it. */
export function changeForced<M extends Flags>(me: M, code: ErrorCode): M | null {
  if (code === 'PASSWORD_CHANGE_REQUIRED') return { ...me, isPasswordChange: false }
  if (code === 'PIN_CHANGE_REQUIRED') return { ...me, isPinChange: false }
  return null
}
