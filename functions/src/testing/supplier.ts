import { randomUUID } from 'node:crypto'
import type { Delivers } from '@shop/shared/catalogue/delivers.ts'
import { confirmOrder, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import type { SupplierName } from '@shop/shared/provider-names.ts'
import type { Callback } from 'local/supplier/api.ts'
import type { Fault } from 'local/supplier/faults.ts'
import { type Product, SATANG_PER_UNIT } from 'local/supplier/register.ts'
import { callbackPath, environmentOf, type RunningSupplier, startSupplier } from 'local/supplier/server.ts'
import { openDrain } from '../start/outbox-kind.ts'
import { matchLines } from '../statement/matching.ts'
import { fixture } from './fixture.ts'
import { buyByBank } from './orders.ts'
import { addAccount, createTestShop, type TestShop } from './shop.ts'
import { addLines, lineOf } from './statement.ts'
import { addWallet } from './wallet.ts'

/** A shop whose first package is delivered by stand-ins of its own. */
export interface SupplierShop extends TestShop {
  /** The first of them. */
  supplier: RunningSupplier
  suppliers: readonly RunningSupplier[]
  /** The configuration with which a server buys at all of them. */
  supplierEnvironment: Record<string, string>
  /** Runs the jobs that are due by the shop's clock. */
  drain(): Promise<void>
  /** Sends the callbacks that are due. */
  tellDue(): Promise<void>
  stop(): Promise<void>
}

export const COST = 10_000
export const BALANCE = 10_000_000
export const product: Product = {
  id: '1001',
  category: { id: '7', name: 'PUBG Mobile' },
  name: '325 UC',
  priceSatang: COST,
  fields: ['user_id'],
}

/** @param more what the supplier sells beside the first package */
export const createSupplierShop = (
  env: Record<string, string> = {},
  more: readonly Product[] = [],
): Promise<SupplierShop> => createSuppliersShop(['seagm'], { env, more })

interface SuppliersShop {
  env?: Record<string, string>
  more?: readonly Product[]
  delivers?: Delivers
}

/** A shop that asks these suppliers, in this order, for its first package. */
export async function createSuppliersShop(
  names: readonly SupplierName[],
  { env = {}, more = [], delivers = 'top_up' }: SuppliersShop = {},
): Promise<SupplierShop> {
  const shopParts: { it?: TestShop } = {}
  const now = () => shopParts.it?.clock.now ?? new Date()
  const products = [{ ...product, delivers }, ...more]
  const start = (name: SupplierName) => {
    const tell = async (callback: Callback) =>
      void (await shopParts.it!.request(callbackPath(name), { method: 'POST', ...callback }))
    return startSupplier({ name, port: 0, products, balanceSatang: BALANCE, now, tell })
  }
  const suppliers = await Promise.all(names.map(start))
  const supplierEnvironment = environmentOf(suppliers)
  const it = await createTestShop({ ...supplierEnvironment, SUPPLIER_TIMEOUT_MS: '1500', ...env })
  shopParts.it = it
  await switchOn(it, names, delivers)
  const drain = openDrain(it.shop)
  return {
    ...it,
    supplier: suppliers[0]!,
    suppliers,
    supplierEnvironment,
    drain: () => drain.run(),
    tellDue: async () => void (await Promise.all(suppliers.map(each => each.tellDue()))),
    stop: async () => void (await Promise.all([...suppliers.map(each => each.stop()), it.db.close()])),
  }
}

/** As a manager would have done. */
export async function switchOn(
  { db }: TestShop,
  names: readonly SupplierName[] = ['seagm'],
  delivers: Delivers = 'top_up',
): Promise<void> {
  const sources = names.map(supplier => ({ supplier, sku: product.id, costSatang: null }))
  await db.query({
    text: `UPDATE package SET cost_satang = $2, sources = $3, delivers = $4, is_automatic = true WHERE id = $1`,
    values: [fixture.pubg.package, COST, JSON.stringify(sources), delivers],
  })
  await db.query({ text: `INSERT INTO supplier (name, is_on) SELECT unnest($1::text[]), true`, values: [names] })
  await db.query({
    text: `INSERT INTO currency_rate (currency, satang_per_unit, source, at)
      SELECT key, value::numeric, 'test', $2 FROM json_each_text($1) WHERE key <> 'THB'`,
    values: [JSON.stringify(SATANG_PER_UNIT), new Date()],
  })
}

let buyers = 0

async function placeOrder(it: SupplierShop) {
  const uid = `supplied-${++buyers}`
  await addAccount(it, uid, 'customer')
  return buyByBank(it.as(uid))
}

/** Brings the line of an order's money, and has it matched. */
export async function bringLine(it: TestShop, amountSatang: number): Promise<void> {
  await addLines(it, [lineOf({ amountSatang, at: it.clock.now })])
  await matchLines(it.shop)
}

/** A new customer's order that its statement line paid; the supplier shows the faults at the next purchases. */
export async function payOrder(it: SupplierShop, ...faults: Fault[]): Promise<string> {
  const { orderNo, amountSatang } = await placeOrder(it)
  it.supplier.register.faults = faults
  await bringLine(it, amountSatang)
  return orderNo
}

/** A new customer's order that somebody marked paid, for which nothing else speaks. */
export async function markOrderPaid(
  it: SupplierShop,
  by = 'staff',
): Promise<{ orderNo: string; amountSatang: number }> {
  const { orderNo, amountSatang } = await placeOrder(it)
  await it.as(by).call(updateOrderStatus, { body: { orderNo, status: 'paid', reason: 'เห็นเงินเข้า' } })
  return { orderNo, amountSatang }
}

/** From now on the shop's supplier sells one piece at a time. */
export function sellOneAtATime({ shop }: SupplierShop): void {
  const { seagm } = shop.suppliers
  shop.suppliers = { seagm: { ...seagm!, capabilities: { ...seagm!.capabilities, mostPieces: 1 } } }
}

/** Orders of one agent, paid from the wallet as they are placed; this many pieces each. */
export async function openWalletBuyer(it: TestShop): Promise<(quantity: number) => Promise<string>> {
  await addWallet(it.db, { uid: 'agent', balanceSatang: 100_000_000, pin: '1234', now: it.clock.now })
  return async quantity => {
    const body = {
      gameId: fixture.pubg.id,
      packageId: fixture.pubg.package,
      playerId: '51',
      termsVersion: '1',
      pin: '1234',
    }
    const order = await it.as('agent').call(confirmOrder, { body: { ...body, quantity }, idempotencyKey: randomUUID() })
    return order.orderNo
  }
}

/** When an open purchase is asked about, in seconds after it was sent. */
const ASKED_AT = [10, 30, 120, 300, 900]

/** Lets the shop ask at each of its times; returns the seconds after which the order was not under way any more. */
export async function followOrder(it: SupplierShop, orderNo: string): Promise<number> {
  const isUnderWay = async () =>
    (await it.as('staff').call(getOrderForStaff, { params: { orderNo } })).status === 'processing'
  await it.drain()
  let passed = 0
  for (const at of ASKED_AT) {
    if (!(await isUnderWay())) return passed
    it.clock.advance(at - passed - 1)
    await it.drain()
    it.clock.advance(1)
    await it.drain()
    passed = at
  }
  return passed
}

/** The codes that an order's buyer has, in no order. */
export async function codesOfOrder({ db, shop }: TestShop, orderNo: string): Promise<string[]> {
  const rows = await db.query<{ id: string; sealed: string }>({
    text: `SELECT v.id, v.sealed FROM voucher v JOIN orders o ON o.id = v.order_id WHERE o.order_no = $1 AND v.state = 'sold'`,
    values: [orderNo],
  })
  return Promise.all(rows.map(async ({ id, sealed }) => (await shop.vouchers!.open(id, sealed)).code))
}
