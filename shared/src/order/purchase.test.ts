import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import type { Caller } from '../permissions.ts'
import {
  decidePlacing,
  freeTail,
  type PlacingFacts,
  type PlacingRequest,
  purchaseBarrier,
  quantityLimit,
  quote,
} from './purchase.ts'

const now = new Date('2026-11-20T07:00:00Z')
const price = {
  priceSatang: 14_900,
  startDay: '2026-01-01',
  endDay: null,
  isActive: true,
  nextPriceSatang: null,
  nextDay: null,
}
const limits = { balanceSatang: 1000_00, maxAmountPerOrderSatang: 600_00, maxItemPerOrder: 10 }

const facts: PlacingFacts = {
  game: {
    id: 1,
    fieldsOn: [true, true, true, true, true],
    fieldLabels: ['Player ID', 'Zone', '', '', ''],
    fieldFormats: [],
  },
  package: { id: 2, gameId: 1, name: '325 UC', costSatang: null, delivers: 'top_up' },
  price,
  discountSatang: 0,
  allowsGuests: true,
  wallet: { id: 'w', ...limits },
  credit: null,
  receivingAccount: { id: 7 },
  takenTails: [],
  tailsAtSatang: 14_900,
  hold: null,
  unpaidOrderNos: [],
  reportedCount: 0,
  guestSlots: [],
}
const bank: PlacingRequest = {
  gameId: 1,
  packageId: 2,
  payment: 'bank',
  quantity: 1,
  receivingAccountId: 7,
  holdId: null,
  playerId: '51',
  field2: 'z1',
  creditSatang: 0,
  termsVersion: '1',
}
const wallet: PlacingRequest = { ...bank, payment: 'wallet', quantity: 2, receivingAccountId: null }

const as = (caller: Caller) => ({ caller, isProven: caller !== 'guest' })
const decide = (request: PlacingRequest, change: Partial<PlacingFacts> = {}, caller: Caller = 'staff', draw = 0) =>
  decidePlacing(request, { ...facts, ...change }, as(caller), now, draw)

function codeOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
  return 'accepted'
}

describe('a purchase by transfer', () => {
  test('is the price in force, the first free tail and the account; no wallet, no slot for who is signed in', () => {
    expect(decide(bank)).toEqual({
      game: facts.game,
      packageName: '325 UC',
      fields: [
        { name: 'field1', label: 'Player ID', value: '51' },
        { name: 'field2', label: 'Zone', value: 'z1' },
      ],
      priceSatang: 14_900,
      costSatang: null,
      tailSatang: 1,
      receivingAccountId: 7,
      walletId: null,
      creditId: null,
      creditSatang: 0,
      guestSlot: null,
    })
  })

  test.each([
    [undefined, 'accepted'],
    [14_900, 'accepted'],
    [14_899, 'PRICE_CHANGED'],
    [0, 'PRICE_CHANGED'],
  ])('whose buyer saw %s satang for one piece: %s', (seenPriceSatang, code) => {
    expect(codeOf(() => decide({ ...bank, seenPriceSatang }))).toBe(code)
    // The price of one piece, however many are bought.
    expect(codeOf(() => decide({ ...wallet, seenPriceSatang }, {}, 'agent'))).toBe(code)
  })

  test.each<[string, Partial<PlacingFacts>, string, Caller?]>([
    ['unknown game', { game: null }, 'GAME_NOT_FOUND'],
    ['unknown package', { package: null }, 'PACKAGE_NOT_FOUND'],
    [
      "another game's package",
      { package: { id: 2, gameId: 9, name: 'x', costSatang: null, delivers: 'top_up' } },
      'PACKAGE_NOT_FOUND',
    ],
    ['an agent, who pays from the wallet', {}, 'PAYMENT_METHOD_NOT_ALLOWED', 'agent'],
    ['no price', { price: null }, 'PACKAGE_NOT_ON_SALE'],
    ['a price that is off', { price: { ...price, isActive: false } }, 'PACKAGE_NOT_ON_SALE'],
    ['guests while guest checkout is off', { allowsGuests: false }, 'GUEST_CHECKOUT_OFF', 'guest'],
    ['a closed account', { receivingAccount: null }, 'RECEIVING_ACCOUNT_NOT_FOUND'],
    ['an unpaid order', { unpaidOrderNos: ['KT'] }, 'UNPAID_ORDER_EXISTS'],
    ['three reported orders', { reportedCount: 3 }, 'TOO_MANY_UNPAID'],
    ['three unpaid guest orders of the player', { guestSlots: [2, 1, 3] }, 'TOO_MANY_UNPAID', 'guest'],
  ])('refused: %s', (_, change, code, caller = 'customer') => {
    expect(codeOf(() => decide(bank, change, caller))).toBe(code)
  })

  test('goes on with two reported orders, and in the first slot that other guests of the player left', () => {
    expect(codeOf(() => decide(bank, { reportedCount: 2 }, 'customer'))).toBe('accepted')
    expect(decide(bank, { guestSlots: [1, 3] }, 'guest').guestSlot).toBe(2)
    expect(decide(bank, { guestSlots: [2, 1] }, 'guest').guestSlot).toBe(3)
    expect(decide(bank, { guestSlots: [1, 2, 3] }, 'customer').guestSlot).toBeNull()
  })

  test('refused says which order is unpaid, or how long to wait', () => {
    expect(() => decide(bank, { unpaidOrderNos: ['KT2611-1'] })).toThrow(
      expect.objectContaining({ details: { orderNos: ['KT2611-1'] } }),
    )
    expect(() => decide(bank, { reportedCount: 3 })).toThrow(
      expect.objectContaining({ message: expect.stringContaining(' 5 นาที') }),
    )
  })

  test('by transfer no number of pieces or amount stands in the way', () => {
    const many = { payment: 'bank', quantity: 1000, unitPriceSatang: 1_000_00 } as const
    expect(purchaseBarrier({ ...many, wallet: null, creditBalanceSatang: 0 })).toBeNull()
  })

  test('with shop credit asks for the rest, which must be more than nothing', () => {
    const credit = { id: 'k', balanceSatang: 149_00 }
    const part = { ...bank, creditSatang: 100_00 }
    const rest = { credit, tailsAtSatang: 49_00 }
    expect(decide(part, rest)).toMatchObject({ priceSatang: 149_00, creditId: 'k', creditSatang: 100_00 })
    expect(codeOf(() => decide(part, { tailsAtSatang: 49_00 }))).toBe('CREDIT_TOO_LOW')
    expect(codeOf(() => decide({ ...bank, creditSatang: 149_01 }, rest))).toBe('CREDIT_TOO_LOW')
    expect(codeOf(() => decide({ ...bank, creditSatang: 149_00 }, rest))).toBe('CREDIT_COVERS_ALL')
    const held = { ...part, holdId: 'h' }
    expect(decide(held, { credit, hold: { priceSatang: 49_00, tailSatang: 7 } }).tailSatang).toBe(7)
    expect(codeOf(() => decide(held, { credit, hold: { priceSatang: 149_00, tailSatang: 7 } }))).toBe('HOLD_EXPIRED')
  })

  test('by shop credit alone needs all of the price', () => {
    const whole = { ...bank, payment: 'credit', receivingAccountId: null } as const
    const credit = { id: 'k', balanceSatang: 149_00 }
    expect(decide(whole, { credit })).toMatchObject({ creditId: 'k', creditSatang: 0, tailSatang: 0 })
    expect(codeOf(() => decide(whole, { credit: { ...credit, balanceSatang: 148_99 } }))).toBe('CREDIT_TOO_LOW')
  })

  test('asks for each active input by its label, and for no other', () => {
    const error = (() => {
      try {
        decide({ ...bank, field2: undefined })
      } catch (thrown) {
        return thrown as AppError
      }
    })()
    expect(error).toMatchObject({ code: 'PLAYER_FIELD_REQUIRED', fields: { field2: 'Zone' } })
    expect(error?.message).toContain('Zone')
    expect(
      decide(bank, {
        game: {
          id: 1,
          fieldsOn: [true, true, true, true, true],
          fieldLabels: ['Player ID', '', '', '', ''],
          fieldFormats: [],
        },
      }).fields,
    ).toHaveLength(1)
  })

  test('adopts the amount that was held at this price, and no other', () => {
    const held = { ...bank, holdId: 'h' }
    expect(decide(held, { hold: { priceSatang: 14_900, tailSatang: 42 }, takenTails: [42] }).tailSatang).toBe(42)
    expect(codeOf(() => decide(held, { hold: { priceSatang: 14_800, tailSatang: 42 } }))).toBe('HOLD_EXPIRED')
    expect(codeOf(() => decide(held))).toBe('HOLD_EXPIRED')
    expect(() => decide(bank, { tailsAtSatang: 14_800 })).toThrow('the tails were read at what is due')
  })

  test('takes a tail that is free whatever is drawn, and none when all 99 are taken', () => {
    const taken = fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 98 })
    const draw = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    fc.assert(
      fc.property(taken, draw, (takenTails, drawn) => {
        const tail = freeTail(takenTails, as('customer'), drawn)
        expect(tail).toBeGreaterThanOrEqual(1)
        expect(tail).toBeLessThanOrEqual(99)
        expect(takenTails).not.toContain(tail)
      }),
    )
    const all = Array.from({ length: 99 }, (_, index) => index + 1)
    const forCustomers = (taken: number[], drawn: number) => freeTail(taken, as('customer'), drawn)
    expect([forCustomers(all, 0), forCustomers([], 0.999), forCustomers([1], 0)]).toEqual([null, 99, 2])
    expect(decide(bank, { takenTails: all }).tailSatang).toBeNull()
  })

  test.each([as('guest'), { caller: 'customer', isProven: false } as const])(
    'strangers together never take the last third of the amounts, with an account or without: %j',
    stranger => {
      const taken: number[] = []
      for (let tail = freeTail(taken, stranger, 0.5); tail !== null; tail = freeTail(taken, stranger, 0.5))
        taken.push(tail)
      expect(taken).toHaveLength(66)
      expect(decidePlacing(bank, { ...facts, takenTails: taken }, stranger, now, 0).tailSatang).toBeNull()
      expect(decide(bank, { takenTails: taken }, 'customer').tailSatang).toBe(67)
    },
  )

  test('an account that proved nothing takes one of the slots of strangers', () => {
    const stranger = { caller: 'customer', isProven: false } as const
    expect(decidePlacing(bank, { ...facts, guestSlots: [1] }, stranger, now, 0).guestSlot).toBe(2)
    const full = { ...facts, guestSlots: [1, 2, 3] }
    expect(codeOf(() => decidePlacing(bank, full, stranger, now, 0))).toBe('TOO_MANY_UNPAID')
  })
})

describe('a purchase from the wallet', () => {
  test('is the discounted price times the pieces, without a tail', () => {
    expect(decide(wallet, { discountSatang: 900 }, 'agent')).toMatchObject({
      priceSatang: 28_000,
      tailSatang: 0,
      receivingAccountId: null,
      walletId: 'w',
      guestSlot: null,
    })
  })

  test('is not kept back by unpaid transfers', () => {
    expect(codeOf(() => decide(wallet, { unpaidOrderNos: ['KT'], reportedCount: 3 }, 'agent'))).toBe('accepted')
  })

  test.each<[string, PlacingRequest, Partial<PlacingFacts>, string, Caller?]>([
    ['no wallet', wallet, { wallet: null }, 'WALLET_NOT_FOUND'],
    ['a customer', wallet, {}, 'PAYMENT_METHOD_NOT_ALLOWED', 'customer'],
    ['too many pieces', { ...wallet, quantity: 11 }, {}, 'QUANTITY_OVER_TIER_LIMIT'],
    ['too much money for one order', { ...wallet, quantity: 5 }, {}, 'ORDER_OVER_TIER_LIMIT'],
    [
      'one satang too little',
      wallet,
      { wallet: { id: 'w', ...limits, balanceSatang: 29_799 } },
      'WALLET_BALANCE_TOO_LOW',
    ],
  ])('refused: %s', (_, request, change, code, caller = 'agent') => {
    expect(codeOf(() => decide(request, change, caller))).toBe(code)
  })

  test('may take the last satang, the last piece and the whole of the order limit', () => {
    const exact = { ...limits, balanceSatang: 600_00 }
    const barrier = (quantity: number, unitPriceSatang: number) =>
      purchaseBarrier({ payment: 'wallet', quantity, unitPriceSatang, wallet: exact, creditBalanceSatang: 0 })
        ?.message ?? null
    expect([barrier(10, 60_00), barrier(1, 600_00)]).toEqual([null, null])
    expect(barrier(11, 1)).toBe('ซื้อได้ไม่เกิน 10 ชิ้นต่อคำสั่งซื้อ')
    expect(barrier(1, 600_01)).toBe('ยอดต่อคำสั่งซื้อต้องไม่เกิน 600 บาท')
  })

  test('the quantity limit is the most pieces that no barrier stands against', () => {
    const amounts = fc.integer({ min: 1, max: 500_00 })
    fc.assert(
      fc.property(
        amounts,
        amounts,
        amounts,
        fc.integer({ min: 1, max: 20 }),
        (unitPriceSatang, balance, order, items) => {
          const some = { balanceSatang: balance, maxAmountPerOrderSatang: order, maxItemPerOrder: items }
          const isFree = (quantity: number) =>
            purchaseBarrier({ payment: 'wallet', quantity, unitPriceSatang, wallet: some, creditBalanceSatang: 0 }) ===
            null
          const { most } = quantityLimit(unitPriceSatang, some)
          expect(most).toBeGreaterThanOrEqual(1)
          expect(isFree(most + 1)).toBe(false)
          if (most > 1) expect(isFree(most)).toBe(true)
        },
      ),
    )
  })

  test.each([
    [50_00, limits, { most: 10, by: 'maxItemPerOrder' }],
    [100_00, limits, { most: 6, by: 'maxAmountPerOrderSatang' }],
    [100_00, { ...limits, balanceSatang: 250_00 }, { most: 2, by: 'balanceSatang' }],
    [60_00, limits, { most: 10, by: 'maxItemPerOrder' }],
    [0, limits, { most: 10, by: 'maxItemPerOrder' }],
    [0, { ...limits, balanceSatang: 0 }, { most: 10, by: 'maxItemPerOrder' }],
  ])('at %i satang the tightest limit of %j bounds the pieces', (unitPriceSatang, some, bound) => {
    expect(quantityLimit(unitPriceSatang, some)).toEqual(bound)
  })
})

test('the price call says what one piece costs the caller now', () => {
  expect(quote('agent', 'wallet', { ...facts, discountSatang: 900 }, now).unitPriceSatang).toBe(14_000)
  expect(quote('agent', 'wallet', { ...facts, discountSatang: 15_000 }, now).unitPriceSatang).toBe(0)
  expect(quote('guest', 'bank', { ...facts }, now).unitPriceSatang).toBe(14_900)
  expect(codeOf(() => quote('guest', 'wallet', facts, now))).toBe('PAYMENT_METHOD_NOT_ALLOWED')
})
