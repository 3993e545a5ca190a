import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import * as contract from '@shop/shared/wallet/endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { csvReply } from '../http/csv.ts'
import { createTestShop, type TestShop } from '../testing/shop.ts'
import { addWallet } from '../testing/wallet.ts'

const TOP_UPS = 2500
const LEDGER_LINES = 1200

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  const walletId = await addWallet(it.db, { uid: 'agent', balanceSatang: 0, pin: null, now: it.clock.now })
  // Ten lines at each moment, so that batches end between lines of the same one.
  await it.db.query({
    text: `INSERT INTO top_up (id, no, wallet_id, amount_satang, status, version, entered_by, created_at)
      SELECT gen_random_uuid(), 'WT2611-' || lpad(n::text, 8, '0'), $1, n, 'waiting_approve', 1, 'agent', timestamptz '2026-11-01' + (n / 10) * interval '1 s'
      FROM generate_series(1, ${TOP_UPS}) AS n`,
    values: [walletId],
  })
  await it.db.query({
    text: `WITH made AS (
        INSERT INTO ledger_transaction (id, kind, subject_id, reason, at)
        SELECT gen_random_uuid(), 'correction', $1, 'ledger-' || n, timestamptz '2026-11-01' + (n / 10) * interval '1 s'
        FROM generate_series(1, ${LEDGER_LINES}) AS n RETURNING id, at
      )
      INSERT INTO ledger_entry (transaction_id, line, account, amount_satang, at)
      SELECT id, 1, 'wallet:' || $1::uuid, 100, at FROM made UNION ALL SELECT id, 2, 'suspense', -100, at FROM made`,
    values: [walletId],
  })
})
afterAll(() => it.db.close())

const linesOf = async (path: string, uid: string) => {
  const reply = await it.request(path, { headers: it.as(uid).headers })
  return (await reply.text()).trimEnd().split('\r\n').slice(1)
}

test('an export of many batches has every line once, newest first, for its owner and for staff', async () => {
  for (const [path, uid] of [
    [contract.exportOwnTransactions.path, 'agent'],
    [contract.exportAllTransactions.path, 'staff'],
  ] as const) {
    const lines = await linesOf(path, uid)
    expect(lines).toHaveLength(TOP_UPS + LEDGER_LINES)
    expect(new Set(lines.map(line => /WT2611-\d+|ledger-\d+/.exec(line)?.[0])).size).toBe(TOP_UPS + LEDGER_LINES)
    const moments = lines.map(line => line.split(',')[0]!)
    expect(moments).toEqual(moments.toSorted().toReversed())
  }
})

test('a part of a number that very many contain finds the newest of them, uncounted; a filter beside it is counted', async () => {
  for (const transactionNo of ['-0000', 'WT2611-0000', '0']) {
    const list = (query: object) =>
      it.as('staff').call(contract.listAllTransactions, { query: { page: 1, pageSize: 20, transactionNo, ...query } })
    const { rows, total } = await list({})
    expect(total).toBe(MOST_COUNTED + 1)
    expect(rows[0]!.no).toBe(`WT2611-0000${TOP_UPS}`)
    expect((await list({ status: 'approve' })).total).toBe(0)
    expect((await list({ actionType: 'เติมเกม' })).total).toBe(0)
  }
  const query = { page: 1, pageSize: 20, transactionNo: '-00001' }
  expect((await it.as('agent').call(contract.listOwnTransactions, { query })).total).toBe(1000)
})

test('a statement of many batches adds up from line to line', async () => {
  const lines = await linesOf(contract.exportStatement.path.replace(':month', '2026-11'), 'agent')
  expect(lines).toHaveLength(LEDGER_LINES + 2)
  expect(lines[0]).toContain('ยอดยกมา,,0.00')
  expect(lines.slice(1, -1).map(line => line.split(',').at(-1))).toEqual(
    Array.from({ length: LEDGER_LINES }, (_, n) => `${n + 1}.00`),
  )
  expect(lines.at(-1)).toContain(`ยอดยกไป,,${LEDGER_LINES}.00`)
})

test('batches are asked for as they are read: a slow reader needs the memory of one, and who goes away ends it', async () => {
  let asked = 0
  let isEnded = false
  async function* endless() {
    try {
      for (;;) yield [[`row ${++asked}`]]
    } finally {
      isEnded = true
    }
  }
  const { body } = await csvReply({ header: ['a'], cellsOf: (row: string[]) => row }, endless(), it.clock.now)
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  for (let chunks = 0; chunks < 3; chunks++) await reader.read()
  expect(asked).toBeLessThan(6)
  await reader.cancel()
  expect(isEnded).toBe(true)
})

test('an export that can not begin is a failure, not an empty file', async () => {
  await it.db.query({ text: 'ALTER TABLE agent_tier RENAME COLUMN name TO hidden' })
  const reply = await it.request(contract.exportAllTransactions.path, { headers: it.as('staff').headers })
  await it.db.query({ text: 'ALTER TABLE agent_tier RENAME COLUMN hidden TO name' })
  expect(reply.status).toBe(500)
})
