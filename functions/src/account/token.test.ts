import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  exportJWK,
  generateKeyPair,
  type JWTVerifyGetKey,
  SignJWT,
} from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { createTokenVerifier, type TokenVerifier } from './token.ts'

const now = new Date('2026-11-20T05:00:00Z')
const seconds = now.getTime() / 1000
const issuer = 'https://securetoken.google.com/the-shop'

let key: Awaited<ReturnType<typeof generateKeyPair>>['privateKey']
let verify: TokenVerifier
beforeAll(async () => {
  const pair = await generateKeyPair('RS256')
  key = pair.privateKey
  const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'RS256' }] })
  verify = createTokenVerifier({ projectId: 'the-shop', keys, now: () => now })
})

const token = (change: { iss?: string; aud?: string; sub?: string; exp?: number; alg?: string } = {}) =>
  new SignJWT({ email: 'a@b.c', email_verified: true, firebase: { sign_in_provider: 'password' } })
    .setProtectedHeader({ alg: change.alg ?? 'RS256', kid: 'k1' })
    .setIssuer(change.iss ?? issuer)
    .setAudience(change.aud ?? 'the-shop')
    .setSubject(change.sub ?? 'u1')
    .setIssuedAt(seconds - 60)
    .setExpirationTime(change.exp ?? seconds + 60)

describe('a Firebase ID token in production', () => {
  test('signed by Google for this project is accepted', async () => {
    expect(await verify(await token().sign(key))).toMatchObject({ uid: 'u1', email: 'a@b.c', provider: 'password' })
  })

  test.each([
    ['another issuer', { iss: 'https://securetoken.google.com/other' }],
    ['another audience', { aud: 'other' }],
    ['no subject', { sub: '' }],
    ['expired', { exp: seconds - 1 }],
  ])('with %s is refused', async (_, change) => {
    await expect(verify(await token(change).sign(key))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  })

  test.each<[string, JWTVerifyGetKey]>([
    ['nobody answers', createRemoteJWKSet(new URL('http://127.0.0.1:1/keys'))],
    ['the answer takes too long', () => Promise.reject(new errors.JWKSTimeout())],
    ['the answer is no set of keys', () => Promise.reject(new errors.JWKSInvalid())],
  ])('can not be judged while %s: that is 503, and no reason to sign anybody out', async (_, keys) => {
    const verifier = createTokenVerifier({ projectId: 'the-shop', keys, now: () => now })
    await expect(verifier(await token().sign(key))).rejects.toMatchObject({ code: 'UNAVAILABLE', status: 503 })
  })

  test('signed by somebody else, not signed, or signed with a secret is refused', async () => {
    const stranger = await generateKeyPair('RS256')
    const hmac = await token({ alg: 'HS256' }).sign(new TextEncoder().encode('x'.repeat(32)))
    const good = await token().sign(key)
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${good.split('.')[1]}.`
    for (const bad of [await token().sign(stranger.privateKey), hmac, unsigned, 'x.y.z', '']) {
      await expect(verify(bad)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    }
  })
})
