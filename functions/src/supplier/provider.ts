import type { Delivers } from '@shop/shared/catalogue/delivers.ts'
import type { Satang } from '@shop/shared/money.ts'
import type { SupplierName } from '@shop/shared/provider-names.ts'
import type { Capabilities, PlaceAnswer, StatusAnswer } from '@shop/shared/supplier/supplier.ts'
import { lookUp } from '@shop/shared/table.ts'

declare module '../shop/shop.ts' {
  interface Shop {
    /** Empty when nothing is delivered automatically. */
    suppliers: Suppliers
  }
}

/** A product that the supplier sells. */
export interface SupplierProduct {
  sku: string
  name: string
  delivers: Delivers
  /** The price of one piece as the supplier writes it, e.g. "1.25" and "USD". */
  price: string
  currency: string
  /** The same in satang; null when the currency's rate is not known. */
  costSatang: Satang | null
  /** Names of its player fields, in the order of the game's inputs. */
  fields: string[]
  isInStock: boolean
  /** Where it can be redeemed or played, in the supplier's words; empty when it does not say. */
  region: string
}

/** What a purchase is asked about by. */
export type Asked = Pick<Purchase, 'reference' | 'sku' | 'delivers' | 'quantity'>

export interface Purchase {
  /** Our reference; A-Z and 0-9, at most 20 characters. */
  reference: string
  sku: string
  delivers: Delivers
  quantity: number
  /** The typed player data, in the order of the game's inputs. */
  fields: string[]
  /** The highest cost of one piece; a dearer product is not bought. */
  maxCostSatang: Satang
}

/** A code that was bought. It is shown to nobody but its buyer, and never logged. */
export interface PlainCode {
  code: string
  /** A second secret that is typed with it. */
  pin: string | null
  serial: string | null
  /** The last Bangkok day on which it can be redeemed, "YYYY-MM-DD". */
  expiresOn: string | null
}

/** An answer with the reply that it was read from. */
export interface Told<Answer> {
  answer: Answer
  /** null when no reply came. */
  httpStatus: number | null
  /** The supplier's own code and message. */
  code: string | null
  message: string | null
  theirId: string | null
  /** The cost of all pieces together, of a delivery that of those that came; null when the supplier did not say. */
  costSatang: Satang | null
  /**
   * The codes that it brings. A purchase of codes is "delivered" only together with them: with fewer than were bought,
   * no others will come.
   */
  codes: readonly PlainCode[]
}

/** Makes an answer without a reply. */
export const notTold = <Answer>(answer: Answer): Told<Answer> => ({
  answer,
  httpStatus: null,
  code: null,
  message: null,
  theirId: null,
  costSatang: null,
  codes: [],
})

export type Validated = { kind: 'ok'; name: string | null } | { kind: 'wrong' } | { kind: 'unavailable' }

/** A supplier's report that the state of a purchase changed. */
interface Callback {
  /** Our reference of the purchase. */
  reference: string
  /** The text that we answer with; empty for an answer without content. */
  reply: string
  /** The content in a normalised spelling, so that a repeat is recognised even when it is written differently. */
  said: string
}

/** Turns a supplier's prices into satang at today's rates; null when the currency's rate is not known. */
export type InSatang = (amount: string, currency: string) => Promise<Satang | null>

/** A service that delivers what the shop sells. No call throws: every failure on the way is an answer. */
export interface Supplier {
  name: SupplierName
  capabilities: Capabilities
  /** Returns null when the list is not available. */
  listProducts(): Promise<SupplierProduct[] | null>
  /** Call it only when `capabilities.validates` is not "none". */
  validatePlayer(sku: string, fields: string[]): Promise<Validated>
  place(purchase: Purchase): Promise<Told<PlaceAnswer>>
  status(purchase: Asked, theirId: string | null): Promise<Told<StatusAnswer>>
  /** Returns our balance there; null when it is not available. */
  balance(): Promise<Satang | null>
  /** Returns what a callback is about; null when it is not from the supplier, or is too old. */
  readCallback(rawBody: string, headers: Headers): Callback | null
}

/** The suppliers that are configured, by their names. */
export type Suppliers = { readonly [Name in SupplierName]?: Supplier }

/** Returns a supplier that is configured; null for any other, such as one that the shop used earlier. */
export const supplierNamed = (suppliers: Suppliers, name: string): Supplier | null => lookUp(suppliers, name) ?? null

/** Tells whether anything is delivered automatically at all. */
export const hasSuppliers = ({ suppliers }: { suppliers: Suppliers }): boolean => Object.keys(suppliers).length > 0
