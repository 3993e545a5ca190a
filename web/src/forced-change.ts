import type { Me } from '@shop/shared/account/endpoints.ts'
import { type ErrorCode, errorMessage } from '@shop/shared/errors.ts'

type Flags = Pick<Me, 'mustChangePassword' | 'mustChangePin'>

/** What a person must change before anything else, because staff have set it and know it; in this order. */
const CHANGES = [
  { panel: 'password', flag: 'mustChangePassword', code: 'PASSWORD_CHANGE_REQUIRED', parameter: 'isConfirmPassword' },
  { panel: 'pin', flag: 'mustChangePin', code: 'PIN_CHANGE_REQUIRED', parameter: 'isConfirmPin' },
] as const satisfies { panel: string; flag: keyof Flags; code: ErrorCode; parameter: string }[]

/** The panel of the account page that must be used now, with the text above it and its address; null when none must. */
export function forcedChangeOf(me: Flags & Pick<Me, 'uid'>) {
  const change = CHANGES.find(({ flag }) => me[flag])
  if (!change) return null
  const { panel, code, parameter } = change
  return {
    panel,
    warning: errorMessage(code),
    path: `/user/${encodeURIComponent(me.uid)}`,
    search: `?${parameter}=true`,
  }
}

/** The account with the flag that a refusal of the server implies; null when the code implies none. */
export function forcedBy<M extends Flags>(me: M, code: ErrorCode): M | null {
  const change = CHANGES.find(each => each.code === code)
  return change ? { ...me, [change.flag]: true } : null
}

/** The panel that an address asks for, by its name or by the parameter of a forced change; null for none. */
export function askedPanelOf(query: URLSearchParams): string | null {
  return CHANGES.find(({ parameter }) => query.has(parameter))?.panel ?? query.get('panel')
}
