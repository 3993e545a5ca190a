import { proposePlayer, redoOrder } from '@shop/shared/order/correction-endpoints.ts'
import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { describe, expect, test } from 'vitest'
import { addLinked, type ChatShop } from '../testing/chat.ts'
import { friend, group, other, ploy, useHearing } from '../testing/hearing.ts'
import { saveFriend } from './store.ts'

let it: ChatShop
const { paidOrder, orderOf, press, say, last } = useHearing(made => {
  it = made
})

describe('an order that is redone', () => {
  const RIGHT = '5888888888'
  const change = (orderNo: string, status: 'processing' | 'failed' | 'success') =>
    it.as('staff').call(updateOrderStatus, { body: { orderNo, status, reason: 'ไม่พบ Player ID' } })

  async function redone() {
    await saveFriend(it.db, { lineId: friend, isFriend: true, since: it.clock.now })
    await addLinked(it, 'namkhao', 'customer', friend)
    const orderNo = await paidOrder('namkhao')
    await change(orderNo, 'processing')
    await change(orderNo, 'failed')
    await it.drain()
    await it.as('namkhao').call(proposePlayer, { params: { orderNo }, body: { playerId: RIGHT } })
    await it.drain()
    expect(last()).toMatch(/^ลูกค้าแก้ข้อมูลผู้เล่นแล้ว/)
    await it.as('staff').call(redoOrder, { body: { orderNo, playerId: RIGHT } })
    await it.drain()
    return orderNo
  }

  test('has a new card; the button of the old one does nothing and says how it is now', async () => {
    const orderNo = await redone()
    expect(last()).toContain(RIGHT)
    const cards = it.line.state.sentMessages.filter(({ to }) => to === group)
    const [old, fresh] = [cards[0]!, cards.at(-1)!]
    await it.line.control.pressButton(ploy, old.messageId, 'รับเรื่อง')
    await it.drain()
    expect(await orderOf(orderNo)).toMatchObject({ status: 'paid', by: null })
    expect(last()).toMatch(new RegExp(`^การ์ดที่กดเก่าแล้ว.*${RIGHT}`))
    await it.line.control.pressButton(ploy, fresh.messageId, 'รับเรื่อง')
    await it.drain()
    expect(await orderOf(orderNo)).toMatchObject({ status: 'processing', by: 'staff' })
    // Even its holder does not work by the old card.
    await press(`complete ${orderNo} 0`)
    expect(last()).toMatch(/^การ์ดที่กดเก่าแล้ว · ตอนนี้ กำลังเติม/)
  })

  test('is told of at every end: it failed, and succeeded', async () => {
    const orderNo = await redone()
    await press(`claim ${orderNo} 1`)
    await say(`เสร็จ ${orderNo} R2`)
    expect(it.shownTo(friend)).toEqual([expect.stringMatching(/^เติมไม่สำเร็จ/), expect.stringMatching(/^เติมสำเร็จแล้ว/)])
  })
})

describe('the reply to who completes', () => {
  const done = async (uid: string | null) => {
    const orderNo = await paidOrder(uid)
    await press(`claim ${orderNo}`)
    await say(`เสร็จแล้ว ${orderNo} RV-1`)
    return orderNo
  }
  const since = () => it.clock.now

  test.each([
    ['a guest', null, async () => {}, 'ไม่ได้เข้าสู่ระบบด้วย LINE'],
    ['no friend', 'namkhao', async () => {}, 'ยังไม่ได้เป็นเพื่อนกับร้าน'],
    [
      'in a month that is used up',
      'namkhao',
      async () => {
        await saveFriend(it.db, { lineId: friend, isFriend: true, since: since() })
        await it.db.query({ text: `UPDATE chat_channel SET full_at = now()` })
      },
      'โควตาข้อความของเดือนนี้เต็มแล้ว',
    ],
  ])('says that the customer is not told: %s', async (_, uid, prepare, why) => {
    await addLinked(it, 'namkhao', 'customer', friend)
    await it.db.query({ text: `INSERT INTO chat_channel (name) VALUES ('line') ON CONFLICT DO NOTHING` })
    await prepare()
    await done(uid)
    expect(last()).toContain(`ไม่ได้แจ้งลูกค้าใน LINE เพราะ`)
    expect(last()).toContain(why)
  })

  test('asks for a reference that is missing, and says when it is too long', async () => {
    const orderNo = await paidOrder()
    await press(`claim ${orderNo}`)
    await say(`เสร็จ ${orderNo}`)
    expect(last()).toContain('พิมพ์เลขอ้างอิง')
    await say(`เสร็จ ${orderNo} ${'9'.repeat(201)}`)
    expect(last()).toContain('ไม่เกิน 200 ตัวอักษร')
    expect((await orderOf(orderNo)).status).toBe('processing')
  })

  test('says that a reference typed anew replaced the first, for who completed it and nobody else', async () => {
    const orderNo = await done(null)
    it.clock.advance(5)
    await say(`เสร็จ ${orderNo} RV-2`)
    expect(last()).toBe(`แก้เลขอ้างอิงของ ${orderNo} แล้ว\nRV-1 → RV-2`)
    it.clock.advance(5)
    await say(`เสร็จ ${orderNo} RV-3`, other)
    expect(last()).toBe(`${orderNo} เสร็จแล้วโดย staff เลขอ้างอิง RV-2`)
    expect((await orderOf(orderNo)).reference).toBe('RV-2')
    const audited = await it.db.query({
      text: `SELECT before->>'deliveryReference' AS before, after->>'deliveryReference' AS after FROM audit_entry
        WHERE action = 'order.correctReference'`,
    })
    expect(audited).toEqual([{ before: 'RV-1', after: 'RV-2' }])
  })
})

describe('an order that is named by the end of its number', () => {
  test('is asked back, with what to type; nothing is done meanwhile', async () => {
    const orderNo = await paidOrder(null)
    await press(`claim ${orderNo} 0`)
    await say(`เสร็จ ${orderNo.slice(-8)} REF-778`)
    expect(last()).toContain(`เสร็จ ${orderNo} REF-778`)
    expect(await orderOf(orderNo)).toMatchObject({ status: 'processing' })
    await say('เสร็จ 99999999 REF-778')
    expect(last()).toContain('ไม่พบคำสั่งซื้อ')
  })
})
