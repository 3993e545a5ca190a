import { exportAudit, listAudit } from '@shop/shared/audit/endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestShop, type TestShop } from '../testing/shop.ts'
import { insertAuditEntries } from './store.ts'

/** More than one batch of the download. */
const MANY = 1003

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  const actor = { actorUid: 'manager', actorRole: 'manager' as const, at: new Date('2026-10-05T00:00:00Z') }
  await insertAuditEntries(
    it.db,
    Array.from({ length: MANY }, (_, n) => ({
      ...actor,
      action: 'option.save' as const,
      subject: 'option:PAYMENT_TIME_LIMIT' as const,
      before: { value: String(n) },
      after: { value: String(n + 1) },
    })),
  )
  await insertAuditEntries(it.db, [
    {
      ...actor,
      action: 'statement.decide',
      subject: 'statementLine:01a1f903-cccc-7b09-91c6-3c32c32ef1e7',
      before: { amountSatang: 30_000 },
      after: { amountSatang: 30_000, target: 'KT2611-23102235', step: 'match', differenceSatang: -7, reason: '=1+1' },
    },
  ])
})
afterAll(() => it.db.close())

const rowsOf = async (query: string) => {
  const reply = await it.request(`${exportAudit.path}?${query}`, { headers: it.as('admin').headers })
  expect(reply.status).toBe(200)
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await reply.arrayBuffer())
  expect(text.charCodeAt(0)).toBe(0xfeff)
  return text.trimEnd().split('\r\n').slice(1)
}

test('the download is the admins’ alone, as the log is', async () => {
  for (const [uid, status] of [
    ['manager', 403],
    ['customer', 403],
    [null, 401],
  ] as const)
    expect((await it.request(exportAudit.path, { headers: it.as(uid).headers })).status).toBe(status)
})

test('it holds every entry that the filter selects once, each as a sentence', async () => {
  const rows = await rowsOf('action=option.&from=2026-10-05&to=2026-10-05')
  expect(rows).toHaveLength(MANY)
  expect(new Set(rows).size).toBe(MANY)
  const { total } = await it.as('admin').call(listAudit, { query: { action: 'option.', from: '2026-10-05' } })
  expect(total).toBe(MANY)
  const [decided] = await rowsOf('action=statement.decide')
  expect(decided).toContain('จับคู่ ฿300.00 กับ KT2611-23102235 (ขาด ฿0.07) · =1+1')
  expect(decided).toMatch(/^05\/10\/2026 07:00:00,/)
})
