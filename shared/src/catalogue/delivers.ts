import type { Satang } from '../money.ts'
import { SUPPLIER_NAMES, type SupplierName, supplierLabel } from '../provider-names.ts'
import { keysOf } from '../table.ts'

/** What a package brings its buyer: goods on a player's account, or codes that they redeem themselves. */
export const DELIVERS = {
  top_up: { label: 'เติมเข้าบัญชีผู้เล่น' },
  code: { label: 'ส่งเป็นรหัส' },
} as const satisfies Record<string, { label: string }>
export type Delivers = keyof typeof DELIVERS
export const DELIVERS_KINDS = keysOf(DELIVERS)

/** The shop's own stock of codes, which stands among the suppliers of a package. */
export const OWN_STOCK = 'stock'
export type SourceName = SupplierName | typeof OWN_STOCK
export const SOURCE_NAMES = [OWN_STOCK, ...SUPPLIER_NAMES] as const

/** Returns a source's name for people, even of a supplier that the shop used earlier. */
export const sourceLabel = (name: string): string => (name === OWN_STOCK ? 'สต็อกของร้าน' : supplierLabel(name))

/** Where the goods of a package come from. A package names several, in the order in which they are asked. */
export interface Source {
  supplier: SourceName
  /** The supplier's product; empty for the shop's own stock. */
  sku: string
  /** The most that one piece may cost there; null takes the package's cost. */
  costSatang: Satang | null
}
/** A package has at most so many sources. */
export const MOST_SOURCES = 5

/** A package's warning has at most so many letters. */
export const LONGEST_WARNING = 500
