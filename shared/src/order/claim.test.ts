import { describe, expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { addSeconds } from '../time.ts'
import { claimOrder, claimUntilFrom, completeOrder, lapsedClaimOf, releaseClaim, releaseLapsed } from './claim.ts'
import { failOrder, markPaid, type NewOrder, type Order, type OrderEvent, placeOrder } from './order.ts'
import { staffCommandsOf } from './staff-command.ts'
import type { Actor } from './status.ts'

const now = new Date('2026-11-20T07:00:00Z')
const staff: Actor = { uid: 's1', role: 'staff' }
const other: Actor = { uid: 's2', role: 'staff' }
const manager: Actor = { uid: 'm1', role: 'manager' }
const draft: NewOrder = {
  id: 'o',
  orderNo: 'n',
  buyerUid: 'c1',
  gameId: 1,
  packageId: 2,
  playerId: '1',
  playerName: null,
  payment: 'bank',
  quantity: 1,
  priceSatang: 14900,
  tailSatang: 37,
  costSatang: null,
  receivingAccountId: 1,
  walletId: null,
  creditId: null,
  creditSatang: 0,
}
const placed = placeOrder(draft, 15, { uid: 'c1', role: 'customer' }, now)
const paid = markPaid(placed.order, other, 'x', now)
const claimed = claimOrder(paid.order, staff, now)
const lapsed = releaseLapsed(claimed.order, claimUntilFrom(now))
const LARGE = 2_000_000

function codeOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
  return 'accepted'
}

describe('a lease', () => {
  test('begins with the claim, lasts fifteen minutes, and ends with every change of the order', () => {
    expect(claimed.order.claimUntil).toEqual(addSeconds(now, 900))
    for (const { order } of [
      releaseClaim(claimed.order, staff, now),
      completeOrder(claimed.order, staff, 'REF', now),
      failOrder(claimed.order, staff, 'x', now),
      lapsed,
    ])
      expect(order.claimUntil).toBeNull()
  })

  test("that ran out makes the order nobody's, by the system", () => {
    expect(lapsed.order).toMatchObject({ status: 'paid', claimedBy: null, claimedAt: null })
    expect(lapsed.event).toMatchObject({
      kind: 'claim_released',
      from: 'processing',
      to: 'paid',
      actor: { role: 'system' },
    })
    expect(lapsed.ledger).toBeNull()
    expect(() => releaseLapsed(claimed.order, addSeconds(now, 899))).toThrow('lease')
  })
})

describe('whose lease ran out last', () => {
  const untilLapsed: OrderEvent[] = [placed, paid, claimed, lapsed].map(({ event }) => event)
  const again = claimOrder(lapsed.order, other, addSeconds(now, 901))
  test.each<[string, OrderEvent[], string | null]>([
    ['it was let go by the system', untilLapsed, 's1'],
    ['somebody claimed since', [...untilLapsed, again.event], null],
    [
      'somebody claimed and gave it back',
      [...untilLapsed, again.event, releaseClaim(again.order, other, now).event],
      null,
    ],
    ['the next lease ran out, too', [...untilLapsed, again.event, lapsed.event], 's2'],
    ['they gave it back themselves', [claimed.event, releaseClaim(claimed.order, staff, now).event], null],
    ['it was never claimed', [placed.event, paid.event], null],
    ['nothing is known', [], null],
  ])('%s', (_, events, uid) => {
    expect(lapsedClaimOf(events)).toBe(uid)
  })
})

describe('completing after the lease ran out', () => {
  const complete = (actor: Actor, lapsedClaim: string | null, order: Order = lapsed.order) =>
    codeOf(() => completeOrder(order, actor, 'REF', addSeconds(now, 1000), lapsedClaim))

  test('is left to who had the claim, and to nobody else, managers neither', () => {
    expect([complete(staff, 's1'), complete(other, 's1'), complete(manager, 's1'), complete(staff, null)]).toEqual([
      'accepted',
      'ORDER_STATUS_NOT_ALLOWED',
      'ORDER_STATUS_NOT_ALLOWED',
      'ORDER_STATUS_NOT_ALLOWED',
    ])
    expect(staffCommandsOf(lapsed.order, staff, LARGE, 's1')).toContain('complete')
    expect(staffCommandsOf(lapsed.order, other, LARGE, 's1')).not.toContain('complete')
    expect(staffCommandsOf(lapsed.order, staff, LARGE)).not.toContain('complete')
  })

  test('says who delivered', () => {
    const { order, event } = completeOrder(lapsed.order, staff, ' REF ', addSeconds(now, 1000), 's1')
    expect(order).toMatchObject({ status: 'success', claimedBy: 's1', deliveryReference: 'REF', claimUntil: null })
    expect(event).toMatchObject({ from: 'paid', to: 'success', actor: staff })
  })

  test('is too late once somebody else has it', () => {
    const taken = claimOrder(lapsed.order, other, addSeconds(now, 950)).order
    expect(complete(staff, 's1', taken)).toBe('ORDER_CLAIMED_BY_OTHER')
  })
})
