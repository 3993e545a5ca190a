import { expect, test } from 'vitest'
import { addSeconds } from '../time.ts'
import { type FeedKeyFacts, feedKeyEnd } from './feed-key.ts'

const now = new Date('2026-11-20T05:00:00.000Z')
const key: FeedKeyFacts = { revokedAt: null, expiresAt: null, maker: { role: 'admin', status: 'active' } }

test.each<[string, Partial<FeedKeyFacts>, ReturnType<typeof feedKeyEnd>]>([
  ['in use', {}, null],
  ['of a maker who did not confirm the address yet', { maker: { role: 'admin', status: 'pending' } }, null],
  ['revoked', { revokedAt: now }, 'revoked'],
  ['of a maker who was dismissed', { maker: { role: 'admin', status: 'inactive' } }, 'maker'],
  ['of a maker who is a manager now', { maker: { role: 'manager', status: 'active' } }, 'maker'],
  ['of nobody', { maker: null }, 'maker'],
  ['a second before its end', { expiresAt: addSeconds(now, 1) }, null],
  ['at its end', { expiresAt: now }, 'expired'],
])('a key %s', (_, change, end) => {
  expect(feedKeyEnd({ ...key, ...change }, now)).toBe(end)
})
