import type { Me } from '@shop/shared/account/endpoints.ts'
import { errorMessage } from '@shop/shared/errors.ts'

/** What an account must do before anything else, as the address names it; null when nothing. */
export function forcedPanelOf(me: Pick<Me, 'uid' | 'isPasswordChange' | 'isPinChange'>) {
  const path = `/user/${encodeURIComponent(me.uid)}`
  if (!me.isPasswordChange) {
    const warning = errorMessage('PASSWORD_CHANGE_REQUIRED')
    return { panel: 'password', warning, path, search: '?isConfirmPassword=true' }
  }
  if (!me.isPinChange) {
    return { panel: 'pin', warning: errorMessage('PIN_CHANGE_REQUIRED'), path, search: '?isConfirmPin=true' }
  }
  return null
}
