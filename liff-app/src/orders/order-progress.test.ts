import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { expect, test } from 'vitest'
import { expectedTextOf } from './expected-time.ts'
import { describeOrder, listProgress } from './order-progress.ts'
import { order } from './testing.ts'
import { pollMsOf } from './use-order.ts'

const at = '2026-11-20T07:10:00.000Z'
const event = (to: OrderView['status']) => ({ kind: 'status' as const, to, at, reason: null })
const steps = (shown: Partial<OrderView>) =>
  listProgress({ ...order, ...shown }).map(step => `${step.state} ${String(step.title)}`)

test('an unpaid order waits for its transfer', () => {
  expect(steps({})).toEqual(['done สั่งซื้อ', 'current รอโอนเงิน', 'todo กำลังเติมเข้าเกม', 'todo เติมสำเร็จ'])
})

test('an order being worked on has money behind it and success before it', () => {
  const timeline = [event('paid'), event('processing')]
  expect(steps({ status: 'processing', timeline })).toEqual([
    'done สั่งซื้อ',
    'done ได้รับเงิน',
    'current กำลังเติมเข้าเกม',
    'todo เติมสำเร็จ',
  ])
})

test('a player whom the shop took instead is a step of its own, and the payment keeps its time', () => {
  const changed = { kind: 'player_changed' as const, to: 'paid' as const, at: '2026-11-20T08:00:00.000Z', reason: null }
  const timeline = [event('paid'), event('failed'), changed, event('processing')]
  const shown = { status: 'processing' as const, timeline, playerChange: 'ร้านเติมให้ผู้เล่น 2 แทน 1 (เหตุผล โทรแจ้ง)' }
  expect(steps(shown)).toEqual([
    'done สั่งซื้อ',
    'done ได้รับเงิน',
    'done ร้านเปลี่ยนผู้เล่น',
    'current กำลังเติมเข้าเกม',
    'todo เติมสำเร็จ',
  ])
  expect(
    listProgress({ ...order, ...shown })
      .map(({ detail }) => detail)
      .slice(1, 3),
  ).toEqual(['20 พ.ย. · 14:10 น.', '20 พ.ย. · 15:00 น.'])
})

test('an order that was paid as it was made tells when', () => {
  const shown = { ...order, status: 'paid' as const, payment: 'credit' as const, paidAt: at, timeline: [] }
  expect(listProgress(shown)[1]).toMatchObject({ title: 'ได้รับเงิน', detail: '20 พ.ย. · 14:10 น.' })
})

test('a finished order has only done steps', () => {
  const timeline = [event('paid'), event('processing'), event('success')]
  expect(steps({ status: 'success', timeline }).every(step => step.startsWith('done'))).toBe(true)
})

test('a failed top-up keeps the steps that happened, ends badly, and says what comes of it', () => {
  const timeline = [event('paid'), event('processing'), event('failed')]
  expect(steps({ status: 'failed', timeline })).toEqual([
    'done สั่งซื้อ',
    'done ได้รับเงิน',
    'done กำลังเติมเข้าเกม',
    'bad เติมไม่สำเร็จ',
    'current คืนเงินหรือเติมใหม่',
  ])
  expect(describeOrder({ ...order, status: 'failed' }, null).text).toContain('เงินของคุณยังอยู่กับร้าน')
  const failedAt = { ...event('failed'), at: '2026-11-20T08:00:00.000Z' }
  expect(describeOrder({ ...order, status: 'failed', timeline: [failedAt] }, null).text).toContain(
    '21\u00a0พ.ย.\u00a0· 15:00\u00a0น.',
  )
})

test('the steps of an order that left the way stand as they came, each once', () => {
  const timeline = [event('expired'), event('paid'), event('processing'), event('processing'), event('refunded')]
  expect(steps({ status: 'refunded', timeline })).toEqual([
    'done สั่งซื้อ',
    'done หมดเวลาชำระ',
    'done ได้รับเงิน',
    'done กำลังเติมเข้าเกม',
    'done คืนเงินแล้ว',
  ])
})

test('money that must still be sent is promised, not told as sent, and a failed step is never one that went well', () => {
  const timeline = [event('paid'), event('processing'), event('failed'), event('refunding')]
  const waiting = { ...order, status: 'refunding' as const, timeline }
  expect(steps(waiting).slice(2)).toEqual([
    'done กำลังเติมเข้าเกม',
    'bad เติมไม่สำเร็จ',
    'done ร้านยกเลิกรายการนี้',
    'current โอนเงินคืน',
  ])
  expect(describeOrder({ ...order, ...waiting }, null).text).toContain('ภายใน 3 วันหลังคุณแจ้งบัญชีรับเงิน')
  const at = '2026-11-20T08:00:00.000Z'
  const refunds = [
    {
      amountSatang: 14937,
      payee: { bankCode: '004', end: '6789' },
      payeeAt: at,
      payer: null,
      payeeFit: null,
      asCredit: false,
      sentAt: null,
      slipId: null,
    },
  ]
  expect(describeOrder({ ...order, ...waiting, refunds }, null).text).toContain(
    'ภายใน 23\u00a0พ.ย.\u00a0· 15:00\u00a0น.',
  )
  const sent = { ...waiting, status: 'refunded' as const, timeline: [...timeline, event('refunded')] }
  expect(steps(sent).slice(3)).toEqual(['bad เติมไม่สำเร็จ', 'done ร้านยกเลิกรายการนี้', 'done คืนเงินแล้ว'])
})

test('a claim that was given back is waited for again, without the time of the first', () => {
  const released = { ...event('paid'), kind: 'claim_released' as const }
  const shown = { ...order, status: 'paid' as const, timeline: [event('paid'), event('processing'), released] }
  expect(listProgress(shown).find(({ state }) => state === 'current')).toMatchObject({
    title: 'รอทีมงานรับเรื่อง',
    detail: undefined,
  })
})

test('an order reported after its time is being checked, not lost', () => {
  expect(describeOrder({ ...order, status: 'expired', transferReportedAt: at }, null).title).toBe('กำลังตรวจยอดเงิน')
  expect(describeOrder({ ...order, status: 'expired' }, null).text).toContain('หากโอนไปแล้ว')
  const timeline = [event('expired')]
  const ends = (transferReportedAt: string | null) =>
    steps({ status: 'expired', timeline, transferReportedAt }).slice(-2)
  expect(ends(null)).toEqual(['bad หมดเวลาชำระ', 'todo โอนแล้ว แจ้งชำระเงิน'])
  expect(ends(at)).toEqual(['bad หมดเวลาชำระ', 'current กำลังตรวจยอดเงิน'])
})

test('a failed top-up tells its buyer that another player can be given, until they have', () => {
  const failed = { ...order, status: 'failed' as const, timeline: [event('failed')] }
  const textOf = (shown: Partial<OrderView>) => describeOrder({ ...failed, ...shown }, null).text
  expect(textOf({})).not.toContain('ID')
  expect(textOf({ canCorrect: true, canAskRefund: true })).toContain('หากกรอก ID ผิด')
  const answered = describeOrder({ ...failed, canCorrect: true, proposedFields: order.fields }, null)
  expect(answered.title).toBe('รับข้อมูลใหม่แล้ว')
  expect(answered.text).toContain('ทีมงานจะเติมใหม่ให้')
})

test.each<[OrderView['status'], Partial<OrderView>]>([
  ['waiting_payment', {}],
  ['waiting_payment', { transferReportedAt: at }],
  ['paid', {}],
])('while the shop is closed, an order that is %s (%o) is told when it opens, and no minutes', (status, shown) => {
  const closed = 'ร้านเปิด 09:00 น. แล้วเริ่มเติมให้ตามลำดับ'
  const { text } = describeOrder({ ...order, status, ...shown }, closed)
  expect(text).toContain(closed)
  expect(text).not.toContain('นาที')
})

test('whoever is being topped up is told when to expect it, also outside the hours', () => {
  const expected = { from: '2026-11-20T02:05:00.000Z', to: '2026-11-20T02:15:00.000Z' }
  const shown = { ...order, status: 'processing' as const, expected, nowDate: '2026-11-20T01:00:00.000Z' }
  expect(describeOrder(shown, 'ร้านปิดอยู่').text).toMatch(/^คาดว่าเสร็จ 09:05–09:15/)
})

test('an order is asked about at least every 5 s while it moves, and not at all once it is final', () => {
  for (const status of ['waiting_payment', 'paid', 'processing'] as const) expect(pollMsOf(status)).toBeLessThan(5000)
  for (const status of ['success', 'cancel', 'refunded'] as const) expect(pollMsOf(status)).toBe(false)
  expect(pollMsOf('expired')).not.toBe(false)
})

test.each<[OrderView['slipCheck'], string, RegExp]>([
  [null, 'กำลังตรวจยอดเงิน', /รับแจ้งการโอนแล้ว ไม่ต้องโอนซ้ำ ปิดหน้านี้ได้/],
  ['confirming', 'ธนาคารกำลังยืนยันยอด', /หน้านี้จะเปลี่ยนเอง ไม่ต้องโอนซ้ำ/],
  ['staff', 'กำลังตรวจยอดเงิน', /ทีมงานกำลังตรวจยอดเงิน/],
  ['picture', 'อ่านรูปสลิปไม่ได้', /ส่งรูปสลิปใหม่.*ไม่ต้องโอนซ้ำ$/],
  ['used', 'สลิปนี้ใช้กับรายการอื่นแล้ว', /ส่งสลิปของคำสั่งซื้อนี้.*ติดต่อร้าน$/],
])('a reported order whose slip check is %s says so, and what is to be done or not', (slipCheck, title, text) => {
  const told = describeOrder({ ...order, transferReportedAt: at, slipCheck }, null)
  expect(told.title).toBe(title)
  expect(told.text).toMatch(text)
  expect(steps({ transferReportedAt: at, slipCheck })).toContain(`current ${title}`)
})

test.each([
  ['before', '2026-11-20T01:30:00.000Z', 'คาดว่าเสร็จ 09:05–09:15\u00a0น.'],
  ['the evening before', '2026-11-19T16:30:00.000Z', 'คาดว่าเสร็จ 09:05–09:15\u00a0น. พรุ่งนี้'],
  ['in between', '2026-11-20T02:10:00.000Z', 'คาดว่าเสร็จภายใน 09:15\u00a0น.'],
  ['too late', '2026-11-20T02:16:00.000Z', 'ใช้เวลานานกว่าปกติ ทีมงานกำลังเร่งให้'],
])('goods expected at nine are told %s', (_, nowDate, text) => {
  const expected = { from: '2026-11-20T02:05:00.000Z', to: '2026-11-20T02:15:00.000Z' }
  expect(expectedTextOf({ expected, nowDate })).toBe(text)
})

test('what is expected on two days is told by its end, and what is not expected by nothing', () => {
  const nowDate = '2026-11-19T15:50:00.000Z'
  const expected = { from: '2026-11-19T15:58:00.000Z', to: '2026-11-20T02:08:00.000Z' }
  expect(expectedTextOf({ expected, nowDate })).toBe('คาดว่าเสร็จภายใน 09:10\u00a0น. พรุ่งนี้')
  expect(expectedTextOf({ expected: null, nowDate })).toBeNull()
})

test('who was failed reads what they can do, and once they asked for the money what comes of that', () => {
  const failed = {
    ...order,
    status: 'failed' as const,
    timeline: [event('failed')],
    canCorrect: true,
    canAskRefund: true,
  }
  expect(describeOrder(failed, null).text).toContain('ขอเงินคืน')
  expect(describeOrder(failed, null).text).not.toContain('ติดต่อ')
  const codes = { ...failed, package: { ...order.package, delivers: 'code' as const } }
  expect(describeOrder(codes, null)).toMatchObject({ title: 'ส่งรหัสไม่สำเร็จ', text: expect.not.stringContaining('ID') })
  const asked = { ...failed, canAskRefund: false, refundAskedAt: '2026-11-20T09:00:00.000Z' }
  const open = {
    amountSatang: 14937,
    payee: null,
    payeeAt: null,
    payer: null,
    payeeFit: null,
    asCredit: false,
    sentAt: null,
    slipId: null,
  }
  expect(describeOrder({ ...asked, refunds: [open] }, null)).toMatchObject({
    title: 'ขอเงินคืนแล้ว',
    text: expect.stringContaining('แจ้งบัญชีรับเงินด้านล่างได้เลย'),
  })
  expect(describeOrder({ ...asked, payment: 'wallet' }, null).text).toContain('คืนเข้ากระเป๋าเงิน')
})

test('what came back as shop credit is told as credit, with its amount', () => {
  const back = { ...order, status: 'refunded' as const }
  expect(describeOrder({ ...back, creditBackSatang: 149_37 }, null)).toEqual({
    title: '฿149.37 เป็นเครดิตร้าน',
    text: 'ใช้ซื้อได้ทุกเกม ไม่มีวันหมดอายุ ไม่ได้โอนเข้าบัญชีธนาคาร',
  })
  expect(describeOrder({ ...back, creditBackSatang: 49_37 }, null).text).toContain('ส่วนที่เหลือร้านโอนคืนแล้ว')
  expect(describeOrder(back, null).title).toBe('คืนเงินแล้ว')
})

test('an expected time is told in steps of five minutes, never earlier than it is', () => {
  const expected = { from: '2026-11-20T03:21:10.000Z', to: '2026-11-20T03:22:20.000Z' }
  expect(expectedTextOf({ expected, nowDate: '2026-11-20T03:15:00.000Z' })).toBe('คาดว่าเสร็จ 10:20–10:25\u00a0น.')
})
