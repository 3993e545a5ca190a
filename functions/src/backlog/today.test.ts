import { getToday } from '@shop/shared/backlog/endpoints.ts'
import { confirmOrder, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { saveOption } from '@shop/shared/settings/endpoints.ts'
import { addSeconds } from '@shop/shared/time.ts'
import * as wallets from '@shop/shared/wallet/endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { matchLines } from '../statement/matching.ts'
import { fixture } from '../testing/fixture.ts'
import { buyByBank } from '../testing/orders.ts'
import { addAccount, createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { addLines, lineOf } from '../testing/statement.ts'
import { addSlip, addWallet } from '../testing/wallet.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  await addWallet(it.db, { uid: 'agent', balanceSatang: 1_000_000, pin: '1234', now: it.clock.now })
  await addAccount(it, 'staff2', 'staff')
})
afterAll(() => it.db.close())

const at = (bangkok: string) => {
  it.clock.now = new Date(`2026-11-${bangkok}:00+07:00`)
}
const buy = async () => {
  const body = {
    gameId: fixture.pubg.id,
    packageId: fixture.pubg.package,
    playerId: '5123456789',
    termsVersion: '1',
    pin: '1234',
  }
  return (await it.as('agent').call(confirmOrder, { body, idempotencyKey: onceKey() })).orderNo
}
type Step = 'paid' | 'processing' | 'success' | 'failed' | 'refunded'
const change = (orderNo: string, status: Step, uid = 'manager') =>
  it.as(uid).call(updateOrderStatus, { body: { orderNo, status, reason: 'ตรวจแล้ว', deliveryReference: 'R' } })
const openAt = (optionValue: string, fromValue: string) =>
  it.as('manager').call(saveOption, { body: { optionName: 'OPENING_HOURS', optionValue, fromValue } })
const todayOf = (uid: string) => it.as(uid).call(getToday, {})
const salesOf = async (uid: string) => (await todayOf(uid)).sales!
const told = ({ news }: Awaited<ReturnType<typeof todayOf>>) =>
  news.map(
    ({ actorName, pieces }) =>
      `${actorName} ${pieces.map(piece => (typeof piece === 'string' ? piece : piece.name)).join('')}`,
  )

test('an empty shop has a day without sales and nothing to compare it with', async () => {
  at('12T08:00')
  const { sales, own, news } = await todayOf('manager')
  expect(sales).toMatchObject({
    today: { orders: 0, revenueSatang: 0 },
    yesterday: { orders: 0, revenueSatang: 0 },
    lastWeek: { orders: 0, revenueSatang: 0 },
    delivered: 0,
    medianSeconds: null,
    found: { alone: 0, all: 0 },
    firstSaleAt: null,
  })
  expect(sales!.hours).toHaveLength(24)
  expect([own, news]).toEqual([null, []])
})

test('today is held against the same hours of yesterday and of a week ago, by hours of Bangkok', async () => {
  at('13T00:00')
  const firstNo = await buy()
  const first = it.clock.now.toISOString()
  at('13T13:59')
  await buy()
  // In the same hour of a week ago, but later than it is now.
  at('13T14:30')
  await buy()
  at('13T23:59')
  await buy()
  at('19T14:12')
  await buy()
  at('19T14:13')
  await buy()
  at('20T00:00')
  await buy()
  at('20T14:05')
  const refunded = await buy()
  await change(refunded, 'refunded')
  const wanted = await buy()
  at('20T14:12')
  const sales = await salesOf('manager')
  const price = sales.today.revenueSatang / 2
  expect(sales.today.orders).toBe(2)
  expect(sales.yesterday).toEqual({ orders: 1, revenueSatang: price })
  expect(sales.lastWeek).toEqual({ orders: 2, revenueSatang: 2 * price })
  const hours = sales.hours.map(({ orders, lastWeek }, hour) => [hour, orders, lastWeek])
  expect(hours.filter(([, orders, lastWeek]) => orders! + lastWeek! > 0)).toEqual([
    [0, 1, 1],
    [13, 0, 1],
    [14, 1, 1],
    [23, 0, 1],
  ])
  expect(sales.firstSaleAt).toBe(first)
  expect([firstNo, wanted].every(Boolean)).toBe(true)
})

test('deliveries are timed from the payment, but not from before the opening', async () => {
  at('21T07:00')
  await openAt('09:00-23:00', '')
  const early = await buy()
  at('21T09:10')
  await change(early, 'processing', 'staff')
  await change(early, 'success', 'staff')
  expect(await salesOf('manager')).toMatchObject({ delivered: 1, medianSeconds: 600 })
  at('21T10:00')
  const later = await buy()
  at('21T10:20')
  await change(later, 'processing', 'staff')
  await change(later, 'success', 'staff')
  expect(await salesOf('manager')).toMatchObject({ delivered: 2, medianSeconds: 900 })
})

test('a payment that the shop found by itself is told apart from one that somebody confirmed', async () => {
  at('22T10:00')
  await addAccount(it, 'buyer1', 'customer')
  await addAccount(it, 'buyer2', 'customer')
  const [found, confirmed] = [await buyByBank(it.as('buyer1')), await buyByBank(it.as('buyer2'))]
  await change(confirmed.orderNo, 'paid')
  await addLines(it, [lineOf({ amountSatang: found.amountSatang, at: addSeconds(it.clock.now, 60) })])
  at('22T10:05')
  expect(await matchLines(it.shop)).toBe(1)
  expect((await salesOf('manager')).found).toEqual({ alone: 1, all: 2 })
  const [latest, before] = told(await todayOf('staff'))
  expect(latest).toBe(`ระบบ พบเงินของ ${found.orderNo}`)
  expect(before).toContain(`ยืนยันว่าได้รับเงินของ ${confirmed.orderNo}`)
})

test('staff have their own numbers of today and the orders they have taken, and none of the sales', async () => {
  at('23T09:30')
  const [one, two, three, colleagues] = [await buy(), await buy(), await buy(), await buy()]
  await change(one, 'processing', 'staff')
  await change(two, 'processing', 'staff')
  await change(colleagues, 'processing', 'staff2')
  at('23T09:34')
  await change(one, 'success', 'staff')
  await change(two, 'failed', 'staff')
  await change(colleagues, 'success', 'staff2')
  await change(three, 'processing', 'staff')
  const { sales, own } = await todayOf('staff')
  expect(sales).toBeNull()
  expect(own).toMatchObject({ delivered: 1, failed: 1, medianSeconds: 240 })
  expect(own!.claimed).toMatchObject([{ orderNo: three, waitsSince: '2026-11-23T02:30:00.000Z' }])
  expect((await todayOf('manager')).own).toBeNull()
  // Another day has numbers of its own; what was taken stays.
  at('24T00:00')
  const next = (await todayOf('staff')).own!
  expect(next).toMatchObject({ delivered: 0, failed: 0, medianSeconds: null })
  expect(next.claimed).toHaveLength(1)
})

test('the latest events are told to those who may know of them, newest first', async () => {
  at('25T10:00')
  const orderNo = await buy()
  at('25T10:01')
  await change(orderNo, 'processing', 'staff')
  await change(orderNo, 'failed', 'staff')
  at('25T10:02')
  const slipId = await addSlip(it, 'u:agent')
  const asked = { body: { amountSatang: 50_000, slipId }, idempotencyKey: onceKey() }
  const { id } = await it.as('agent').call(wallets.saveTopUp, asked)
  const decision = { body: { id, version: 1, status: 'approve' as const }, idempotencyKey: onceKey() }
  await it.as('manager').call(wallets.decideTopUp, decision)
  at('25T10:03')
  await openAt('10:00-23:00', '09:00-23:00')
  const [option, approved, failed, bought] = told(await todayOf('manager'))
  expect(option).toContain('เวลา')
  expect(approved).toContain('อนุมัติเติมเงิน WT')
  expect(failed).toContain(`เติม ${orderNo} ไม่สำเร็จ`)
  expect(bought).toBe(`ตัวแทน ซื้อ ${orderNo} ด้วย Wallet`)
  // Settings are no business of staff.
  expect(told(await todayOf('staff'))[0]).toBe(approved)
  const { news } = await todayOf('manager')
  expect(news.length).toBeLessThanOrEqual(9)
  expect(news.map(each => each.at)).toEqual(
    news
      .map(each => each.at)
      .toSorted()
      .reverse(),
  )
  expect(news.find(({ pieces }) => pieces.includes(' ไม่สำเร็จ'))?.note).toContain(' · ')
})

test('nobody outside the desk is told of the day', async () => {
  for (const uid of ['customer', 'agent', 'accountant']) expect(await it.as(uid).codeOf(getToday, {})).toBe('FORBIDDEN')
})
