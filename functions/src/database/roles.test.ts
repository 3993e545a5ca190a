import { confirmOrder, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { decideStatementLine } from '@shop/shared/statement/endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { addLines, lineOf } from '../testing/statement.ts'
import { addWallet } from '../testing/wallet.ts'

const WRITTEN_ONCE = ['ledger_transaction', 'ledger_entry', 'order_event', 'audit_entry', 'statement_event']
const REFUSED = '42501'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  await addWallet(it.db, { uid: 'agent', balanceSatang: 100_000, pin: '1234', now: it.clock.now })
  const body = { gameId: 1, packageId: 1, playerId: '1', termsVersion: '1', pin: '1234' }
  const { orderNo } = await it.as('agent').call(confirmOrder, { body, idempotencyKey: onceKey() })
  await it.as('manager').call(updateOrderStatus, { body: { orderNo, status: 'refunded', reason: 'ทดสอบ' } })
  await addLines(it, [lineOf({ amountSatang: 100 })])
  const [line] = await it.db.query<{ id: string }>({ text: 'SELECT id FROM statement_line' })
  await it.as('manager').call(decideStatementLine, {
    params: { id: line!.id },
    body: { step: 'ignore', version: 1, reason: 'ทดสอบ' },
    idempotencyKey: onceKey(),
  })
})
afterAll(() => it.db.close())

/** SQLSTATE that the server's own connection is answered with. */
const stateOf = (text: string) =>
  it.shop.db.query({ text }).then(
    () => 'done',
    (error: { code: string }) => error.code,
  )

test.each(WRITTEN_ONCE)('%s: the server adds and reads; it changes, deletes and empties nothing', async table => {
  const [row] = await it.shop.db.query<{ n: number }>({ text: `SELECT count(*)::int AS n FROM ${table}` })
  expect(row!.n).toBeGreaterThan(0)
  const tries = [`UPDATE ${table} SET at = at`, `DELETE FROM ${table}`, `TRUNCATE ${table} CASCADE`]
  expect(await Promise.all(tries.map(stateOf))).toEqual(tries.map(() => REFUSED))
})

test('the server can not give itself more: it owns no table and makes none', async () => {
  const tries = [
    'ALTER TABLE ledger_entry DISABLE TRIGGER ALL',
    'DROP TABLE ledger_entry CASCADE',
    'CREATE TABLE public.own (id int)',
    'SET ROLE postgres',
  ]
  expect(await Promise.all(tries.map(stateOf))).toEqual(tries.map(() => REFUSED))
})
