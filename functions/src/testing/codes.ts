import { bangkokDay } from '@shop/shared/time.ts'
import type { PlainCode } from '../supplier/provider.ts'
import { insertVouchers, refreshOut, sellReserved } from '../voucher/store.ts'
import { fixture } from './fixture.ts'
import type { TestShop } from './shop.ts'

/** Makes the first package one that delivers codes of the shop's own stock. */
export async function sellCodes({ db }: Pick<TestShop, 'db'>, sources: readonly object[] = [STOCK]): Promise<void> {
  await db.query({
    text: `UPDATE package SET delivers = 'code', sources = $2, is_automatic = true, cost_satang = 10000, redeem_help = $3 WHERE id = $1`,
    values: [fixture.pubg.package, JSON.stringify(sources), REDEEM_HELP],
  })
}
export const STOCK = { supplier: 'stock', sku: '', costSatang: null }
export const REDEEM_HELP = 'เปิดร้านค้าในเกม แล้วเลือกเติมด้วยรหัส'

/** Puts codes into stock. */
export async function stockCodes({ db, shop, clock }: TestShop, codes: readonly (PlainCode & { region?: string })[]) {
  const of = { packageId: fixture.pubg.package, batchId: null, attemptId: null, orderId: null, costSatang: null }
  const kept = await db.transaction(tx =>
    insertVouchers(tx, shop.vouchers!, codes, { ...of, state: 'free' }, clock.now),
  )
  await refreshOut(db, fixture.pubg.package, bangkokDay(clock.now))
  return kept
}

/** Hands an order what it reserved, as its delivery does, and completes it. */
export async function deliverCodes({ db, clock }: TestShop, orderNo: string, status = 'success'): Promise<void> {
  await db.transaction(async tx => {
    const [order] = await tx.query<{ id: string }>({
      text: 'UPDATE orders SET status = $2 WHERE order_no = $1 RETURNING id',
      values: [orderNo, status],
    })
    await sellReserved(tx, order!.id, clock.now)
  })
}
