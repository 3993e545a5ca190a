import { randomUUID } from 'node:crypto'
import { confirmOrder, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import type { Fault, Product } from 'local/supplier/register.ts'
import { type RunningSupplier, startSupplier } from 'local/supplier/server.ts'
import { openDrain } from '../outbox-kind.ts'
import { matchLines } from '../statement/matching.ts'
import { fixture } from './fixture.ts'
import { buyByBank } from './orders.ts'
import { addAccount, createTestShop, type TestShop } from './shop.ts'
import { addLines, lineOf } from './statement.ts'
import { addWallet } from './wallet.ts'

/** A shop whose first package is delivered by a supplier of its own. */
export interface SupplierShop extends TestShop {
  supplier: RunningSupplier
  /** Runs the jobs that are due by the shop's clock. */
  drain(): Promise<void>
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
export async function createSupplierShop(
  env: Record<string, string> = {},
  more: readonly Product[] = [],
): Promise<SupplierShop> {
  const shopParts: { it?: TestShop } = {}
  const now = () => shopParts.it?.clock.now ?? new Date()
  const tell = async (body: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    await shopParts.it!.request('/supplier/callback', { method: 'POST', body, headers })
  }
  const supplier = await startSupplier({ port: 0, products: [product, ...more], balanceSatang: BALANCE, now, tell })
  const it = await createTestShop({ ...supplier.environment, SUPPLIER_TIMEOUT_MS: '1500', ...env })
  shopParts.it = it
  await switchOn(it)
  const drain = openDrain(it.shop)
  return {
    ...it,
    supplier,
    drain: () => drain.run(),
    stop: async () => void (await Promise.all([supplier.stop(), it.db.close()])),
  }
}

/** As a manager would have done. */
export async function switchOn({ db }: TestShop): Promise<void> {
  await db.query({
    text: `UPDATE package SET cost_satang = $2, sources = $3, is_automatic = true WHERE id = $1`,
    values: [fixture.pubg.package, COST, JSON.stringify([{ supplier: 'seagm', sku: product.id, costSatang: null }])],
  })
  await db.query({ text: `INSERT INTO supplier (name, is_on) VALUES ('seagm', true)` })
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
