import * as contract from '@shop/shared/dashboard/endpoints.ts'
import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { createGatewayShop, type GatewayShop, payByGateway, tell } from '../testing/gateway.ts'
import { checkLedger } from '../wallet/ledger-check.ts'
import { checkSales } from './sales-check.ts'

let it: GatewayShop
beforeAll(async () => {
  it = await createGatewayShop()
  await it.db.query({ text: 'UPDATE package SET cost_satang = 10000 WHERE id = $1', values: [fixture.pubg.package] })
  await it.db.query({
    text: `UPDATE payment_method SET surcharge_satang = 400 WHERE code = 'truemoney'`,
  })
  await it.db.query({ text: 'UPDATE catalogue_version SET version = version + 1' })
})
afterAll(() => it.db.close())

const PRICE = 14_900
const COST = 10_000
/** 1.65 % and 7 % tax of the price, and of the price with the surcharge. */
const FEE = 263
const SURCHARGED_FEE = 270
const SURCHARGE = 400

const ask = (change: Partial<contract.SaleFilter> = {}) => ({
  body: { game: 'all', period: 'today', paymentMethod: 'all', ...change } as contract.SaleFilter,
})
const totals = (change: Partial<contract.SaleFilter> = {}) =>
  it.as('manager').call(contract.getSalesRevenue, ask(change))

test('fees less surcharges are of the day of the payment, whenever they are told; refunds and late money cost them, too', async () => {
  it.clock.now = new Date('2027-03-31T16:30:00.000Z')
  const late = await payByGateway(it, { knowsFee: false })
  expect(await totals()).toMatchObject({ revenueSatang: PRICE, costSatang: COST, feeSatang: 0 })
  it.clock.now = new Date('2027-04-01T05:00:00.000Z')
  it.gateway.pay(late.reference, {
    state: { kind: 'paid', at: new Date('2027-03-31T16:30:00.000Z'), feeSatang: FEE },
  })
  await tell(it, late.reference)
  const refunded = await payByGateway(it)
  const refund = { orderNo: refunded.orderNo, status: 'refunded', reason: 'เติมไม่ได้' } as const
  await it.as('admin').call(updateOrderStatus, { body: refund })
  const surcharged = await payByGateway(it, { method: 'truemoney' })
  const owed = await payByGateway(it, { method: 'truemoney', isLate: true })

  const today = await totals()
  // The surcharge of money that goes back goes back with it.
  const feeSatang = FEE + (SURCHARGED_FEE - SURCHARGE) + SURCHARGED_FEE
  expect(today).toMatchObject({ totalSale: 1, revenueSatang: PRICE, costSatang: COST, feeSatang })
  expect(today.before).toMatchObject({ totalSale: 1, revenueSatang: PRICE, feeSatang: FEE })
  expect((await totals({ period: 'thisyear' })).feeSatang).toBe(feeSatang + FEE)
  expect((await totals({ paymentMethod: 'promptpay' })).feeSatang).toBe(FEE)
  expect((await totals({ paymentMethod: 'truemoney' })).feeSatang).toBe(feeSatang - FEE)
  expect((await totals({ paymentMethod: 'bank' })).feeSatang).toBe(0)
  expect((await totals({ game: fixture.pubg.id })).feeSatang).toBe(feeSatang)
  expect((await totals({ game: fixture.mlbb.id })).feeSatang).toBe(0)
  expect(await checkSales(it.db)).toEqual([])
  expect((await checkLedger(it.db)).breaches).toEqual([])

  const seen = async (orderNo: string) =>
    (await it.as('accountant').call(getOrderForStaff, { params: { orderNo } })).charges
  expect(await seen(surcharged.orderNo)).toMatchObject([
    {
      method: 'truemoney',
      amountSatang: PRICE + SURCHARGE,
      surchargeSatang: SURCHARGE,
      feeSatang: SURCHARGED_FEE,
      isOwed: false,
    },
  ])
  expect(await seen(owed.orderNo)).toMatchObject([{ isOwed: true, feeSatang: SURCHARGED_FEE }])
})

test('each package bears its own, also one that sold nothing in the end; the download tells the same', async () => {
  const perPackage = async (change: Partial<contract.SaleFilter> = {}) =>
    it.as('manager').call(contract.getNumberOfSale, ask(change))
  const [pubg, ...others] = await perPackage({ period: 'thisyear' })
  expect(others).toEqual([])
  expect(pubg).toMatchObject({
    packageId: fixture.pubg.package,
    totalSale: 2,
    feeSatang: (await totals({ period: 'thisyear' })).feeSatang,
  })
  expect(await perPackage({ paymentMethod: 'promptpay' })).toMatchObject([
    { packageId: fixture.pubg.package, totalSale: 0, revenueSatang: 0, feeSatang: FEE },
  ])
  const csv = await it.request(`${contract.exportSale.path}?game=all&period=last7days&paymentMethod=all`, {
    headers: it.as('manager').headers,
  })
  const [head, ...lines] = (await csv.text()).trimEnd().split('\r\n')
  expect(head).toContain('ต้นทุน,ค่าธรรมเนียมรับชำระ,กำไรขั้นต้น')
  expect(lines).toEqual([
    '2027-03-31,PUBG Mobile,325 UC,ทุกวิธี,1,1,149.00,100.00,2.63,46.37,0.00,ไม่เข้าสู่ระบบ,',
    '2027-04-01,PUBG Mobile,325 UC,ทุกวิธี,1,1,149.00,100.00,4.03,44.97,0.00,ไม่เข้าสู่ระบบ,',
  ])
})

test('the check names a charge whose fee is not what the books say', async () => {
  await it.db.query({
    text: 'UPDATE charge SET fee_satang = fee_satang + 1 WHERE id = (SELECT min(id::text)::uuid FROM charge)',
  })
  expect(await checkSales(it.db)).toEqual([expect.stringMatching(/^fee of charge .*: 264 satang, 263 in the books$/)])
  await it.db.query({
    text: 'UPDATE charge SET fee_satang = fee_satang - 1 WHERE id = (SELECT min(id::text)::uuid FROM charge)',
  })
  expect(await checkSales(it.db)).toEqual([])
})

test('differences of one kind hide none of another', async () => {
  await it.db.query({ text: 'UPDATE charge SET fee_satang = fee_satang + 1' })
  await it.db.query({ text: 'UPDATE sold_month SET revenue_satang = revenue_satang + 1' })
  const told = await checkSales(it.db)
  expect(told.some(what => what.startsWith('fee of charge'))).toBe(true)
  expect(told.some(what => !what.startsWith('fee of charge'))).toBe(true)
})
