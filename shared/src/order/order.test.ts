import { describe, expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { claimOrder, completeOrder, releaseClaim } from './claim.ts'
import {
  amountOf,
  canCancel,
  cancelOrder,
  expireOrder,
  failOrder,
  formatOrderNo,
  markPaid,
  type NewOrder,
  type Order,
  placeOrder,
} from './order.ts'
import { refundOrder, sendRefund } from './refund.ts'
import { canAddSlip, canReport, reportTransfer } from './report.ts'
import { type Actor, SYSTEM } from './status.ts'

const now = new Date('2026-11-20T07:00:00Z')
const customer: Actor = { uid: 'c1', role: 'customer' }
const guest: Actor = { uid: null, role: 'guest' }
const staff: Actor = { uid: 's1', role: 'staff' }
const otherStaff: Actor = { uid: 's2', role: 'staff' }
const manager: Actor = { uid: 'm1', role: 'manager' }

const draft = {
  id: 'o1',
  orderNo: 'KT2611-00000001',
  gameId: 1,
  packageId: 2,
  playerId: '5123456789',
  playerName: null,
  costSatang: null,
}
const byBank = {
  payment: 'bank',
  quantity: 1,
  priceSatang: 14900,
  tailSatang: 37,
  receivingAccountId: 1,
  walletId: null,
  creditId: null,
  creditSatang: 0,
} as const
const byWallet = {
  payment: 'wallet',
  quantity: 2,
  priceSatang: 20000,
  tailSatang: 0,
  receivingAccountId: null,
  walletId: 'w',
  creditId: null,
  creditSatang: 0,
} as const

const place = (sold: Omit<NewOrder, keyof typeof draft | 'buyerUid'>, buyerUid: string | null = 'c1') =>
  placeOrder({ ...draft, ...sold, buyerUid }, 15, buyerUid ? customer : guest, now)
const bankOrder = (buyerUid?: string | null): Order => place(byBank, buyerUid).order

function codeOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
  return 'accepted'
}

const notAllowed = (details: object) => expect.objectContaining({ code: 'ORDER_STATUS_NOT_ALLOWED', details })
const unproven = { slipId: null, isProven: false }
const proven = { ...unproven, isProven: true }

const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000)

describe('a new order', () => {
  test('by transfer waits for the exact amount until its deadline, unpaid', () => {
    const { order, event, ledger } = place(byBank)
    expect(order).toMatchObject({
      status: 'waiting_payment',
      version: 1,
      expiresAt: later(15),
      expireAfter: later(20),
      paidAt: null,
    })
    expect(amountOf(order)).toBe(14937)
    expect(event).toEqual({
      kind: 'created',
      from: null,
      to: 'waiting_payment',
      actor: customer,
      at: now,
      reason: null,
    })
    expect(ledger).toBeNull()
  })

  test('from the wallet is paid at once out of that wallet and never expires', () => {
    const { order, ledger } = place(byWallet)
    expect(order).toMatchObject({ status: 'paid', paidAt: now, expiresAt: null, expireAfter: null })
    expect(ledger).toMatchObject({
      kind: 'order_paid',
      postings: [{ from: 'wallet:w', to: 'sales', amountSatang: 20000 }],
    })
  })

  test.each([
    ['no wallet', { ...byWallet, walletId: null }],
    ['a wallet order with a tail', { ...byWallet, tailSatang: 1 }],
    ['no receiving account', { ...byBank, receivingAccountId: null }],
    ['".00"', { ...byBank, tailSatang: 0 }],
    ['a whole baht of tail', { ...byBank, tailSatang: 100 }],
  ])('crashes on %s', (_, sold) => {
    expect(() => place(sold)).toThrow('invariant')
  })

  test.each([1, 99])('may carry %i satang of tail', tailSatang => {
    expect(amountOf(place({ ...byBank, tailSatang }).order)).toBe(14900 + tailSatang)
  })

  test('that a discount made free moves no money, neither when placed nor when given back', () => {
    const free = place({ ...byWallet, priceSatang: 0 })
    expect([free.order.status, free.ledger]).toEqual(['paid', null])
    expect(refundOrder(free.order, manager, 'x', now).ledger).toBeNull()
  })
})

describe('an unpaid order', () => {
  test('expires 300 s after its deadline and not before; its amount is free 360 s later', () => {
    const order = bankOrder()
    expect(() => expireOrder(order, new Date(later(20).getTime() - 1))).toThrow('invariant')
    const { order: expired, amountReusableAt, event } = expireOrder(order, later(20))
    expect(expired).toMatchObject({ status: 'expired', endedAt: later(20), expireAfter: null })
    expect(amountReusableAt).toEqual(later(26))
    expect(event.actor).toEqual(SYSTEM)
  })

  test('reported as transferred waits a day for staff, nor can its buyer cancel it', () => {
    const { order, event } = reportTransfer(bankOrder(), { ...proven, slipId: 'slip' }, customer, later(5))
    expect(order).toMatchObject({
      transferReportedAt: later(5),
      slipId: 'slip',
      version: 2,
      expireAfter: later(5 + 24 * 60),
    })
    expect(event).toMatchObject({ kind: 'transfer_reported', from: 'waiting_payment', to: 'waiting_payment' })
    expect([canCancel(bankOrder()), canCancel(order), canCancel(place(byWallet).order)]).toEqual([true, false, false])
    expect(codeOf(() => cancelOrder(order, customer, null, later(6)))).toBe('ORDER_ALREADY_REPORTED')
    expect(cancelOrder(order, staff, 'ลูกค้าแจ้งผิด', later(6)).order).toMatchObject({
      status: 'cancel',
      reason: 'ลูกค้าแจ้งผิด',
    })
  })

  test.each([
    ['by a word alone', 30, unproven],
    ['with a slip that no bank has confirmed', 30, { ...unproven, slipId: 'slip' }],
    ['from a proven account', 24 * 60, proven],
  ])('reported %s keeps its amount for %i minutes', (_, minutes, report) => {
    expect(reportTransfer(bankOrder(null), report, guest, now).order.expireAfter).toEqual(later(minutes))
  })

  test('what a stranger reports before the opening is kept until somebody could have looked', () => {
    const morning = new Date('2026-11-20T07:54:00+07:00')
    const { order } = reportTransfer(bankOrder(null), { ...unproven, openingHours: '09:00-23:00' }, guest, morning)
    expect(order.expireAfter).toEqual(new Date('2026-11-20T09:30:00+07:00'))
  })

  test('can be reported until seven days after it expired, and not a second longer', () => {
    const expired = expireOrder(bankOrder(), later(20)).order
    const limit = later(20 + 7 * 24 * 60)
    const justBefore = new Date(limit.getTime() - 1)
    expect([canReport(expired, justBefore), canReport(expired, limit)]).toEqual([true, false])
    expect(codeOf(() => reportTransfer(expired, proven, customer, justBefore))).toBe('accepted')
    expect(codeOf(() => reportTransfer(expired, proven, customer, limit))).toBe('REPORT_TOO_LATE')
  })

  test('is reported once, and only one that is paid by transfer and not decided yet', () => {
    const reported = reportTransfer(bankOrder(), proven, customer, now).order
    expect(() => reportTransfer(reported, proven, customer, now)).toThrow(notAllowed({ status: 'waiting_payment' }))
    expect(canReport(place(byWallet).order, now)).toBe(false)
    expect(canReport(cancelOrder(bankOrder(), customer, null, now).order, now)).toBe(false)
  })

  test.each([
    ['from a proven account', later(10 + 24 * 60), { ...proven, slipId: 'slip' }],
    ['from anybody else', later(30), { ...unproven, slipId: 'slip' }],
  ])('reported without a slip gets it once, %s; the report keeps its moment', (_, until, report) => {
    const reported = reportTransfer(bankOrder(null), unproven, guest, now).order
    expect(canAddSlip(reported, now)).toBe(true)
    const { order, event } = reportTransfer(reported, report, guest, later(10))
    expect(order).toMatchObject({ transferReportedAt: now, slipId: 'slip', expireAfter: until })
    expect(event.kind).toBe('slip_added')
    expect(canAddSlip(order, later(10))).toBe(false)
    expect(() => reportTransfer(order, { ...report, slipId: 'other' }, guest, later(11))).toThrow(AppError)
  })

  test('another picture by the tracking link takes nothing of how long the amount is held', () => {
    const held = reportTransfer(bankOrder(), { ...proven, slipId: 'slip' }, customer, now).order
    const again = { ...unproven, slipId: 'other', isAskedAgain: true }
    expect(reportTransfer(held, again, guest, later(10)).order.expireAfter).toEqual(later(24 * 60))
  })

  test('is cancelled by its buyer without a reason, by staff only with one; its amount is free 360 s later', () => {
    const { order, amountReusableAt, ledger } = cancelOrder(bankOrder(), customer, null, now)
    expect(order).toMatchObject({ status: 'cancel', endedAt: now, expireAfter: null })
    expect([amountReusableAt, ledger]).toEqual([later(6), null])
    expect(codeOf(() => cancelOrder(bankOrder(), staff, ' ', now))).toBe('REASON_REQUIRED')
    expect(() => cancelOrder(order, customer, null, now)).toThrow(notAllowed({ status: 'cancel', move: 'cancel' }))
  })
})

describe('marked paid', () => {
  test('by hand needs a reason and posts the exact amount; matched by the shop itself it needs none', () => {
    expect(codeOf(() => markPaid(bankOrder(), staff, '  ', now))).toBe('REASON_REQUIRED')
    const { ledger, order, event, amountReusableAt } = markPaid(bankOrder(), staff, ' ตรวจยอดแล้ว ', now)
    expect(event).toEqual({
      kind: 'status',
      from: 'waiting_payment',
      to: 'paid',
      actor: staff,
      at: now,
      reason: 'ตรวจยอดแล้ว',
    })
    expect(ledger).toEqual({
      kind: 'order_paid',
      postings: [{ from: 'bank:1', to: 'sales', amountSatang: 14937 }],
      reason: 'ตรวจยอดแล้ว',
      reversesId: null,
    })
    expect(order).toMatchObject({ status: 'paid', paidAt: now, expireAfter: null, version: 2 })
    expect(amountReusableAt).toEqual(later(6))
    expect(markPaid(bankOrder(), SYSTEM, null, now).order).toMatchObject({ status: 'paid', reason: null })
  })

  test('late, after it expired, is open again', () => {
    const expired = expireOrder(bankOrder(), later(20)).order
    const reported = reportTransfer(expired, proven, customer, later(21)).order
    expect(reported).toMatchObject({ status: 'expired', expireAfter: null })
    expect(markPaid(reported, staff, 'พบยอดโอนช้า', later(30)).order).toMatchObject({ status: 'paid', endedAt: null })
  })

  test('a claimed or paid order can not be marked paid again', () => {
    const paid = markPaid(bankOrder(), staff, 'x', now).order
    const claimed = claimOrder(paid, staff, now).order
    expect(codeOf(() => markPaid(paid, staff, 'x', now))).toBe('ORDER_STATUS_NOT_ALLOWED')
    expect(codeOf(() => markPaid(claimed, staff, 'x', now))).toBe('ORDER_STATUS_NOT_ALLOWED')
  })
})

describe('fulfilment', () => {
  const paid = markPaid(bankOrder(), staff, 'ตรวจยอดแล้ว', now).order
  const claimed = claimOrder(paid, staff, later(1)).order

  test('the first claim wins; who has it may not claim it again', () => {
    expect(claimed).toMatchObject({ status: 'processing', claimedBy: 's1', claimedAt: later(1) })
    expect(codeOf(() => claimOrder(claimed, otherStaff, now))).toBe('ORDER_CLAIMED_BY_OTHER')
    expect(codeOf(() => claimOrder(claimed, staff, now))).toBe('ORDER_STATUS_NOT_ALLOWED')
  })

  test.each([
    ['complete', (actor: Actor) => completeOrder(claimed, actor, 'REF', later(2))],
    ['fail', (actor: Actor) => failOrder(claimed, actor, 'x', later(2))],
    ['refund', (actor: Actor) => refundOrder(claimed, actor, 'x', later(2))],
    ['release', (actor: Actor) => releaseClaim(claimed, actor, later(2))],
  ])('%s: the claimer, a manager and the shop itself may, another staff member may not', (_, act) => {
    expect(codeOf(() => act(otherStaff))).toBe('ORDER_CLAIMED_BY_OTHER')
    for (const actor of [staff, manager, SYSTEM]) expect(codeOf(() => act(actor))).toBe('accepted')
  })

  test('completed with a reference, trimmed; without one not', () => {
    expect(codeOf(() => completeOrder(claimed, staff, ' ', now))).toBe('DELIVERY_REFERENCE_REQUIRED')
    const { order, ledger } = completeOrder(claimed, staff, ' REF ', later(2))
    expect(order).toMatchObject({ status: 'success', deliveryReference: 'REF', endedAt: later(2) })
    expect(ledger).toBeNull()
  })

  test('failed keeps the money with the shop, and needs a reason', () => {
    expect(codeOf(() => failOrder(claimed, staff, '', now))).toBe('REASON_REQUIRED')
    const { order, ledger } = failOrder(paid, staff, 'ไอดีผิด', later(2))
    expect([order.status, order.endedAt, order.reason, ledger]).toEqual(['failed', later(2), 'ไอดีผิด', null])
  })

  test('a claim given back leaves the money as it was', () => {
    const { order, event, ledger } = releaseClaim(claimed, staff, later(1))
    expect(order).toMatchObject({ status: 'paid', claimedBy: null, claimedAt: null, paidAt: now })
    expect([event.kind, ledger]).toEqual(['claim_released', null])
  })

  test('a refund needs a reason and goes to the wallet it came from, else it is owed', () => {
    expect(codeOf(() => refundOrder(paid, manager, null, now))).toBe('REASON_REQUIRED')
    const { order, ledger } = refundOrder(paid, manager, 'เติมไม่ได้', later(3))
    expect(order).toMatchObject({ status: 'refunding', endedAt: later(3) })
    expect(ledger).toEqual({
      kind: 'order_refunded',
      postings: [{ from: 'sales', to: 'refunds', amountSatang: 14937 }],
      reason: 'เติมไม่ได้',
      reversesId: null,
    })
    expect(sendRefund(order, manager, later(4))).toMatchObject({
      order: { status: 'refunded', endedAt: later(3), reason: 'เติมไม่ได้' },
      event: { from: 'refunding', to: 'refunded' },
      ledger: null,
    })
    const wallet = refundOrder(place(byWallet).order, manager, 'x', now)
    expect(wallet).toMatchObject({ order: { status: 'refunded' }, event: { to: 'refunded' } })
    expect(wallet.ledger?.postings).toEqual([{ from: 'sales', to: 'wallet:w', amountSatang: 20000 }])
  })

  test('nobody of the shop serves what they bought themselves, whatever the step', () => {
    const own = place(byBank, 's1').order
    const ownPaid = markPaid(own, SYSTEM, null, now).order
    const acts = [
      () => markPaid(own, staff, 'x', now),
      () => cancelOrder(own, staff, 'x', now),
      () => claimOrder(ownPaid, staff, now),
      () => failOrder(ownPaid, staff, 'x', now),
      () => refundOrder(ownPaid, { uid: 's1', role: 'admin' }, 'x', now),
      () => completeOrder(claimOrder(ownPaid, otherStaff, now).order, { uid: 's1', role: 'manager' }, 'REF', now),
    ]
    expect(acts.map(codeOf)).toEqual(acts.map(() => 'OWN_ORDER'))
    expect(codeOf(() => cancelOrder(own, { uid: 's1', role: 'customer' }, null, now))).toBe('accepted')
    expect(codeOf(() => claimOrder(ownPaid, otherStaff, now))).toBe('accepted')
  })

  test('an old reason stays until another is given', () => {
    expect(claimed.reason).toBe('ตรวจยอดแล้ว')
    expect(failOrder(claimed, staff, 'ไอดีผิด', now).order.reason).toBe('ไอดีผิด')
  })
})

test('order numbers carry the Bangkok month and eight digits', () => {
  expect(formatOrderNo('2026-11', 4_821_937)).toBe('KT2611-04821937')
  expect(formatOrderNo('2027-01', 99_999_999)).toBe('KT2701-99999999')
  expect(formatOrderNo('2027-01', 0)).toBe('KT2701-00000000')
  expect(() => formatOrderNo('2027-01', 100_000_000)).toThrow('eight digits')
  expect(() => formatOrderNo('2027-01', -1)).toThrow('eight digits')
})
