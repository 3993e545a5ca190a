import { AppError } from '@shop/shared/errors.ts'
import { decodeJwt, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import * as z from 'zod'
import { isNoSuchKey } from './signing-keys.ts'

declare module '../shop/shop.ts' {
  interface Shop {
    verifyToken: TokenVerifier
  }
}

/** The content of a verified Firebase ID token. */
export interface TokenIdentity {
  uid: string
  email: string | null
  emailVerified: boolean
  /** Sign-in provider, e.g. "password", "google.com", "custom". */
  provider: string
  name: string | null
  /** When the person signed in, in whole seconds; renewing the token does not change it. */
  signedInAt: Date
  /** In a session made by a linked LINE identity: the link's `linkedAt` in milliseconds. */
  lineLink: number | null
}

/**
 * Verifies a Firebase ID token. Throws UNAUTHENTICATED for an invalid or expired one, and UNAVAILABLE while the signing
 * keys can't be fetched, which is no reason to sign anybody out.
 */
export type TokenVerifier = (token: string) => Promise<TokenIdentity>

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

const orUnavailable =
  (keys: JWTVerifyGetKey): JWTVerifyGetKey =>
  async (header, token) => {
    try {
      return await keys(header, token)
    } catch (cause) {
      if (isNoSuchKey(cause)) throw cause
      throw Object.assign(new AppError('UNAVAILABLE'), { cause })
    }
  }

/**
 * @param keys what tokens are signed with; null accepts the Auth emulator's unsigned tokens, of which issuer, audience and
 *   expiry are still checked
 */
export function createTokenVerifier(options: {
  projectId: string
  keys: JWTVerifyGetKey | null
  now: () => Date
}): TokenVerifier {
  const { projectId, now } = options
  const issuer = `https://securetoken.google.com/${projectId}`
  const keys = options.keys && orUnavailable(options.keys)

  async function payloadOf(token: string): Promise<JWTPayload> {
    if (!keys) {
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
