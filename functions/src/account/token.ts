import { AppError } from '@shop/shared/errors.ts'
import { createRemoteJWKSet, decodeJwt, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import * as z from 'zod'

/** What a verified Firebase ID token says. */
export interface TokenIdentity {
  uid: string
  email: string | null
  emailVerified: boolean
  /** Sign-in provider, e.g. "password", "google.com", "custom". */
  provider: string
  name: string | null
  /** When the person signed in, in whole seconds; a renewed token keeps it. */
  signedInAt: Date
  /** Of a session that a linked LINE identity made: when that link was made, as `linkedAt` in milliseconds. */
  lineLink: number | null
}

/**
 * Verifies a Firebase ID token; throws UNAUTHENTICATED for anything that is not one, or has expired, and UNAVAILABLE
 * while the keys to tell by can't be fetched: that is no reason to sign anybody out.
 */
export type TokenVerifier = (token: string) => Promise<TokenIdentity>

const GOOGLE_KEYS = 'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com'

const payloadShape = z.object({
  sub: z.string().min(1).max(128),
  iat: z.number(),
  exp: z.number(),
  auth_time: z.number().optional(),
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
  name: z.string().optional(),
  lineLink: z.number().optional(),
  firebase: z.object({ sign_in_provider: z.string() }).partial().optional(),
})

/** What the choice of a key says of the token itself; whatever else it fails with is the keys' own trouble. */
const NO_SUCH_KEY = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported]

const orUnavailable =
  (keys: JWTVerifyGetKey): JWTVerifyGetKey =>
  async (header, token) => {
    try {
      return await keys(header, token)
    } catch (cause) {
      if (NO_SUCH_KEY.some(kind => cause instanceof kind)) throw cause
      throw Object.assign(new AppError('UNAVAILABLE'), { cause })
    }
  }

/**
 * @param emulator accept the Auth emulator's unsigned tokens; issuer, audience and expiry are still checked.
 */
export function createTokenVerifier(options: {
  projectId: string
  emulator: boolean
  keys?: JWTVerifyGetKey
  now: () => Date
}): TokenVerifier {
  const { projectId, emulator, now } = options
  const issuer = `https://securetoken.google.com/${projectId}`
  const keys = orUnavailable(options.keys ?? createRemoteJWKSet(new URL(GOOGLE_KEYS)))

  async function payloadOf(token: string): Promise<JWTPayload> {
    if (emulator) {
      const payload = decodeJwt(token)
      if (payload.iss !== issuer || payload.aud !== projectId) throw new Error('issuer or audience')
      return payload
    }
    const verified = await jwtVerify(token, keys, {
      issuer,
      audience: projectId,
      algorithms: ['RS256'],
      currentDate: now(),
    })
    return verified.payload
  }

  return async token => {
    try {
      const payload = payloadShape.parse(await payloadOf(token))
      if (payload.exp * 1000 <= now().getTime()) throw new Error('expired')
      return {
        uid: payload.sub,
        email: payload.email ?? null,
        emailVerified: payload.email_verified ?? false,
        provider: payload.firebase?.sign_in_provider ?? 'custom',
        name: payload.name ?? null,
        signedInAt: new Date((payload.auth_time ?? payload.iat) * 1000),
        lineLink: payload.lineLink ?? null,
      }
    } catch (error) {
      if (error instanceof AppError) throw error
      throw new AppError('UNAUTHENTICATED')
    }
  }
}
