import { sqlState } from './database.ts'

/** What keeps a connection from being made, by SQLSTATE or the system's code. */
const REASONS: Record<string, string> = {
  '28P01': 'the password is wrong',
  '28000': 'the server refuses this role or address',
  '3D000': 'there is no such database',
  '25006': 'it leads to a standby, where nothing can be written; name the primary',
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EHOSTUNREACH: 'the host can not be reached',
  ETIMEDOUT: 'the host does not answer',
}

const MESSAGES: readonly [RegExp, string][] = [
  [/password must be a string/i, 'it names no password, and the server asks for one'],
  [/timeout/i, 'the host does not answer'],
  [/SSL|certificate/i, 'the encrypted connection can not be made; see DATABASE_CA, and `sslmode` in the address'],
]

/** Tells in words why a database can't be reached; null when an error means something else. */
export function whyUnreachable(error: unknown): string | null {
  const { message = '' } = (error ?? {}) as { message?: string }
  const reason = REASONS[sqlState(error) ?? ''] ?? MESSAGES.find(([pattern]) => pattern.test(message))?.[1]
  return reason ? `DATABASE_URL: ${reason}.` : null
}

/**
 * Tells why an address of a database can't be read; null when it can. A sign in a password may end it early: then the host
 * is what stands before that sign, and nobody works as any role there.
 */
export function flawOfUrl(text: string): string | null {
  const url = URL.parse(text)
  if (url ? url.username !== '' || !text.includes('@') : !text.includes('://')) return null
  return 'is no address of a database: in a password write @ / # : ? % as %40 %2F %23 %3A %3F %25, or take one of letters and digits'
}
