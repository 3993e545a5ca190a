import { createHmac, randomUUID } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { getPictureUrl, type IdTokenFlaw, type State, type User, type UserToken } from './state.ts'

interface SigningKey {
  kid: string
  privateKey: CryptoKey
  publicKey: CryptoKey
}

/** The two key pairs that `/oauth2/v2.1/certs` lists. The newer one signs. */
export interface SigningKeys {
  current(): Promise<SigningKey>
  getJwks(): Promise<{ keys: object[] }>
  /** Adds a key, which signs from now on, and drops the older of the two. */
  rotate(): Promise<void>
}

export function createSigningKeys(): SigningKeys {
  let keys: Promise<SigningKey[]> | undefined
  const load = () => {
    keys ??= Promise.all([createKey(), createKey()])
    return keys
  }
  return {
    current: async () => (await load())[0]!,
    getJwks: async () => ({ keys: await Promise.all((await load()).map(toJwk)) }),
    rotate: async () => {
      const [newest] = await load()
      keys = Promise.all([createKey(), newest!])
      await keys
    },
  }
}

async function createKey(): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  return { kid: randomUUID(), privateKey, publicKey }
}

async function toJwk(key: SigningKey): Promise<object> {
  return { ...(await exportJWK(key.publicKey)), kid: key.kid, alg: 'ES256', use: 'sig' }
}

export interface IdTokenOptions {
  /** LINE signs with ES256 for LIFF and native apps, and with HS256 and the channel secret for web logins. */
  algorithm: 'ES256' | 'HS256'
  scope: string[]
  nonce?: string
  flaw?: IdTokenFlaw
}

const idTokenSeconds = 3600

/** Signs an ID token for `user`. It is valid unless a flaw is named. */
export async function signIdToken(
  state: State,
  keys: SigningKeys,
  user: User,
  { algorithm, scope, nonce, flaw }: IdTokenOptions,
): Promise<string> {
  const issuedAt = state.clock.nowSeconds() - (flaw === 'expired' ? 2 * idTokenSeconds : 0)
  const claims = {
    iss: flaw === 'issuer' ? 'https://access.example.com' : 'https://access.line.me',
    sub: user.userId,
    aud: flaw === 'audience' ? '1999999999' : state.loginChannel.id,
    exp: issuedAt + idTokenSeconds,
    iat: issuedAt,
    amr: ['linesso'],
    ...(nonce && { nonce }),
    ...(scope.includes('profile') && { name: user.displayName, picture: getPictureUrl(state, user) }),
    ...(scope.includes('email') && user.email && { email: user.email }),
  }
  if (algorithm === 'HS256' || flaw === 'hs256') {
    const secret = flaw === 'signature' || flaw === 'hs256' ? 'guessed-secret' : state.loginChannel.secret
    return new SignJWT(claims).setProtectedHeader({ typ: 'JWT', alg: 'HS256' }).sign(new TextEncoder().encode(secret))
  }
  const key = await keys.current()
  const signer = flaw === 'signature' || flaw === 'kid' ? await createKey() : key
  return new SignJWT(claims)
    .setProtectedHeader({ typ: 'JWT', alg: 'ES256', kid: flaw === 'kid' ? signer.kid : key.kid })
    .sign(signer.privateKey)
}

/** Access tokens are valid for 12 hours in a LIFF app, and for 30 days after a web login. */
export const accessTokenSeconds = { liff: 12 * 3600, web: 30 * 24 * 3600 }

export interface AccessTokenOptions {
  scope: string[]
  lifetimeSeconds: number
  clientId?: string
}

/** Issues a user access token. It has the form of a JWS, because LINE checks that first. */
export function issueAccessToken(state: State, userId: string, options: AccessTokenOptions): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const head = `${encode({ alg: 'HS256' })}.${encode({ jti: randomUUID() })}`
  const token = `${head}.${createHmac('sha256', 'line').update(head).digest('base64url')}`
  state.userTokens.set(token, {
    userId,
    clientId: options.clientId ?? state.loginChannel.id,
    scope: options.scope,
    expiresAt: state.clock.now() + options.lifetimeSeconds * 1000,
    revoked: false,
  })
  return token
}

/** Returns what a user access token stands for, or LINE's exact error message when the token is invalid. */
export function findUserToken(state: State, token: string): { grant: UserToken } | { error: string } {
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return { error: 'The access token not JWS' }
  const grant = state.userTokens.get(token)
  // Tokens of an earlier run of the emulator count as revoked, so that apps sign in again.
  if (!grant || grant.revoked) return { error: 'The access token revoked' }
  if (grant.expiresAt <= state.clock.now()) return { error: 'The access token expired' }
  return { grant }
}

export function readBearer(authorization: string | undefined): string | undefined {
  return authorization?.match(/^Bearer (\S+)$/i)?.[1]
}
