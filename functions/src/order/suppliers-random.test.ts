import { randomInt } from 'node:crypto'
import type { Delivers } from '@shop/shared/catalogue/delivers.ts'
import type { SupplierName } from '@shop/shared/provider-names.ts'
import { GOODS_STATES, OPEN_STATES } from '@shop/shared/supplier/supplier.ts'
import { type Fault, faultsOf } from 'local/supplier/faults.ts'
import { expect, test } from 'vitest'
import { openDrain } from '../outbox-kind.ts'
import { watchSuppliers } from '../supplier/watch.ts'
import { randomFrom } from '../testing/random.ts'
import { BALANCE, codesOfOrder, createSuppliersShop, openWalletBuyer, type SupplierShop } from '../testing/supplier.ts'
import { checkLedger } from '../wallet/ledger-check.ts'

const ORDERS = 80
const MOST_PIECES = 4

const CASES: [SupplierName, SupplierName, Delivers][] = [
  ['gamesdrop', 'seagm', 'top_up'],
  ['kinguin', 'gamesdrop', 'code'],
]

interface Row {
  orderNo: string
  status: string
  quantity: number
  /** Its purchases, the oldest first. */
  attempts: { reference: string; state: string; isWithStaff: boolean }[]
}
const findOrders = ({ db }: SupplierShop): Promise<Row[]> =>
  db.query<Row>({
    text: `SELECT o.order_no AS "orderNo", o.status, o.quantity, coalesce((SELECT json_agg(json_build_object('reference', a.reference,
        'state', a.state, 'isWithStaff', a.is_with_staff) ORDER BY a.id) FROM supplier_attempt a WHERE a.order_id = o.id), '[]') AS attempts
      FROM orders o`,
  })

/** Sells with a fault at two of three purchases, while two servers work and callbacks come at any time. */
async function sell(it: SupplierShop, random: (below: number) => number): Promise<void> {
  const buy = await openWalletBuyer(it)
  const other = openDrain(it.shop)
  const both = () => Promise.all([it.drain(), other.run()])
  const faultOf = (name: SupplierName): Fault => {
    const all: readonly Fault[] = faultsOf(name)
    return random(3) === 0 ? 'slow' : all[random(all.length)]!
  }
  for (let placed = 0; placed < ORDERS; placed += 10) {
    for (let n = 0; n < 10; n++) await buy(1 + random(MOST_PIECES))
    for (const { name, register } of it.suppliers)
      register.faults.push(...Array.from({ length: 20 }, () => faultOf(name)))
    await both()
    it.clock.advance(random(40))
    await Promise.all([it.tellDue(), both()])
    // What a refusal stopped, a manager lets go on.
    await it.db.query({ text: `UPDATE supplier SET stopped_at = NULL, stopped_for = NULL` })
  }
  for (const { register } of it.suppliers) register.faults = []
  // Pieces that are sold one by one are asked about one after the other.
  for (let piece = 0; piece < MOST_PIECES; piece++)
    for (const seconds of [10, 30, 120, 300, 900]) {
      it.clock.advance(seconds)
      await watchSuppliers(it.shop)
      await both()
    }
}

test.each(CASES)(
  '%s before %s, faults of both at random (%s): nothing is bought or delivered twice',
  async (first, second, delivers) => {
    const seed = randomInt(2 ** 31)
    console.log(`seed ${seed}`)
    const draw = randomFrom(seed)
    const it = await createSuppliersShop([first, second], { delivers, env: { SUPPLIER_TIMEOUT_MS: '400' } })
    await sell(it, below => Math.floor(draw() * below))
    const orders = await findOrders(it)
    expect(orders).toHaveLength(ORDERS)
    const booked = new Map(
      it.suppliers.flatMap(({ register }) => [...register.booked].map(([key, value]) => [key, { register, value }])),
    )
    const known = new Set(orders.flatMap(({ attempts }) => attempts.map(({ reference }) => reference)))
    for (const reference of booked.keys()) expect(known).toContain(reference)
    for (const { orderNo, status, quantity, attempts } of orders) {
      // Only a refusal or a part lets another purchase follow.
      for (const { state } of attempts.slice(0, -1)) expect(['rejected', 'part'], orderNo).toContain(state)
      const bought = attempts.flatMap(({ reference }) => booked.get(reference) ?? [])
      const kept = bought.filter(({ value }) => value.givenBackSatang < value.costSatang)
      const pieces = kept.reduce((sum, { register, value }) => sum + register.piecesOf(value), 0)
      expect(pieces, orderNo).toBeLessThanOrEqual(quantity)
      for (const { reference, state } of attempts) if (state === 'rejected') expect(booked.has(reference)).toBe(false)
      const last = attempts.at(-1)
      const isOpen = last !== undefined && (OPEN_STATES as string[]).includes(last.state)
      expect(status === 'processing', orderNo).toBe(isOpen)
      if (isOpen) expect(last.isWithStaff, orderNo).toBe(true)
      if (status === 'success') expect(GOODS_STATES, orderNo).toContain(last!.state)
      if (delivers === 'top_up') continue
      const codes = await codesOfOrder(it, orderNo)
      if (status === 'success') expect(codes, orderNo).toHaveLength(quantity)
      expect(codes.length).toBeLessThanOrEqual(quantity)
      const theirs = bought.flatMap(({ value }) => value.codes)
      for (const code of codes) expect(theirs).toContain(code)
    }
    expect(orders.filter(({ status }) => status === 'success').length).toBeGreaterThan(ORDERS / 4)
    for (const { register } of it.suppliers) expect(register.balanceSatang).toBe(BALANCE - register.spentSatang())
    expect((await checkLedger(it.db)).breaches).toEqual([])
    await it.stop()
  },
)
