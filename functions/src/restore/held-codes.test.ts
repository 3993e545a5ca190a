import { afterAll, beforeAll, expect, test } from 'vitest'
import { buyByBank, codeOf } from '../testing/orders.ts'
import { addAccount, createTestShop, type TestShop } from '../testing/shop.ts'
import { sellCodes, stockCodes } from '../testing/vouchers.ts'
import { returnWithdrawn } from '../voucher/stock-store.ts'
import { holdCodes } from './held-codes.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  await sellCodes(it)
  await addAccount(it, 'before', 'customer')
})
afterAll(() => it.db.close())

const states = async () => {
  const rows = await it.db.query<{ state: string; pieces: number }>({
    text: 'SELECT state, count(*)::int AS pieces FROM voucher GROUP BY state',
  })
  return Object.fromEntries(rows.map(({ state, pieces }) => [state, pieces]))
}

test('what was in stock at the moment of a backup is held until staff put it back; what comes later is sold', async () => {
  await stockCodes(it, 3)
  await buyByBank(it.as('before'))
  expect(await states()).toEqual({ free: 2, reserved: 1 })
  it.clock.advance(3600)
  const lostFrom = it.clock.now
  it.clock.advance(3600)
  await stockCodes(it, 1)
  const hold = () => holdCodes(it.db, { lostFrom, now: it.clock.now })
  expect([await hold(), await hold()]).toEqual([3, 3])
  expect(await states()).toEqual({ withdrawn: 3, free: 1 })
  const [held] = await it.db.query<{ id: string }>({ text: `SELECT id FROM voucher WHERE state = 'withdrawn' LIMIT 1` })
  await returnWithdrawn(it.db, { id: held!.id })
  expect(await hold()).toBe(2)
  expect(await states()).toEqual({ withdrawn: 2, free: 2 })
  await addAccount(it, 'after', 'customer')
  expect(await codeOf(buyByBank(it.as('after')))).toBe('OK')
})
