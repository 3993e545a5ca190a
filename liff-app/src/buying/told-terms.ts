import { acceptTerms } from '@shop/shared/account/endpoints.ts'
import { api } from '../api.ts'
import { ensureGuestKey } from '../guest-key.ts'
import { isText, read, write } from '../storage.ts'

/**
 * Tells the server that the terms were accepted, once for each person and version. The order names their version too, so
 * nothing waits for this; after a failure the next purchase tells it again.
 */
export function tellAcceptance(version: string, uid: string | null): void {
  const told = `${uid ?? 'guest'} ${version}`
  if (read('toldTerms', isText) === told) return
  if (!uid) ensureGuestKey()
  api.call(acceptTerms, { body: { version } }).then(
    () => write('toldTerms', told),
    () => undefined,
  )
}
