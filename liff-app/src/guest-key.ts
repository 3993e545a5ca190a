import { isText, read, write } from './storage.ts'

/** The random key of this browser, to which the orders of its guests belong; null before it has one. */
export const getGuestKey = (): string | null => read('guestKey', isText)

/** Makes the key before a guest's first order or slip: 128 random bits in base64url. */
export function ensureGuestKey(): void {
  if (getGuestKey()) return
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const base64 = btoa(String.fromCharCode(...bytes))
  write('guestKey', base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''))
}
