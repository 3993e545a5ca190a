import type { Me } from '@shop/shared/account/endpoints.ts'
import { type ErrorCode, errorMessage } from '@shop/shared/errors.ts'

type Flags = Pick<Me, 'mustChangePassword' | 'mustChangePin'>

/** What staff gave, so that others know it, and a person must change before anything else; in this order. */
const CHANGES = [
  { panel: 'password', flag: 'mustChangePassword', code: 'PASSWORD_CHANGE_REQUIRED', parameter: 'isConfirmPassword' },
  { panel: 'pin', flag: 'mustChangePin', code: 'PIN_CHANGE_REQUIRED', parameter: 'isConfirmPin' },
] as const satisfies { panel: string; flag: keyof Flags; code: ErrorCode; parameter: string }[]

/** The panel of the own account page that must be used now, what to say above it and where it is; null when none. */
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

/** The account as it is after the server refused with `code`; null when that says nothing about it. */
export function forcedBy<M extends Flags>(me: M, code: ErrorCode): M | null {
  const change = CHANGES.find(each => each.code === code)
  return change ? { ...me, [change.flag]: true } : null
}

/** The panel an address asks for: by its name, or by the parameter of a forced change. */
export function askedPanelOf(query: URLSearchParams): string | null {
  return CHANGES.find(({ parameter }) => query.has(parameter))?.panel ?? query.get('panel')
}
