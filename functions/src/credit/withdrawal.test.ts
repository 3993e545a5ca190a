import { OWNER_NEWS } from '@shop/shared/account/news.ts'
import { changePin } from '@shop/shared/account/pin-endpoints.ts'
import * as contract from '@shop/shared/credit/endpoints.ts'
import * as orders from '@shop/shared/order/endpoints.ts'
import * as refunds from '@shop/shared/statement/refund-endpoints.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { linkLine, users } from '../testing/chat.ts'
import { fixture } from '../testing/fixture.ts'
import { createMailShop, type MailShop } from '../testing/mail.ts'
import { buyAndRefund, buyByBank } from '../testing/orders.ts'
import { agreeNamed } from '../testing/refunds.ts'
import { addAccount, onceKey, type TestCaller } from '../testing/shop.ts'
import { isSubjectOf } from '../upload/store.ts'
import { checkLedger } from '../wallet/ledger-check.ts'

const FRIEND = users.friend.userId
const PIN = '2580'
const OWN = { bankCode: '004', accountNo: '1234567890', accountName: 'สมชาย ใจดี' }
const FOREIGN = { bankCode: '014', accountNo: '9876543210', accountName: 'คนอื่น' }

let it: MailShop
beforeAll(async () => {
  it = await createMailShop()
  await it.db.query({
    text: `INSERT INTO option (name, value) VALUES ('SHOP_CREDIT', 'true'), ('CREDIT_PIN_ABOVE', '320')`,
  })
  await it.db.query({ text: 'UPDATE catalogue_version SET version = version + 1' })
})
afterEach(async () => {
  expect((await checkLedger(it.db)).breaches).toEqual([])
})
afterAll(() => it.close())

/** A customer whose credit came from an order that a guest's browser bought, so that its key is the order's, too. */
async function withCredit(uid: string, count = 1) {
  await addAccount(it, uid, 'customer')
  const guest = it.as(null)
  const caller = it.as(uid, { 'guest-key': guest.headers['guest-key']! })
  let bought = await buyAndRefund(it, guest)
  for (let nth = 0; nth < count; nth++) {
    if (nth > 0) bought = await buyAndRefund(it, caller)
    const { orderNo } = bought
    await caller.call(contract.takeRefundAsCredit, { params: { orderNo }, idempotencyKey: onceKey() })
  }
  await caller.call(changePin, { body: { pin: PIN } })
  return { caller, guest, bought }
}
const creditOf = (caller: TestCaller) => caller.call(contract.getCredit, {})
const withdraw = (caller: TestCaller, pin = PIN, payee = OWN) =>
  caller.codeOf(contract.withdrawCredit, { body: { ...payee, pin }, idempotencyKey: onceKey() })
const turn = (caller: TestCaller, id: string, pin = PIN) =>
  caller.codeOf(contract.giveWithdrawalPayee, { params: { id }, body: { ...FOREIGN, pin } })
const owed = async (id: string, query: { buyer?: string } = {}) =>
  (await it.as('manager').call(refunds.listOwedRefunds, { query })).rows.find(row => row.id === id)
const PRICE = 149_00
let players = 0
/** An order that credit pays as a whole. */
const buy = (caller: TestCaller, pin?: string) => {
  const { id: gameId, package: packageId } = fixture.pubg
  const body = { gameId, packageId, playerId: String(5_700_000_000 + ++players), termsVersion: '1', pin }
  return caller.codeOf(contract.confirmCredit, { body, idempotencyKey: onceKey() })
}

test('a withdrawal is the account’s alone: other keys of the order it came from neither see nor change it', async () => {
  const { caller, guest, bought } = await withCredit('w-own')
  const { orderNo, amountSatang } = bought
  expect(await withdraw(caller)).toBe('OK')
  const [asked] = (await creditOf(caller)).withdrawals
  expect(asked).toMatchObject({ amountSatang, payee: { bankCode: '004', end: '7890' }, sentAt: null })
  const { trackToken } = await guest.call(orders.getOrder, { params: { orderNo } })
  const byLink = it.as(null, { 'track-token': trackToken! })
  for (const shown of [
    await guest.call(orders.getOrder, { params: { orderNo } }),
    await byLink.call(orders.trackOrder, {}),
  ]) {
    expect(shown.refunds).toHaveLength(1)
    expect(JSON.stringify(shown)).not.toContain('7890')
    expect(shown.canGivePayee).toBe(false)
  }
  const change = { params: { orderNo }, body: FOREIGN }
  expect(await guest.codeOf(refunds.giveRefundPayee, change)).toBe('NOTHING_TO_REFUND')
  expect(
    await guest.codeOf(contract.giveWithdrawalPayee, { params: { id: asked!.id }, body: { ...FOREIGN, pin: PIN } }),
  ).toBe('UNAUTHENTICATED')
  // Rows of older versions name the order that they were hung on.
  await it.db.query({
    text: 'UPDATE owed_refund SET order_id = (SELECT id FROM orders WHERE order_no = $2) WHERE id = $1',
    values: [asked!.id, orderNo],
  })
  expect(await guest.codeOf(refunds.giveRefundPayee, change)).toBe('NOTHING_TO_REFUND')
  expect((await guest.call(orders.getOrder, { params: { orderNo } })).refunds).toHaveLength(1)
  expect(await isSubjectOf(it.db, asked!.id, [`g:${guest.headers['guest-key']!}`])).toBe(false)
  expect(await isSubjectOf(it.db, asked!.id, ['u:w-own'])).toBe(true)
  const row = (await owed(asked!.id))!
  expect(row).toMatchObject({ payee: OWN, person: { name: 'w-own' }, fromCredit: true })
  expect([await owed(row.id, { buyer: 'w-own' }), await owed(row.id, { buyer: 'w-turn' })]).toEqual([row, undefined])
  // Nor does the shop write an account down for them.
  const body = { ...FOREIGN, payeeVersion: row.payeeVersion }
  expect(await it.as('manager').codeOf(refunds.setRefundPayee, { params: { id: row.id }, body })).toBe(
    'PAYEE_IS_OWNERS',
  )
})

test('its owner turns it with the PIN until it is sent; whoever looked at the account before does not send it', async () => {
  const { caller } = await withCredit('w-turn')
  await withdraw(caller)
  const [{ id } = { id: '' }] = (await creditOf(caller)).withdrawals
  const { payeeVersion } = (await owed(id))!
  expect(await turn(caller, id, '1111')).toBe('PIN_WRONG')
  await addAccount(it, 'w-other', 'customer')
  await it.as('w-other').call(changePin, { body: { pin: PIN } })
  expect(await turn(it.as('w-other'), id)).toBe('NOT_FOUND')
  expect(await turn(caller, id)).toBe('OK')
  const send = (version: number) =>
    it.as('manager').codeOf(refunds.sendOwedRefund, {
      params: { id },
      body: { receivingAccountId: fixture.accounts.second, reference: 'TR-1', payeeVersion: version },
      idempotencyKey: onceKey(),
    })
  expect([await send(payeeVersion), await send(payeeVersion + 1)]).toEqual(['PAYEE_CHANGED', 'PAYEE_NOT_AGREED'])
  await agreeNamed(it, id)
  expect(await send(payeeVersion + 1)).toBe('OK')
  expect(await turn(caller, id)).toBe('CONFLICT')
  expect((await creditOf(caller)).withdrawals[0]).toMatchObject({ payee: { end: '3210' }, sentAt: expect.any(String) })
})

test('who owns it is told in LINE and by mail: when it is asked for, turned and sent', async () => {
  const { caller, bought } = await withCredit('w-told')
  await linkLine(it, 'w-told', FRIEND)
  await withdraw(caller)
  const [{ id } = { id: '' }] = (await creditOf(caller)).withdrawals
  it.clock.advance(1)
  await turn(caller, id)
  it.clock.advance(1)
  await agreeNamed(it, id)
  const { payeeVersion } = (await owed(id))!
  const body = { receivingAccountId: fixture.accounts.second, reference: 'TR-2', payeeVersion }
  await it.as('manager').call(refunds.sendOwedRefund, { params: { id }, body, idempotencyKey: onceKey() })
  await it.drain()
  const titles = [OWNER_NEWS.withdrawalAsked, OWNER_NEWS.withdrawalPayee, OWNER_NEWS.withdrawalSent].map(
    ({ title }) => title,
  )
  const told = it.shownTo(FRIEND).flatMap(alt => titles.find(title => alt.startsWith(title)) ?? [])
  expect(told.toSorted()).toEqual(titles.toSorted())
  expect(it.mailedTo('w-told@test.shop')).toEqual(expect.arrayContaining(titles))
  const asked = it.inbox.mails.find(
    ({ to, headers }) =>
      to.includes('w-told@test.shop') && headers.subject!.startsWith(OWNER_NEWS.withdrawalAsked.title),
  )
  expect(asked!.text).toContain('กสิกรไทย x7890')
  expect(asked!.text).toContain((bought.amountSatang / 100).toFixed(2))
})

test('a withdrawal always takes the PIN, however little it is', async () => {
  await addAccount(it, 'w-pin', 'customer')
  const caller = it.as('w-pin')
  const { orderNo } = await buyAndRefund(it, caller)
  await caller.call(contract.takeRefundAsCredit, { params: { orderNo }, idempotencyKey: onceKey() })
  expect(await withdraw(caller)).toBe('CREDIT_PIN_NOT_SET')
  await caller.call(changePin, { body: { pin: PIN } })
  expect(await withdraw(caller, '1111')).toBe('PIN_WRONG')
  // The wrong try counted.
  expect((await creditOf(caller)).pin).toMatchObject({ wrongTries: 1 })
  const key = onceKey()
  const again = (pin: string, payee = OWN) =>
    caller.codeOf(contract.withdrawCredit, { body: { ...payee, pin }, idempotencyKey: key })
  // A retry with the right PIN keeps its key, and what is kept of the request says nothing about the PIN.
  expect([await again('1111'), await again(PIN), await again('1111')]).toEqual(['PIN_WRONG', 'OK', 'OK'])
  expect(await again(PIN, FOREIGN)).toBe('IDEMPOTENCY_KEY_REUSED')
  expect(await withdraw(caller)).toBe('CREDIT_TOO_LOW')
})

test('the PIN is asked for by what left since it was typed, over all orders', async () => {
  const { caller } = await withCredit('s-sum', 5)
  expect((await creditOf(caller)).withoutPinSatang).toBe(320_00)
  expect([await buy(caller), await buy(caller)]).toEqual(['OK', 'OK'])
  expect((await creditOf(caller)).withoutPinSatang).toBe(320_00 - 2 * PRICE)
  expect(await buy(caller)).toBe('CREDIT_PIN_REQUIRED')
  expect(await buy(caller, '1111')).toBe('PIN_WRONG')
  expect(await buy(caller, PIN)).toBe('OK')
  expect((await creditOf(caller)).withoutPinSatang).toBe(320_00)
})

test('what an unpaid order gave back still counts, so ending orders makes no room', async () => {
  const { caller } = await withCredit('s-back', 2)
  const placed = await buyByBank(caller, { creditSatang: 140_00 })
  await caller.call(orders.updateOrderStatus, { body: { orderNo: placed.orderNo, status: 'cancel' } })
  expect((await creditOf(caller)).withoutPinSatang).toBe(180_00)
})

test('orders in parallel do not slip below the sum, nor with a withdrawal beside them', async () => {
  const { caller } = await withCredit('s-race', 6)
  const codes = await Promise.all(Array.from({ length: 4 }, () => buy(caller)))
  expect(codes.toSorted()).toEqual(['CREDIT_PIN_REQUIRED', 'CREDIT_PIN_REQUIRED', 'OK', 'OK'])
  const mixed = await Promise.all([buy(caller, PIN), buy(caller, PIN), withdraw(caller), buy(caller)])
  expect(mixed.filter(code => !['OK', 'CREDIT_TOO_LOW', 'CREDIT_PIN_REQUIRED'].includes(code))).toEqual([])
  expect(mixed[2]).toBe('OK')
})
