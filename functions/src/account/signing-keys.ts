import { createLocalJWKSet, createRemoteJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'

declare module '../shop/shop.ts' {
  interface Shop {
    /** What tokens are signed with; null with the Auth emulator, which signs none. */
    signingKeys: SigningKeys | null
  }
}

const GOOGLE_KEYS = 'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com'
/** Google lets them be kept for about so long. A token lives for an hour. */
const KEPT_MS = 6 * 3_600_000
/** After a failure the kept keys are used at once for so long, so that nobody waits for a host that hangs. */
const REST_MS = 30_000

/** The keys that tokens are signed with. */
export interface SigningKeys {
  /** Finds the key of a token. @throws a jose error when there is no such key, another when the keys can't be had */
  find: JWTVerifyGetKey
  /** Fetches them anew. @throws why they can't be had */
  fetch(): Promise<void>
}

/** Errors that mean that the token names no valid key; any other error means that the keys could not be fetched. */
const NO_SUCH_KEY = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported]
export const isNoSuchKey = (error: unknown): boolean => NO_SUCH_KEY.some(kind => error instanceof kind)

/**
 * Google's keys, fetched every ten minutes. While they can't be fetched the last ones go on, so that who is signed in
 * stays so.
 */
export function openSigningKeys(url = GOOGLE_KEYS): SigningKeys {
  const remote = createRemoteJWKSet(new URL(url))
  let kept: { keys: JSONWebKeySet; until: number } | undefined
  let failed: { error: unknown; until: number } | undefined
  const keep = () => {
    failed = undefined
    const keys = remote.jwks()
    if (keys) kept = { keys, until: Date.now() + KEPT_MS }
  }
  /** A key that is not among the kept ones may be among the newer ones, so that it is not refused. */
  const findKept: (...asked: [...Parameters<JWTVerifyGetKey>, unknown]) => ReturnType<JWTVerifyGetKey> = async (
    header,
    token,
    error,
  ) => {
    if (!kept || kept.until < Date.now()) throw error
    return createLocalJWKSet(kept.keys)(header, token).catch(() => {
      throw error
    })
  }
  return {
    async find(header, token) {
      if (failed && failed.until > Date.now() && kept) return findKept(header, token, failed.error)
      try {
        const key = await remote(header, token)
        keep()
        return key
      } catch (error) {
        if (isNoSuchKey(error)) throw error
        failed = { error, until: Date.now() + REST_MS }
        return findKept(header, token, error)
      }
    },
    async fetch() {
      await remote.reload()
      keep()
    },
  }
}
