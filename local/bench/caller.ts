import { projectId } from '../firebase-emulators.ts'

export interface Call {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
}

/** Headers with a token as the Auth emulator issues it. */
export function headersOf(uid: string): Record<string, string> {
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: `https://securetoken.google.com/${projectId}`,
    aud: projectId,
    sub: uid,
    iat: now,
    auth_time: now,
    exp: now + 3600,
    // Managers do not sign in by LINE.
    firebase: { sign_in_provider: 'password' },
  }
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return { authorization: `Bearer ${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.` }
}
