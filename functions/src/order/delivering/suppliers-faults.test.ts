import type { Delivers } from '@shop/shared/catalogue/delivers.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import type { SupplierName } from '@shop/shared/provider-names.ts'
import { ATTEMPT_STATE } from '@shop/shared/supplier/supplier.ts'
import { type Fault, type FaultOf, faultsOf } from 'local/supplier/faults.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  BALANCE,
  codesOfOrder,
  createSuppliersShop,
  followOrder,
  payOrder,
  type SupplierShop,
} from '../../testing/supplier.ts'
import { checkLedger } from '../../wallet/ledger-check.ts'

/**
 * How an order ends whose purchase meets a fault at the first of two suppliers: it brings the goods, the second one
 * does, nobody knows, or staff have the order because the purchase ended without goods.
 */
type Ending = 'first' | 'second' | 'open' | 'staff'

const EVERYWHERE = {
  slow: 'first',
  hangAfter: 'first',
  hangBefore: 'open',
  reset: 'first',
  resetBefore: 'open',
  html: 'first',
  cut: 'first',
  tooMany: 'open',
  repeated: 'first',
  unknownCode: 'first',
  noBalance: 'second',
  key: 'second',
  price: 'second',
  gone: 'second',
  failed: 'staff',
  forever: 'open',
  lateRefund: 'first',
  notFoundTwice: 'first',
  lost: 'open',
  unknownStatus: 'first',
  codesLate: 'first',
  usedCode: 'staff',
} as const satisfies Partial<Record<Fault, Ending>>
const CALLBACKS = {
  callbackFirst: 'first',
  callbackTwice: 'first',
  callbackOrder: 'first',
  callbackForged: 'first',
  callbackNever: 'first',
} as const satisfies Partial<Record<Fault, Ending>>

const GAMESDROP: Record<FaultOf<'gamesdrop'>, Ending> = {
  ...EVERYWHERE,
  player: 'staff',
  wrongPrice: 'second',
  unavailable: 'open',
  canceled: 'staff',
  noSearch: 'open',
}
const KINGUIN: Record<FaultOf<'kinguin'>, Ending> = {
  ...EVERYWHERE,
  ...CALLBACKS,
  // Of one key none.
  someKeys: 'staff',
  noOffer: 'second',
  locked: 'open',
  canceled: 'staff',
}
const SEAGM: Record<FaultOf<'seagm'>, Ending> = {
  ...EVERYWHERE,
  ...CALLBACKS,
  // Its documents name this answer as a refusal.
  tooMany: 'second',
  player: 'staff',
  partial: 'open',
}

/** Purchases that were refused before they were booked. */
const REFUSED: readonly Fault[] = ['noBalance', 'key', 'price', 'gone', 'wrongPrice', 'noOffer']
const UNBOOKED: readonly Fault[] = ['hangBefore', 'resetBefore', 'tooMany', 'unavailable', 'locked', ...REFUSED]

interface Case {
  first: SupplierName
  second: SupplierName
  delivers: Delivers
  endings: Partial<Record<Fault, Ending>>
}
const CASES: Case[] = [
  {
    first: 'gamesdrop',
    second: 'seagm',
    delivers: 'top_up',
    endings: { ...GAMESDROP, codesLate: 'first', usedCode: 'first' },
  },
  { first: 'gamesdrop', second: 'kinguin', delivers: 'code', endings: GAMESDROP },
  { first: 'kinguin', second: 'gamesdrop', delivers: 'code', endings: KINGUIN },
  { first: 'seagm', second: 'gamesdrop', delivers: 'code', endings: SEAGM },
]

describe.each(CASES)('$first before $second ($delivers)', ({ first, second, delivers, endings }) => {
  let it: SupplierShop
  beforeAll(async () => {
    it = await createSuppliersShop([first, second], { delivers, env: { SUPPLIER_TIMEOUT_MS: '500' } })
  })
  afterAll(() => it.stop())
  beforeEach(async () => {
    // No rest after unclear answers, and no spoilt offer of the test before.
    it.clock.advance(700)
    await it.db.query({ text: `UPDATE supplier SET stopped_at = NULL, stopped_for = NULL, broken_until = NULL` })
  })

  test.each(faultsOf(first))('%s', async fault => {
    const [one, two] = it.suppliers.map(({ register }) => register)
    const before = [one!.booked.size, two!.booked.size] as const
    const orderNo = await payOrder(it, fault)
    await followOrder(it, orderNo)
    const seen = await it.as('staff').call(getOrderForStaff, { params: { orderNo } })
    const { attempts, isOpen } = seen.delivery!
    const ending = endings[fault]!
    const isPlayersRefusal = fault === 'player' && first === 'gamesdrop' && delivers === 'top_up'
    const bought = [one!.booked.size - before[0], two!.booked.size - before[1]]
    const isBooked = !UNBOOKED.includes(fault) && !isPlayersRefusal
    expect(bought).toEqual([isBooked ? 1 : 0, ending === 'second' ? 1 : 0])
    expect(attempts.map(({ supplier }) => supplier)).toEqual(ending === 'second' ? [second, first] : [first])
    expect([seen.status, isOpen]).toEqual(
      { first: ['success', false], second: ['success', false], open: ['processing', true], staff: ['paid', false] }[
        ending
      ],
    )
    if (ending === 'second') expect(attempts[1]!.state).toBe('rejected')
    if (ending === 'staff') expect(ATTEMPT_STATE[attempts[0]!.state].hasGoods).toBe(false)
    const sold = ending === 'first' ? one! : two!
    const codes = await codesOfOrder(it, orderNo)
    const isDelivered = ending === 'first' || ending === 'second'
    expect(codes).toEqual(delivers === 'code' && isDelivered ? sold.booked.get(attempts[0]!.reference)!.codes : [])
    for (const register of [one!, two!]) expect(register.balanceSatang).toBe(BALANCE - register.spentSatang())
    expect((await checkLedger(it.db)).breaches).toEqual([])
  })

  test('a callback is heard only with what the supplier signs it with', async () => {
    const forged = { method: 'POST', body: '{}', headers: { 'x-event-secret': 'somebody else' } }
    for (const name of [first, second])
      expect((await it.request(`/supplier/callback/${name}`, forged)).status, name).toBe(403)
  })
})
