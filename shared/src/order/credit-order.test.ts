import { describe, expect, test } from 'vitest'
import type { AppError } from '../errors.ts'
import { beginCharge } from '../gateway/gateway.ts'
import { hearCharge } from './charge.ts'
import { payByLine, undoPayment } from './line-payment.ts'
import {
  amountOf,
  cancelOrder,
  dueOf,
  expireOrder,
  failOrder,
  markPaid,
  type NewOrder,
  type Order,
  placeOrder,
} from './order.ts'
import { refundOrder } from './refund.ts'
import { type Actor, SYSTEM } from './status.ts'

const now = new Date('2026-11-25T05:00:00Z')
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
const customer: Actor = { uid: 'c1', role: 'customer' }
const manager: Actor = { uid: 'm1', role: 'manager' }

const draft: NewOrder = {
  id: 'o1',
  orderNo: 'KT2611-00000001',
  buyerUid: 'c1',
  gameId: 1,
  packageId: 2,
  playerId: '51',
  playerName: null,
  payment: 'bank',
  quantity: 1,
  priceSatang: 149_00,
  tailSatang: 37,
  costSatang: null,
  receivingAccountId: 1,
  walletId: null,
  creditId: 'k',
  creditSatang: 100_00,
}
const place = (change: Partial<NewOrder> = {}) => placeOrder({ ...draft, ...change }, 15, customer, now)
const byCharge = { payment: 'promptpay', tailSatang: 0, receivingAccountId: null } as const
const alone = { ...byCharge, payment: 'credit', creditSatang: 0 } as const
const held = { from: 'credit:k', to: 'held', amountSatang: 100_00 }
const sold = { from: 'held', to: 'sales', amountSatang: 100_00 }
const back = { kind: 'credit_returned', postings: [{ from: 'held', to: 'credit:k', amountSatang: 100_00 }] }

describe('an order that shop credit pays a part of', () => {
  test('puts the credit aside and asks for the rest', () => {
    const { order, ledger, credit } = place()
    expect([amountOf(order), dueOf(order), ledger]).toEqual([149_37, 49_37, null])
    expect(credit).toMatchObject({ kind: 'credit_held', postings: [held] })
  })

  test('is sold whole when the rest came, by whatever way', () => {
    const rest = { from: 'bank:1', to: 'sales', amountSatang: 49_37 } as const
    const { order } = place()
    expect(markPaid(order, manager, 'seen', now).ledger?.postings).toEqual([rest, sold])
    expect(markPaid(order, manager, 'seen', now).uses).toMatchObject({ amountSatang: 49_37 })
    const uses = markPaid(order, SYSTEM, null, now).uses!
    const paid = payByLine(order, SYSTEM, { reason: 'line', postings: [rest], uses }, now)
    expect(paid.ledger?.postings).toEqual([rest, sold])
  })

  test('is charged for the rest', () => {
    const { order } = place(byCharge)
    const due = { orderId: order.id, topUpId: null, amountSatang: dueOf(order), expiresAt: order.expiresAt! }
    const ask = { id: 'ch', gateway: 'opn', method: 'promptpay', surchargeSatang: 2_00, isLive: false } as const
    const charge = beginCharge(due, ask, now)
    expect(charge.amountSatang).toBe(51_00)
    const told = { reference: 'r', chargeId: 'ch', amountSatang: 51_00, currency: 'thb', isLive: false, goneBack: null }
    const paid = hearCharge(charge, { ...told, state: { kind: 'paid', at: now, feeSatang: null } }, order, now)
    expect(paid.pays?.ledger?.postings).toEqual([{ from: 'gateway:opn', to: 'sales', amountSatang: 49_00 }, sold])
  })

  test('gives the credit back when it ends unpaid, once', () => {
    const { order } = place()
    expect(cancelOrder(order, customer, null, now).credit).toMatchObject(back)
    const expired = expireOrder(order, later(21))
    expect(expired.credit).toMatchObject(back)
    const reported: Order = { ...expired.order, transferReportedAt: later(22) }
    expect(cancelOrder(reported, manager, 'no money', later(30)).credit).toBeUndefined()
  })

  test('can not be paid any more then: its buyer may have spent the credit', () => {
    const { order } = expireOrder(place().order, later(21))
    const act = () => markPaid(order, manager, 'late', later(30))
    expect(act).toThrow(expect.objectContaining({ code: 'CREDIT_RETURNED' } satisfies Partial<AppError>))
  })

  test('holds the credit again when its payment is undone, and gives it back when its time is over', () => {
    const { order, ledger } = markPaid(place().order, SYSTEM, null, now)
    const sale = { ...ledger!, id: 's', subjectId: 'o1', at: now }
    const undo = (at: Date) =>
      undoPayment(order, sale, { actor: manager, reason: 'not its money', canWait: at === now }, at)
    const unsold = { from: 'sales', to: 'held', amountSatang: 100_00 }
    expect(undo(now).ledger?.postings).toContainEqual(unsold)
    expect(undo(now).credit).toBeUndefined()
    expect(undo(later(60)).credit).toMatchObject(back)
  })

  test('is refunded to where each part came from', () => {
    const paid = markPaid(place().order, SYSTEM, null, now).order
    const failed = failOrder({ ...paid, status: 'processing' }, manager, 'no stock', now).order
    const { ledger, owed, order } = refundOrder(failed, manager, 'no stock', now)
    expect(ledger?.postings).toEqual([
      { from: 'sales', to: 'refunds', amountSatang: 49_37 },
      { from: 'sales', to: 'credit:k', amountSatang: 100_00 },
    ])
    expect([owed?.amountSatang, order.status]).toEqual([49_37, 'refunding'])
  })
})

describe('an order that shop credit pays whole', () => {
  test('is paid when it is placed', () => {
    const { order, ledger, credit } = place(alone)
    expect([order.status, order.expiresAt, credit]).toEqual(['paid', null, undefined])
    expect(ledger?.postings).toEqual([{ from: 'credit:k', to: 'sales', amountSatang: 149_00 }])
  })

  test('is refunded at once', () => {
    const { order } = place(alone)
    const refunded = refundOrder(order, manager, 'no stock', now)
    expect([refunded.order.status, refunded.owed]).toEqual(['refunded', undefined])
    expect(refunded.ledger?.postings).toEqual([{ from: 'sales', to: 'credit:k', amountSatang: 149_00 }])
  })
})
