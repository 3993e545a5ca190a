import { creditOwedRefund } from '@shop/shared/credit/endpoints.ts'
import * as orders from '@shop/shared/order/endpoints.ts'
import * as statement from '@shop/shared/statement/endpoints.ts'
import * as contract from '@shop/shared/statement/refund-endpoints.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { listSecondWords } from '@shop/shared/value/endpoints.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { buyAndRefund } from '../testing/orders.ts'
import { agreePayee } from '../testing/refunds.ts'
import { addAccount, createTestShop, onceKey, type TestCaller, type TestShop } from '../testing/shop.ts'
import { addLines, lineOf } from '../testing/statement.ts'
import { giveWord, wordOf } from '../testing/words.ts'
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
const sent = { receivingAccountId: fixture.accounts.second as number, reference: 'TR-2026', payeeVersion: 1 }
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
    payer: null,
    person: { name: 'customer', email: 'customer@test.shop', phone: null },
  })
  expect([(await list({ buyer: 'customer' })).total, (await list({ buyer: 'agent' })).total]).toEqual([1, 0])
  const { id } = owed.rows[0]!
  expect(await send(id, { ...sent, payeeVersion: 0 })).toBe('PAYEE_NEEDED')
  await agreePayee(it, id)
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
  for (const { id } of [own!, asGuest!]) await agreePayee(it, id)
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
    { orderNo: null, lineId: line!.id, amountSatang: 777, payer: { bankCode: '014', account: 'x1234', name: null } },
  ])
  const { id } = (await list()).rows[0]!
  await agreePayee(it, id)
  expect(await decide('undo', 2)).toBe('OK')
  expect(await list()).toMatchObject({ total: 0, owedSatang: 0 })
  expect(await send(id)).toBe('CONFLICT')
  await decide('oweRefund', 3)
  const again = (await list()).rows[0]!
  await agreePayee(it, again.id)
  const [sending, undoing] = await Promise.all([send(again.id), decide('undo', 4)])
  expect([
    ['OK', 'REFUND_SENT'],
    ['CONFLICT', 'OK'],
  ]).toContainEqual([sending, undoing])
})

test('a question about a refund is over once somebody else has sent it, and so says whoever would still agree', async () => {
  const set = async (baht: string) => {
    const text = `INSERT INTO option (name, value) VALUES ('TWO_PERSON_APPROVAL_AMOUNT', $1) ON CONFLICT (name) DO UPDATE SET value = $1`
    await it.db.query({ text, values: [baht] })
  }
  await addAccount(it, 'second manager', 'manager')
  await refunded(it.as('customer'))
  const { id } = (await list()).rows[0]!
  await agreePayee(it, id)
  await set('1')
  const wordId = await wordOf(it.as('manager'), contract.sendOwedRefund, {
    params: { id },
    body: sent,
    idempotencyKey: onceKey(),
  })
  await set('20000')
  expect(await send(id, sent, it.as('second manager'))).toBe('OK')
  const words = async (state: 'waiting' | 'settled') =>
    (await it.as('admin').call(listSecondWords, { query: { state } })).rows.map(word => [word.id, word.state])
  expect(await words('waiting')).toEqual([])
  expect(await words('settled')).toEqual([[wordId, 'stale']])
  await expect(giveWord(it, 'admin', wordId)).rejects.toMatchObject({ code: 'SECOND_WORD_OVER' })
})

test('money that nobody wanted as shop credit is not paid so, and that is said', async () => {
  await refunded(it.as('customer'))
  const { id, payeeVersion } = (await list()).rows[0]!
  const asked = { params: { id }, body: { payeeVersion }, idempotencyKey: onceKey() }
  expect(await it.as('manager').codeOf(creditOwedRefund, asked)).toBe('CREDIT_NOT_ASKED')
})
