import { confirmOrder } from '@shop/shared/order/endpoints.ts'
import { bangkokMonthOf } from '@shop/shared/time.ts'
import { getStatement } from '@shop/shared/wallet/endpoints.ts'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { addWallet } from '../testing/wallet.ts'
import { postLedger } from './store.ts'

let it: TestShop
let walletId: string
beforeAll(async () => {
  it = await createTestShop()
  walletId = await addWallet(it.db, { uid: 'agent', balanceSatang: 100_000, pin: '1234', now: it.clock.now })
})
afterAll(() => it.db.close())

interface Posted {
  at: Date
  entries: Date[]
}
const postedOf = async (subjectId: string): Promise<Posted> =>
  (
    await it.db.query<Posted>({
      text: `SELECT t.at, array_agg(e.at) AS entries FROM ledger_transaction t JOIN ledger_entry e ON e.transaction_id = t.id
        WHERE t.subject_id = $1 GROUP BY t.id`,
      values: [subjectId],
    })
  )[0]!
const databaseNow = async () =>
  (await it.db.query<{ now: Date }>({ text: 'SELECT clock_timestamp() AS now' }))[0]!.now.getTime()

test('money is posted at the database’s moment: a server a month behind changes nothing in the month before', async () => {
  const began = await databaseNow()
  const month = bangkokMonthOf(new Date(began - 31 * 86_400_000))
  const closed = () => it.as('agent').call(getStatement, { params: { month } })
  it.clock.now = new Date(began - 31 * 86_400_000)
  const before = await closed()
  await it.db.query({ text: `UPDATE package_price SET start_day = '2000-01-01'` })
  const body = { gameId: 1, packageId: 1, playerId: '1', termsVersion: '1', pin: '1234' }
  const { orderNo } = await it.as('agent').call(confirmOrder, { body, idempotencyKey: onceKey() })
  const [order] = await it.db.query<{ id: string }>({
    text: 'SELECT id FROM orders WHERE order_no = $1',
    values: [orderNo],
  })
  const { at, entries } = await postedOf(order!.id)
  for (const moment of [at, ...entries]) expect(moment.getTime()).toBeGreaterThanOrEqual(began)
  expect(await closed()).toEqual(before)
})

test('and not at the moment its transaction began, however long that waited', async () => {
  let began = 0
  const subjectId = uuidv7()
  await it.db.transaction(async tx => {
    const [row] = await tx.query<{ now: Date }>({ text: 'SELECT now() AS now, pg_sleep(0.2)' })
    began = row!.now.getTime()
    const postings = [{ from: 'bank:1', to: `wallet:${walletId}`, amountSatang: 100 } as const]
    const correction = { kind: 'correction', reason: 'ทดสอบ', reversesId: null } as const
    await postLedger(tx, { ...correction, id: uuidv7(), subjectId, postings })
  })
  const { at, entries } = await postedOf(subjectId)
  for (const moment of [at, ...entries]) expect(moment.getTime()).toBeGreaterThanOrEqual(began + 200)
})
