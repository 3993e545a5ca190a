import { expect, test } from 'vitest'
import { ENDING_STATUSES, endedLetter } from './buyer-messages.ts'
import { fit } from './flex.ts'
import { chatLinks } from './links.ts'
import { MESSAGE } from './message.ts'
import { ageOf } from './order-messages.ts'
import { LONG, LONGEST_FACTS, toldOrder } from './testing.ts'

const links = chatLinks({
  liffId: '2000000001-DemoShop',
  storefrontUrl: 'https://shop.example',
  adminUrl: 'https://admin.example',
})
const { now } = LONG
const textOf = (messages: unknown) => JSON.stringify(messages)

test("the card for staff has what they type into the game, the game's picture, and two buttons", () => {
  const [card] = MESSAGE.orderPaid.build(
    { order: toldOrder({ fields: [{ label: 'เซิร์ฟเวอร์', value: '2001' }] }), isHeld: false, now },
    links,
  )
  for (const fact of [
    '5123456789',
    'Namkhao_TH',
    'เซิร์ฟเวอร์',
    '2001',
    '325 UC',
    '149.37 บาท',
    'คิว 128',
    '11:57',
    'กสิกรไทย',
    '/preview/square/pubg.png',
  ])
    expect(textOf(card)).toContain(fact)
  expect(textOf(card).match(/"type":"(uri|postback)"/g)).toHaveLength(2)
  expect(textOf(card)).toContain('https://admin.example/management/details/KT2611-04821937?openExternalBrowser=1')
})

test('the card for staff warns where the supplier waits for proof of the money', () => {
  const card = (isHeld: boolean) => textOf(MESSAGE.orderPaid.build({ order: toldOrder(), isHeld, now }, links))
  expect([true, false].map(isHeld => card(isHeld).includes('รอหลักฐานเงินเข้า'))).toEqual([true, false])
})

test('a player id is told once, though it is also a typed field', () => {
  const fields = [{ label: 'UID', value: '5123456789' }]
  const [card] = MESSAGE.orderPaid.build({ order: toldOrder({ fields }), isHeld: false, now }, links)
  expect(textOf(card)).not.toContain('UID')
})

test.each(ENDING_STATUSES)('a customer is told of %s, with a way to the order', status => {
  const order = toldOrder({ status, reason: 'ไม่พบผู้เล่น' })
  const [card] = MESSAGE.orderEnded.build({ order }, links)
  expect(textOf(card)).toContain('https://liff.line.me/2000000001-DemoShop/purchase/details/KT2611-04821937')
  expect(textOf(card).includes('ไม่พบผู้เล่น')).toBe(status !== 'success')
})

test('of codes that are there a customer gets the way to them, and no reference', () => {
  const order = toldOrder({ status: 'success', delivers: 'code', deliveryReference: 'WQJXK-7VZPY' })
  const text = textOf(MESSAGE.orderEnded.build({ order }, links))
  for (const words of ['รหัสพร้อมแล้ว', 'ดูรหัส', '/purchase/details/KT2611-04821937']) expect(text).toContain(words)
  expect(text).not.toContain('WQJXK')
})

test.each([
  [null, 'ติดต่อร้าน'],
  [new Date('2026-11-20T05:15:00Z'), '12:15 น.'],
  [new Date('2026-11-20T17:00:00Z'), '21 พ.ย. · 00:00 น.'],
])('the owner is told until when the PIN is locked (%s), and what to do if it was somebody else', (until, told) => {
  const text = textOf(MESSAGE.pinLocked.build({ lock: { at: now, until } }, links))
  for (const words of [told, '20 พ.ย. · 12:00 น.', 'เปลี่ยนรหัสผ่าน', 'ติดต่อร้านทันที', '/wallet'])
    expect(text).toContain(words)
})

test("staff's note on how an order was paid is not for its customer's eyes", () => {
  const [card] = MESSAGE.orderStatus.build({ orders: [toldOrder({ reason: 'เห็นเงินในแอป' })], now }, links)
  expect(textOf(card)).not.toContain('เห็นเงินในแอป')
})

test('who has no order is told where to go on', () => {
  expect(textOf(MESSAGE.orderStatus.build({ orders: [], now }, links))).toContain('/game')
})

test('texts are cut between letters, and never empty', () => {
  expect(fit('น้ำน้ำน้ำ', 7)).toBe('น้ำน้ำ…')
  expect(fit('สั้น', 7)).toBe('สั้น')
  expect(fit(' \u202e\u0000 ', 7)).toBe('-')
  expect(fit('a\u202eb\nc', 9)).toBe('a b c')
})

test('how long ago is told as people say it', () => {
  const ago = (minutes: number) => ageOf(new Date(now.getTime() - minutes * 60_000), now)
  expect([ago(0), ago(59), ago(125), ago(24 * 60)]).toEqual([
    'เมื่อสักครู่',
    '59 นาที',
    '2 ชม. 5 นาที',
    'ตั้งแต่ 19 พ.ย. · 12:00 น.',
  ])
})

test('what waits since another day is told with that day, and many with a comma', () => {
  const cards = (['orderUnclaimed', 'topUpEntered', 'digest'] as const).map(kind =>
    JSON.stringify(MESSAGE[kind].build(LONGEST_FACTS[kind] as never, links)),
  )
  for (const card of cards) expect(card).toContain('30 ก.ย. · 12:00 น.')
  expect(cards[2]).toContain('10,001 รายการ')
})

test('a card that stays in the chat tells the moment of its payment, and no age that would soon be wrong', () => {
  const order = toldOrder({ paidAt: now })
  expect(textOf(MESSAGE.orderPaid.build({ order, isHeld: false, now }, links))).not.toContain('เมื่อสักครู่')
})

test('what the player typed is named to its buyer as their game names it, with all of it', () => {
  const fields = [
    { label: 'User ID', value: '5123456789' },
    { label: 'Zone ID', value: '2001' },
  ]
  const text = textOf(MESSAGE.orderEnded.build({ order: toldOrder({ status: 'success', fields }) }, links))
  for (const words of ['User ID', 'Zone ID', '2001']) expect(text).toContain(words)
  expect(text).not.toContain('Player ID')
})

test('a refund that became shop credit says so, with the way to spend it, and never that money was sent', () => {
  const told = (change: object) =>
    textOf(MESSAGE.orderEnded.build({ order: toldOrder({ status: 'refunded', ...change }) }, links))
  const all = told({ creditBackSatang: 149_37 })
  for (const words of ['฿149.37 เป็นเครดิตร้าน', 'ไม่ได้โอนเข้าบัญชีธนาคาร', 'ใช้เลย', '/game/pubg'])
    expect(all).toContain(words)
  expect(all).not.toContain('คืนเงินแล้ว')
  expect(told({ creditBackSatang: 49_37 })).toContain('ส่วนที่เหลือร้านโอนคืนแล้ว')
  expect(told({ payment: 'wallet' })).toContain('คืนเข้ากระเป๋าเงินแล้ว')
  expect(told({})).toContain('ร้านโอนเงินของรายการนี้คืนแล้ว')
})

test('of what they asked for themselves buyers read in their own words', () => {
  const order = toldOrder({ status: 'refunding', reason: 'ลูกค้าขอคืนเงิน' })
  const texts = [
    textOf(MESSAGE.orderEnded.build({ order }, links)),
    JSON.stringify(endedLetter(order, 'https://shop.example/track/x')),
  ]
  for (const text of texts) {
    expect(text).toContain('คุณขอคืนเงินรายการนี้')
    expect(text).not.toContain('ลูกค้า')
  }
})

test('a failed order of codes asks nobody to correct a player', () => {
  const order = toldOrder({ status: 'failed', playerId: '-' })
  const text = textOf(MESSAGE.orderEnded.build({ order }, links))
  expect(text).toContain('ขอเงินคืน')
  expect(text).not.toContain('แก้ ID')
})
