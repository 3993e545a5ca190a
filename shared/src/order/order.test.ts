import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { entriesOf } from '../wallet/ledger.ts'
import {
  type Actor,
  amountOf,
  cancelOrder,
  changeByStaff,
  claimOrder,
  completeOrder,
  expireOrder,
  isTerminal,
  markPaid,
  ORDER_STATUSES,
  type Order,
  type OrderOutcome,
  placeBankOrder,
  placeWalletOrder,
  refundOrder,
  reportTransfer,
  staffChanges,
  TRANSITIONS,
} from './order.ts'

const now = new Date('2026-11-20T07:00:00Z')
const customer: Actor = { uid: 'c1', role: 'customer' }
const guest: Actor = { uid: null, role: 'guest' }
const staff: Actor = { uid: 's1', role: 'staff' }
const otherStaff: Actor = { uid: 's2', role: 'staff' }
const manager: Actor = { uid: 'm1', role: 'manager' }

function bankOrder(buyerUid: string | null = 'c1'): Order {
  const draft = {
    id: 'o1',
    orderNo: 'KT2611-00000001',
    buyerUid,
    gameId: 1,
    packageId: 2,
    playerId: '5123456789',
    playerName: null,
    priceSatang: 14900,
    pointSatang: 37,
    receivingAccountId: 1,
    timeLimitMinutes: 15,
  }
  return placeBankOrder(draft, buyerUid ? customer : guest, now).order
}

function codeOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
  return 'accepted'
}

const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000)

describe('a bank order', () => {
  test('waits for the exact amount until its deadline and expires 300 s after it', () => {
    const order = bankOrder()
    expect(amountOf(order)).toBe(14937)
    expect(order.expiresAt).toEqual(later(15))
    expect(order.expireAfter).toEqual(later(20))
    expect(() => expireOrder(order, later(19))).toThrow('invariant')
    const { order: expired, amountReusableAt } = expireOrder(order, later(20))
    expect(expired.status).toBe('expired')
    expect(amountReusableAt).toEqual(later(25))
  })

  test('reported as transferred no longer expires by itself for a day, nor can the customer cancel it', () => {
    const { order } = reportTransfer(bankOrder(), null, customer, later(5))
    expect(order.expireAfter).toEqual(later(5 + 24 * 60))
    expect(codeOf(() => cancelOrder(order, customer, null, later(6)))).toBe('ORDER_ALREADY_REPORTED')
    expect(cancelOrder(order, staff, 'ลูกค้าแจ้งผิด', later(6)).order.status).toBe('cancel')
  })

  test("a guest's report without a slip waits 30 minutes, with a slip a day", () => {
    expect(reportTransfer(bankOrder(null), null, guest, now).order.expireAfter).toEqual(later(30))
    expect(reportTransfer(bankOrder(null), 'slip', guest, now).order.expireAfter).toEqual(later(24 * 60))
  })

  test('can still be reported and paid after it expired', () => {
    const expired = expireOrder(bankOrder(), later(20)).order
    const reported = reportTransfer(expired, null, customer, later(21)).order
    expect(reported).toMatchObject({ status: 'expired', expireAfter: null })
    expect(markPaid(reported, staff, 'พบยอดโอนช้า', later(30)).order).toMatchObject({ status: 'paid', endedAt: null })
  })

  test('marked paid by hand needs a reason and posts the exact amount from the bank to sales', () => {
    expect(codeOf(() => markPaid(bankOrder(), staff, '  ', now))).toBe('REASON_REQUIRED')
    const { ledger } = markPaid(bankOrder(), staff, 'ตรวจยอดแล้ว', now)
    expect(ledger?.postings).toEqual([{ from: 'bank:1', to: 'sales', amountSatang: 14937 }])
  })
})

describe('fulfilment', () => {
  const paid = markPaid(bankOrder(), staff, 'ตรวจยอดแล้ว', now).order

  test('the first claim wins and only the claimer or a manager goes on', () => {
    const claimed = claimOrder(paid, staff, now).order
    expect(codeOf(() => claimOrder(claimed, otherStaff, now))).toBe('ORDER_CLAIMED_BY_OTHER')
    expect(codeOf(() => completeOrder(claimed, otherStaff, 'REF', now))).toBe('ORDER_CLAIMED_BY_OTHER')
    expect(codeOf(() => completeOrder(claimed, staff, '', now))).toBe('DELIVERY_REFERENCE_REQUIRED')
    expect(completeOrder(claimed, manager, 'REF', now).order).toMatchObject({
      status: 'success',
      deliveryReference: 'REF',
    })
    expect(staffChanges(claimed, otherStaff)).toEqual([])
  })

  test('a claim given back leaves the money as it was', () => {
    const claimed = claimOrder(paid, staff, now).order
    const released = changeByStaff(claimed, 'paid', { reason: null, deliveryReference: null }, staff, later(1))
    expect(released).toMatchObject({ order: { status: 'paid', claimedBy: null, paidAt: now }, ledger: null })
  })

  test('a refund goes to the wallet it came from, else it is owed', () => {
    expect(refundOrder(paid, manager, 'เติมไม่ได้', now).ledger?.postings).toEqual([
      { from: 'sales', to: 'refunds', amountSatang: 14937 },
    ])
    const draft = { id: 'o', orderNo: 'n', buyerUid: 'a', gameId: 1, packageId: 1, playerId: '1', playerName: null }
    const wallet = placeWalletOrder({ ...draft, walletId: 'w', quantity: 2, priceSatang: 20000 }, customer, now)
    expect(wallet.ledger?.postings).toEqual([{ from: 'wallet:w', to: 'sales', amountSatang: 20000 }])
    expect(refundOrder(wallet.order, manager, 'x', now).ledger?.postings).toEqual([
      { from: 'sales', to: 'wallet:w', amountSatang: 20000 },
    ])
  })
})

test('whatever staff try, in any order, states follow the table, money balances and ended orders stay ended', () => {
  const attempt = fc.record({
    to: fc.constantFrom(...ORDER_STATUSES),
    actor: fc.constantFrom(staff, otherStaff, manager),
    reason: fc.constantFrom('เหตุผล', null),
    deliveryReference: fc.constantFrom('REF', null),
  })
  fc.assert(
    fc.property(fc.array(attempt, { maxLength: 30 }), attempts => {
      let order = bankOrder()
      let soldSatang = 0
      for (const { to, actor, reason, deliveryReference } of attempts) {
        let outcome: OrderOutcome
        try {
          outcome = changeByStaff(order, to, { reason, deliveryReference }, actor, now)
        } catch (error) {
          expect(error).toBeInstanceOf(AppError)
          continue
        }
        expect(TRANSITIONS[order.status]).toContain(outcome.order.status)
        expect(isTerminal(order.status)).toBe(false)
        expect(outcome.order.version).toBe(order.version + 1)
        if (outcome.ledger) {
          const entries = entriesOf(outcome.ledger.postings)
          expect(entries.reduce((sum, entry) => sum + entry.amountSatang, 0)).toBe(0)
          soldSatang += entries.filter(e => e.account === 'sales').reduce((sum, e) => sum + e.amountSatang, 0)
        }
        order = outcome.order
      }
      const holdsMoney = ['paid', 'processing', 'success', 'failed'].includes(order.status)
      expect(soldSatang).toBe(holdsMoney ? 14937 : 0)
    }),
  )
})
