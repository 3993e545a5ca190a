import { getOrder, trackOrder, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import * as contract from '@shop/shared/statement/refund-endpoints.ts'
import { listValueMoves } from '@shop/shared/value/endpoints.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { buyByBank } from '../testing/orders.ts'
import { addAccount, createTestShop, onceKey, type TestCaller, type TestShop } from '../testing/shop.ts'
import { addLines, lineOf } from '../testing/statement.ts'
import { addSlip } from '../testing/wallet.ts'
import { giveWord, wordOf } from '../testing/words.ts'
import { openAccountHash } from '../transfer/account-hash.ts'
import { checkLedger } from '../wallet/ledger-check.ts'
import { matchStatements } from './matching.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  await addAccount(it, 'manager-2', 'manager')
  await it.db.query({
    text: `INSERT INTO option (name, value) VALUES ('TWO_PERSON_APPROVAL_AMOUNT', '9000000')
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  })
})
afterEach(async () => {
  expect((await checkLedger(it.db)).breaches).toEqual([])
})
afterAll(() => it.db.close())

/** What the bank says of who paid. */
const SOMCHAI = { fromBank: '004', fromAccount: 'x1234', detail: 'จาก X1234 นาย สมชาย ใจดี++' }
/** The payer's account, as a thief does not know it, and one of the thief's own. */
const OWN = { bankCode: '004', accountNo: '4059991234', accountName: 'สมชาย ใจดี' }
const CLEAN = { bankCode: '014', accountNo: '9870004567', accountName: 'มานะ อดทน' }
const WHY = { reason: 'บัญชีเดิมปิดไปแล้ว' }

/** An order that a line of the bank paid and that was refunded. */
async function paidAndRefunded(caller: TestCaller, line: Partial<Parameters<typeof lineOf>[0]> = SOMCHAI) {
  const order = await buyByBank(caller)
  await addLines(it, [lineOf({ amountSatang: order.amountSatang, at: it.clock.now, ...line })])
  await matchStatements(it.shop)
  const body = { orderNo: order.orderNo, status: 'refunded' as const, reason: 'เติมไม่ได้' }
  await it.as('admin').call(updateOrderStatus, { body })
  return { ...order, id: (await listed(order.orderNo)).id }
}
const listed = async (orderNo: string, uid = 'manager') =>
  (await it.as(uid).call(contract.listOwedRefunds, { query: { text: orderNo } })).rows[0]!
const giveBack = (caller: TestCaller, orderNo: string, body: object = { accountNo: OWN.accountNo }) =>
  caller.codeOf(contract.refundToPayer, { params: { orderNo }, body })
const give = (caller: TestCaller, orderNo: string, body: object) =>
  caller.codeOf(contract.giveRefundPayee, { params: { orderNo }, body: body as typeof OWN })
const sending = (id: string, payeeVersion: number) => ({
  params: { id },
  body: { receivingAccountId: fixture.accounts.second as number, reference: 'TR-1', payeeVersion },
  idempotencyKey: onceKey(),
})
const send = (id: string, payeeVersion = 1, uid = 'manager') =>
  it.as(uid).codeOf(contract.sendOwedRefund, sending(id, payeeVersion))
const agreeing = (id: string, payeeVersion = 1, isSlipCompared = false) => ({
  params: { id },
  body: { payeeVersion, isSlipCompared },
  idempotencyKey: onceKey(),
})

test('the buyer is offered the account that paid, types what the bank hides, and one person sends it there', async () => {
  const guest = it.as(null)
  const { orderNo, id, trackToken } = await paidAndRefunded(guest)
  const payerSeen = async (caller: TestCaller) =>
    (await caller.call(getOrder, { params: { orderNo } })).refunds.map(({ payer }) => payer)
  expect(await payerSeen(guest)).toEqual([
    { bankCode: '004', account: 'x1234', name: 'นาย สมชาย ใจดี++', wants: { number: true, name: false } },
  ])
  const byLink = await it.as(null, { 'track-token': trackToken }).call(trackOrder, {})
  expect(byLink).toMatchObject({ canGivePayee: false, refunds: [{ payer: null, payeeFit: null }] })
  expect(await giveBack(it.as(null, { 'track-token': trackToken }), orderNo)).toBe('ORDER_NOT_FOUND')
  expect(await giveBack(guest, orderNo, { accountNo: '405-9-99123-5' })).toBe('PAYER_NUMBER_DIFFERS')
  expect(await giveBack(guest, orderNo, {})).toBe('PAYER_NUMBER_DIFFERS')
  expect(await giveBack(guest, orderNo, { accountNo: '405-9-99123-4' })).toBe('OK')
  const row = await listed(orderNo)
  expect(row).toMatchObject({
    payee: { ...OWN, accountName: 'นาย สมชาย ใจดี++' },
    payeeFit: 'payer',
    payeeReason: null,
    payer: { bankCode: '004', account: 'x1234', name: 'นาย สมชาย ใจดี++' },
  })
  expect(await it.as('manager').codeOf(contract.agreeRefundPayee, agreeing(id))).toBe('PAYEE_NEEDS_NO_WORD')
  expect(await send(id)).toBe('OK')
})

test('where the file tells the whole number it takes one tap, and nobody but those who send reads it', async () => {
  const guest = it.as(null)
  const whole = { fromBank: '006', fromAccount: '9999991234', detail: 'NMPSDP 006-9999991234' }
  const { orderNo } = await paidAndRefunded(guest, whole)
  const [shown] = (await guest.call(getOrder, { params: { orderNo } })).refunds
  expect(shown!.payer).toEqual({ bankCode: '006', account: 'x1234', name: null, wants: { number: false, name: true } })
  expect(await giveBack(guest, orderNo, { accountName: 'สมชาย ใจดี' })).toBe('OK')
  expect(await listed(orderNo)).toMatchObject({ payee: { accountNo: '9999991234' }, payeeFit: 'payer' })
  const books = await listed(orderNo, 'accountant')
  expect(books).toMatchObject({ payee: null, payer: { account: 'x1234' } })
  expect(JSON.stringify(books)).not.toContain('9999991234')
})

test('a refund to another account: one person does not send it; a second one agrees first, and all managers are told', async () => {
  const guest = it.as(null)
  const { orderNo, id, amountSatang } = await paidAndRefunded(guest)
  expect(await give(guest, orderNo, CLEAN)).toBe('REFUND_REASON_NEEDED')
  expect(await give(guest, orderNo, { ...CLEAN, ...WHY })).toBe('OK')
  expect(await listed(orderNo)).toMatchObject({ payeeFit: 'otherName', payeeReason: WHY.reason, payeeAgreed: null })
  expect(await send(id)).toBe('PAYEE_NOT_AGREED')
  expect(await send(id, 1, 'admin')).toBe('PAYEE_NOT_AGREED')
  const wordId = await wordOf(it.as('manager'), contract.agreeRefundPayee, agreeing(id))
  expect(await send(id)).toBe('PAYEE_NOT_AGREED')
  await expect(giveWord(it, 'manager', wordId)).rejects.toMatchObject({ code: 'SECOND_WORD_NOT_YOURS' })
  await giveWord(it, 'manager-2', wordId)
  expect((await listed(orderNo)).payeeAgreed).toEqual({ byName: 'manager-2', as: 'second' })
  const moves = await it.as('admin').call(listValueMoves, { query: { kind: 'refundElsewhere' } })
  expect(moves.rows[0]).toMatchObject({
    amountSatang,
    secondName: 'manager-2',
    note: 'เงินมาจาก กสิกรไทย x1234 นาย สมชาย ใจดี++ → คืนไป ไทยพาณิชย์ x4567 มานะ อดทน (ชื่อไม่ตรงกับผู้โอน) · เหตุผล: บัญชีเดิมปิดไปแล้ว',
  })
  expect(await send(id)).toBe('OK')
})

test('an account that was changed after the word was given takes another word', async () => {
  const guest = it.as(null)
  const { orderNo, id } = await paidAndRefunded(guest)
  await give(guest, orderNo, { ...CLEAN, ...WHY })
  const asked = await wordOf(it.as('manager'), contract.agreeRefundPayee, agreeing(id))
  await giveWord(it, 'manager-2', asked)
  await give(guest, orderNo, { ...CLEAN, accountNo: '9870009999', ...WHY })
  expect(await listed(orderNo)).toMatchObject({ payeeVersion: 2, payeeAgreed: null })
  expect([await send(id, 1), await send(id, 2)]).toEqual(['PAYEE_CHANGED', 'PAYEE_NOT_AGREED'])
  // Also while the question waits: what was looked at is not what would be agreed to.
  const late = await wordOf(it.as('manager'), contract.agreeRefundPayee, agreeing(id, 2))
  await give(guest, orderNo, { ...CLEAN, ...WHY })
  await expect(giveWord(it, 'manager-2', late)).rejects.toMatchObject({ code: 'PAYEE_CHANGED' })
  expect(await giveBack(guest, orderNo)).toBe('OK')
  expect(await send(id, 4)).toBe('OK')
})

test('the same person at another bank gives a reason and waits for the second person, and is not called another name', async () => {
  const guest = it.as(null)
  const { orderNo, id } = await paidAndRefunded(guest)
  expect(await give(guest, orderNo, { ...CLEAN, accountName: 'นายสมชาย ใจดี', ...WHY })).toBe('OK')
  expect((await listed(orderNo)).payeeFit).toBe('otherAccount')
  expect(await send(id)).toBe('PAYEE_NOT_AGREED')
})

test('what staff write down for the buyer is held to the same', async () => {
  const { id, orderNo } = await paidAndRefunded(it.as(null))
  const set = (payeeVersion: number, body: object) =>
    it.as('manager').codeOf(contract.setRefundPayee, {
      params: { id },
      body: { ...OWN, ...body, payeeVersion },
    })
  expect(await set(0, CLEAN)).toBe('REFUND_REASON_NEEDED')
  expect(await set(0, { ...CLEAN, ...WHY })).toBe('OK')
  expect(await send(id)).toBe('PAYEE_NOT_AGREED')
  expect(await set(1, {})).toBe('OK')
  expect(await listed(orderNo)).toMatchObject({ payeeFit: 'payer', payeeByName: 'manager' })
  expect(await send(id, 2)).toBe('OK')
})

test('where nobody told who paid, the buyer hands in their slip, and who compares it may send', async () => {
  const guest = it.as(null)
  const { orderNo, id } = await paidAndRefunded(guest, {})
  expect((await guest.call(getOrder, { params: { orderNo } })).refunds[0]!.payer).toBeNull()
  expect(await giveBack(guest, orderNo)).toBe('PAYER_NOT_KNOWN')
  expect(await give(guest, orderNo, OWN)).toBe('OK')
  expect((await listed(orderNo)).payeeFit).toBe('unknown')
  expect(await send(id)).toBe('PAYEE_NOT_AGREED')
  const compare = (payeeVersion: number) =>
    it.as('manager').codeOf(contract.agreeRefundPayee, agreeing(id, payeeVersion, true))
  expect(await compare(1)).toBe('NO_SLIP_TO_COMPARE')
  const ownerKey = `g:${(await it.db.query<{ key: string }>({ text: 'SELECT buyer_key AS key FROM orders WHERE order_no = $1', values: [orderNo] }))[0]!.key.slice(2)}`
  const stranger = await addSlip(it, 'u:customer', 'of somebody else')
  expect(await give(guest, orderNo, { ...OWN, paidSlipId: stranger })).toBe('SLIP_NOT_FOUND')
  const paidSlipId = await addSlip(it, ownerKey, 'of the buyer')
  expect(await give(guest, orderNo, { ...OWN, paidSlipId })).toBe('OK')
  expect((await listed(orderNo)).paidSlipId).toBe(paidSlipId)
  expect(await compare(2)).toBe('OK')
  expect((await listed(orderNo)).payeeAgreed).toEqual({ byName: 'manager', as: 'slip' })
  expect(await send(id, 2)).toBe('OK')
})

test('a slip is no way around what the bank told', async () => {
  const guest = it.as('customer')
  const { orderNo, id } = await paidAndRefunded(guest)
  const paidSlipId = await addSlip(it, 'u:customer', 'a drawn slip')
  await give(guest, orderNo, { ...CLEAN, ...WHY, paidSlipId })
  expect(await it.as('manager').codeOf(contract.agreeRefundPayee, agreeing(id, 1, true))).toBe('NO_SLIP_TO_COMPARE')
})

test('an account is recognised with other buyers by its hash, which tells no number', async () => {
  const hash = openAccountHash(it.shop.config)
  expect(hash(OWN)).not.toContain(OWN.accountNo)
  expect(hash(OWN)).not.toBe(hash({ ...OWN, bankCode: '014' }))
  const [first, second] = [it.as(null), it.as(null)]
  const one = await paidAndRefunded(first)
  await giveBack(first, one.orderNo, { accountNo: '4057771234' })
  expect((await listed(one.orderNo)).payeeOthers).toBe(0)
  expect(await send(one.id)).toBe('OK')
  const two = await paidAndRefunded(second, { ...SOMCHAI, fromBank: '014' })
  await give(second, two.orderNo, { bankCode: '004', accountNo: '4057771234', accountName: 'มานะ', ...WHY })
  expect((await listed(two.orderNo)).payeeOthers).toBe(1)
})
