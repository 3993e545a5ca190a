import * as orders from '@shop/shared/order/endpoints.ts'
import * as statement from '@shop/shared/statement/endpoints.ts'
import * as contract from '@shop/shared/statement/refund-endpoints.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { buyAndRefund } from '../testing/orders.ts'
import { createTestShop, onceKey, type TestCaller, type TestShop } from '../testing/shop.ts'
import { addLines, lineOf } from '../testing/statement.ts'
import { checkLedger } from '../wallet/ledger-check.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterEach(async () => {
  expect((await checkLedger(it.db)).breaches).toEqual([])
})
afterAll(() => it.db.close())

const refunded = (caller: TestCaller) => buyAndRefund(it, caller)
const list = (query: object = {}) => it.as('manager').call(contract.listOwedRefunds, { query })
const sent = { receivingAccountId: fixture.accounts.second as number, reference: 'TR-2026', payeeVersion: 0 }
const send = (id: string, body = sent, caller = it.as('manager'), idempotencyKey = onceKey()) =>
  caller.codeOf(contract.sendOwedRefund, { params: { id }, body, idempotencyKey })
const bookedOn = async (account: string) => {
  const text = 'SELECT coalesce(sum(amount_satang), 0)::bigint AS sum FROM ledger_entry WHERE account = $1'
  return (await it.db.query<{ sum: number }>({ text, values: [account] }))[0]!.sum
}

test('a refunded bank order is owed to its buyer until somebody sends it, once, and says how', async () => {
  const { orderNo, amountSatang } = await refunded(it.as('customer'))
  const owed = await list()
  expect(owed).toMatchObject({ total: 1, owedSatang: amountSatang })
  const statusNow = async () => (await it.as('customer').call(orders.getOrder, { params: { orderNo } })).status
  expect(await statusNow()).toBe('refunding')
  expect(owed.rows[0]).toMatchObject({
    orderNo,
    amountSatang,
    reason: 'เติมไม่ได้',
    sent: null,
    lineId: null,
    fromAccount: null,
    person: { name: 'customer', email: 'customer@test.shop', phone: null },
  })
  const { id } = owed.rows[0]!
  expect(await send(id, sent, it.as('staff'))).toBe('FORBIDDEN')
  expect(await send(id, { ...sent, receivingAccountId: 77 })).toBe('RECEIVING_ACCOUNT_NOT_FOUND')
  const key = onceKey()
  const codes = await Promise.all([
    send(id, sent, it.as('manager'), key),
    send(id, sent, it.as('manager'), key),
    send(id, sent, it.as('admin')),
  ])
  expect(codes.filter(code => code !== 'OK').every(code => code === 'CONFLICT')).toBe(true)
  expect(codes).toContain('OK')
  expect(await send(id)).toBe('CONFLICT')
  expect(await statusNow()).toBe('refunded')
  expect([await bookedOn('refunds'), await bookedOn('bank:2')]).toEqual([0, amountSatang])
  expect(await list()).toMatchObject({ total: 0, owedSatang: 0 })
  expect((await list({ sent: 'true', text: orderNo })).rows).toMatchObject([
    { id, sent: { receivingAccountId: 2, reference: 'TR-2026' } },
  ])
  expect((await list({ sent: 'true', text: 'nobody' })).rows).toEqual([])
})

test('an account out of use may have sent it; nobody sends what is owed to themselves', async () => {
  await refunded(it.as('manager'))
  const guest = it.as(null)
  await refunded(guest)
  const [own, asGuest] = (await list()).rows
  expect(await send(own!.id)).toBe('OWN_ORDER')
  const signedIn = it.as('manager', { 'guest-key': guest.headers['guest-key']! })
  expect(await send(asGuest!.id, sent, signedIn)).toBe('OWN_ORDER')
  const closed = { ...sent, receivingAccountId: fixture.accounts.closed }
  expect(await send(own!.id, closed, it.as('admin'))).toBe('OK')
  expect(await send(asGuest!.id)).toBe('OK')
  expect(await send(onceKey())).toBe('NOT_FOUND')
})

test('money of a line is owed with what the bank said of the payer, and no longer once that is taken back', async () => {
  const at = addSeconds(it.clock.now, 5)
  await addLines(it, [lineOf({ amountSatang: 777, at, fromBank: '014', fromAccount: 'x1234' })])
  const [line] = await it.db.query<{ id: string }>({ text: 'SELECT id FROM statement_line' })
  const decide = (step: 'oweRefund' | 'undo', version: number) =>
    it.as('manager').codeOf(statement.decideStatementLine, {
      params: { id: line!.id },
      body: { step, version, reason: 'ไม่ทราบเจ้าของ' },
      idempotencyKey: onceKey(),
    })
  await decide('oweRefund', 1)
  expect((await list()).rows).toMatchObject([
    { orderNo: null, lineId: line!.id, amountSatang: 777, fromBank: '014', fromAccount: 'x1234' },
  ])
  const { id } = (await list()).rows[0]!
  expect(await decide('undo', 2)).toBe('OK')
  expect(await list()).toMatchObject({ total: 0, owedSatang: 0 })
  expect(await send(id)).toBe('CONFLICT')
  await decide('oweRefund', 3)
  const again = (await list()).rows[0]!
  const [sending, undoing] = await Promise.all([send(again.id), decide('undo', 4)])
  expect([
    ['OK', 'REFUND_SENT'],
    ['CONFLICT', 'OK'],
  ]).toContainEqual([sending, undoing])
})
