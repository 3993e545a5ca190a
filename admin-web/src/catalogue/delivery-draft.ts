import { DELIVERS, MOST_SOURCES, OWN_STOCK, type SourceName, sourceLabel } from '@shop/shared/catalogue/delivers.ts'
import type { ManagedPackage } from '@shop/shared/catalogue/manage-endpoints.ts'
import type { PriceEdit } from '@shop/shared/catalogue/price-editing.ts'
import { formatBahtShort, type Satang } from '@shop/shared/money.ts'
import { commaQuestion, parseBaht } from '@shop/shared/typed-baht.ts'
import { bahtText } from '../ui/baht-text.ts'
import type { Difference } from '../ui/conflict.tsx'

type Delivers = ManagedPackage['delivers']

/** A source of goods while it is edited; its highest cost is text in baht, empty for the package's own cost. */
export interface SourceDraft {
  /** Tells it from the others while it is moved. */
  id: number
  supplier: SourceName
  /** Empty until a product is chosen, and for the shop's own stock. */
  sku: string
  cost: string
}

/** A package's delivery while it is edited: amounts and numbers are text. */
export interface DeliveryDraft {
  cost: string
  delivers: Delivers
  sources: SourceDraft[]
  isAutomatic: boolean
  warning: string
  redeemHelp: string
  lowStock: string
}
export type Delivery = Pick<
  ManagedPackage,
  'costSatang' | 'delivers' | 'sources' | 'isAutomatic' | 'warning' | 'redeemHelp' | 'lowStock'
>

export const draftOf = (sold: Delivery): DeliveryDraft => ({
  cost: bahtText(sold.costSatang),
  delivers: sold.delivers,
  sources: sold.sources.map(({ supplier, sku, costSatang }, id) => ({ id, supplier, sku, cost: bahtText(costSatang) })),
  isAutomatic: sold.isAutomatic,
  warning: sold.warning,
  redeemHelp: sold.redeemHelp,
  lowStock: String(sold.lowStock),
})

/** A cost that can't be read counts as unknown. */
export const costOf = ({ cost }: Pick<DeliveryDraft, 'cost'>): Satang | null => parseBaht(cost)

/** Help that was pasted may hold tabs, which the server takes for characters that mislead. */
const plainLines = (text: string) => text.replaceAll('\r\n', '\n').replaceAll('\t', ' ').trim()

export const deliveryOf = (draft: DeliveryDraft): Delivery => ({
  costSatang: costOf(draft),
  delivers: draft.delivers,
  sources: draft.sources.map(({ supplier, sku, cost }) => ({ supplier, sku, costSatang: parseBaht(cost) })),
  isAutomatic: draft.isAutomatic,
  warning: draft.warning.trim(),
  redeemHelp: plainLines(draft.redeemHelp),
  lowStock: Number(draft.lowStock.trim() || 0),
})

/** Adds a source at the end, where it is asked last. */
export const withSource = (draft: DeliveryDraft, supplier: SourceName): DeliveryDraft => {
  const id = Math.max(-1, ...draft.sources.map(source => source.id)) + 1
  return { ...draft, sources: [...draft.sources, { id, supplier, sku: '', cost: '' }] }
}

/** Returns what may be added: each supplier any number of times, the shop's own stock once, and for codes only. */
export function sourcesToAdd({ delivers, sources }: DeliveryDraft, suppliers: readonly SourceName[]): SourceName[] {
  if (sources.length >= MOST_SOURCES) return []
  const hasStock = delivers !== 'code' || sources.some(({ supplier }) => supplier === OWN_STOCK)
  return hasStock ? [...suppliers] : [OWN_STOCK, ...suppliers]
}

/** Returns what is wrong with a typed cost; null when nothing is, or nothing was typed. */
export const costProblem = (text: string): string | null =>
  text.trim() === '' || parseBaht(text) !== null
    ? null
    : (commaQuestion(text) ?? 'กรุณาใส่ต้นทุนเป็นจำนวนเงิน ไม่เกินสองตำแหน่ง')

/** Where a fault of a delivery stands; the names of its fields begin with this word. */
export const DELIVERY = 'delivery'
export const fieldOfSource = (id: number, field: 'sku' | 'cost'): string => `${DELIVERY}.source.${id}.${field}`
export const fieldOfDelivery = (field: keyof DeliveryDraft): string => `${DELIVERY}.${field}`
export type Problems = Partial<Record<string, string>>

function sourceProblems({ id, supplier, sku, cost }: SourceDraft, { delivers, sources }: DeliveryDraft): Problems {
  const wrongCost = costProblem(cost)
  const isTwice = sources.some(each => each.id < id && each.supplier === supplier && each.sku === sku)
  const wrongSku =
    supplier === OWN_STOCK
      ? delivers !== 'code' && 'สต็อกของร้านใช้กับแพ็กเกจที่ส่งเป็นรหัสเท่านั้น'
      : sku === ''
        ? `กรุณาเลือกสินค้าของ ${sourceLabel(supplier)}`
        : isTwice && 'สินค้านี้อยู่ในรายการแล้ว'
  return {
    ...(wrongSku && { [fieldOfSource(id, 'sku')]: wrongSku }),
    ...(wrongCost && { [fieldOfSource(id, 'cost')]: wrongCost }),
  }
}

/** Returns what is wrong with a delivery, by field; empty when it can be saved. */
export function deliveryProblems(draft: DeliveryDraft): Problems {
  const wrongCost = costProblem(draft.cost)
  const isReady = costOf(draft) !== null && draft.sources.length > 0
  return {
    ...(wrongCost && { [fieldOfDelivery('cost')]: wrongCost }),
    ...Object.assign({}, ...draft.sources.map(source => sourceProblems(source, draft))),
    ...(draft.isAutomatic &&
      !isReady &&
      !wrongCost && { [fieldOfDelivery('isAutomatic')]: 'เติมอัตโนมัติได้เมื่อมีแหล่งสินค้าและใส่ต้นทุนแล้ว' }),
    ...(!/^\d{0,5}$/.test(draft.lowStock.trim()) && {
      [fieldOfDelivery('lowStock')]: 'กรุณาใส่จำนวนชิ้นเป็นตัวเลข ไม่เกิน 99999',
    }),
  }
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

const most = (costSatang: Satang | null) => (costSatang === null ? '' : ` ไม่เกิน ${formatBahtShort(costSatang)} บาท`)

const words = (delivery: Delivery): string => {
  const { costSatang, delivers, sources, isAutomatic, warning, redeemHelp, lowStock } = delivery
  const named = sources.map(
    ({ supplier, sku, costSatang }) => `${sourceLabel(supplier)} ${sku}`.trim() + most(costSatang),
  )
  return [
    costSatang === null ? 'ไม่ทราบต้นทุน' : `ต้นทุน ${formatBahtShort(costSatang)} บาท`,
    DELIVERS[delivers].label,
    named.length > 0 ? named.join(' → ') : 'ไม่มีแหล่งสินค้า',
    isAutomatic ? 'เติมอัตโนมัติ' : 'เติมเอง',
    ...(warning ? [`คำเตือน “${warning}”`] : []),
    ...(redeemHelp ? [`วิธีใช้รหัส “${redeemHelp}”`] : []),
    ...(lowStock > 0 ? [`เตือนเมื่อเหลือน้อยกว่า ${lowStock} ชิ้น`] : []),
  ].join(' · ')
}

/** Compares two versions of a package's delivery. */
export const compareDelivery = (mine: Delivery, theirs: Delivery): Difference => ({
  label: 'ต้นทุนและการส่ง',
  mine: words(mine),
  theirs: words(theirs),
})
