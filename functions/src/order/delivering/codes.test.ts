import * as order from '@shop/shared/order/endpoints.ts'
import { listVouchers } from '@shop/shared/voucher/endpoints.ts'
import * as contract from '@shop/shared/voucher/reveal-endpoints.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createRateLimits } from '../../http/rate-limit.ts'
import { deliverCodes, REDEEM_HELP, sellCodes, stockCodes } from '../../testing/codes.ts'
import { fixture } from '../../testing/fixture.ts'
import { createMailShop, type MailShop } from '../../testing/mail.ts'
import { buyByBank } from '../../testing/orders.ts'
import { addAccount, onceKey, type TestCaller } from '../../testing/shop.ts'
import { addWallet } from '../../testing/wallet.ts'
import { lastFourOf } from '../../voucher/store.ts'

const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Safari Line/14.10.0'
const ADDRESS = 'namkhao@somewhere.example'

let it: MailShop
let nth = 0
beforeAll(async () => {
  it = await createMailShop()
  await sellCodes(it)
  // It goes last, and strangers get no last one.
  await stockCodes(it, [{ ...codeOf(0), expiresOn: '2028-01-31' }])
  await addWallet(it.db, { uid: 'agent', balanceSatang: 10_000_000, pin: '1234', now: it.clock.now })
})
afterAll(() => it.close())
afterEach(() => it.inbox.faults.splice(0))

const codeOf = (n: number) => ({
  code: `KRAAM-0O1l-${n}`,
  pin: '9081',
  serial: `S${n}`,
  expiresOn: '2027-01-31',
  region: 'TH',
})

/** An order of one code, delivered. */
async function buyCode(caller: TestCaller) {
  it.clock.advance(1)
  await stockCodes(it, [codeOf(++nth)])
  const bought = await buyByBank(caller)
  await deliverCodes(it, bought.orderNo)
  return bought
}

const look = (caller: TestCaller, orderNo: string) => caller.call(order.getOrder, { params: { orderNo } })
const idsOf = async (caller: TestCaller, orderNo: string) =>
  (await look(caller, orderNo)).codes!.rows.map(({ id }) => id)

test('its buyer sees a code once they ask, and the first time and device stay', async () => {
  await addAccount(it, 'buyer', 'customer')
  const buyer = it.as('buyer', { 'user-agent': PHONE })
  const { orderNo } = await buyCode(buyer)
  const hidden = await look(buyer, orderNo)
  expect(hidden.codes).toEqual({
    opening: 'press',
    address: null,
    canGiveAddress: false,
    rows: [{ id: expect.any(String), revealedAt: null, revealedOn: null }],
  })
  const ids = hidden.codes!.rows.map(({ id }) => id)
  const seen = await buyer.call(contract.revealCodes, { body: { orderNo, ids } })
  const first = { revealedAt: it.clock.now.toISOString(), revealedOn: 'iPhone · LINE' }
  expect(seen).toEqual({ codes: [{ id: ids[0], ...codeOf(nth), ...first }], redeemHelp: REDEEM_HELP })
  it.clock.advance(3600)
  const again = await it.as('buyer').call(contract.revealCodes, { body: { orderNo, ids } })
  expect(again.codes[0]).toMatchObject(first)
  expect((await look(buyer, orderNo)).codes!.rows[0]).toMatchObject(first)
  const { rows: told } = await it.as('staff').call(listVouchers, { query: { orderNo } })
  expect(told).toMatchObject([
    { lastFour: lastFourOf(codeOf(nth)), expiresOn: '2027-01-31', region: 'TH', ...first, reveals: 2 },
  ])
  expect(await it.as('accountant').codeOf(listVouchers, { query: { orderNo } })).toBe('FORBIDDEN')
})

test('an answer with codes is not cached and never kept for a repeated call', async () => {
  const guest = it.as(null)
  const { orderNo } = await buyCode(guest)
  const body = JSON.stringify({ orderNo, ids: await idsOf(guest, orderNo) })
  const headers = { ...guest.headers, 'content-type': 'application/json', 'idempotency-key': onceKey() }
  const answer = await it.request(contract.revealCodes.path, { method: 'POST', headers, body })
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const { codes } = (await answer.json()) as { codes: { code: string }[] }
  expect(codes[0]!.code).toBe(codeOf(nth).code)
  const [kept] = await it.db.query<{ n: number }>({
    text: 'SELECT count(*)::int AS n FROM idempotency_key WHERE key = $1',
    values: [headers['idempotency-key']],
  })
  expect(kept!.n).toBe(0)
  const read = await it.request(contract.revealCodes.path, { headers: guest.headers })
  expect(read.status).toBe(404)
})

test.each([
  ['another customer', () => it.as('customer'), 'ORDER_NOT_FOUND'],
  ['an agent who is not its buyer', () => it.as('agent'), 'ORDER_NOT_FOUND'],
  ['the staff', () => it.as('staff'), 'ORDER_NOT_FOUND'],
  ['an admin', () => it.as('admin'), 'ORDER_NOT_FOUND'],
  ['a guest of another browser', () => it.as(null), 'ORDER_NOT_FOUND'],
])('%s sees none', async (_, caller, code) => {
  const guest = it.as(null)
  const { orderNo } = await buyCode(guest)
  const ids = await idsOf(guest, orderNo)
  expect(await caller().codeOf(contract.revealCodes, { body: { orderNo, ids } })).toBe(code)
})

test('somebody with only the tracking link sees that there are codes, and none of them', async () => {
  const guest = it.as(null)
  const { orderNo, trackToken } = await buyCode(guest)
  const ids = await idsOf(guest, orderNo)
  await guest.call(contract.revealCodes, { body: { orderNo, ids } })
  const linked = it.as(null, { 'track-token': trackToken })
  const seen = await linked.call(order.trackOrder, {})
  expect(seen.codes).toMatchObject({ opening: 'elsewhere', rows: [{ revealedAt: null, revealedOn: null }] })
  expect(await linked.codeOf(contract.revealCodes, { body: { orderNo, ids } })).toBe('CODES_ELSEWHERE')
  expect(await linked.codeOf(contract.sendCodeNumber, { params: { orderNo }, body: {} })).toBe('CODES_ELSEWHERE')
  expect(await linked.codeOf(contract.giveCodeAddress, { params: { orderNo }, body: { address: ADDRESS } })).toBe(
    'CODES_NOT_SHOWN',
  )
})

test("the link of a member's order opens no codes by mail: they sign in", async () => {
  const buyer = it.as('customer')
  const { orderNo, trackToken } = await buyCode(buyer)
  const linked = it.as(null, { 'track-token': trackToken })
  expect((await linked.call(order.trackOrder, {})).codes!.opening).toBe('signIn')
  expect(await buyer.codeOf(contract.giveCodeAddress, { params: { orderNo }, body: { address: ADDRESS } })).toBe(
    'CODES_NOT_SHOWN',
  )
  const ids = await idsOf(buyer, orderNo)
  expect(await linked.codeOf(contract.revealCodes, { body: { orderNo, ids } })).toBe('CODES_ELSEWHERE')
})

test.each(['cancel', 'failed', 'refunding', 'refunded', 'expired'])('an order that is %s shows none', async status => {
  const guest = it.as(null)
  const { orderNo } = await buyCode(guest)
  const ids = await idsOf(guest, orderNo)
  await it.db.query({ text: 'UPDATE orders SET status = $2 WHERE order_no = $1', values: [orderNo, status] })
  expect((await look(guest, orderNo)).codes).toBeNull()
  expect(await guest.codeOf(contract.revealCodes, { body: { orderNo, ids } })).toBe('CODES_NOT_SHOWN')
})

test('codes of another order are not shown, whoever asks for them by their ids', async () => {
  const [guest, other] = [it.as(null), it.as(null)]
  const [mine, theirs] = [await buyCode(guest), await buyCode(other)]
  const ids = await idsOf(other, theirs.orderNo)
  expect(await guest.codeOf(contract.revealCodes, { body: { orderNo: mine.orderNo, ids } })).toBe('CODES_NOT_SHOWN')
})

test('a part that was delivered is shown while the rest is still to come', async () => {
  const buyer = it.as('agent')
  await stockCodes(it, [codeOf(++nth), codeOf(++nth)])
  const body = {
    gameId: fixture.pubg.id,
    packageId: fixture.pubg.package,
    playerId: '51',
    termsVersion: '1',
    pin: '1234',
  }
  const { orderNo } = await buyer.call(order.confirmOrder, {
    body: { ...body, quantity: 2 },
    idempotencyKey: onceKey(),
  })
  await it.db.query({
    text: `UPDATE voucher SET state = 'free', order_id = NULL, reserved_at = NULL WHERE id = (SELECT v.id FROM voucher v
      JOIN orders o ON o.id = v.order_id WHERE o.order_no = $1 LIMIT 1)`,
    values: [orderNo],
  })
  await deliverCodes(it, orderNo, 'processing')
  const seen = await look(buyer, orderNo)
  expect([seen.quantity, seen.codes!.rows.length]).toEqual([2, 1])
  const ids = seen.codes!.rows.map(({ id }) => id)
  const shown = await buyer.call(contract.revealCodes, { body: { orderNo, ids, pin: '1234' } })
  expect(shown.codes).toHaveLength(1)
})

describe('of what a wallet paid', () => {
  const agent = () => it.as('agent-of-codes')
  let orderNo: string
  let ids: string[]
  beforeAll(async () => {
    await addAccount(it, 'agent-of-codes', 'agent')
    await addWallet(it.db, { uid: 'agent-of-codes', balanceSatang: 10_000_000, pin: '4321', now: it.clock.now })
  })
  beforeEach(async () => {
    await stockCodes(it, [codeOf(++nth)])
    const body = { gameId: fixture.pubg.id, packageId: fixture.pubg.package, playerId: '51', termsVersion: '1' }
    const bought = await agent().call(order.confirmOrder, { body: { ...body, pin: '4321' }, idempotencyKey: onceKey() })
    orderNo = bought.orderNo
    await deliverCodes(it, orderNo)
    ids = await idsOf(agent(), orderNo)
  })
  const reveal = (pin?: string) => agent().codeOf(contract.revealCodes, { body: { orderNo, ids, pin } })

  test('codes open by the PIN alone', async () => {
    expect((await look(agent(), orderNo)).codes!.opening).toBe('pin')
    expect([await reveal(), await reveal('0000'), await reveal('4321')]).toEqual(['CODES_NEED_PIN', 'PIN_WRONG', 'OK'])
  })

  test('wrong tries count as everywhere, and lock', async () => {
    for (let tries = 0; tries < 4; tries++) expect(await reveal('0000')).toBe('PIN_WRONG')
    expect([await reveal('0000'), await reveal('4321')]).toEqual(['PIN_LOCKED', 'PIN_LOCKED'])
    const [seen] = await it.db.query<{ reveals: number }>({
      text: 'SELECT reveals FROM voucher WHERE id = $1',
      values: [ids[0]],
    })
    expect(seen!.reveals).toBe(0)
  })
})

describe('on another device', () => {
  let guest: TestCaller
  let linked: TestCaller
  let orderNo: string
  let ids: string[]
  beforeEach(async () => {
    guest = it.as(null)
    const bought = await buyCode(guest)
    orderNo = bought.orderNo
    ids = await idsOf(guest, orderNo)
    linked = it.as(null, { 'track-token': bought.trackToken })
  })
  const giveAddress = (address = ADDRESS) =>
    guest.call(contract.giveCodeAddress, { params: { orderNo }, body: { address } })
  const send = () => linked.call(contract.sendCodeNumber, { params: { orderNo }, body: {} })
  const sentNumber = () => /^\d{6}/.exec(it.mailedTo(ADDRESS).at(-1)!)![0]
  const wrongNumber = () => (sentNumber() === '000000' ? '000001' : '000000')
  const reveal = (number: string) => linked.codeOf(contract.revealCodes, { body: { orderNo, ids, number } })

  test('a guest opens them by a number that comes by mail', async () => {
    const given = await giveAddress()
    expect(given.codes).toMatchObject({ opening: 'press', address: ADDRESS, canGiveAddress: true })
    expect((await linked.call(order.trackOrder, {})).codes).toMatchObject({
      opening: 'mail',
      address: 'na•••@somewhere.example',
      canGiveAddress: false,
    })
    expect(await send()).toEqual({ sentTo: 'na•••@somewhere.example' })
    const number = sentNumber()
    expect(await reveal(wrongNumber())).toBe('NUMBER_WRONG')
    expect([await reveal(number), await reveal(number)]).toEqual(['OK', 'OK'])
    const stored = await it.db.query<{ row: string }>({
      text: `SELECT v::text AS row FROM voucher_address v UNION ALL SELECT m::text FROM mail_message m
        UNION ALL SELECT o::text FROM outbox o`,
    })
    expect(stored.filter(({ row }) => row.includes(number))).toEqual([])
  })

  test('the number is over after ten minutes, after five wrong tries, when a new one or another address comes', async () => {
    await giveAddress()
    expect(await reveal('123456')).toBe('NUMBER_OVER')
    await send()
    const first = sentNumber()
    it.clock.advance(10 * 60)
    expect(await reveal(first)).toBe('NUMBER_OVER')
    await send()
    const second = sentNumber()
    for (let tries = 0; tries < 4; tries++) expect(await reveal(wrongNumber())).toBe('NUMBER_WRONG')
    expect([await reveal(wrongNumber()), await reveal(second)]).toEqual(['NUMBER_OVER', 'NUMBER_OVER'])
    await send()
    const third = sentNumber()
    await giveAddress('other@somewhere.example')
    expect(await reveal(third)).toBe('NUMBER_OVER')
  })

  test('a number opens its own order alone', async () => {
    await giveAddress()
    await send()
    const number = sentNumber()
    const other = await buyCode(guest)
    const otherIds = await idsOf(guest, other.orderNo)
    expect(
      await it
        .as(null, { 'track-token': other.trackToken })
        .codeOf(contract.revealCodes, { body: { orderNo: other.orderNo, ids: otherIds, number } }),
    ).toBe('CODES_ELSEWHERE')
    expect(await linked.codeOf(contract.revealCodes, { body: { orderNo, ids: otherIds, number } })).toBe(
      'CODES_NOT_SHOWN',
    )
  })

  test('a mail that did not go out is told at once', async () => {
    await giveAddress()
    await it.inbox.stop()
    expect(await linked.codeOf(contract.sendCodeNumber, { params: { orderNo }, body: {} })).toBe('MAIL_NOT_SENT')
  })
})

test('looks and mails are limited', async () => {
  const guest = it.as(null)
  const { orderNo, trackToken } = await buyCode(guest)
  const ids = await idsOf(guest, orderNo)
  await guest.call(contract.giveCodeAddress, { params: { orderNo }, body: { address: ADDRESS } })
  const before = it.shop.limits
  it.shop.limits = createRateLimits({ ...it.shop.config.limits, codesPerCaller: 2, codeNumbersPerOrder: 0 }, it.shop.db)
  const tries = []
  // Those before it in this file were counted, too.
  await it.db.query({ text: 'DELETE FROM rate_limit' })
  for (let nth = 0; nth < 3; nth++) tries.push(await guest.codeOf(contract.revealCodes, { body: { orderNo, ids } }))
  expect(tries).toEqual(['OK', 'OK', 'RATE_LIMITED'])
  const linked = it.as(null, { 'track-token': trackToken })
  expect(await linked.codeOf(contract.sendCodeNumber, { params: { orderNo }, body: {} })).toBe('RATE_LIMITED')
  it.shop.limits = before
})
