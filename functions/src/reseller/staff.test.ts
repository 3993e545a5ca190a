import { randomUUID } from 'node:crypto'
import { listAudit } from '@shop/shared/audit/endpoints.ts'
import * as contract from '@shop/shared/reseller/key-endpoints.ts'
import type { KeyMode } from '@shop/shared/reseller/reseller.ts'
import { bangkokDay, DAY_MS } from '@shop/shared/time.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addKey } from '../testing/machine.ts'
import { addAccount, createTestShop, type TestShop } from '../testing/shop.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  for (const uid of ['ann', 'bob', 'cat', 'dan']) await addAccount(it, uid, 'agent')
})
afterAll(() => it.db.close())
beforeEach(async () => {
  await it.db.query({ text: 'TRUNCATE reseller_key, webhook_endpoint, owner_news CASCADE' })
})

const manager = () => it.as('manager')
const look = (uid: string) => manager().call(contract.getAgentApi, { params: { uid } })
const list = (query: Record<string, unknown> = {}) => manager().call(contract.listAgentApis, { query })
const names = async (query: Record<string, unknown> = {}) => (await list(query)).rows.map(({ uid }) => uid)

/** What a key did so many days ago. */
async function did(
  keyId: string,
  daysAgo: number,
  use: { calls?: number; errors?: number; orders?: number; spent?: number },
) {
  const at = new Date(it.clock.now.getTime() - daysAgo * DAY_MS)
  await it.db.query({
    text: `INSERT INTO reseller_day (key_id, day, calls, errors, orders, spent_satang, last_used_at, last_used_from)
      VALUES ($1, $2, $3, $4, $5, $6, $7, '203.0.113.9')`,
    values: [keyId, bangkokDay(at), use.calls ?? 0, use.errors ?? 0, use.orders ?? 0, use.spent ?? 0, at],
  })
}

async function addEndpoint(
  uid: string,
  of: { mode?: KeyMode; isOn?: boolean; offFor?: string; failingSince?: Date } = {},
): Promise<string> {
  const id = randomUUID()
  await it.db.query({
    text: `INSERT INTO webhook_endpoint (id, uid, mode, url, secret, is_on, off_for, failing_since, created_at)
      VALUES ($1, $2, $3, $4, 'x', $5, $6, $7, $8)`,
    values: [
      id,
      uid,
      of.mode ?? 'live',
      `https://${uid}.example/hook`,
      of.isOn ?? true,
      of.offFor ?? null,
      of.failingSince ?? null,
      it.clock.now,
    ],
  })
  return id
}
const addMessage = (endpointId: string, of: { state: string; lastError?: string; at?: Date }) =>
  it.db.query({
    text: `INSERT INTO webhook_message (id, endpoint_id, type, body, state, last_error, created_at)
      VALUES ($1, $2, 'order.completed', '{}', $3, $4, $5)`,
    values: [randomUUID(), endpointId, of.state, of.lastError ?? null, of.at ?? it.clock.now],
  })

describe('one agent', () => {
  test('shows each key with what was done today and in 30 Bangkok days, and where it was used last', async () => {
    const { id } = await addKey(it, 'ann', { addresses: ['203.0.113.0/24'], dailyLimitSatang: 500_000 })
    await did(id, 0, { calls: 10, errors: 2, orders: 3, spent: 30_000 })
    await did(id, 29, { calls: 5, errors: 1, orders: 1, spent: 10_000 })
    await did(id, 30, { calls: 1000, errors: 1000, orders: 1000, spent: 1_000_000 })
    const { keys, webhooks } = await look('ann')
    expect(keys).toMatchObject([
      {
        id,
        addresses: ['203.0.113.0/24'],
        dailyLimitSatang: 500_000,
        today: { calls: 10, errors: 2, orders: 3, spentSatang: 30_000 },
        month: { calls: 15, errors: 3, orders: 4, spentSatang: 40_000 },
        lastUsedAt: it.clock.now.toISOString(),
        lastUsedFrom: '203.0.113.9',
        endedAt: null,
      },
    ])
    expect(webhooks).toEqual([])
    expect(JSON.stringify(keys)).not.toContain('ecret')
  })

  test('shows where events go: what fails and why, what waits, and what its owner switched off', async () => {
    await addKey(it, 'ann')
    const failing = await addEndpoint('ann', { failingSince: it.clock.now })
    await addMessage(failing, { state: 'waiting', lastError: 'HTTP 500', at: new Date(it.clock.now.getTime() - 1000) })
    await addMessage(failing, { state: 'waiting' })
    await addMessage(failing, { state: 'dead', lastError: 'older', at: new Date(it.clock.now.getTime() - 2000) })
    it.clock.advance(1)
    const works = await addEndpoint('ann', { mode: 'test' })
    await addMessage(works, { state: 'done', lastError: 'mended since' })
    it.clock.advance(1)
    const off = await addEndpoint('ann', { isOn: false, offFor: 'owner', failingSince: it.clock.now })
    it.clock.advance(1)
    const gone = await addEndpoint('ann', { isOn: false, offFor: 'gone' })
    const { webhooks } = await look('ann')
    expect(webhooks.map(({ url: _, mode: _mode, failingSince: _since, ...rest }) => rest)).toEqual([
      { id: failing, isOn: true, isFailing: true, lastError: 'HTTP 500', waiting: 2 },
      { id: works, isOn: true, isFailing: false, lastError: null, waiting: 0 },
      { id: off, isOn: false, isFailing: false, lastError: null, waiting: 0 },
      { id: gone, isOn: false, isFailing: true, lastError: null, waiting: 0 },
    ])
  })

  test('who has no key has nothing', async () => {
    expect(await look('dan')).toMatchObject({ keys: [], webhooks: [] })
  })
})

describe('ending a key', () => {
  const end = (uid: string, id: string, reason = 'คีย์รั่วในแชท', actor = 'manager') =>
    it.as(actor).call(contract.endAgentKey, { params: { uid, id }, body: { reason } })
  const endCode = (uid: string, id: string, { reason = 'คีย์รั่ว', actor = 'manager' } = {}) =>
    it.as(actor).codeOf(contract.endAgentKey, { params: { uid, id }, body: { reason } })

  test('ends that one at once, tells the owner why, and is audited under the name of the key', async () => {
    const [{ id }, other] = [await addKey(it, 'ann'), await addKey(it, 'ann')]
    expect(await end('ann', id)).toMatchObject({ id, endedFor: 'staff', endedAt: it.clock.now.toISOString() })
    const { keys } = await look('ann')
    expect(keys.map(key => [key.id, key.endedFor])).toEqual([
      [other.id, null],
      [id, 'staff'],
    ])
    const news = await it.db.query({ text: 'SELECT uid, kind, by_shop AS "byShop", facts FROM owner_news' })
    expect(news).toEqual([
      { uid: 'ann', kind: 'apiKeyEnded', byShop: true, facts: { keyName: 'key of ann', why: 'คีย์รั่วในแชท' } },
    ])
    const { rows } = await it.as('admin').call(listAudit, { query: { subject: `apiKey:${id}` } })
    expect(rows).toMatchObject([
      {
        actorUid: 'manager',
        action: 'apiKey.end',
        subjectName: 'key of ann',
        before: { name: 'key of ann' },
        after: { name: 'key of ann', reason: 'คีย์รั่วในแชท' },
      },
    ])
  })

  test('an ended key, another one’s and an unknown one are not found, and nothing is told or written of them', async () => {
    const [{ id }, bobs] = [await addKey(it, 'ann'), await addKey(it, 'bob')]
    await end('ann', id)
    await it.db.query({ text: 'TRUNCATE owner_news' })
    const entries = () => it.db.query({ text: `SELECT 1 FROM audit_entry WHERE action = 'apiKey.end'` })
    const before = (await entries()).length
    expect(await endCode('ann', id)).toBe('NOT_FOUND')
    expect(await endCode('ann', bobs.id)).toBe('NOT_FOUND')
    expect(await endCode('ann', `rk_live_${'A'.repeat(16)}`)).toBe('NOT_FOUND')
    expect(await endCode('nobody', id)).toBe('NOT_FOUND')
    expect((await entries()).length).toBe(before)
    expect(await it.db.query({ text: 'SELECT 1 FROM owner_news' })).toEqual([])
    expect((await look('bob')).keys).toMatchObject([{ endedAt: null }])
  })

  test('takes a reason, a key’s id, and somebody who manages agents and stands above the owner', async () => {
    const { id } = await addKey(it, 'ann')
    expect(await endCode('ann', id, { reason: ' ' })).toBe('INVALID_INPUT')
    expect(await endCode('ann', 'x')).toBe('INVALID_INPUT')
    for (const actor of ['staff', 'accountant', 'ann', 'customer'])
      expect([actor, await endCode('ann', id, { actor })]).toEqual([actor, 'FORBIDDEN'])
    const ofStaff = await addKey(it, 'admin')
    expect(await endCode('admin', ofStaff.id)).toBe('FORBIDDEN')
    expect((await look('ann')).keys).toMatchObject([{ endedAt: null }])
  })

  test('two at the same moment end it once', async () => {
    const { id } = await addKey(it, 'ann')
    const codes = await Promise.all([endCode('ann', id), endCode('ann', id, { actor: 'admin' })])
    expect(codes.sort()).toEqual(['NOT_FOUND', 'OK'])
  })
})

describe('the list', () => {
  test('has who has or had keys: most spent first, then by name; sums of live keys, ended ones too', async () => {
    const ann = await addKey(it, 'ann')
    const annsTest = await addKey(it, 'ann', { mode: 'test' })
    const bob = await addKey(it, 'bob')
    const bobsOld = await addKey(it, 'bob')
    await addKey(it, 'cat', { mode: 'test' })
    await did(ann.id, 0, { calls: 10, errors: 1, orders: 2, spent: 20_000 })
    await did(ann.id, 40, { spent: 9_000_000 })
    await did(annsTest.id, 0, { calls: 500, errors: 500, orders: 500, spent: 9_000_000 })
    await did(bob.id, 1, { calls: 4, spent: 20_000 })
    await did(bobsOld.id, 3, { calls: 6, spent: 10_000 })
    await manager().call(contract.endAgentKey, { params: { uid: 'bob', id: bobsOld.id }, body: { reason: 'เก่า' } })
    await addEndpoint('bob')
    await addEndpoint('bob', { isOn: false, offFor: 'failing' })
    const none = { calls: 0, errors: 0, orders: 0, spentSatang: 0 }
    expect(await list()).toMatchObject({
      total: 3,
      rows: [
        {
          uid: 'bob',
          name: 'bob',
          keys: 1,
          today: none,
          month: { calls: 10, errors: 0, orders: 0, spentSatang: 30_000 },
          lastUsedAt: new Date(it.clock.now.getTime() - DAY_MS).toISOString(),
          failingWebhooks: 1,
          webhooks: 2,
        },
        {
          uid: 'ann',
          keys: 1,
          today: { calls: 10, errors: 1, orders: 2, spentSatang: 20_000 },
          month: { calls: 10, errors: 1, orders: 2, spentSatang: 20_000 },
          lastUsedAt: it.clock.now.toISOString(),
          failingWebhooks: 0,
          webhooks: 0,
        },
        { uid: 'cat', keys: 0, today: none, month: none, lastUsedAt: null },
      ],
    })
  })

  test('is searched by a part of a name or a whole key, filtered by failing, and paged', async () => {
    const keys: Record<string, string> = {}
    for (const uid of ['dan', 'cat', 'bob', 'ann']) keys[uid] = (await addKey(it, uid)).id
    await addEndpoint('cat', { failingSince: it.clock.now })
    await addEndpoint('dan', { isOn: false, offFor: 'gone' })
    await addEndpoint('ann', { isOn: false, offFor: 'owner', failingSince: it.clock.now })
    expect(await names()).toEqual(['ann', 'bob', 'cat', 'dan'])
    expect(await names({ isFailing: 'true' })).toEqual(['cat', 'dan'])
    expect(await names({ isFailing: 'true', name: 'DA' })).toEqual(['dan'])
    expect(await names({ name: keys.bob })).toEqual(['bob'])
    expect(await names({ name: keys.bob!.slice(0, -1) })).toEqual([])
    expect(await names({ name: '%' })).toEqual([])
    expect(await list({ page: 2, pageSize: 3 })).toMatchObject({ total: 4, rows: [{ uid: 'dan' }] })
  })

  test('is for those who manage agents', async () => {
    for (const actor of ['staff', 'accountant', 'ann'])
      expect(await it.as(actor).codeOf(contract.listAgentApis, {})).toBe('FORBIDDEN')
    expect(await it.as('ann').codeOf(contract.getAgentApi, { params: { uid: 'ann' } })).toBe('FORBIDDEN')
  })
})
