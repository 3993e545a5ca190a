import { log } from '../http/log.ts'
import type { Shop } from '../shop/shop.ts'
import type { Supplier } from './provider.ts'
import * as store from './store.ts'

const BALANCE_MS = 5 * 60_000

/** Tells whether the balance is so low that staff are warned. */
export const isBalanceLow = ({ balanceSatang, lowBalanceSatang }: store.SupplierRow): boolean =>
  balanceSatang !== null && balanceSatang < lowBalanceSatang

type Parts = Pick<Shop, 'db' | 'suppliers' | 'now'>

/** Watches our balance at each supplier, and continues waiting orders once it is sufficient again, or a rest is over. */
export async function watchSuppliers(shop: Parts): Promise<void> {
  await Promise.all(Object.values(shop.suppliers).map(supplier => watchSupplier(shop, supplier)))
}

/** Lets a supplier buy again whose rest after unclear answers is over, and continues what waited for it. */
async function endRest(db: Parts['db'], { name, brokenUntil }: store.SupplierRow, at: Date): Promise<void> {
  if (!brokenUntil || brokenUntil > at) return
  await db.transaction(async tx => {
    await store.saveSupplier(tx, name, { brokenUntil: null })
    await store.resumeWaiting(tx, at)
  })
}

async function watchSupplier({ db, now }: Parts, supplier: Supplier): Promise<void> {
  const at = now()
  const row = await store.findSupplier(db, supplier.name)
  await endRest(db, row, at)
  const isWaiting = row.stoppedFor === 'balance'
  const isRecent = row.balanceAt !== null && at.getTime() - row.balanceAt.getTime() < BALANCE_MS
  if (!row.isOn || (isRecent && !isWaiting)) return
  const balanceSatang = await supplier.balance()
  if (balanceSatang === null) return
  await store.keepBalance(db, supplier.name, balanceSatang, at)
  if (isBalanceLow({ ...row, balanceSatang }) && !isBalanceLow(row))
    log('WARNING', 'the balance at the supplier is low', { supplier: supplier.name })
  if (!isWaiting || balanceSatang < (await store.findRefusedCost(db, supplier.name))) return
  await db.transaction(async tx => {
    await store.saveSupplier(tx, supplier.name, { stoppedAt: null, stoppedFor: null })
    await store.resumeWaiting(tx, at)
  })
}
