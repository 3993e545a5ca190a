import type { Delivers } from '@shop/shared/catalogue/delivers.ts'
import type { SupplierName } from '@shop/shared/provider-names.ts'
import { GOODS_STATES, OPEN_STATES } from '@shop/shared/supplier/supplier.ts'
import { type Fault, faultsOf } from 'local/supplier/faults.ts'
import { expect, onTestFinished } from 'vitest'
import { openDrain } from '../../start/outbox-kind.ts'
import { watchSuppliers } from '../../supplier/watch.ts'
import { type Random, testAtRandom } from '../../testing/random.ts'
import {
  BALANCE,
  codesOfOrder,
  createSuppliersShop,
  openWalletBuyer,
  type SupplierShop,
} from '../../testing/supplier.ts'
import { checkLedger } from '../../wallet/ledger-check.ts'

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
async function sell(it: SupplierShop, { size, below, tell }: Random): Promise<void> {
  const buy = await openWalletBuyer(it)
  const other = openDrain(it.shop)
  const both = () => Promise.all([it.drain(), other.run()])
  const faultOf = (name: SupplierName): Fault => {
    const all: readonly Fault[] = faultsOf(name)
    const fault = below(3) === 0 ? 'slow' : all[below(all.length)]!
    tell(`a purchase at ${name} is to meet ${fault}`)
    return fault
  }
  for (let placed = 0; placed < size; placed += 10) {
    for (let n = placed; n < Math.min(placed + 10, size); n++) {
      const quantity = 1 + below(MOST_PIECES)
      tell(`${quantity} are bought by ${await buy(quantity)}`)
    }
    for (const { name, register } of it.suppliers)
      register.faults.push(...Array.from({ length: 20 }, () => faultOf(name)))
    await both()
    const seconds = below(40)
    tell(`both drains ran; ${seconds} s pass, callbacks come while both run again`)
    it.clock.advance(seconds)
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

for (const [first, second, delivers] of CASES)
  testAtRandom(
    `${first} before ${second}, faults of both at random (${delivers}): nothing is bought or delivered twice`,
    { size: 80 },
    async random => {
      const { size, isWhole } = random
      const it = await createSuppliersShop([first, second], { delivers, env: { SUPPLIER_TIMEOUT_MS: '400' } })
      onTestFinished(() => it.stop())
      await sell(it, random)
      const orders = await findOrders(it)
      expect(orders).toHaveLength(size)
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
      if (isWhole) expect(orders.filter(({ status }) => status === 'success').length).toBeGreaterThan(size / 4)
      for (const { register } of it.suppliers) expect(register.balanceSatang).toBe(BALANCE - register.spentSatang())
      expect((await checkLedger(it.db)).breaches).toEqual([])
    },
  )
