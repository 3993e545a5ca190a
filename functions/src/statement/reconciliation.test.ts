import * as orders from '@shop/shared/order/endpoints.ts'
import { markPaid } from '@shop/shared/order/order.ts'
import { SYSTEM } from '@shop/shared/order/status.ts'
import * as statement from '@shop/shared/statement/endpoints.ts'
import * as contract from '@shop/shared/statement/refund-endpoints.ts'
import { addSeconds, bangkokDay, DAY_MS } from '@shop/shared/time.ts'
import * as wallets from '@shop/shared/wallet/endpoints.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { lockOrder, saveOutcome } from '../order/store.ts'
import { buyByBank } from '../testing/orders.ts'
import { agreePayee } from '../testing/refunds.ts'
import { addAccount, createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { addLines, lineOf } from '../testing/statement.ts'
import { addSlip, addWallet } from '../testing/wallet.ts'
import { checkLedger, describeReport } from '../wallet/ledger-check.ts'
import { matchLines } from './matching.ts'
import { warnOfOverdue } from './reconciliation.ts'

let it: TestShop
const shops: TestShop[] = []
beforeEach(async () => {
  it = await createTestShop()
  shops.push(it)
  // The ledger keeps the database's time.
  it.clock.now = new Date()
})
afterAll(() => Promise.all(shops.map(shop => shop.db.close())))

let buyers = 0
async function order() {
  const uid = `buyer-${++buyers}`
  await addAccount(it, uid, 'customer')
  return buyByBank(it.as(uid))
}
const payBySlip = (orderNo: string) =>
  it.shop.db.transaction(async tx => {
    const locked = await lockOrder(tx, { orderNo })
    await saveOutcome(tx, markPaid(locked!.order, SYSTEM, 'สลิปยืนยัน', it.clock.now))
  })
const payByHand = (orderNo: string) =>
  it.as('staff').call(orders.updateOrderStatus, { body: { orderNo, status: 'paid', reason: 'เห็นยอด' } })
const dayOf = (date: Date) => bangkokDay(date)
const days = async (from = it.clock.now, to = it.clock.now) =>
  (await it.as('manager').call(contract.getReconciliation, { query: { from: dayOf(from), to: dayOf(to) } })).days
const withoutLine = async (query: object = {}) =>
  (await it.as('manager').call(contract.listBookedWithoutLine, { query })).rows

test('a day is right when its lines explain what the ledger took in; what is open or without a line is told', async () => {
  const [exact, hand, slip] = [await order(), await order(), await order()]
  const today = it.clock.now
  await addLines(it, [
    lineOf({ amountSatang: exact.amountSatang, at: today }),
    lineOf({ amountSatang: 5_000, at: today }),
    lineOf({ amountSatang: -9_999, at: today }),
  ])
  await matchLines(it.shop)
  const own = { receivingAccountId: 1, day: dayOf(today), inSatang: exact.amountSatang + 5_000, lines: 2 }
  const others = { waitingSatang: 0, waiting: [], unrelatedSatang: 0 }
  const open = { openSatang: 5_000, open: 1, matchedSatang: exact.amountSatang, ...others }
  expect(await days()).toEqual([
    {
      ...own,
      ...open,
      ledgerSatang: exact.amountSatang,
      differenceSatang: 0,
      withoutLineSatang: 0,
      withoutLine: 0,
      overdue: 0,
    },
  ])
  await payByHand(hand.orderNo)
  await payBySlip(slip.orderNo)
  const booked = hand.amountSatang + slip.amountSatang
  expect(await days()).toMatchObject([
    { ...own, ...open, withoutLineSatang: booked, withoutLine: 2, differenceSatang: booked, overdue: 0 },
  ])
  expect(await withoutLine()).toMatchObject([
    { no: hand.orderNo, by: 'staff', receivingAccountId: 1, isOverdue: false },
    { no: slip.orderNo, by: 'บริการตรวจสลิป', amountSatang: slip.amountSatang, isOverdue: false },
  ])
  const other = await it.as('manager').call(contract.getReconciliation, {
    query: { from: dayOf(today), to: dayOf(today), receivingAccountId: '2' },
  })
  expect(other.days).toEqual([])
})

test('a long period tells each of its days once, latest first, as each alone does', async () => {
  const ago = (n: number) => addSeconds(it.clock.now, -n * 86_400)
  const moments = [0, 1, 2, 3, 7, 20].map(ago)
  await addLines(
    it,
    moments.map((at, n) => lineOf({ amountSatang: 5_000 + n, at })),
  )
  await matchLines(it.shop)
  const [whole, alone] = [await days(ago(20)), await Promise.all(moments.map(at => days(at, at)))]
  expect(whole.map(({ day, inSatang }) => [day, inSatang])).toEqual(moments.map((at, n) => [dayOf(at), 5_000 + n]))
  expect(whole).toEqual(alone.flat())
  expect((await days(ago(20), ago(2))).map(({ day }) => day)).toEqual(moments.slice(2).map(dayOf))
})

test('money is of the day its line tells, on the line’s account, whenever and wherever it was booked', async () => {
  const late = await order()
  await payByHand(late.orderNo)
  const yesterday = addSeconds(it.clock.now, -86_400)
  await addLines(it, [lineOf({ amountSatang: late.amountSatang - 37, at: yesterday })], 2)
  const [line] = await it.db.query<{ id: string }>({ text: 'SELECT id FROM statement_line' })
  const [row] = await it.db.query<{ id: string }>({ text: 'SELECT id FROM orders' })
  const decide = (body: object) =>
    it.as('manager').call(statement.decideStatementLine, {
      params: { id: line!.id },
      body: { reason: 'ตรวจแล้ว', ...body } as never,
      idempotencyKey: onceKey(),
    })
  await decide({ step: 'match', version: 1, target: { kind: 'order', id: row!.id } })
  const told = (await days(yesterday)).map(each => [
    each.receivingAccountId,
    each.day,
    each.ledgerSatang,
    each.differenceSatang,
  ])
  expect(told).toEqual([
    [1, dayOf(yesterday), 0, 0],
    [2, dayOf(yesterday), late.amountSatang - 37, 0],
  ])
  expect(await withoutLine()).toEqual([])
  await decide({ step: 'undo', version: 2 })
  expect((await days(yesterday)).map(each => [each.receivingAccountId, each.day, each.ledgerSatang])).toEqual([
    [1, dayOf(it.clock.now), late.amountSatang],
    [2, dayOf(yesterday), 0],
  ])
})

test('after two days without a line a booking is overdue, and told to the owner, whatever said that it is paid', async () => {
  const [hand, slip, found] = [await order(), await order(), await order()]
  await payByHand(hand.orderNo)
  for (const { orderNo } of [slip, found]) await payBySlip(orderNo)
  await addLines(it, [lineOf({ amountSatang: found.amountSatang, at: it.clock.now })])
  await matchLines(it.shop)
  it.clock.advance((2 * DAY_MS) / 1000)
  expect([await warnOfOverdue(it.shop), (await withoutLine({ overdue: 'true' })).length]).toEqual([
    { orders: 0, topUps: 0 },
    0,
  ])
  it.clock.advance(60)
  expect(await warnOfOverdue(it.shop)).toEqual({ orders: 2, topUps: 0 })
  expect((await withoutLine({ overdue: 'true' })).map(row => row.no)).toEqual([hand.orderNo, slip.orderNo])
  expect((await days(addSeconds(it.clock.now, -3 * 86_400)))[0]).toMatchObject({ withoutLine: 2, overdue: 2 })
})

test('a top-up counts on the account that was named; one in suspense is listed on none', async () => {
  await addWallet(it.db, { uid: 'agent', balanceSatang: 0, pin: null, now: it.clock.now })
  for (const receivingAccountId of [2, null]) {
    const slipId = await addSlip(it, 'u:agent', `own ${receivingAccountId}`)
    const body = { amountSatang: 20_000, slipId, ...(receivingAccountId && { receivingAccountId }) }
    const { id } = await it.as('agent').call(wallets.saveTopUp, { body, idempotencyKey: onceKey() })
    const decision = { id, version: 1, status: 'approve' as const }
    await it.as('manager').call(wallets.decideTopUp, { body: decision, idempotencyKey: onceKey() })
  }
  expect((await withoutLine()).map(row => [row.kind, row.receivingAccountId, row.by])).toEqual([
    ['topUp', 2, 'manager'],
    ['topUp', null, 'manager'],
  ])
  expect(await withoutLine({ receivingAccountId: '2', day: dayOf(it.clock.now) })).toHaveLength(1)
  expect(await days()).toMatchObject([{ receivingAccountId: 2, ledgerSatang: 20_000, withoutLineSatang: 20_000 }])
})

test('a refund that was sent is no money in; a period is at most the last three months', async () => {
  const { orderNo, amountSatang } = await order()
  await payByHand(orderNo)
  await it.as('manager').call(orders.updateOrderStatus, { body: { orderNo, status: 'refunded', reason: 'x' } })
  const [owed] = (await it.as('manager').call(contract.listOwedRefunds, {})).rows
  const body = { receivingAccountId: 1, reference: 'TR', payeeVersion: await agreePayee(it, owed!.id) }
  await it.as('manager').call(contract.sendOwedRefund, { params: { id: owed!.id }, body, idempotencyKey: onceKey() })
  expect(await days()).toMatchObject([{ ledgerSatang: amountSatang, withoutLineSatang: amountSatang }])
  const query = { from: dayOf(addSeconds(it.clock.now, -95 * 86_400)), to: dayOf(it.clock.now) }
  expect(await it.as('manager').codeOf(contract.getReconciliation, { query })).toBe('STATEMENT_PERIOD_INVALID')
  expect(await it.as('staff').codeOf(contract.getReconciliation, { query })).toBe('FORBIDDEN')
})

test('money of a top-up that waits for approval, and what is none of the shop’s, has its place: the sums add up', async () => {
  await addWallet(it.db, { uid: 'agent', balanceSatang: 0, pin: null, now: it.clock.now })
  const slipId = await addSlip(it, 'u:agent')
  const topUpBody = { amountSatang: 20_000, slipId, receivingAccountId: 1 }
  const topUp = await it.as('agent').call(wallets.saveTopUp, { body: topUpBody, idempotencyKey: onceKey() })
  const paid = await order()
  const amounts = [20_000, paid.amountSatang, 5_000, 1_300]
  await addLines(
    it,
    amounts.map(amountSatang => lineOf({ amountSatang, at: it.clock.now })),
  )
  await matchLines(it.shop)
  const [unrelated] = await it.db.query<{ id: string }>({
    text: 'SELECT id FROM statement_line WHERE amount_satang = 1300',
  })
  await it.as('manager').call(statement.decideStatementLine, {
    params: { id: unrelated!.id },
    body: { step: 'ignore', version: 1, reason: 'ดอกเบี้ย' },
    idempotencyKey: onceKey(),
  })
  const inSatang = amounts.reduce((sum, amount) => sum + amount)
  const parts = { openSatang: 5_000, unrelatedSatang: 1_300, differenceSatang: 0 }
  const waiting = [{ id: topUp.id, no: topUp.no }]
  expect(await days()).toMatchObject([
    {
      inSatang,
      matchedSatang: paid.amountSatang,
      waitingSatang: 20_000,
      waiting,
      ledgerSatang: paid.amountSatang,
      ...parts,
    },
  ])
  const report = await checkLedger(it.db)
  expect(report).toMatchObject({ breaches: [], waitingSatang: 20_000 })
  expect(describeReport(report)).toContain('; 200.00 baht came for top-ups to approve')
  await it.as('manager').call(wallets.decideTopUp, {
    body: { id: topUp.id, version: 1, status: 'approve' },
    idempotencyKey: onceKey(),
  })
  const booked = paid.amountSatang + 20_000
  expect(await days()).toMatchObject([
    { inSatang, matchedSatang: booked, waitingSatang: 0, waiting: [], ledgerSatang: booked, ...parts },
  ])
  expect(await checkLedger(it.db)).toMatchObject({ breaches: [], waitingSatang: 0 })
})
