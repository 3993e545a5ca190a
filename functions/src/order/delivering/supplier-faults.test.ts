import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import { getSupplier } from '@shop/shared/supplier/endpoints.ts'
import type { AttemptState, Rejection } from '@shop/shared/supplier/supplier.ts'
import { type FaultOf, faultsOf } from 'local/supplier/faults.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { signSeagm } from '../../supplier/seagm.ts'
import { BALANCE, COST, createSupplierShop, followOrder, payOrder, type SupplierShop } from '../../testing/supplier.ts'
import { checkLedger } from '../../wallet/ledger-check.ts'

/** How an order ends whose purchase meets a fault, with callbacks lost. */
type Ending =
  | { deliveredAfterSeconds: number }
  | { handedOver: AttemptState; rejection?: Rejection }
  | { staff: 'ยังไม่บอกผล' | 'ไม่พบคำสั่งซื้อ' }

const soon = { deliveredAfterSeconds: 10 }
const nowhere = { staff: 'ไม่พบคำสั่งซื้อ' } as const
const unclear = { staff: 'ยังไม่บอกผล' } as const
const refused = (rejection: Rejection): Ending => ({ handedOver: 'rejected', rejection })

const ENDING: Record<FaultOf<'seagm'>, Ending> = {
  slow: soon,
  hangAfter: soon,
  hangBefore: nowhere,
  reset: soon,
  resetBefore: nowhere,
  html: soon,
  cut: soon,
  tooMany: refused('rate'),
  repeated: soon,
  unknownCode: soon,
  noBalance: refused('balance'),
  key: refused('auth'),
  price: refused('price'),
  gone: refused('product'),
  player: { handedOver: 'failed' },
  failed: { handedOver: 'refunded' },
  forever: unclear,
  // Of one piece none was sent, though it says done.
  partial: unclear,
  lateRefund: soon,
  notFoundTwice: { deliveredAfterSeconds: 120 },
  lost: nowhere,
  unknownStatus: { deliveredAfterSeconds: 30 },
  callbackFirst: soon,
  callbackTwice: soon,
  callbackOrder: soon,
  callbackForged: soon,
  callbackNever: soon,
  // Of codes only.
  codesLate: soon,
  usedCode: soon,
}

let it: SupplierShop
beforeAll(async () => {
  it = await createSupplierShop()
})
afterAll(() => it.stop())
beforeEach(() =>
  it.db.query({ text: `UPDATE supplier SET stopped_at = NULL, stopped_for = NULL, broken_until = NULL` }),
)

const look = (orderNo: string, uid = 'staff') => it.as(uid).call(getOrderForStaff, { params: { orderNo } })

const follow = (orderNo: string) => followOrder(it, orderNo)

/** The supplier's books agree with what the shop says it bought and paid. */
async function mustAgree(): Promise<void> {
  const { register } = it.supplier
  expect(register.balanceSatang).toBe(BALANCE - register.spentSatang())
  const bought = await it.db.query<{ reference: string; orderId: string }>({
    text: `SELECT reference, order_id AS "orderId" FROM supplier_attempt WHERE state <> 'rejected'`,
  })
  const orderOf = new Map(bought.map(({ reference, orderId }) => [reference, orderId]))
  const orders = [...register.booked.keys()].map(reference => orderOf.get(reference))
  expect(orders).not.toContain(undefined)
  expect((await checkLedger(it.db)).breaches).toEqual([])
}

describe('with callbacks lost', () => {
  test.each(faultsOf('seagm'))('%s', async fault => {
    const before = it.supplier.register.booked.size
    const orderNo = await payOrder(it, fault)
    const seconds = await follow(orderNo)
    const ending = ENDING[fault]
    const seen = await look(orderNo)
    const [attempt] = seen.delivery!.attempts
    expect(seen.delivery!.attempts).toHaveLength(1)
    if ('deliveredAfterSeconds' in ending) {
      expect(seen).toMatchObject({ status: 'success', claimedBy: null })
      expect(seconds).toBe(ending.deliveredAfterSeconds)
      const booked = it.supplier.register.booked.get(attempt!.reference)!
      expect(seen.deliveryReference).toBe(booked.id)
      expect(attempt).toMatchObject({ state: 'delivered', staffCall: null })
    } else if ('handedOver' in ending) {
      expect(seen).toMatchObject({ status: 'paid', delivery: { canRetry: true, isOpen: false } })
      expect(attempt).toMatchObject({ state: ending.handedOver })
      expect(seen.timeline.at(-1)!.reason).toContain(attempt!.reference)
    } else {
      expect(seen).toMatchObject({ status: 'processing', delivery: { canRetry: false, isOpen: true } })
      expect(attempt!.staffCall).toContain(ending.staff)
      expect((await it.as('staff').call(getSupplier, {})).unclearOrderNos).toContain(orderNo)
    }
    const isBooked = it.supplier.register.booked.size - before
    expect(isBooked).toBe(
      'handedOver' in ending && ending.handedOver === 'rejected'
        ? 0
        : ['hangBefore', 'resetBefore'].includes(fault)
          ? 0
          : 1,
    )
    await mustAgree()
  })
})

describe('callbacks', () => {
  test.each(['slow', 'callbackFirst', 'callbackTwice', 'callbackOrder'] as const)(
    '%s: the order is done as soon as it is told, and the supplier was asked',
    async fault => {
      const orderNo = await payOrder(it, fault)
      await it.drain()
      it.clock.advance(4)
      await it.supplier.tellDue()
      await it.drain()
      expect(await look(orderNo)).toMatchObject({ status: 'success' })
      const [attempt] = (await look(orderNo)).delivery!.attempts
      expect(attempt!.answers.at(-1)).toMatchObject({ asked: 'status', answer: 'delivered' })
      await mustAgree()
    },
  )

  test('a forged one is refused and changes nothing', async () => {
    const orderNo = await payOrder(it, 'callbackForged')
    await it.drain()
    it.clock.advance(4)
    await it.supplier.tellDue()
    await it.drain()
    expect((await look(orderNo)).status).toBe('processing')
    const forged = { method: 'POST', body: 'mch_order_id=K1&status_code=10003&signature=00' }
    expect((await it.request('/supplier/callback', forged)).status).toBe(403)
    const long = { method: 'POST', body: 'x'.repeat(30_000) }
    expect((await it.request('/supplier/callback', long)).status).toBe(413)
  })

  test('one that somebody kept is one word in every spelling, and none after a day', async () => {
    const secretKey = it.shop.config.suppliers[0]!.keys[0]!.SEAGM_SECRET_KEY!
    const said = (timestamp: number) => {
      const params = { mch_order_id: 'K1', status_code: '10003', timestamp: String(timestamp) }
      return { params, signature: signSeagm(params, secretKey) }
    }
    const send = async (body: string) => (await it.request('/supplier/callback', { method: 'POST', body })).status
    const now = Math.floor(it.clock.now.getTime() / 1000)
    const { params, signature } = said(now)
    const form = Object.entries(params).map(([name, value]) => `${name}=${value}`)
    const spellings = [
      [...form, `signature=${signature}`].join('&'),
      [`signature=${signature.toUpperCase()}`, ...form.toReversed()].join('&'),
      [...form, `signature=${signature}`].join('&').replace('K1', '%4B1'),
      ['mch_order_id=K9', ...form, `signature=${signature}`].join('&'),
    ]
    for (const body of spellings) expect(await send(body)).toBe(200)
    expect(await it.db.query({ text: `SELECT 1 FROM supplier_callback WHERE reference = 'K1'` })).toHaveLength(1)
    const old = said(now - 86_401)
    expect(await send(new URLSearchParams({ ...old.params, signature: old.signature }).toString())).toBe(403)
  })

  test('of a purchase that staff were called for, it is still delivered when it comes', async () => {
    const orderNo = await payOrder(it, 'lost')
    await follow(orderNo)
    const [attempt] = (await look(orderNo)).delivery!.attempts
    it.supplier.register.booked.get(attempt!.reference)!.hiddenFor = 0
    await it.supplier.tellDue()
    await it.drain()
    expect((await look(orderNo)).status).toBe('success')
    expect((await it.as('staff').call(getSupplier, {})).unclearOrderNos).not.toContain(orderNo)
  })

  test('money that comes back after the goods is for people: the order stays delivered', async () => {
    const orderNo = await payOrder(it, 'lateRefund')
    await follow(orderNo)
    it.clock.advance(3600)
    await it.supplier.tellDue()
    await it.drain()
    const seen = await look(orderNo)
    expect(seen.status).toBe('success')
    expect(seen.delivery!.attempts[0]).toMatchObject({ state: 'delivered', contradiction: 'refunded' })
    expect((await it.as('staff').call(getSupplier, {})).unclearOrderNos).toContain(orderNo)
  })
})

test('what it cost is told to managers, and to nobody else', async () => {
  const orderNo = await payOrder(it)
  await follow(orderNo)
  expect((await look(orderNo, 'manager')).delivery!.attempts[0]!.costSatang).toBe(COST)
  expect((await look(orderNo)).delivery!.attempts[0]!.costSatang).toBeNull()
})
