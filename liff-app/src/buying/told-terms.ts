import { acceptTerms } from '@shop/shared/account/endpoints.ts'
import { api } from '../api.ts'
import { ensureGuestKey } from '../guest-key.ts'
import { isText, read, write } from '../storage.ts'

const nameOf = (version: string, uid: string | null): string => `${uid ?? 'guest'} ${version}`

/** Whether this browser has told the server that the person accepted this version. Signing out forgets it. */
const hasToldAcceptance = (version: string, uid: string | null): boolean =>
  read('toldTerms', isText) === nameOf(version, uid)

/** Whether whoever is here accepted this version already: in this browser, or as the server knows of their account. */
export const isAcceptedBy = (uid: string | null, version: string, acceptedTerms: string | null): boolean =>
  hasToldAcceptance(version, uid) || (uid !== null && acceptedTerms === version)

/**
 * Tells the server that the terms were accepted, once for each person and version. The order names their version too, so
 * nothing waits for this; after a failure the next purchase tells it again.
 */
export function tellAcceptance(version: string, uid: string | null): void {
  if (hasToldAcceptance(version, uid)) return
  if (!uid) ensureGuestKey()
  api.call(acceptTerms, { body: { version } }).then(
    () => write('toldTerms', nameOf(version, uid)),
    () => undefined,
  )
}
