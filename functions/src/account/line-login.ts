import { createHash, createHmac } from 'node:crypto'
import { AppError } from '@shop/shared/errors.ts'
import { createRemoteJWKSet, errors, type FlattenedJWSInput, type JWTVerifyGetKey, jwtVerify } from 'jose'
import * as z from 'zod'
import { askWithAny } from '../asking/keys.ts'
import { askJson, readJson } from '../http/ask-json.ts'
import { log } from '../http/log.ts'

declare module '../shop/shop.ts' {
  interface Shop {
    /** null when LINE Login is not configured. */
    lineLogin: LineLogin | null
  }
}

/** The facts about a person that LINE signed. */
export interface LinePerson {
  sub: string
  name: string | null
  picture: string | null
  email: string | null
  /** The moment when the ID token with these facts expires. */
  expiresAt: Date
}

/** LINE Login: sends people to LINE and checks what comes back. */
export interface LineLogin {
  authorizeUrl(attempt: { state: string; nonce: string; codeVerifier: string }): string
  /** @throws SIGN_IN_FAILED unless LINE signed the token for this channel a short while ago; LINE_UNAVAILABLE */
  verifyLiffToken(idToken: string): Promise<LinePerson>
  /** Exchanges a code of the web flow. @throws SIGN_IN_FAILED, LINE_UNAVAILABLE */
  redeemCode(proof: { code: string; codeVerifier: string; nonce: string }): Promise<LinePerson>
  /**
   * Returns whose access token of this channel it is, and whether they are friends of the shop; null when LINE does not
   * say.
   */
  findFriend(accessToken: string): Promise<{ sub: string; isFriend: boolean } | null>
}

export interface LineLoginOptions {
  channelId: string
  /** The newest first. */
  channelSecrets: readonly string[]
  onAccepted?: (channelSecret: string) => Promise<void>
  apiBaseUrl: string
  accessBaseUrl: string
  /** The address that LINE sends people back to; it must be registered with LINE. */
  callbackUrl: string
  scope: string
  now: () => Date
}

const ISSUER = 'https://access.line.me'
const TIMEOUT_MS = 8000
/** An unknown key id makes us fetch LINE's keys again. Forged tokens can cause that at most once in this time. */
const KEY_REFETCH_MS = 3000
/** A LIFF token can carry no nonce, so it must be fresh. It is also accepted only once. */
const LIFF_TOKEN_AGE_SECONDS = 600
/** Errors that say that fetching LINE's keys failed, not that the token is bad. */
const KEY_FETCH_FAILURES = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC'])

const claimsShape = z.object({
  sub: z.string().regex(/^U[0-9a-f]{32}$/),
  iat: z.number(),
  exp: z.number(),
  nonce: z.string().optional(),
  name: z.string().optional(),
  picture: z.string().optional(),
  email: z.string().optional(),
})
type Claims = z.output<typeof claimsShape>

const tokenReply = z.object({ id_token: z.string() })
/** LINE refuses the channel's secret, and leaves the code as it was. */
const secretRefusal = z.object({ error: z.literal('invalid_client') })
const verifyReply = z.object({ client_id: z.string() })
const profileReply = z.object({ userId: z.string() })
const friendReply = z.object({ friendFlag: z.boolean() })

function personOf(claims: Claims): LinePerson {
  return {
    sub: claims.sub,
    name: claims.name ?? null,
    picture: claims.picture ?? null,
    email: claims.email?.toLowerCase() ?? null,
    expiresAt: new Date(claims.exp * 1000),
  }
}

/** Every flaw gets the same answer, so that somebody who forges tokens learns nothing from it. */
function refusal(cause: unknown): AppError {
  const isOurs = cause instanceof errors.JOSEError && !KEY_FETCH_FAILURES.has(cause.code)
  const code = isOurs || cause instanceof z.ZodError ? 'SIGN_IN_FAILED' : 'LINE_UNAVAILABLE'
  return Object.assign(new AppError(code), { cause })
}

async function redeem(
  { apiBaseUrl, callbackUrl, channelId }: LineLoginOptions,
  { code, codeVerifier }: { code: string; codeVerifier: string },
  channelSecret: string,
) {
  const response = await fetch(`${apiBaseUrl}/oauth2/v2.1/token`, {
    method: 'POST',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: callbackUrl,
      client_id: channelId,
      client_secret: channelSecret,
      code_verifier: codeVerifier,
    }),
  }).catch((cause: unknown) => {
    throw refusal(cause)
  })
  return { status: response.status, body: readJson(await response.text().catch(() => '')) }
}

function authorizeUrl(
  { accessBaseUrl, callbackUrl, channelId, scope }: LineLoginOptions,
  { state, nonce, codeVerifier }: Parameters<LineLogin['authorizeUrl']>[0],
): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: channelId,
    redirect_uri: callbackUrl,
    state,
    nonce,
    scope,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    ui_locales: 'th',
  })
  return `${accessBaseUrl}/oauth2/v2.1/authorize?${query}`
}

/** Returns what LINE says to an access token; null when it says something else. */
async function read<Schema extends z.ZodType>(url: string, token: string, schema: Schema) {
  const headers = { authorization: `Bearer ${token}` }
  const reply = await askJson(url, { headers, timeoutMs: TIMEOUT_MS })
  return reply?.status === 200 ? (schema.safeParse(reply.body).data ?? null) : null
}

export function createLineLogin(options: LineLoginOptions): LineLogin {
  const { channelId, apiBaseUrl, now } = options
  const publishedKeys = createRemoteJWKSet(new URL(`${apiBaseUrl}/oauth2/v2.1/certs`), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: KEY_REFETCH_MS,
  })
  const asking = askWithAny(options.channelSecrets, options.onAccepted)
  const signedBy = (secret: string, { protected: header, payload, signature }: FlattenedJWSInput) =>
    createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url') === signature
  /** LINE signs tokens of web logins either with a channel secret or with a published key. */
  const webKeys = (async (header, token) => {
    if (header.alg !== 'HS256') return publishedKeys(header, token)
    const { channelSecrets: secrets } = options
    return new TextEncoder().encode(secrets.find(secret => signedBy(secret, token)) ?? secrets[0])
  }) as JWTVerifyGetKey

  async function readIdToken(idToken: string, keys: JWTVerifyGetKey, algorithms: string[]): Promise<Claims> {
    try {
      const required = { issuer: ISSUER, audience: channelId, requiredClaims: ['sub', 'iat', 'exp'] }
      const { payload } = await jwtVerify(idToken, keys, { ...required, algorithms, currentDate: now() })
      return claimsShape.parse(payload)
    } catch (cause) {
      throw refusal(cause)
    }
  }

  async function fetchIdToken(code: string, codeVerifier: string): Promise<string> {
    const isRefused = (body: unknown) => secretRefusal.safeParse(body).success
    const { status, body } = await asking(
      secret => redeem(options, { code, codeVerifier }, secret),
      answer => (isRefused(answer.body) ? 'refused' : answer.status === 200 ? 'accepted' : null),
    )
    if (isRefused(body)) {
      log('ERROR', "LINE refuses the Login channel's secret")
      throw new AppError('LINE_UNAVAILABLE')
    }
    if (status === 400) throw new AppError('SIGN_IN_FAILED')
    const reply = tokenReply.safeParse(body)
    if (status !== 200 || !reply.success) throw new AppError('LINE_UNAVAILABLE')
    return reply.data.id_token
  }

  return {
    async findFriend(accessToken) {
      const query = new URLSearchParams({ access_token: accessToken })
      // Another app's token would tell of another shop's friends.
      const verified = await read(`${apiBaseUrl}/oauth2/v2.1/verify?${query}`, accessToken, verifyReply)
      if (verified?.client_id !== channelId) return null
      const [profile, friend] = await Promise.all([
        read(`${apiBaseUrl}/v2/profile`, accessToken, profileReply),
        read(`${apiBaseUrl}/friendship/v1/status`, accessToken, friendReply),
      ])
      return profile && friend && { sub: profile.userId, isFriend: friend.friendFlag }
    },
    authorizeUrl: flow => authorizeUrl(options, flow),
    async verifyLiffToken(idToken) {
      const claims = await readIdToken(idToken, publishedKeys, ['ES256'])
      if (claims.iat < now().getTime() / 1000 - LIFF_TOKEN_AGE_SECONDS) throw new AppError('SIGN_IN_FAILED')
      return personOf(claims)
    },
    async redeemCode({ code, codeVerifier, nonce }) {
      const idToken = await fetchIdToken(code, codeVerifier)
      const claims = await readIdToken(idToken, webKeys, ['HS256', 'ES256'])
      if (claims.nonce !== nonce) throw new AppError('SIGN_IN_FAILED')
      return personOf(claims)
    },
  }
}
