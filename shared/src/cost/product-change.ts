import type { Satang } from '../money.ts'
import { keysOf } from '../table.ts'

interface ChangeEntry {
  label: string
  tone: 'ok' | 'warn' | 'bad' | 'accent'
}

/** What can change about a product of a supplier. */
export const PRODUCT_CHANGE = {
  costUp: { label: 'ราคาขึ้น', tone: 'bad' },
  costDown: { label: 'ราคาลง', tone: 'ok' },
  outOfStock: { label: 'ของหมด', tone: 'warn' },
  inStock: { label: 'มีของแล้ว', tone: 'ok' },
  gone: { label: 'หายจากรายการ', tone: 'bad' },
  back: { label: 'กลับมา', tone: 'ok' },
  added: { label: 'สินค้าใหม่', tone: 'accent' },
} as const satisfies Record<string, ChangeEntry>
export type ProductChangeKind = keyof typeof PRODUCT_CHANGE
export const PRODUCT_CHANGES = keysOf(PRODUCT_CHANGE)

/** What is compared of a product. */
export interface ProductState {
  sku: string
  name: string
  /** As the supplier writes it, in its currency. */
  price: string
  currency: string
  costSatang: Satang | null
  isInStock: boolean
}

export type KnownProduct = ProductState & { isGone: boolean }

export interface ProductChange {
  sku: string
  name: string
  kind: ProductChangeKind
  before: ProductState | null
  after: ProductState | null
}

const differs = (a: ProductState, b: ProductState): boolean =>
  a.currency === b.currency ? Number(a.price) !== Number(b.price) : a.costSatang !== b.costSatang

const isDearer = (before: ProductState, after: ProductState): boolean =>
  before.currency === after.currency
    ? Number(after.price) > Number(before.price)
    : (after.costSatang ?? 0) > (before.costSatang ?? 0)

/** What a supplier's whole list changes. A rate of exchange that has moved is no change of the supplier's. */
export function changesOf(known: readonly KnownProduct[], listed: readonly ProductState[]): ProductChange[] {
  const before = new Map(known.map(product => [product.sku, product]))
  const listedSkus = new Set(listed.map(({ sku }) => sku))
  const seen = listed.flatMap(after => {
    const was = before.get(after.sku)
    const kinds: ProductChangeKind[] = []
    if (!was) kinds.push('added')
    else {
      if (was.isGone) kinds.push('back')
      if (differs(was, after)) kinds.push(isDearer(was, after) ? 'costUp' : 'costDown')
      if (was.isInStock !== after.isInStock) kinds.push(after.isInStock ? 'inStock' : 'outOfStock')
    }
    return kinds.map(kind => ({ sku: after.sku, name: after.name, kind, before: was ?? null, after }))
  })
  const gone = known
    .filter(({ sku, isGone }) => !isGone && !listedSkus.has(sku))
    .map(was => ({ sku: was.sku, name: was.name, kind: 'gone' as const, before: was, after: null }))
  return [...seen, ...gone]
}

/** So few products may go without a doubt. */
const FEW = 3

/** Tells whether a list has lost so much that it is believed only when it comes a second time. */
export const hasLostMost = (known: readonly KnownProduct[], listed: readonly ProductState[]): boolean => {
  const skus = new Set(listed.map(({ sku }) => sku))
  const there = known.filter(({ isGone }) => !isGone)
  const lost = there.filter(({ sku }) => !skus.has(sku)).length
  return lost > FEW && lost * 2 > there.length
}

/** A cost that falls below half of what it was may be a mistake of the supplier's, so a person decides about it. */
export const fellFar = (fromSatang: Satang | null, toSatang: Satang): boolean =>
  toSatang <= 0 || (fromSatang !== null && toSatang * 2 < fromSatang)
