import { SESSION_KEY } from '@shop/shared/account/totp.ts'
import { read, remove, write } from '../browser-storage.ts'

/**
 * Keys of this browser's storage for the second factor: all tabs are confirmed together, and stay so after a reload.
 */
const KEYS = {
  /** The secret of the session that a code confirmed; removed with the session. */
  session: 'sessionKey',
  /** The random name by which the shop recognises a browser that once had a right code. */
  browser: 'browserKey',
} as const

/** Stores the secret that the server answered to a code, or to the beginning of an enrolment. */
export const keepSessionKey = (sessionKey: string): void => write(KEYS.session, sessionKey)

export const forgetSessionKey = (): void => remove(KEYS.session)

/** Returns the header that proves that this browser's session was confirmed; none before that. */
export function sessionKeyHeader(): Record<string, string> {
  const key = read(KEYS.session)
  return key === null ? {} : { [SESSION_KEY]: key }
}

const randomName = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')

/** Returns the permanent name that this browser chose for itself; it proves nothing and outlives sessions. */
export function browserKey(): string {
  const key = read(KEYS.browser) ?? randomName()
  write(KEYS.browser, key)
  return key
}
