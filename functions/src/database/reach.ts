import { sqlState } from './database.ts'

/** What keeps a connection from being made, by SQLSTATE or the system's code. */
const REASONS: Record<string, string> = {
  '28P01': 'the password is wrong',
  '28000': 'the server refuses this role or address',
  '3D000': 'there is no such database',
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
