import type { GatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import { bangkokMonthOf } from '@shop/shared/time.ts'
import * as wallet from '@shop/shared/wallet/endpoints.ts'
import * as contract from '@shop/shared/wallet/top-up-endpoints.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkSales } from '../dashboard/sales-check.ts'
import { checkGateway } from '../gateway/check.ts'
import { createGatewayShop, type GatewayShop } from '../testing/gateway.ts'
import { codeOf } from '../testing/orders.ts'
import { addAccount, onceKey } from '../testing/shop.ts'
import { addWallet, TIER, walletBalance } from '../testing/wallet.ts'
import { checkLedger } from './ledger-check.ts'
import { expireTopUps } from './top-up-charge.ts'

let it: GatewayShop
beforeEach(async () => {
  it = await createGatewayShop()
  await addAccount(it, 'agent1', 'agent')
  await addAccount(it, 'agent2', 'agent')
  for (const uid of ['agent1', 'agent2'])
    await addWallet(it.db, { uid, balanceSatang: OPENING, pin: null, now: it.clock.now })
})
afterEach(async () => {
  expect((await checkLedger(it.db)).breaches).toEqual([])
  expect(await checkSales(it.db)).toEqual([])
  await it.db.close()
})

const OPENING = 50_000
const AMOUNT = 50_000
/** What the tier allows on a wallet, in the test about it. */
const MAXIMUM = 1_000_000
/** 1.65 % and 7 % tax of it. */
const FEE = 883

const add = (amountSatang = AMOUNT, method: GatewayMethod = 'promptpay', uid = 'agent1', idempotencyKey = onceKey()) =>
  it.as(uid).call(contract.addGatewayTopUp, { body: { amountSatang, method }, idempotencyKey })
const charge = (id: string, method: GatewayMethod = 'promptpay', uid = 'agent1') =>
  it.as(uid).call(contract.chargeTopUp, { params: { id }, body: { method } })
const view = (id: string, uid = 'agent1') => it.as(uid).call(contract.getGatewayTopUp, { params: { id } })
const cancel = (id: string, uid = 'agent1') => it.as(uid).call(wallet.cancelTopUp, { body: { id, status: 'cancel' } })
const balance = (uid = 'agent1') => walletBalance(it.db, uid)
const references = () => [...it.gateway.charges.keys()]
const newest = () => references().at(-1)!
const history = (uid = 'agent1') =>
  it.as(uid).call(wallet.listOwnTransactions, { query: { page: 1, pageSize: 10, actionType: ['เติมเงิน'] } })
const hearAll = async (...heard: string[]) => {
  for (const reference of heard) await it.hear(reference)
  await it.drain()
}

async function booked(account: string): Promise<number> {
  const [row] = await it.db.query<{ sum: number }>({
    text: 'SELECT coalesce(sum(amount_satang), 0)::bigint AS sum FROM ledger_entry WHERE account = $1',
    values: [account],
  })
  return row!.sum
}

async function begin(method: GatewayMethod = 'promptpay') {
  const { id, no } = await add(AMOUNT, method)
  const made = await charge(id, method)
  return { id, no, made, reference: newest() }
}

test('the webhook brings the money onto the wallet, with nobody of the shop', async () => {
  const { id, no, made, reference } = await begin()
  expect(made).toMatchObject({ state: 'waiting', amountSatang: AMOUNT, payee: 'Omise', pay: { by: 'qr' } })
  expect(await view(id)).toMatchObject({
    status: 'waiting_payment',
    charge: { state: 'waiting' },
    balanceSatang: OPENING,
  })
  it.gateway.pay(reference)
  expect(await it.hear(reference)).toBe(204)
  await it.drain()
  expect(await view(id)).toMatchObject({
    status: 'approve',
    charge: { state: 'paid' },
    balanceSatang: OPENING + AMOUNT,
  })
  expect([await booked('gateway:opn'), await booked('fees')]).toEqual([FEE - AMOUNT, -FEE])
  const [row] = await it.db.query<{ by: string | null; moves: number; words: number }>({
    text: `SELECT decided_by AS by, (SELECT count(*)::int FROM value_move) AS moves,
      (SELECT count(*)::int FROM second_word) AS words FROM top_up WHERE id = $1`,
    values: [id],
  })
  expect(row).toEqual({ by: null, moves: 0, words: 0 })
  const month = bangkokMonthOf(it.clock.now)
  const { rows } = await it.as('agent1').call(wallet.getStatement, { params: { month } })
  expect(rows.find(row => row.no === no)).toMatchObject({ amountSatang: AMOUNT, detail: 'พร้อมเพย์ QR' })
  expect((await history()).rows[0]).toMatchObject({ no, payment: 'promptpay', status: 'approve', amountSatang: AMOUNT })
})

test('told twice at once, late, and by the job besides: it comes once', async () => {
  const { reference } = await begin()
  it.gateway.pay(reference)
  await Promise.all([it.hear(reference), it.hear(reference)])
  await Promise.all([it.drain(), it.drain()])
  it.clock.advance(31)
  await it.drain()
  await hearAll(reference)
  expect(await balance()).toBe(OPENING + AMOUNT)
})

test('a forged message asks nothing', async () => {
  const { id, reference } = await begin()
  it.gateway.pay(reference)
  const { asked } = it.gateway
  expect(await it.hear(reference, {})).toBe(403)
  await it.drain()
  expect(it.gateway.asked).toBe(asked)
  expect((await view(id)).status).toBe('waiting_payment')
})

test('without a webhook the job finds the payment', async () => {
  const { id, reference } = await begin()
  it.gateway.pay(reference)
  it.clock.advance(31)
  await it.drain()
  expect((await view(id)).status).toBe('approve')
})

test('money that comes after it was cancelled is on the wallet all the same', async () => {
  const { id, reference } = await begin()
  expect((await cancel(id)).status).toBe('cancel')
  it.gateway.pay(reference)
  await hearAll(reference)
  expect(await view(id)).toMatchObject({ status: 'approve', balanceSatang: OPENING + AMOUNT })
  expect(await codeOf(cancel(id))).toBe('TOP_UP_NOT_WAITING')
})

test('a cancelled one is ended at the gateway, and charged no more', async () => {
  const { id, reference } = await begin()
  await cancel(id)
  await it.drain()
  expect(it.gateway.charges.get(reference)!.state.kind).toBe('failed')
  expect(await codeOf(charge(id))).toBe('TOP_UP_NOT_WAITING')
  expect(await balance()).toBe(OPENING)
})

test('money that comes after its time is on the wallet all the same', async () => {
  const { id, reference } = await begin()
  it.clock.advance(16 * 60)
  expect(await codeOf(charge(id))).toBe('TOP_UP_NOT_WAITING')
  it.gateway.pay(reference)
  expect(await Promise.all([expireTopUps(it.shop), expireTopUps(it.shop)]).then(([a, b]) => a + b)).toBe(1)
  expect((await view(id)).status).toBe('expired')
  await it.drain()
  expect(await view(id)).toMatchObject({ status: 'approve', balanceSatang: OPENING + AMOUNT })
})

test('one that nobody pays runs out of time and moves nothing', async () => {
  const { id } = await begin()
  it.clock.advance(16 * 60)
  await expireTopUps(it.shop)
  await it.drain()
  it.clock.advance(3600)
  await it.drain()
  expect(await view(id)).toMatchObject({ status: 'expired', charge: { state: 'expired' }, balanceSatang: OPENING })
})

test('paid by two methods, all money is on the wallet, the second as a top-up of its own', async () => {
  await it.db.query({ text: `UPDATE payment_method SET surcharge_satang = 100 WHERE code = 'truemoney'` })
  await it.db.query({ text: 'UPDATE catalogue_version SET version = version + 1' })
  const { id, no, reference } = await begin()
  expect(await charge(id, 'truemoney')).toMatchObject({ method: 'truemoney', amountSatang: AMOUNT + 100 })
  expect((await view(id)).method).toBe('truemoney')
  const other = newest()
  it.gateway.pay(reference)
  it.gateway.pay(other)
  await hearAll(reference)
  await Promise.all([hearAll(other), hearAll(other)])
  it.clock.advance(31)
  await Promise.all([it.drain(), it.drain()])
  expect(await balance()).toBe(OPENING + 2 * AMOUNT + 100)
  const { rows } = await history()
  expect(
    rows.filter(({ payment }) => payment !== null).map(row => [row.no === no, row.payment, row.amountSatang]),
  ).toEqual([
    [false, 'truemoney', AMOUNT + 100],
    [true, 'promptpay', AMOUNT],
  ])
  expect((await view(id)).method).toBe('promptpay')
})

test.each([
  { amountSatang: AMOUNT + 1 },
  { currency: 'usd' },
  { isLive: true },
  { chargeId: '0193a000-0000-7000-8000-000000000000' },
])('a word that differs (%o) brings nothing and is kept for staff', async change => {
  const { reference } = await begin()
  it.gateway.pay(reference, change)
  await hearAll(reference)
  expect(await balance()).toBe(OPENING)
  const [row] = await it.db.query<{ contradiction: string | null }>({ text: 'SELECT contradiction FROM charge' })
  expect(row!.contradiction).toContain(Object.keys(change)[0])
})

test('an answer that was lost is found in the list, also when another charge was made meanwhile', async () => {
  const { id } = await add()
  it.gateway.faults.push('lostAfter', 'lostBefore')
  expect(await codeOf(charge(id))).toBe('GATEWAY_UNAVAILABLE')
  const lost = newest()
  expect(await charge(id)).toMatchObject({ state: 'waiting' })
  it.gateway.pay(lost)
  it.clock.advance(31)
  await it.drain()
  expect((await view(id)).status).toBe('approve')
  it.clock.advance(30)
  await it.drain()
  expect(it.gateway.charges.get(newest())!.state.kind).toBe('failed')
  expect(await balance()).toBe(OPENING + AMOUNT)
})

test('a server that dies while it asks loses nothing', async () => {
  const { id } = await add()
  it.gateway.faults.push('diesAfter')
  expect(await codeOf(charge(id))).toBe('INTERNAL')
  it.gateway.pay(newest())
  it.clock.advance(31)
  it.gateway.faults.push('diesBefore')
  await it.drain()
  it.clock.advance(600)
  await it.drain()
  expect(await view(id)).toMatchObject({ status: 'approve', balanceSatang: OPENING + AMOUNT })
})

test('the nightly check tells what the gateway took without our knowing, and it comes onto the wallet', async () => {
  const { id, reference } = await begin()
  it.clock.advance(3600)
  await expireTopUps(it.shop)
  await it.drain()
  it.clock.advance(2 * 3600)
  await it.drain()
  it.gateway.pay(reference)
  expect(await checkGateway(it.shop)).toHaveLength(1)
  await it.drain()
  expect((await view(id)).status).toBe('approve')
  expect(await checkGateway(it.shop)).toEqual([])
})

test('the room is checked before anything is asked, and money above it comes all the same', async () => {
  await it.db.query({ text: 'UPDATE agent_tier SET max_amount_satang = $1', values: [MAXIMUM] })
  const room = MAXIMUM - OPENING
  expect(await codeOf(add(room + 1))).toBe('TOP_UP_ABOVE_ROOM')
  expect(await codeOf(add(TIER.minTopUpSatang - 1))).toBe('TOP_UP_BELOW_MINIMUM')
  const { id } = await add(room - 20_000)
  await charge(id)
  const first = newest()
  expect(await codeOf(add(20_001))).toBe('TOP_UP_ABOVE_ROOM')
  await cancel(id)
  const again = await add(room)
  await charge(again.id)
  it.gateway.pay(first)
  it.gateway.pay(newest())
  await hearAll(first, newest())
  expect(await balance()).toBe(MAXIMUM + room - 20_000)
})

test('a surcharge is told before, paid with the top-up, and stays out of the wallet', async () => {
  await it.db.query({
    text: `UPDATE payment_method SET surcharge_basis_points = 200, least_satang = 30000 WHERE code = 'promptpay'`,
  })
  await it.db.query({ text: 'UPDATE catalogue_version SET version = version + 1' })
  const methods = await it.as('agent1').call(contract.listTopUpMethods, {})
  expect(methods.find(({ code }) => code === 'promptpay')).toMatchObject({
    terms: { leastSatang: 30_000, mostSatang: 15_000_000, surchargeBasisPoints: 200 },
  })
  expect(await codeOf(add(29_999))).toBe('AMOUNT_NOT_FOR_METHOD')
  const { made, reference } = await begin()
  expect(made).toMatchObject({ amountSatang: AMOUNT + 1_000, surchargeSatang: 1_000 })
  it.gateway.pay(reference)
  await hearAll(reference)
  expect(await balance()).toBe(OPENING + AMOUNT)
})

test('a method that is off, closed or not collected is neither offered nor taken', async () => {
  const set = async (sql: string) => {
    await it.db.query({ text: `UPDATE payment_method SET ${sql} WHERE code = 'promptpay'` })
    await it.db.query({ text: 'UPDATE catalogue_version SET version = version + 1' })
  }
  await set(`opening_hours = '01:00-02:00'`)
  expect(await codeOf(add())).toBe('PAYMENT_METHOD_NOT_ALLOWED')
  await set(`opening_hours = '', is_on = false`)
  expect(await codeOf(add())).toBe('PAYMENT_METHOD_NOT_ALLOWED')
  const codes = (await it.as('agent1').call(contract.listTopUpMethods, {})).map(({ code }) => code)
  expect(codes.toSorted()).toEqual(['linepay', 'shopeepay', 'truemoney'])
  it.shop.gateway = null
  expect(await it.as('agent1').call(contract.listTopUpMethods, {})).toEqual([])
  expect(await codeOf(add(AMOUNT, 'truemoney'))).toBe('PAYMENT_METHOD_NOT_ALLOWED')
})

test('the same key is one top-up, and nobody but its owner reaches it', async () => {
  const key = onceKey()
  const [one, two] = [await add(AMOUNT, 'promptpay', 'agent1', key), await add(AMOUNT, 'promptpay', 'agent1', key)]
  expect(two).toEqual(one)
  for (const uid of ['agent2', 'manager']) {
    expect(await codeOf(view(one.id, uid))).toBe('NOT_FOUND')
    expect(await codeOf(charge(one.id, 'promptpay', uid))).toBe('NOT_FOUND')
    expect(await codeOf(cancel(one.id, uid))).toBe('NOT_FOUND')
    expect(await codeOf(it.as(uid).call(contract.getTopUpCharge, { params: { id: one.id } }))).toBe('NOT_FOUND')
  }
  expect(await codeOf(it.as('customer').call(contract.listTopUpMethods, {}))).toBe('FORBIDDEN')
  const body = { amountSatang: AMOUNT, slipId: null }
  const { id } = await it.as('agent1').call(wallet.saveTopUp, { body, idempotencyKey: onceKey() })
  expect(await codeOf(charge(id))).toBe('NOT_FOUND')
  expect(await codeOf(view(id))).toBe('NOT_FOUND')
})

test('staff see how it is paid, and can neither approve, reject, edit nor take it back', async () => {
  const { id, reference } = await begin()
  const manager = it.as('manager')
  const details = () => manager.call(wallet.getTopUpForStaff, { params: { id } })
  const decide = async (status: 'approve' | 'reject') =>
    codeOf(
      manager.call(wallet.decideTopUp, {
        body: { id, version: (await details()).version, status, reason: 'x' },
        idempotencyKey: onceKey(),
      }),
    )
  const edit = () =>
    codeOf(
      it
        .as('agent1')
        .call(wallet.saveTopUp, { body: { id, amountSatang: 90_000, slipId: null }, idempotencyKey: onceKey() }),
    )
  expect(await details()).toMatchObject({
    status: 'waiting_payment',
    payment: 'promptpay',
    canReject: false,
    approvalBarrier: 'TOP_UP_NOT_WAITING',
    charge: { gateway: 'opn', state: 'waiting', reference },
  })
  expect([await decide('approve'), await decide('reject'), await edit()]).toEqual(
    Array.from({ length: 3 }, () => 'TOP_UP_NOT_WAITING'),
  )
  it.gateway.pay(reference)
  await hearAll(reference)
  expect(await details()).toMatchObject({
    status: 'approve',
    canCorrect: false,
    decidedByName: null,
    charge: { state: 'paid', feeSatang: FEE, amountSatang: AMOUNT },
  })
  expect([await decide('approve'), await decide('reject'), await edit()]).toEqual(
    Array.from({ length: 3 }, () => 'TOP_UP_NOT_WAITING'),
  )
  const correction = manager.call(wallet.correctTopUp, { body: { id, reason: 'x' }, idempotencyKey: onceKey() })
  expect(await codeOf(correction)).toBe('TOP_UP_GATEWAY')
  expect(await balance()).toBe(OPENING + AMOUNT)
})

test('it waits for nobody of the shop, and counts on nobody’s day', async () => {
  const { reference } = await begin()
  expect((await it.as('agent1').call(wallet.getWallet, {})).waitingSatang).toBe(0)
  it.gateway.pay(reference)
  await hearAll(reference)
  const body = { amountSatang: AMOUNT, slipId: null }
  const { id } = await it.as('agent1').call(wallet.saveTopUp, { body, idempotencyKey: onceKey() })
  const byTransfer = await it.as('manager').call(wallet.getTopUpForStaff, { params: { id } })
  expect(byTransfer.receivedTodaySatang).toBe(0)
  expect((await it.as('agent1').call(wallet.getWallet, {})).thisMonthSatang).toBe(AMOUNT)
})
