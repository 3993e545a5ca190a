import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { claimOrder } from './claim.ts'
import { beginDelivery } from './delivery.ts'
import { type NewOrder, type Order, placeOrder } from './order.ts'
import { type Brought, reduceOrder, reductionNow, reductionOf, reductionTextOf } from './reduce.ts'
import type { Actor } from './status.ts'

const now = new Date('2026-11-20T07:00:00Z')
const staff: Actor = { uid: 's1', role: 'staff' }
const manager: Actor = { uid: 'm1', role: 'manager' }
const draft: NewOrder = {
  id: 'o',
  orderNo: 'n',
  buyerUid: 'agent',
  gameId: 1,
  packageId: 2,
  playerId: '1',
  playerName: null,
  payment: 'wallet',
  quantity: 5,
  priceSatang: 50_000,
  tailSatang: 0,
  costSatang: 40_000,
  receivingAccountId: null,
  walletId: 'w',
  creditId: null,
  creditSatang: 0,
}
const paid = placeOrder(draft, 15, { uid: 'agent', role: 'agent' }, now).order
const came: Brought = { pieces: 3, isOpen: false, reference: 'K1' }

const codeOf = (order: Order, brought: Brought = came, seen = 3, actor = manager): string => {
  try {
    reduceOrder(order, brought, seen, actor, now)
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
  return 'OK'
}

test('an order becomes one of the pieces that came; the rest goes back to the wallet, and it is complete', () => {
  const { reduced, completed } = reduceOrder(paid, came, 3, manager, now)
  const text = 'ส่ง 3 จาก 5 ชิ้น คืน 2 ชิ้น 200.00 บาท'
  expect(reduced).toMatchObject({
    order: { quantity: 3, priceSatang: 30_000, costSatang: 24_000, status: 'paid', version: 2 },
    event: { kind: 'reduced', from: 'paid', to: 'paid', reason: text },
    ledger: {
      kind: 'order_reduced',
      postings: [{ from: 'sales', to: 'wallet:w', amountSatang: 20_000 }],
      reversesId: null,
    },
  })
  expect(completed).toMatchObject({
    order: { quantity: 3, status: 'success', version: 3, deliveryReference: 'K1', claimedBy: 'm1', endedAt: now },
    event: { kind: 'status', from: 'paid', to: 'success' },
    ledger: null,
  })
  expect(reductionTextOf([reduced.event, completed.event])).toBe(text)
  expect(reductionTextOf([completed.event])).toBeNull()
})

test('whatever the price, both parts are what was paid, and no piece is dearer than before', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 100 }),
      fc.integer({ min: 0, max: 1_000_000 }),
      fc.nat(99),
      (all, unit, nth) => {
        const pieces = 1 + (nth % (all - 1))
        const found = reductionOf({ quantity: all, priceSatang: unit * all, costSatang: null }, pieces)!
        expect([found.priceSatang, found.backSatang]).toEqual([unit * pieces, unit * (all - pieces)])
        expect(found.costSatang).toBeNull()
      },
    ),
  )
})

test('an order that a discount made free moves no money', () => {
  const free = placeOrder({ ...draft, priceSatang: 0 }, 15, { uid: 'agent', role: 'agent' }, now).order
  expect(reduceOrder(free, came, 3, manager, now).reduced.ledger).toBeNull()
})

describe('it is refused', () => {
  const claimed = claimOrder(paid, staff, now).order
  test.each<[string, Order, string, Parameters<typeof codeOf>[1]?, number?, Actor?]>([
    ['where none came', paid, 'PIECES_CHANGED', { ...came, pieces: 0, reference: null }, 0],
    ['where all came', paid, 'PIECES_CHANGED', { ...came, pieces: 5 }, 5],
    ['where another number came than was seen', paid, 'PIECES_CHANGED', { ...came, pieces: 4 }, 3],
    ['while more may come', paid, 'DELIVERY_NOT_ENDED', { ...came, isOpen: true }],
    ['while the shop itself delivers it', beginDelivery(paid, now).order, 'DELIVERY_NOT_ENDED'],
    ['to another than who has it', claimed, 'ORDER_CLAIMED_BY_OTHER', came, 3, { uid: 's2', role: 'staff' }],
    ['to its buyer', { ...paid, buyerUid: 'm1' }, 'OWN_ORDER'],
    ['where it ended', { ...paid, status: 'success' }, 'ORDER_STATUS_NOT_ALLOWED'],
    ['where it failed', { ...paid, status: 'failed' }, 'ORDER_STATUS_NOT_ALLOWED'],
  ])('%s', (_, order, code, brought, seen, actor) => {
    expect(codeOf(order, brought, seen, actor)).toBe(code)
  })

  test('and not offered then', () => {
    expect(reductionNow(paid, came)).toMatchObject({ missingPieces: 2, backSatang: 20_000 })
    expect(reductionNow(claimed, came)).not.toBeNull()
    expect(reductionNow(beginDelivery(paid, now).order, came)).toBeNull()
    expect(reductionNow(paid, { ...came, isOpen: true })).toBeNull()
    expect(reductionNow({ ...paid, status: 'success' }, came)).toBeNull()
    expect(reductionNow(paid, { ...came, pieces: 5 })).toBeNull()
  })
})
