import { SESSION_KEY } from '@shop/shared/account/totp.ts'

/** What the second factor keeps in this browser: all its tabs are confirmed together, and stay so over a reload. */
const KEYS = {
  /** The secret of the session that a code confirmed; gone with the session. */
  session: 'sessionKey',
  /** The random name by which the shop knows a browser that had a right code before. */
  browser: 'browserKey',
} as const

/** Of a browser that keeps nothing: it is confirmed until the page is left. */
const unkept = new Map<string, string>()

function read(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? unkept.get(key) ?? null
  } catch {
    return unkept.get(key) ?? null
  }
}

function write(key: string, value: string): string {
  try {
    localStorage.setItem(key, value)
  } catch {
    unkept.set(key, value)
  }
  return value
}

/** Keeps the secret that the server answered to a code, or to the beginning of an app. */
export const keepSessionKey = (sessionKey: string): void => void write(KEYS.session, sessionKey)

export function forgetSessionKey(): void {
  unkept.delete(KEYS.session)
  try {
    localStorage.removeItem(KEYS.session)
  } catch {
    // Nothing was kept.
  }
}

/** The header that says that this browser's session was confirmed; none before it was. */
export function sessionKeyHeader(): Record<string, string> {
  const key = read(KEYS.session)
  return key === null ? {} : { [SESSION_KEY]: key }
}

const randomName = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')

/** The name that this browser gave itself, for good: it proves nothing and outlives sessions. */
export const browserKey = (): string => read(KEYS.browser) ?? write(KEYS.browser, randomName())
