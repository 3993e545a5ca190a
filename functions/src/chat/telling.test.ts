import { OWNER_NEWS } from '@shop/shared/account/news.ts'
import { changePin, resetPin } from '@shop/shared/account/pin-endpoints.ts'
import { confirmOrder, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { listOwedRefunds, sendOwedRefund } from '@shop/shared/statement/refund-endpoints.ts'
import { decideTopUp, getTopUpForStaff, saveTopUp } from '@shop/shared/wallet/endpoints.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { releaseLapsedClaims } from '../order/paying/expiry.ts'
import type { Supplier } from '../supplier/provider.ts'
import { addLinked, bindRoom, type ChatShop, createChatShop, linkLine, staffGroup, users } from '../testing/chat.ts'
import { fixture } from '../testing/fixture.ts'
import { buyByBank } from '../testing/orders.ts'
import { addPaidOrders } from '../testing/queue.ts'
import { agreePayee } from '../testing/refunds.ts'
import { onceKey } from '../testing/shop.ts'
import { addSlip, addWallet } from '../testing/wallet.ts'
import { watchTroubles, watchUnclaimed } from './watch.ts'

let it: ChatShop
beforeEach(async () => {
  it = await createChatShop()
})
afterEach(() => it.close())

const friend = users.friend.userId
const manager = users.staff.userId
const group = staffGroup.groupId

const change = (orderNo: string, status: 'paid' | 'processing' | 'success' | 'failed' | 'refunded', uid = 'staff') =>
  it.as(uid).call(updateOrderStatus, { body: { orderNo, status, reason: 'ตรวจแล้ว', deliveryReference: 'REF' } })

async function paidOrder(uid: string | null = null): Promise<string> {
  const { orderNo } = await buyByBank(it.as(uid))
  await change(orderNo, 'paid')
  return orderNo
}

const setOption = (name: string, value: string) =>
  it.db.query({
    text: 'INSERT INTO option (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2',
    values: [name, value],
  })

describe('the staff', () => {
  beforeEach(() => bindRoom(it, 'staff'))

  test('get a card for every order whose money is there, and for no other', async () => {
    await buyByBank(it.as(null))
    await it.drain()
    expect(it.shownTo(group)).toEqual([])
    await paidOrder()
    await it.drain()
    expect(it.shownTo(group)).toEqual([
      expect.stringMatching(/^ชำระแล้ว · คิว \d+ PUBG Mobile 325 UC 53\d+ 149\.\d\d บาท$/),
    ])
    await it.drain()
    expect(it.shownTo(group)).toHaveLength(1)
  })

  test('get it for an order from a wallet, too', async () => {
    await addWallet(it.db, { uid: 'agent', balanceSatang: 1_000_000, pin: '1234', now: it.clock.now })
    const body = { gameId: 1, packageId: 1, playerId: '51', termsVersion: '1', pin: '1234' }
    await it.as('agent').call(confirmOrder, { body, idempotencyKey: onceKey() })
    await it.drain()
    expect(it.shownTo(group)).toHaveLength(1)
  })

  test('get none for what somebody has by now, and one again when a claim lapses', async () => {
    const orderNo = await paidOrder()
    await change(orderNo, 'processing')
    await it.drain()
    expect(it.shownTo(group)).toEqual([])
    it.clock.advance(16 * 60)
    await releaseLapsedClaims(it.shop)
    await it.drain()
    expect(it.shownTo(group)).toHaveLength(1)
  })

  test('outside of their hours they get one about all of it, when the hours begin', async () => {
    await setOption('STAFF_HOURS', '14:00-23:00')
    await paidOrder()
    await paidOrder()
    await it.drain()
    expect(it.shownTo(group)).toEqual([])
    it.clock.advance(2 * 3600)
    await it.drain()
    expect(it.shownTo(group)).toEqual(['มีงานรอทำ คำสั่งซื้อรอเติม 2'])
  })

  test('and none about work that was done meanwhile', async () => {
    await setOption('STAFF_DIGEST_MINUTES', '30')
    const orderNo = await paidOrder()
    await it.drain()
    await change(orderNo, 'processing')
    await change(orderNo, 'success')
    it.clock.advance(3600)
    await it.drain()
    expect(it.shownTo(group)).toEqual([])
  })
})

test('without a group, a friend or a channel nothing is said, and every order goes its way', async () => {
  await addLinked(it, 'nobody', 'customer', users.stranger.userId)
  const orderNo = await paidOrder()
  await it.drain()
  expect(it.line.state.sentMessages).toEqual([])
  it.shop.chat = null
  await change(orderNo, 'processing')
  await change(orderNo, 'success')
  await it.drain()
  expect(await it.db.query({ text: `SELECT 1 FROM outbox WHERE state <> 'done'` })).toEqual([])
})

describe('a customer whom LINE knows', () => {
  beforeEach(() => addLinked(it, 'namkhao', 'customer', friend))

  test.each(['success', 'failed'] as const)('is told once that the order ended: %s', async status => {
    const orderNo = await paidOrder('namkhao')
    await change(orderNo, 'processing')
    await change(orderNo, status)
    await it.drain()
    expect(it.shownTo(friend)).toEqual([
      expect.stringMatching(status === 'success' ? /^เติมสำเร็จแล้ว PUBG Mobile/ : /^เติมไม่สำเร็จ/),
    ])
  })

  test('is told of each end that follows: it failed, its money will be sent', async () => {
    const orderNo = await paidOrder('namkhao')
    await change(orderNo, 'failed')
    await it.drain()
    await change(orderNo, 'refunded', 'manager')
    await it.drain()
    expect(it.shownTo(friend)).toEqual([expect.stringMatching(/^เติมไม่สำเร็จ/), expect.stringMatching(/^รอโอนคืน/)])
  })

  test('is told by a job from before turns were versions, too, and by the newer one only what follows', async () => {
    const orderNo = await paidOrder('namkhao')
    await change(orderNo, 'failed')
    // As the shop wrote such jobs then: without a turn, or with the status.
    await it.db.query({
      text: `UPDATE outbox SET payload = payload || '{"turn": ""}' WHERE kind = 'chat.tell' AND payload->>'event' = 'orderEnded'`,
    })
    await it.drain()
    expect(it.shownTo(friend)).toEqual([expect.stringMatching(/^เติมไม่สำเร็จ/)])
    await it.db.query({
      text: `INSERT INTO outbox (id, kind, key, payload, due_at, created_at)
        SELECT gen_random_uuid(), 'chat.tell', 'of an older shop', jsonb_build_object('event', 'orderEnded', 'id', id, 'turn', 'failed'), $2, $2
        FROM orders WHERE order_no = $1`,
      values: [orderNo, it.clock.now],
    })
    await it.drain()
    expect(it.shownTo(friend)).toHaveLength(1)
    await change(orderNo, 'refunded', 'manager')
    await it.drain()
    expect(it.shownTo(friend)).toHaveLength(2)
  })

  test('is told that the money comes back where that is the first news, and again once it was sent', async () => {
    await change(await paidOrder('namkhao'), 'refunded', 'manager')
    await it.drain()
    expect(it.shownTo(friend)).toEqual([expect.stringMatching(/^รอโอนคืน/)])
    const byManager = it.as('manager')
    const [owed] = (await byManager.call(listOwedRefunds, { query: {} })).rows
    const payeeVersion = await agreePayee(it, owed!.id)
    const body = { receivingAccountId: fixture.accounts.second, reference: 'TR-1', payeeVersion }
    await byManager.call(sendOwedRefund, { params: { id: owed!.id }, body, idempotencyKey: onceKey() })
    await it.drain()
    expect(it.shownTo(friend).slice(1)).toEqual([expect.stringMatching(/^คืนเงินแล้ว/)])
  })
})

describe('the owner of a wallet', () => {
  const tryPin = (pin = '0000') => it.as('agent').codeOf(changePin, { body: { oldPin: pin, pin: '9753' } })
  beforeEach(async () => {
    await addWallet(it.db, { uid: 'agent', balanceSatang: 0, pin: '1234', now: it.clock.now })
  })
  const lock = async () => {
    for (let tries = 0; tries < 7; tries++) await tryPin()
  }

  test('is told once of every lock, also when it is over by then, and what to do', async () => {
    await linkLine(it, 'agent', friend)
    await lock()
    it.clock.advance(3600)
    await it.drain()
    await it.drain()
    expect(it.shownTo(friend)).toEqual(['PIN กระเป๋าเงินถูกล็อกเมื่อ 20 พ.ย. · 12:00 น. ถ้าไม่ใช่คุณ กรุณาติดต่อร้านทันที'])
    it.clock.advance(24 * 3600)
    await lock()
    await it.drain()
    expect(it.shownTo(friend)).toHaveLength(2)
  })

  test('is not told of a lock that a new PIN has ended, nor of one that never was', async () => {
    await linkLine(it, 'agent', friend)
    await lock()
    await it.as('manager').call(resetPin, { params: { uid: 'agent' } })
    await it.drain()
    for (let tries = 0; tries < 4; tries++) await tryPin()
    await it.drain()
    expect(it.shownTo(friend)).toEqual([expect.stringContaining(OWNER_NEWS.pinReset.title)])
  })

  test('hears nothing without LINE', async () => {
    await lock()
    await it.drain()
    expect(it.line.state.sentMessages).toEqual([])
  })
})

describe('managers', () => {
  test('are told of a request for money on a wallet, each for themselves, and the agent what became of it', async () => {
    await linkLine(it, 'manager', manager)
    await linkLine(it, 'agent', friend)
    await addWallet(it.db, { uid: 'agent', balanceSatang: 0, pin: null, now: it.clock.now })
    const ask = async () => {
      const body = { amountSatang: 100_000, slipId: await addSlip(it, 'u:agent') }
      return it.as('agent').call(saveTopUp, { body, idempotencyKey: onceKey() })
    }
    const decide = async (id: string, status: 'approve' | 'reject') => {
      const { version } = await it.as('manager').call(getTopUpForStaff, { params: { id } })
      const body = { id, version, status, reason: 'สลิปไม่ชัด', receivingAccountId: 1 }
      await it.as('manager').call(decideTopUp, { body, idempotencyKey: onceKey() })
      await it.drain()
    }
    const first = await ask()
    await it.drain()
    expect(it.shownTo(manager)).toEqual(['ขอเติมกระเป๋าเงิน agent 1,000.00 บาท'])
    await decide(first.id, 'approve')
    expect(it.shownTo(friend)).toEqual(['เติมกระเป๋าเงินแล้ว 1,000.00 บาท คงเหลือ 1,000.00 บาท'])
    await decide((await ask()).id, 'reject')
    expect(it.shownTo(friend).at(-1)).toBe('ไม่อนุมัติการเติมกระเป๋าเงิน 1,000.00 บาท')
  })

  test('hear of an order that nobody takes by the time in which the shop is open', async () => {
    await bindRoom(it, 'managers')
    await setOption('OPENING_HOURS', '14:00-23:00')
    await paidOrder()
    it.clock.advance(3600)
    await watchUnclaimed(it.shop)
    await it.drain()
    expect(it.shownTo(group)).toEqual([])
    it.clock.advance(3600 + 12 * 60)
    await watchUnclaimed(it.shop)
    await it.drain()
    expect(it.shownTo(group)).toEqual([expect.stringMatching(/^ยังไม่มีคนรับ/)])
  })

  test('are told once of an order that nobody takes, in their group where there is one', async () => {
    await linkLine(it, 'manager', manager)
    await bindRoom(it, 'managers')
    await paidOrder()
    await watchUnclaimed(it.shop)
    it.clock.advance(12 * 60)
    for (let minute = 0; minute < 5; minute++) {
      await watchUnclaimed(it.shop)
      await it.drain()
      it.clock.advance(60)
    }
    expect(it.shownTo(group)).toEqual([expect.stringMatching(/^ยังไม่มีคนรับ 12 นาที/)])
    expect(it.shownTo(manager)).toEqual([])
  })

  test('are told of a hundred such orders in a few messages', async () => {
    await bindRoom(it, 'managers')
    await addPaidOrders(it.db, { count: 100, paidAt: it.clock.now })
    it.clock.advance(20 * 60)
    await watchUnclaimed(it.shop)
    await it.drain()
    it.clock.advance(20 * 60)
    await it.drain()
    const told = it.shownTo(group)
    expect(told.length).toBeLessThan(12)
    expect(told.at(-1)).toBe('มีงานรอทำ คำสั่งซื้อรอเติม 100')
  })

  test('are told once when a supplier stops, and again when it stops another time', async () => {
    await bindRoom(it, 'managers')
    it.shop.suppliers = { seagm: { name: 'seagm' } as Supplier }
    const stop = () =>
      it.db.query({
        text: `INSERT INTO supplier (name, is_on, stopped_at, stopped_for) VALUES ('seagm', true, $1, 'balance')
          ON CONFLICT (name) DO UPDATE SET stopped_at = $1`,
        values: [it.clock.now],
      })
    await stop()
    for (let hour = 0; hour < 4; hour++) {
      await watchTroubles(it.shop)
      await it.drain()
      it.clock.advance(3600)
    }
    expect(it.shownTo(group)).toEqual(['ผู้จำหน่ายหยุดรับคำสั่ง SEAGM เงินของร้านที่ผู้จำหน่ายไม่พอ รออยู่ 0 คำสั่งซื้อ'])
    await stop()
    await watchTroubles(it.shop)
    await it.drain()
    expect(it.shownTo(group)).toHaveLength(2)
  })

  test("are told when LINE's own messages run out, and staff get digests from then on", async () => {
    await bindRoom(it, 'managers', users.staff.userId)
    await bindRoom(it, 'staff')
    it.line.control.setQuota({ type: 'limited', value: 300 }, 250)
    await watchTroubles(it.shop)
    await paidOrder()
    await it.drain()
    expect(it.shownTo(users.staff.userId)).toEqual(['โควตาข้อความ LINE ใกล้เต็ม ใช้ไป 250 จาก 300'])
    expect(it.shownTo(group)).toEqual([])
    it.clock.advance(1800)
    await it.drain()
    expect(it.shownTo(group)).toEqual(['มีงานรอทำ คำสั่งซื้อรอเติม 1'])
  })
})

test('a message to a group costs as many as are in it now', async () => {
  await bindRoom(it, 'staff')
  for (const { userId } of [users.friend, users.stranger]) await it.line.control.addMember(group, userId)
  await watchTroubles(it.shop)
  await paidOrder()
  await it.drain()
  const [row] = await it.db.query<{ cost: number }>({ text: 'SELECT cost FROM chat_message' })
  expect(row!.cost).toBe(3)
})

test('LINE that hangs holds up no order', async () => {
  await bindRoom(it, 'staff')
  it.line.control.injectFault({ path: '/v2/bot/message/push', delaySeconds: 30, count: 100 })
  const draining = paidOrder().then(() => it.drain())
  const orderNo = await paidOrder()
  await change(orderNo, 'processing')
  await change(orderNo, 'success')
  const [row] = await it.db.query<{ status: string }>({
    text: 'SELECT status FROM orders WHERE order_no = $1',
    values: [orderNo],
  })
  expect(row!.status).toBe('success')
  await draining
})
