import type { Me } from '@shop/shared/account/endpoints.ts'
import type { ErrorCode } from '@shop/shared/errors.ts'

/** What must be changed before anything else: staff gave it, so others know it. */
export type ForcedChange = 'password' | 'pin'

type Flags = Pick<Me, 'mustChangePassword' | 'mustChangePin'>

export function getForcedChange(me: Flags): ForcedChange | null {
  if (me.mustChangePassword) return 'password'
  return me.mustChangePin ? 'pin' : null
}

/** The profile page that makes a person change it. */
export function getForcedPath(uid: string, forced: ForcedChange): string {
  return `/user/${uid}?${forced === 'password' ? 'isConfirmPassword' : 'isConfirmPin'}=true`
}

/** The account as it is after the server refused with `code`; null when that says nothing about it. */
export function changeForced<M extends Flags>(me: M, code: ErrorCode): M | null {
  if (code === 'PASSWORD_CHANGE_REQUIRED') return { ...me, mustChangePassword: true }
  if (code === 'PIN_CHANGE_REQUIRED') return { ...me, mustChangePin: true }
  return null
}
