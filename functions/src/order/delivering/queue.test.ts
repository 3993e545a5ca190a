import { listGames } from '@shop/shared/catalogue/endpoints.ts'
import * as contract from '@shop/shared/order/endpoints.ts'
import { claimOrders, listQueue, renewClaim } from '@shop/shared/order/queue-endpoints.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import { decideStatementLine } from '@shop/shared/statement/endpoints.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buyByBank } from '../../testing/orders.ts'
import { addAccount, createTestShop, onceKey, type TestShop } from '../../testing/shop.ts'
import { addLines, lineOf } from '../../testing/statement.ts'
import { addWallet } from '../../testing/wallet.ts'
import { releaseLapsedClaims } from '../paying/expiry.ts'
import { measureDeliveryTimes } from './delivery-time.ts'

const LEASE_SECONDS = 15 * 60

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  await addAccount(it, 'malee', 'staff')
  await addWallet(it.db, { uid: 'agent', balanceSatang: 10_000_000, pin: '1234', now: it.clock.now })
})
afterAll(() => it.db.close())
/** What earlier tests left is out of the way. */
beforeEach(async () => {
  const { list } = await queueOf('manager')
  for (const { orderNo } of list!.rows) await change('manager', orderNo, 'failed')
})

type Status = 'paid' | 'processing' | 'success' | 'failed'
const bodyOf = (orderNo: string, status: Status) => ({ orderNo, status, reason: 'ตรวจแล้ว', deliveryReference: 'REF' })
const change = (uid: string, orderNo: string, status: Status) =>
  it.as(uid).codeOf(contract.updateOrderStatus, { body: bodyOf(orderNo, status) })
const queueOf = (uid: string, query: { since?: string; text?: string; group?: 'mine' | 'open' | 'others' } = {}) =>
  it.as(uid).call(listQueue, { query })
const seenBy = (uid: string, orderNo: string) => it.as(uid).call(getOrderForStaff, { params: { orderNo } })

async function paid(change: Record<string, unknown> = {}): Promise<string> {
  const { orderNo } = await buyByBank(it.as(null), change)
  const code = await it.as('admin').codeOf(contract.updateOrderStatus, { body: bodyOf(orderNo, 'paid') })
  // The amount is drawn: now and then it is that of an earlier payment, after which staff would be asked.
  if (code === 'TRANSFER_MAY_BE_USED') return paid(change)
  expect(code).toBe('OK')
  it.clock.advance(1)
  return orderNo
}

describe('the number in the queue', () => {
  test('comes with the first payment, from wallets as they buy, and one after the other', async () => {
    const { orderNo } = await buyByBank(it.as(null))
    expect((await seenBy('staff', orderNo)).queueNo).toBeNull()
    await change('staff', orderNo, 'paid')
    const first = (await seenBy('staff', orderNo)).queueNo!
    const body = { gameId: 1, packageId: 1, playerId: '1', termsVersion: '1', pin: '1234' }
    const bought = await it.as('agent').call(contract.confirmOrder, { body, idempotencyKey: onceKey() })
    expect((await seenBy('staff', bought.orderNo)).queueNo).toBe(first + 1)
  })
})

describe('the list', () => {
  test('an order waits since its money came, also when its line is matched days later', async () => {
    const late = await buyByBank(it.as(null))
    const came = addSeconds(it.clock.now, 60)
    it.clock.advance(5 * 24 * 3600)
    const today = await paid()
    const line = lineOf({ amountSatang: late.amountSatang, at: came })
    await addLines(it, [line])
    const find = {
      text: 'SELECT l.id, o.id AS "orderId" FROM statement_line l, orders o WHERE l.key = $1 AND o.order_no = $2',
    }
    const [row] = await it.db.query<{ id: string; orderId: string }>({ ...find, values: [line.key, late.orderNo] })
    await it.as('manager').call(decideStatementLine, {
      params: { id: row!.id },
      body: { step: 'match', version: 1, reason: 'พบเงินแล้ว', target: { kind: 'order', id: row!.orderId } },
      idempotencyKey: onceKey(),
    })
    const { rows } = (await queueOf('staff', { group: 'open' })).list!
    expect(rows.map(({ orderNo }) => orderNo)).toEqual([late.orderNo, today])
    expect(rows[0]!.waitsSince).toBe(came.toISOString())
    expect(rows[1]!.waitsSince).toBe(rows[1]!.paidAt)
  })

  test('stands in groups, oldest first; the counts are of all, and the search finds order, player and queue number', async () => {
    const [a, b, c] = [await paid(), await paid({ playerId: 'Namkhao-77' }), await paid()]
    await change('staff', c, 'processing')
    await change('malee', b, 'processing')
    const { list } = await queueOf('staff')
    expect(list!.rows.map(({ orderNo, group }) => [orderNo, group])).toEqual([
      [c, 'mine'],
      [a, 'open'],
      [b, 'others'],
    ])
    expect(list!.counts).toEqual({ mine: 1, open: 1, others: 1 })
    expect(list!.rows.map(({ commands }) => commands.includes('claim'))).toEqual([false, true, false])
    expect(list!.rows[2]).toMatchObject({
      claimedByName: 'malee',
      playerId: 'Namkhao-77',
      usualMinutes: { from: 5, to: 15 },
    })

    const found = async (text: string) => (await queueOf('staff', { text })).list!.rows.map(row => row.orderNo)
    expect(await found('namkhao')).toEqual([b])
    expect(await found(a.slice(-8))).toEqual([a])
    expect(await found(String(list!.rows[0]!.queueNo))).toContain(c)
    expect(await found('%')).toEqual([])
    const open = (await queueOf('staff', { group: 'open' })).list!
    expect([open.rows.map(row => row.orderNo), open.counts]).toEqual([[a], { mine: 1, open: 1, others: 1 }])
  })

  test('is not told again while nothing has changed', async () => {
    const orderNo = await paid()
    const { version } = await queueOf('staff')
    expect(await queueOf('staff', { since: version })).toMatchObject({ version, list: null })
    await change('malee', orderNo, 'processing')
    const next = await queueOf('staff', { since: version })
    expect(next.version).not.toBe(version)
    expect(next.list!.rows).toMatchObject([{ orderNo, group: 'others' }])
  })

  test('offers nobody the claim of what they bought themselves', async () => {
    const { orderNo } = await buyByBank(it.as('staff'))
    await change('manager', orderNo, 'paid')
    expect((await queueOf('staff')).list!.rows).toMatchObject([{ orderNo, commands: [] }])
    expect((await it.as('staff').call(claimOrders, { body: { orderNos: [orderNo] } })).refused).toMatchObject([
      { orderNo, code: 'OWN_ORDER' },
    ])
  })
})

describe('a claim', () => {
  test('has one winner; the other is told who it was', async () => {
    const orderNo = await paid()
    const claims = ['staff', 'malee'].map(uid =>
      it.as(uid).call(contract.updateOrderStatus, { body: bodyOf(orderNo, 'processing') }),
    )
    const results = await Promise.allSettled(claims)
    const winner = results[0]!.status === 'fulfilled' ? 'staff' : 'malee'
    const lost = results.filter(result => result.status === 'rejected').map(({ reason }) => reason)
    expect(lost).toMatchObject([
      { code: 'ORDER_CLAIMED_BY_OTHER', details: { claimedByName: winner }, message: expect.stringContaining(winner) },
    ])
    expect((await seenBy('manager', orderNo)).claimedBy).toBe(winner)
  })

  test('of several takes what is left and names who has the others', async () => {
    const [a, b, c] = [await paid(), await paid(), await paid()]
    await change('malee', b, 'processing')
    const reply = await it.as('staff').call(claimOrders, { body: { orderNos: [a, b, c, a] } })
    expect(reply.claimed).toEqual([a, c])
    expect(reply.refused).toMatchObject([{ orderNo: b, code: 'ORDER_CLAIMED_BY_OTHER' }])
    expect(reply.refused[0]!.message).toContain('malee')
  })

  test('is not for customers and agents', async () => {
    for (const uid of [null, 'customer', 'agent'])
      expect(await it.as(uid).codeOf(claimOrders, { body: { orderNos: ['KT2611-00000000'] } })).toMatch(
        /FORBIDDEN|UNAUTHENTICATED/,
      )
  })
})

describe('the lease of a claim', () => {
  const renew = (uid: string, orderNo: string) => it.as(uid).call(renewClaim, { body: { orderNo } })

  test('is renewed for the order that is open and those claimed with it, by its claimer alone', async () => {
    const [a, b, c] = [await paid(), await paid(), await paid()]
    await change('staff', c, 'processing')
    it.clock.advance(1)
    await it.as('staff').call(claimOrders, { body: { orderNos: [a, b] } })
    it.clock.advance(LEASE_SECONDS - 60)
    expect(await renew('malee', a)).toEqual({ claimUntil: null })
    const until = new Date(it.clock.now.getTime() + LEASE_SECONDS * 1000).toISOString()
    expect(await renew('staff', a)).toEqual({ claimUntil: until })
    it.clock.advance(120)
    expect(await releaseLapsedClaims(it.shop)).toBe(1)
    const groups = (await queueOf('staff')).list!.rows.map(({ orderNo, group }) => [orderNo, group])
    expect(groups).toEqual([
      [a, 'mine'],
      [b, 'mine'],
      [c, 'open'],
    ])
    expect((await seenBy('malee', c)).timeline.at(-1)).toMatchObject({ kind: 'claim_released', actorRole: 'system' })
  })

  test('has run out: its claimer may still say that it was delivered, nobody else may', async () => {
    const orderNo = await paid()
    await change('staff', orderNo, 'processing')
    it.clock.advance(LEASE_SECONDS)
    await releaseLapsedClaims(it.shop)
    expect((await seenBy('malee', orderNo)).commands).not.toContain('complete')
    expect(await change('malee', orderNo, 'success')).toBe('ORDER_STATUS_NOT_ALLOWED')
    expect((await seenBy('staff', orderNo)).commands).toContain('complete')
    expect(await change('staff', orderNo, 'success')).toBe('OK')
    expect(await seenBy('malee', orderNo)).toMatchObject({ status: 'success', claimedBy: 'staff', claimUntil: null })
  })

  test('has run out and somebody else took the order: they are told who', async () => {
    const orderNo = await paid()
    await change('staff', orderNo, 'processing')
    it.clock.advance(LEASE_SECONDS)
    await releaseLapsedClaims(it.shop)
    await change('malee', orderNo, 'processing')
    const late = it.as('staff').call(contract.updateOrderStatus, { body: bodyOf(orderNo, 'success') })
    await expect(late).rejects.toMatchObject({ code: 'ORDER_CLAIMED_BY_OTHER', details: { claimedByName: 'malee' } })
    // Given back without delivering, it is nobody's; whoever had it before that does not have it again.
    await change('malee', orderNo, 'paid')
    expect(await change('staff', orderNo, 'success')).toBe('ORDER_STATUS_NOT_ALLOWED')
  })

  test('runs out while its claimer completes the order: one of the two happens', async () => {
    for (let round = 0; round < 10; round++) {
      const orderNo = await paid()
      await change('staff', orderNo, 'processing')
      it.clock.advance(LEASE_SECONDS)
      const [code] = await Promise.all([change('staff', orderNo, 'success'), releaseLapsedClaims(it.shop)])
      expect([code, (await seenBy('staff', orderNo)).status]).toEqual(['OK', 'success'])
    }
  })
})

describe('the usual time of a delivery', () => {
  test('is measured from the latest deliveries, and stands in the catalogue and in new orders', async () => {
    const deliver = async (seconds: number) => {
      const orderNo = await paid({ gameId: 2, packageId: 2, field2: '77' })
      await change('staff', orderNo, 'processing')
      it.clock.advance(seconds - 1)
      await change('staff', orderNo, 'success')
    }
    const usual = async () => (await buyByBank(it.as(null), { gameId: 2, packageId: 2, field2: '77' })).usualMinutes
    for (let nth = 1; nth <= 9; nth++) await deliver(nth * 60)
    await measureDeliveryTimes(it.shop)
    expect(await usual()).toEqual({ from: 5, to: 15 })
    await deliver(600)
    await measureDeliveryTimes(it.shop)
    expect(await usual()).toEqual({ from: 5, to: 10 })
    const games = await it.as(null).call(listGames, {})
    expect(games.find(({ code }) => code === 'mlbb')!.usualMinutes).toEqual({ from: 5, to: 10 })
    it.clock.advance(31 * 24 * 3600)
    await measureDeliveryTimes(it.shop)
    expect(await usual()).toEqual({ from: 5, to: 15 })
  })
})
