import { acceptTerms } from '@shop/shared/account/endpoints.ts'
import { api } from '../api.ts'
import { ensureGuestKey } from '../guest-key.ts'
import { isText, read, write } from '../storage.ts'

/**
 * Tells the server, once per person and version, that the terms were accepted. The order names their version too:
 * nothing waits for this, and when it fails the next purchase tells it again.
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
