import * as orders from '@shop/shared/order/endpoints.ts'
import { listOwnOrders } from '@shop/shared/order/own-endpoints.ts'
import type { Payee } from '@shop/shared/order/payee.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import * as contract from '@shop/shared/statement/refund-endpoints.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { buyAndRefund, buyByBank } from '../testing/orders.ts'
import { agreePayee, KBANK } from '../testing/refunds.ts'
import { createTestShop, onceKey, type TestCaller, type TestShop } from '../testing/shop.ts'
import { addSlip } from '../testing/wallet.ts'
import { isSubjectOf } from '../upload/store.ts'
import { checkLedger } from '../wallet/ledger-check.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterEach(async () => {
  expect((await checkLedger(it.db)).breaches).toEqual([])
})
afterAll(() => it.db.close())

const PROMPT_PAY = { bankCode: null, accountNo: '0812345678', accountName: 'ใจดี มีสุข' }

async function refunded(caller: TestCaller) {
  const order = await buyAndRefund(it, caller)
  const { rows } = await it.as('manager').call(contract.listOwedRefunds, { query: { text: order.orderNo } })
  return { ...order, id: rows[0]!.id }
}
const give = (caller: TestCaller, orderNo: string, body: Payee = KBANK) =>
  caller.codeOf(contract.giveRefundPayee, { params: { orderNo }, body })
const look = (caller: TestCaller, orderNo: string) => caller.call(orders.getOrder, { params: { orderNo } })
const listed = async (orderNo: string, uid = 'manager') =>
  (await it.as(uid).call(contract.listOwedRefunds, { query: { text: orderNo } })).rows[0]!
const send = (id: string, change: object, uid = 'manager') =>
  it.as(uid).codeOf(contract.sendOwedRefund, {
    params: { id },
    body: { receivingAccountId: fixture.accounts.second as number, reference: 'TR-1', payeeVersion: 0, ...change },
    idempotencyKey: onceKey(),
  })

test('the buyer says where the money goes; only those who send it see all of it', async () => {
  const guest = it.as(null)
  const { orderNo } = await refunded(guest)
  expect(await look(guest, orderNo)).toMatchObject({ canGivePayee: true, refunds: [{ payee: null, sentAt: null }] })
  const asked = async () => (await guest.call(listOwnOrders, { query: {} })).rows.map(({ asks }) => asks)
  expect(await asked()).toEqual(['payee'])
  expect(await give(guest, orderNo)).toBe('OK')
  expect(await asked()).toEqual([null])
  expect((await look(guest, orderNo)).refunds).toMatchObject([{ payee: { bankCode: '004', end: '6789' } }])
  expect(await listed(orderNo)).toMatchObject({ payee: KBANK, payeeVersion: 1 })
  expect(await listed(orderNo, 'accountant')).toMatchObject({ payee: null, payeeEnd: { end: '6789' } })
  const seen = await it.as('staff').call(getOrderForStaff, { params: { orderNo } })
  expect(JSON.stringify(seen)).not.toContain(KBANK.accountNo)
  expect(seen.timeline.at(-1)).toMatchObject({ kind: 'payee_given', reason: 'กสิกรไทย x6789', actorRole: 'guest' })
})

test('nobody but the buyer says it in the shop, not even with the tracking link; nor for money that is not owed', async () => {
  const owner = it.as('customer')
  const { orderNo, trackToken } = await refunded(owner)
  const byLink = it.as(null, { 'track-token': trackToken })
  expect(await byLink.call(orders.trackOrder, {})).toMatchObject({ canGivePayee: false })
  for (const caller of [byLink, it.as('rich'), it.as('manager')])
    expect(await give(caller, orderNo)).toBe('ORDER_NOT_FOUND')
  const other = it.as(null)
  const unpaid = await buyByBank(other)
  expect(await give(other, unpaid.orderNo)).toBe('NOTHING_TO_REFUND')
  expect(await give(owner, orderNo, { ...KBANK, accountNo: '123' })).toBe('INVALID_INPUT')
  for (let nth = 0; nth < 10; nth++) expect(await give(owner, orderNo)).toBe('OK')
  expect(await give(owner, orderNo)).toBe('PAYEE_CHANGED_TOO_OFTEN')
})

test('an account that changed since it was looked at is not sent to; what was sent stays as it was', async () => {
  const owner = it.as('customer')
  const { orderNo, id } = await refunded(owner)
  await give(owner, orderNo)
  const seen = await listed(orderNo)
  await give(owner, orderNo, PROMPT_PAY)
  expect(await send(id, { payeeVersion: seen.payeeVersion })).toBe('PAYEE_CHANGED')
  const slipId = await addSlip(it, 'u:manager', 'the slip of a refund')
  expect(await send(id, { payeeVersion: 2, slipId })).toBe('PAYEE_NOT_AGREED')
  const payeeVersion = await agreePayee(it, id, PROMPT_PAY)
  expect(await send(id, { payeeVersion, slipId }, 'admin')).toBe('SLIP_NOT_FOUND')
  expect(await send(id, { payeeVersion, slipId })).toBe('OK')
  expect(await give(owner, orderNo)).toBe('NOTHING_TO_REFUND')
  const shown = await look(owner, orderNo)
  expect(shown).toMatchObject({
    status: 'refunded',
    canGivePayee: false,
    refunds: [{ payee: { bankCode: null, end: '5678' }, sentAt: it.clock.now.toISOString(), slipId }],
  })
  // Who may see its picture.
  expect(await Promise.all(['u:customer', 'u:rich'].map(key => isSubjectOf(it.db, id, [key])))).toEqual([true, false])
})

test('one transfer sends several refunds to one account, and none to somebody else, who would see its slip', async () => {
  const [first, second] = [it.as(null), it.as(null)]
  const [one, two, other, late] = [
    await refunded(it.as('customer')),
    await refunded(it.as('customer')),
    await refunded(first),
    await refunded(second),
  ]
  for (const { id } of [one, two]) await agreePayee(it, id)
  for (const { id } of [other, late]) await agreePayee(it, id, PROMPT_PAY)
  const slip = () => addSlip(it, 'u:manager', 'one transfer')
  const slipId = await slip()
  expect(await send(one.id, { payeeVersion: 1, slipId })).toBe('OK')
  expect(await send(two.id, { payeeVersion: 1, slipId })).toBe('SLIP_REUSED')
  expect(await send(two.id, { payeeVersion: 1, slipId: await slip() })).toBe('OK')
  expect(await send(other.id, { payeeVersion: 1, slipId: await slip() })).toBe('SLIP_REUSED')
  expect((await listed(other.orderNo)).sent).toBeNull()
  const race = [addSlip(it, 'u:manager', 'a race'), addSlip(it, 'u:admin', 'a race')]
  const [mine, theirs] = await Promise.all(race)
  const third = await refunded(it.as('customer'))
  await agreePayee(it, third.id)
  const codes = await Promise.all([
    send(third.id, { payeeVersion: 1, slipId: mine }),
    send(late.id, { payeeVersion: 1, slipId: theirs }, 'admin'),
  ])
  expect(codes.toSorted()).toEqual(['OK', 'SLIP_REUSED'])
})

test('a race of the account and the sending has one outcome', async () => {
  const owner = it.as('customer')
  for (let round = 0; round < 4; round++) {
    const { orderNo, id } = await refunded(owner)
    const payeeVersion = await agreePayee(it, id)
    const [given, sent] = await Promise.all([give(owner, orderNo), send(id, { payeeVersion })])
    expect([
      ['OK', 'PAYEE_CHANGED'],
      ['NOTHING_TO_REFUND', 'OK'],
    ]).toContainEqual([given, sent])
  }
})

test('staff write down what they were told, audited in short, never for themselves', async () => {
  const { orderNo, id } = await refunded(it.as('customer'))
  const set = (uid: string, payeeVersion: number, body = KBANK) =>
    it.as(uid).codeOf(contract.setRefundPayee, { params: { id }, body: { ...body, payeeVersion } })
  expect(await set('staff', 0)).toBe('FORBIDDEN')
  expect(await set('manager', 0)).toBe('OK')
  expect(await set('manager', 0)).toBe('PAYEE_CHANGED')
  expect(await listed(orderNo)).toMatchObject({ payee: KBANK, payeeVersion: 1 })
  const [entry] = await it.db.query<{ after: object }>({
    text: `SELECT after FROM audit_entry WHERE action = 'refund.setPayee' ORDER BY at DESC LIMIT 1`,
  })
  expect(entry!.after).toEqual({ bankCode: '004', accountNo: 'x6789', accountName: KBANK.accountName })
  const own = await refunded(it.as('manager'))
  const asked = { params: { id: own.id }, body: { ...KBANK, payeeVersion: 0 } }
  expect(await it.as('manager').codeOf(contract.setRefundPayee, asked)).toBe('OWN_ORDER')
})
