import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import {
  importCodes,
  listStock,
  listVouchers,
  previewCodes,
  type Stock,
  type VoucherView,
} from '@shop/shared/voucher/endpoints.ts'
import { openDrain } from '../start/outbox-kind.ts'
import { findSealed } from '../voucher/stock-store.ts'
import { refreshOut } from '../voucher/store.ts'
import { fixture } from './fixture.ts'
import { buyByBank } from './orders.ts'
import { addAccount, createTestShop, onceKey, type TestCaller, type TestShop } from './shop.ts'
import { bringLine, openWalletBuyer } from './supplier.ts'

/** As a manager would have done: the first package delivers codes of the shop's own stock. */
export async function sellCodes({ db }: TestShop, packageId: number = fixture.pubg.package): Promise<void> {
  await db.query({
    text: `UPDATE package SET delivers = 'code', sources = $2, cost_satang = 9900, is_automatic = true, low_stock = 2 WHERE id = $1`,
    values: [packageId, JSON.stringify([{ supplier: 'stock', sku: '', costSatang: null }])],
  })
}

/** Lets a manager look at a file of codes. */
export const lookAt = (
  it: TestShop,
  text: string,
  { by = 'manager', packageId = fixture.pubg.package }: { by?: string; packageId?: number } = {},
) => it.as(by).call(previewCodes, { params: { packageId }, file: new Blob([text]) })

/** Imports codes, one on each line or as a file has them. */
export async function stockUp(
  it: TestShop,
  lines: readonly string[],
  { by = 'manager', packageId = fixture.pubg.package as number, costSatang = 9000, name = 'ชุดทดสอบ' } = {},
) {
  const { draftId } = await lookAt(it, lines.join('\n'), { by, packageId })
  return it.as(by).call(importCodes, { body: { draftId, name, costSatang }, idempotencyKey: onceKey() })
}

let names = 0
/** Codes that nobody has had before. */
export function codes(n: number): string[] {
  const of = ++names
  return Array.from({ length: n }, (_, at) => `GAME${of}-${String(at).padStart(5, '0')}-ZX`)
}

/** A shop whose first package delivers codes of the shop's own stock. */
export type CodeShop = Awaited<ReturnType<typeof createCodeShop>>

export async function createCodeShop(env: Record<string, string> = {}) {
  const it = await createTestShop(env)
  await sellCodes(it)
  const buyByWallet = await openWalletBuyer(it)
  const { run } = openDrain(it.shop)
  const list = async (query: Record<string, unknown>): Promise<VoucherView[]> =>
    (await it.as('manager').call(listVouchers, { query: { ...query, pageSize: 100 } })).rows
  return {
    ...it,
    ...buyersOf(it, run, buyByWallet),
    drain: () => run(),
    list,
    stock: async (): Promise<Stock> => (await it.as('manager').call(listStock, {})).rows[0]!,
    look: (orderNo: string) => it.as('manager').call(getOrderForStaff, { params: { orderNo } }),
    /** Leaves nothing to sell of what other tests brought. */
    async empty(): Promise<void> {
      await it.db.query({ text: `UPDATE voucher SET state = 'withdrawn' WHERE state IN ('free', 'reserved')` })
      await refreshOut(it.shop.db, null, '2026-11-20')
    },
    /** The audit entries of an action, the oldest first. */
    entries: (action: string) =>
      it.db.query<{ after: Record<string, unknown> }>({
        text: 'SELECT after FROM audit_entry WHERE action = $1 ORDER BY id',
        values: [action],
      }),
    async costOf(orderNo: string): Promise<number | null> {
      const text = 'SELECT cost_satang AS cost FROM orders WHERE order_no = $1'
      const [row] = await it.db.query<{ cost: number | null }>({ text, values: [orderNo] })
      return row!.cost
    },
    /** The codes of an order, as their keeper would read them. */
    async opened(orderNo: string, state = 'sold'): Promise<string[]> {
      const all = await Promise.all((await list({ orderNo, state })).map(({ id }) => findSealed(it.db, id)))
      return all.map(row => it.shop.vouchers!.open(row!.id, row!.sealed).code).sort()
    },
    isKept: (text: string) => isKept(it, text),
  }
}

function buyersOf(it: TestShop, drain: () => Promise<unknown>, buyByWallet: (quantity: number) => Promise<string>) {
  const customer = async (): Promise<TestCaller> => {
    const uid = `code-buyer-${++names}`
    await addAccount(it, uid, 'customer')
    return it.as(uid)
  }
  return {
    customer,
    /** A new customer's order that its statement line paid, delivered. */
    async buy(caller?: TestCaller): Promise<{ orderNo: string }> {
      const { orderNo, amountSatang } = await buyByBank(caller ?? (await customer()))
      await bringLine(it, amountSatang)
      await drain()
      return { orderNo }
    },
    /** An agent's order of several pieces from the wallet, delivered. */
    async buyMany(quantity: number): Promise<string> {
      const orderNo = await buyByWallet(quantity)
      await drain()
      return orderNo
    },
  }
}

/** Whether a text stands anywhere in what the database keeps beside the encrypted codes. */
async function isKept({ db }: TestShop, text: string): Promise<boolean> {
  const tables = await db.query<{ name: string }>({
    text: `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  })
  for (const { name } of tables) {
    const query = `SELECT FROM "${name}" t WHERE strpos(t::text, $1) > 0 LIMIT 1`
    if ((await db.query({ text: query, values: [text] })).length > 0) return true
  }
  return false
}
