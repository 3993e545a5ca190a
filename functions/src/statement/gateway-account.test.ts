import { changeOf, heldAfter } from '@shop/shared/statement/gateway-account.ts'
import * as contract from '@shop/shared/statement/gateway-account-endpoints.ts'
import { getReconciliation } from '@shop/shared/statement/refund-endpoints.ts'
import { bangkokDay, DAY_MS } from '@shop/shared/time.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runNightly } from '../jobs/check-run.ts'
import { deskOf } from '../testing/decisions.ts'
import { createGatewayShop, type GatewayShop, payByGateway, tell } from '../testing/gateway.ts'
import { checkLedger } from '../wallet/ledger-check.ts'

let it: GatewayShop
beforeEach(async () => {
  it = await createGatewayShop()
  // The ledger keeps the database's time.
  it.clock.now = new Date()
})
afterEach(async () => {
  expect((await checkLedger(it.db)).breaches).toEqual([])
  await it.db.close()
})

const PRICE = 14_900
/** 1.65 % and 7 % tax of it. */
const FEE = 263
const { line, decide } = deskOf(() => it)
const today = () => bangkokDay(it.clock.now)
const yesterday = () => bangkokDay(new Date(it.clock.now.getTime() - DAY_MS))

/** What was posted so far is of the day before. */
async function passDay(): Promise<void> {
  for (const table of ['ledger_entry', 'ledger_transaction'])
    await it.db.query({ text: `UPDATE ${table} SET at = at - interval '1 day'` })
}
const accountsOf = (from: string, to: string) =>
  it.as('accountant').call(contract.getGatewayAccounts, { query: { from, to } })
const movesOf = async (day: string, more: object = {}) =>
  it.as('accountant').call(contract.listGatewayMoves, { query: { gateway: 'opn', day, page: 1, ...more } })

const NONE = {
  charges: 0,
  chargeSatang: 0,
  surchargeSatang: 0,
  owed: 0,
  owedSatang: 0,
  feeSatang: 0,
  payouts: 0,
  payoutSatang: 0,
  otherSatang: 0,
}

test('a shop that never collected by a gateway has no such account, and no check yet', async () => {
  expect(await accountsOf(today(), today())).toMatchObject({ accounts: [], check: null })
})

test('day by day: charges, surcharges, late fees, what is owed, payouts; the end of each is the beginning of the next', async () => {
  await it.db.query({ text: `UPDATE payment_method SET surcharge_satang = 100 WHERE code = 'truemoney'` })
  await it.db.query({ text: 'UPDATE catalogue_version SET version = version + 1' })
  const first = await payByGateway(it, { knowsFee: false })
  await passDay()
  it.gateway.pay(first.reference)
  await tell(it, first.reference)
  const second = await payByGateway(it, { method: 'truemoney' })
  await payByGateway(it, { isLate: true })
  const surchargedFee = 265
  const id = await line(20_000, { detail: 'OMISE' })
  await decide(id, { step: 'bookPayout', gateway: 'opn', feeSatang: 3_000 })
  const { accounts } = await accountsOf(yesterday(), today())
  const [now, before] = accounts[0]!.days
  expect(accounts).toHaveLength(1)
  expect(before).toEqual({ ...NONE, day: yesterday(), charges: 1, chargeSatang: PRICE })
  expect(now).toEqual({
    ...NONE,
    day: today(),
    charges: 2,
    chargeSatang: PRICE,
    surchargeSatang: 100,
    owed: 1,
    owedSatang: PRICE,
    // Of the first charge, too, whose fee was told a day later.
    feeSatang: FEE + surchargedFee + FEE + 3_000,
    payouts: 1,
    payoutSatang: 20_000,
  })
  const [row] = await it.db.query<{ held: number }>({
    text: `SELECT -sum(amount_satang)::bigint AS held FROM ledger_entry WHERE account = 'gateway:opn'`,
  })
  expect(heldAfter(accounts[0]!.openingSatang, accounts[0]!.days)).toEqual([row!.held, PRICE])
  const [alone] = (await accountsOf(today(), today())).accounts
  expect(alone).toMatchObject({ openingSatang: PRICE, days: [now] })
  expect(alone!.openingSatang + changeOf(now!)).toBe(row!.held)
  // The day that is over is told as it was.
  expect((await accountsOf(yesterday(), yesterday())).accounts[0]).toMatchObject({ openingSatang: 0, days: [before] })

  const { rows, total } = await movesOf(today())
  expect(total).toBe(8)
  expect(rows.reduce((sum, { amountSatang }) => sum + amountSatang, 0)).toBe(changeOf(now!))
  expect(rows[0]).toMatchObject({ move: 'fee', amountSatang: -FEE, orderNo: first.orderNo, line: null })
  expect(rows.filter(({ orderNo }) => orderNo === second.orderNo)).toMatchObject([
    { move: 'charge', amountSatang: PRICE },
    { move: 'surcharge', amountSatang: 100 },
    { move: 'fee', amountSatang: -surchargedFee },
  ])
  expect(rows.filter(({ line }) => line?.id === id)).toMatchObject([
    { move: 'payout', amountSatang: -20_000, orderNo: null },
    { move: 'fee', amountSatang: -3_000, orderNo: null },
  ])
  expect((await movesOf(today(), { page: 2, pageSize: 5 })).rows).toEqual(rows.slice(5))
})

test('a payout that is undone leaves the day as it was, and the bank’s day agrees before and after', async () => {
  await payByGateway(it)
  const id = await line(10_000, { detail: 'OMISE', seconds: 0 })
  const bank = async () =>
    (await it.as('manager').call(getReconciliation, { query: { from: today(), to: today() } })).days
  await decide(id, { step: 'bookPayout', gateway: 'opn', feeSatang: 1_000 })
  expect(await bank()).toMatchObject([{ matchedSatang: 10_000, ledgerSatang: 10_000, differenceSatang: 0, open: 0 }])
  await decide(id, { step: 'undo', reason: 'ไม่ใช่ยอดโอน' })
  expect(await bank()).toMatchObject([{ matchedSatang: 0, ledgerSatang: 0, differenceSatang: 0, open: 1 }])
  const [account] = (await accountsOf(today(), today())).accounts
  expect(account!.days).toEqual([{ ...NONE, day: today(), charges: 1, chargeSatang: PRICE, feeSatang: FEE }])
  expect((await movesOf(today())).rows.map(({ move, amountSatang }) => [move, amountSatang])).toEqual([
    ['charge', PRICE],
    ['fee', -FEE],
    ['payout', -10_000],
    ['fee', -1_000],
    ['payout', 10_000],
    ['fee', 1_000],
  ])
})

test('what the night found stands beside it, each difference with its order; a fee that was missing is asked for', async () => {
  const known = await payByGateway(it)
  const late = await payByGateway(it, { knowsFee: false })
  it.gateway.pay(late.reference)
  const told = it.gateway.charges.get(known.reference)!
  told.amountSatang += 100
  it.gateway.charges.set('chrg_stranger', { ...structuredClone(told), reference: 'chrg_stranger', chargeId: null })
  // An hour later it may be the next day.
  const day = today()
  it.clock.advance(3600)
  await runNightly(it.shop, 'gateway')
  const { check } = await accountsOf(today(), today())
  expect(check).toMatchObject({ at: it.clock.now.toISOString(), differences: 3 })
  expect(check!.what).toEqual([
    { text: 'chrg_stranger: ผู้ให้บริการรับ ฿150.00 ซึ่งร้านไม่รู้จัก', orderNo: null },
    {
      text: `${known.reference}: ร้านบันทึก ฿149.00 ผู้ให้บริการแจ้ง ฿150.00`,
      orderNo: known.orderNo,
    },
    {
      text: `${late.reference}: ค่าธรรมเนียมที่ร้านบันทึก ยังไม่ทราบ ผู้ให้บริการแจ้ง ฿2.63`,
      orderNo: late.orderNo,
    },
  ])
  await it.drain()
  const [account] = (await accountsOf(day, day)).accounts
  expect(account!.days[0]).toMatchObject({ charges: 2, feeSatang: 2 * FEE })
})

test('days that are over are kept at night, and what is held is added up from the last of them', async () => {
  const held = 2 * (PRICE - FEE)
  await payByGateway(it)
  await passDay()
  await payByGateway(it)
  for (const hours of [25, 24]) {
    it.clock.advance(hours * 3600)
    await runNightly(it.shop, 'gateway')
  }
  const kept = await it.db.query<{ day: string; held: number }>({
    text: 'SELECT day::text, held_satang AS held FROM gateway_held ORDER BY day',
  })
  expect(kept.map(each => each.held)).toEqual([held, held])
  const opening = async () => (await accountsOf(today(), today())).accounts[0]!.openingSatang
  expect(await opening()).toBe(held)
  // Were it added up from the beginning, this would not be seen.
  await it.db.query({ text: 'UPDATE gateway_held SET held_satang = held_satang + 1' })
  expect(await opening()).toBe(held + 1)
  expect((await checkLedger(it.db)).breaches).toHaveLength(2)
  await it.db.query({ text: 'UPDATE gateway_held SET held_satang = held_satang - 1' })
})

test('who may look sees it, within three months; nobody else', async () => {
  const query = { from: today(), to: today() }
  for (const [uid, expected] of [
    ['accountant', 'OK'],
    ['manager', 'OK'],
    ['staff', 'FORBIDDEN'],
    [null, 'UNAUTHENTICATED'],
  ] as const) {
    expect(await it.as(uid).codeOf(contract.getGatewayAccounts, { query })).toBe(expected)
    const one = { gateway: 'opn', day: today(), page: 1 } as const
    expect(await it.as(uid).codeOf(contract.listGatewayMoves, { query: one })).toBe(expected)
  }
  const old = { from: '2020-01-01', to: today() }
  expect(await it.as('manager').codeOf(contract.getGatewayAccounts, { query: old })).toBe('STATEMENT_PERIOD_INVALID')
  expect(
    await it.as('manager').codeOf(contract.listGatewayMoves, { query: { gateway: 'opn', day: '2020-01-01', page: 1 } }),
  ).toBe('STATEMENT_PERIOD_INVALID')
})
