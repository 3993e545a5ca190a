import { expect, test } from 'vitest'
import { newSecret, signedHeaders } from './sign.ts'

/** Published with the libraries of Standard Webhooks: JavaScript, Go, Python, PHP, Ruby and C# have the first, Rust the second. */
const VECTORS = [
  {
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    webhookId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at: 1_614_265_330,
    body: '{"test": 2432232314}',
    signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  {
    secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
    webhookId: 'msg_27UH4WbU6Z5A5EzD8u03UvzRbpk',
    at: 1_649_367_553,
    body: '{"email":"test@example.com","username":"test_user"}',
    signature: 'v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=',
  },
]

test.each(VECTORS)('$webhookId is signed as the libraries say', ({ secret, webhookId, at, body, signature }) => {
  // A part of a second is no part of the timestamp.
  expect(signedHeaders([secret], { webhookId, at: new Date(at * 1000 + 999), body })).toEqual({
    'webhook-id': webhookId,
    'webhook-timestamp': String(at),
    'webhook-signature': signature,
  })
})

test('two secrets make two signatures, with a space between them', () => {
  const [{ webhookId, at, body, secret, signature }, other] = VECTORS as [(typeof VECTORS)[0], (typeof VECTORS)[1]]
  const signed = signedHeaders([other.secret, secret], { webhookId, at: new Date(at * 1000), body })
  const [first, second, ...more] = signed['webhook-signature'].split(' ')
  expect(first).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/)
  expect(first).not.toBe(signature)
  expect([second, more]).toEqual([signature, []])
})

test('a secret is 32 random bytes', () => {
  const secrets = Array.from({ length: 50 }, newSecret)
  expect(new Set(secrets).size).toBe(50)
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
  }
})
