import { changePin } from '@shop/shared/account/pin-endpoints.ts'
import * as contract from '@shop/shared/credit/endpoints.ts'
import { chargeOrder, confirmCharge } from '@shop/shared/order/charge-endpoints.ts'
import * as orders from '@shop/shared/order/endpoints.ts'
import type { OptionName } from '@shop/shared/settings/option.ts'
import { listOwedRefunds, sendOwedRefund } from '@shop/shared/statement/refund-endpoints.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { expireOrders } from '../order/paying/expiry.ts'
import { matchLines } from '../statement/matching.ts'
import { fixture } from '../testing/fixture.ts'
import { createGatewayShop, type GatewayShop } from '../testing/gateway.ts'
import { bankOrder, buyAndRefund, buyByBank, codeOf } from '../testing/orders.ts'
import { agreePayee } from '../testing/refunds.ts'
import { addAccount, onceKey, type TestCaller } from '../testing/shop.ts'
import { addLines, lineOf } from '../testing/statement.ts'
import { checkLedger } from '../wallet/ledger-check.ts'

let it: GatewayShop
beforeAll(async () => {
  it = await createGatewayShop()
})
beforeEach(async () => {
  await set('SHOP_CREDIT', 'true')
  await set('CREDIT_PIN_ABOVE', '1000')
})
afterEach(async () => {
  expect((await checkLedger(it.db)).breaches).toEqual([])
})
afterAll(() => it.db.close())

const set = async (name: OptionName, value: string) => {
  await it.db.query({
    text: 'INSERT INTO option (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2',
    values: [name, value],
  })
  await it.db.query({ text: 'UPDATE catalogue_version SET version = version + 1' })
}

const take = (caller: TestCaller, orderNo: string, idempotencyKey = onceKey()) =>
  caller.call(contract.takeRefundAsCredit, { params: { orderNo }, idempotencyKey })
const balanceOf = async (caller: TestCaller) => (await caller.call(contract.getCredit, {})).balanceSatang
const movesOf = async (caller: TestCaller) =>
  (await caller.call(contract.listCreditMoves, { query: {} })).rows.map(({ move, amountSatang }) => [
    move,
    amountSatang,
  ])
const statusOf = async (caller: TestCaller, orderNo: string) =>
  (await caller.call(orders.getOrder, { params: { orderNo } })).status
const bySelf = (playerId: string) => ({
  gameId: fixture.pubg.id,
  packageId: fixture.pubg.package,
  playerId,
  termsVersion: '1',
})
const buyByCredit = (caller: TestCaller, change: object = {}, idempotencyKey = onceKey()) =>
  caller.call(contract.confirmCredit, { body: { ...bySelf('5900000001'), ...change }, idempotencyKey })
const buyByCharge = (caller: TestCaller, creditSatang: number) =>
  caller.call(confirmCharge, {
    body: { ...bySelf('5900000002'), payment: 'promptpay', creditSatang },
    idempotencyKey: onceKey(),
  })
const customer = async (uid: string, headers: Record<string, string> = {}) => {
  await addAccount(it, uid, 'customer')
  return it.as(uid, headers)
}
/** A customer of their own, with the credit of one refunded order. */
const withCredit = async (uid: string) => {
  const caller = await customer(uid)
  const { orderNo, amountSatang } = await buyAndRefund(it, caller)
  await take(caller, orderNo)
  return { caller, orderNo, amountSatang }
}

test('a refund becomes credit at once, once, and is spent on the next order', async () => {
  const caller = await customer('c-once')
  const { orderNo, amountSatang } = await buyAndRefund(it, caller)
  expect(await caller.call(orders.getOrder, { params: { orderNo } })).toMatchObject({ canTakeCredit: true })
  const key = onceKey()
  const codes = await Promise.all([
    codeOf(take(caller, orderNo, key)),
    codeOf(take(caller, orderNo, key)),
    codeOf(take(caller, orderNo)),
  ])
  expect(codes.toSorted()).toEqual(['NOTHING_TO_REFUND', 'OK', 'OK'])
  const seen = await caller.call(orders.getOrder, { params: { orderNo } })
  expect(seen).toMatchObject({ status: 'refunded', canTakeCredit: false, refunds: [{ asCredit: true, amountSatang }] })
  expect(await balanceOf(caller)).toBe(amountSatang)
  const bought = await buyByCredit(caller)
  expect(bought).toMatchObject({ status: 'paid', payment: 'credit', amountSatang: bought.priceSatang })
  expect(await balanceOf(caller)).toBe(amountSatang - bought.priceSatang)
  expect(await codeOf(buyByCredit(caller))).toBe('CREDIT_TOO_LOW')
  expect(await movesOf(caller)).toEqual([
    ['spent', -bought.priceSatang],
    ['refund', amountSatang],
  ])
})

test('nobody takes what is not theirs, and nothing is given while the owner has it off', async () => {
  const caller = await customer('c-own')
  const { orderNo } = await buyAndRefund(it, caller)
  expect(await codeOf(take(await customer('c-other'), orderNo))).toBe('ORDER_NOT_FOUND')
  expect(await codeOf(take(it.as(null), orderNo))).toBe('UNAUTHENTICATED')
  await set('SHOP_CREDIT', 'false')
  expect(await codeOf(take(caller, orderNo))).toBe('CREDIT_OFF')
  expect(await caller.call(orders.getOrder, { params: { orderNo } })).toMatchObject({ canTakeCredit: false })
})

test('what a guest bought is never credit of an account that was there before; one made since may have it', async () => {
  const guest = it.as(null)
  const old = await customer('c-before', { 'guest-key': guest.headers['guest-key']! })
  it.clock.now = addSeconds(it.clock.now, 60)
  const { orderNo } = await buyAndRefund(it, guest)
  expect(await guest.call(orders.getOrder, { params: { orderNo } })).toMatchObject({ canTakeCredit: true })
  expect(await old.call(orders.getOrder, { params: { orderNo } })).toMatchObject({
    canTakeCredit: false,
    canGivePayee: true,
  })
  expect(await codeOf(take(old, orderNo))).toBe('CREDIT_NOT_BUYERS')
  expect(await statusOf(guest, orderNo)).toBe('refunding')
  const made = await customer('c-since', { 'guest-key': guest.headers['guest-key']! })
  expect(await codeOf(take(made, orderNo))).toBe('OK')
})

test('a guest gets it at once by signing in with the same browser', async () => {
  const guest = it.as(null)
  const { orderNo, amountSatang } = await buyAndRefund(it, guest)
  const signedIn = await customer('c-guest', { 'guest-key': guest.headers['guest-key']! })
  await take(signedIn, orderNo)
  expect(await balanceOf(signedIn)).toBe(amountSatang)
  expect(await statusOf(guest, orderNo)).toBe('refunded')
})

test('what is left is paid by transfer of an exact amount, and the bank line finds it', async () => {
  const { caller } = await withCredit('c-bank')
  const placed = await buyByBank(caller, { creditSatang: 100_00 })
  expect(placed.dueSatang).toBe(placed.priceSatang - 100_00 + placed.tailSatang)
  expect(await codeOf(buyByCredit(caller))).toBe('CREDIT_TOO_LOW')
  const at = addSeconds(it.clock.now, 60)
  await addLines(it, [lineOf({ amountSatang: placed.dueSatang, at })])
  await matchLines(it.shop)
  expect(await statusOf(caller, placed.orderNo)).toBe('paid')
})

test('what is left is paid through the gateway; a failed delivery gives each part back to where it came from', async () => {
  const { caller } = await withCredit('c-charge')
  const before = await balanceOf(caller)
  const { orderNo, dueSatang } = await buyByCharge(caller, 100_00)
  const charge = await caller.call(chargeOrder, { params: { orderNo }, body: { method: 'promptpay' } })
  expect(charge.amountSatang).toBe(dueSatang)
  const reference = [...it.gateway.charges.keys()].at(-1)!
  it.gateway.pay(reference)
  await it.hear(reference)
  await it.hear(reference)
  await it.drain()
  expect(await statusOf(caller, orderNo)).toBe('paid')
  const refund = { orderNo, status: 'refunded', reason: 'เติมไม่ได้' } as const
  await it.as('admin').call(orders.updateOrderStatus, { body: refund })
  expect(await balanceOf(caller)).toBe(before)
  await take(caller, orderNo)
  expect(await balanceOf(caller)).toBe(before + dueSatang)
  expect(await statusOf(caller, orderNo)).toBe('refunded')
})

test('credit of an order that ends unpaid is back, by whatever end, and late money is owed', async () => {
  const { caller } = await withCredit('c-back')
  const before = await balanceOf(caller)
  const cancelled = await buyByBank(caller, { creditSatang: 100_00 })
  expect(await balanceOf(caller)).toBe(before - 100_00)
  await caller.call(orders.updateOrderStatus, { body: { orderNo: cancelled.orderNo, status: 'cancel' } })
  expect(await balanceOf(caller)).toBe(before)
  const { orderNo, dueSatang } = await buyByCharge(caller, 100_00)
  await caller.call(chargeOrder, { params: { orderNo }, body: { method: 'promptpay' } })
  const reference = [...it.gateway.charges.keys()].at(-1)!
  it.clock.now = addSeconds(it.clock.now, 3600)
  await expireOrders(it.shop)
  expect([await statusOf(caller, orderNo), await balanceOf(caller)]).toEqual(['expired', before])
  it.gateway.pay(reference)
  await it.hear(reference)
  await it.drain()
  expect(await statusOf(caller, orderNo)).toBe('expired')
  await take(caller, orderNo)
  expect(await balanceOf(caller)).toBe(before + dueSatang)
  const late = await buyByBank(caller, { creditSatang: 100_00 })
  it.clock.now = addSeconds(it.clock.now, 3600)
  await expireOrders(it.shop)
  const word = { orderNo: late.orderNo, status: 'paid', reason: 'มาช้า' } as const
  expect(await codeOf(it.as('manager').call(orders.updateOrderStatus, { body: word }))).toBe('CREDIT_RETURNED')
})

test('of many orders at once only as many are bought as there is credit for', async () => {
  const { caller } = await withCredit('c-many')
  const before = await balanceOf(caller)
  const bought = await Promise.all(Array.from({ length: 8 }, () => codeOf(buyByCredit(caller))))
  expect(bought.filter(code => code === 'OK')).toHaveLength(1)
  expect(new Set(bought.filter(code => code !== 'OK'))).toEqual(new Set(['CREDIT_TOO_LOW']))
  expect(await balanceOf(caller)).toBeLessThan(before)
  const { caller: other } = await withCredit('c-both')
  const balance = await balanceOf(other)
  const codes = await Promise.all([
    codeOf(buyByCredit(other)),
    codeOf(buyByBank(other, { creditSatang: balance - 10_00 })),
    codeOf(buyByCharge(other, balance - 10_00)),
  ])
  expect(codes.filter(code => code === 'OK')).toHaveLength(1)
})

test('the same request is the same order', async () => {
  const { caller } = await withCredit('c-same')
  const key = onceKey()
  const [one, two] = await Promise.all([buyByCredit(caller, {}, key), buyByCredit(caller, {}, key)])
  expect(one.orderNo).toBe(two.orderNo)
})

test('above the amount that the owner sets it takes the PIN, which its owner sets', async () => {
  const { caller } = await withCredit('c-pin')
  await set('CREDIT_PIN_ABOVE', '100')
  expect(await codeOf(buyByCredit(caller))).toBe('CREDIT_PIN_NOT_SET')
  expect(await codeOf(caller.call(changePin, { body: { oldPin: '1111', pin: '2580' } }))).toBe('PIN_NOT_SET')
  expect(await codeOf(caller.call(changePin, { body: { pin: '2580' } }))).toBe('OK')
  expect(await codeOf(caller.call(changePin, { body: { pin: '1111' } }))).toBe('PIN_ALREADY_SET')
  expect(await codeOf(buyByCredit(caller))).toBe('CREDIT_PIN_REQUIRED')
  expect(await codeOf(buyByCredit(caller, { pin: '1111' }))).toBe('PIN_WRONG')
  const above = bankOrder({ creditSatang: 100_01 })
  const ask = (body: object) => caller.call(orders.confirmPrice, { body: body as never, idempotencyKey: onceKey() })
  expect(await codeOf(ask(above))).toBe('CREDIT_PIN_REQUIRED')
  const paid = await ask({ ...above, pin: '2580' })
  await caller.call(orders.updateOrderStatus, { body: { orderNo: paid.orderNo, status: 'cancel' } })
  const within = await ask(bankOrder({ creditSatang: 100_00 }))
  await caller.call(orders.updateOrderStatus, { body: { orderNo: within.orderNo, status: 'cancel' } })
  expect(await codeOf(buyByCredit(caller, { pin: '2580' }))).toBe('OK')
})

test('what one person made owed becomes credit up to the sum of their day; above it waits for another', async () => {
  await set('TWO_PERSON_APPROVAL_AMOUNT', '200')
  const caller = await customer('c-day')
  const staff = it.as('manager')
  const refund = async () => {
    const { orderNo } = await buyByBank(caller)
    await it.as('admin').call(orders.updateOrderStatus, { body: { orderNo, status: 'paid', reason: 'เห็นเงิน' } })
    await staff.call(orders.updateOrderStatus, { body: { orderNo, status: 'refunded', reason: 'เติมไม่ได้' } })
    return orderNo
  }
  it.clock.now = addSeconds(it.clock.now, 86_400)
  const first = await refund()
  await take(caller, first)
  expect(await statusOf(caller, first)).toBe('refunded')
  await set('TWO_PERSON_APPROVAL_AMOUNT', '2000')
  const second = await refund()
  await set('TWO_PERSON_APPROVAL_AMOUNT', '200')
  await take(caller, second)
  expect(await statusOf(caller, second)).toBe('refunding')
  const [row] = (await staff.call(listOwedRefunds, { query: { text: second } })).rows
  expect(row).toMatchObject({ asCredit: true, payee: null, sent: null })
  const pay = (by: TestCaller) =>
    codeOf(
      by.call(contract.creditOwedRefund, {
        params: { id: row!.id },
        body: { payeeVersion: row!.payeeVersion },
        idempotencyKey: onceKey(),
      }),
    )
  expect(await pay(staff)).toBe('SECOND_WORD_NEEDED')
  await addAccount(it, 'second manager', 'manager')
  const other = it.as('second manager')
  expect([await pay(other), await pay(other)]).toEqual(['OK', 'CONFLICT'])
  expect(await statusOf(caller, second)).toBe('refunded')
  await set('TWO_PERSON_APPROVAL_AMOUNT', '20000')
})

test('all of it can be had as the refund that it was, and nothing twice', async () => {
  const { caller, amountSatang } = await withCredit('c-out')
  await caller.call(changePin, { body: { pin: '2580' } })
  const payee = { pin: '2580', bankCode: '004', accountNo: '1234567890', accountName: 'สมชาย ใจดี' }
  const out = (idempotencyKey = onceKey()) => caller.call(contract.withdrawCredit, { body: payee, idempotencyKey })
  const key = onceKey()
  const [first, again, other] = await Promise.all([codeOf(out(key)), codeOf(out(key)), codeOf(out())])
  // Whoever comes first has it, and a repeat is told the same.
  expect(again).toBe(first)
  expect([first, other].toSorted()).toEqual(['CREDIT_TOO_LOW', 'OK'])
  expect(await codeOf(buyByCredit(caller))).toBe('CREDIT_TOO_LOW')
  const { rows } = await it.as('manager').call(listOwedRefunds, { query: {} })
  const row = rows.find(({ fromCredit }) => fromCredit)!
  expect(row).toMatchObject({ amountSatang, payee: { accountNo: '1234567890' } })
  // Nobody told who had paid, so a second person looks at it first.
  expect(row).toMatchObject({ payeeFit: 'unknown', payeeAgreed: null })
  const payeeVersion = await agreePayee(it, row.id, payee)
  const body = { receivingAccountId: fixture.accounts.second, reference: 'TR-9', payeeVersion }
  const sent = it.as('manager').call(sendOwedRefund, { params: { id: row.id }, body, idempotencyKey: onceKey() })
  expect(await codeOf(sent)).toBe('OK')
  expect(await movesOf(caller)).toEqual([
    ['withdrawn', -amountSatang],
    ['refund', amountSatang],
  ])
})
