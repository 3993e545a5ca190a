import type { ManagedPackage } from '@shop/shared/catalogue/manage-endpoints.ts'
import type { PriceEdit } from '@shop/shared/catalogue/price-editing.ts'
import { commaQuestion, formatBahtShort, parseBaht, type Satang } from '@shop/shared/money.ts'
import { bahtText } from '../ui/baht-text.ts'
import type { Difference } from '../ui/conflict.tsx'

/** A package's delivery while it is edited: the cost is text in baht. */
export interface DeliveryDraft {
  cost: string
  supplierSku: string | null
  isAutomatic: boolean
}
export type Delivery = Pick<ManagedPackage, 'costSatang' | 'supplierSku' | 'isAutomatic'>

export const draftOf = ({ costSatang, supplierSku, isAutomatic }: Delivery): DeliveryDraft => ({
  cost: bahtText(costSatang),
  supplierSku,
  isAutomatic,
})

/** A cost that can't be read counts as unknown. */
export const costOf = ({ cost }: DeliveryDraft): Satang | null => parseBaht(cost)

export const deliveryOf = (draft: DeliveryDraft): Delivery => ({
  costSatang: costOf(draft),
  supplierSku: draft.supplierSku,
  isAutomatic: draft.isAutomatic,
})

/** Returns what is wrong with a typed cost; null when nothing is, or nothing was typed. */
export const costProblem = (text: string): string | null =>
  text.trim() === '' || parseBaht(text) !== null
    ? null
    : (commaQuestion(text) ?? 'กรุณาใส่ต้นทุนเป็นจำนวนเงิน ไม่เกินสองตำแหน่ง')

/** Returns why it can't be saved; null when it can. */
export function deliveryProblem(draft: DeliveryDraft): string | null {
  const wrongCost = costProblem(draft.cost)
  if (wrongCost) return wrongCost
  const isReady = costOf(draft) !== null && draft.supplierSku !== null
  return draft.isAutomatic && !isReady ? 'เติมอัตโนมัติได้เมื่อเลือกสินค้าของผู้จำหน่ายและใส่ต้นทุนแล้ว' : null
}

/** Returns what remains of a price after its cost, in satang and per cent of the price; null when either is unknown. */
export function marginOf(priceSatang: Satang | null, costSatang: Satang | null) {
  if (priceSatang === null || costSatang === null || priceSatang === 0) return null
  const marginSatang = priceSatang - costSatang
  return { marginSatang, percent: Math.round((marginSatang / priceSatang) * 1000) / 10 }
}

/** Returns the prices on sale that are lower than the package's cost. */
export const pricesBelowCost = (prices: readonly PriceEdit[], costSatang: Satang | null): PriceEdit[] =>
  prices.filter(({ isActive, priceSatang }) => isActive && (marginOf(priceSatang, costSatang)?.marginSatang ?? 0) < 0)

const words = ({ costSatang, supplierSku, isAutomatic }: Delivery): string =>
  [
    costSatang === null ? 'ไม่ทราบต้นทุน' : `ต้นทุน ${formatBahtShort(costSatang)} บาท`,
    supplierSku ? `สินค้า ${supplierSku}` : 'ไม่มีสินค้าของผู้จำหน่าย',
    isAutomatic ? 'เติมอัตโนมัติ' : 'เติมเอง',
  ].join(' · ')

/** Compares two versions of a package's delivery. */
export const compareDelivery = (mine: Delivery, theirs: Delivery): Difference => ({
  label: 'ต้นทุนและการเติม',
  mine: words(mine),
  theirs: words(theirs),
})
