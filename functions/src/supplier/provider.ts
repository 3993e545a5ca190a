import type { Satang } from '@shop/shared/money.ts'
import type { SupplierName } from '@shop/shared/provider-names.ts'
import type { Capabilities, PlaceAnswer, StatusAnswer } from '@shop/shared/supplier/supplier.ts'

/** A product that the supplier sells. */
export interface SupplierProduct {
  sku: string
  name: string
  /** The cost of one piece; null when its price is in another currency. */
  costSatang: Satang | null
  /** Names of its player fields, in the order of the game's inputs. */
  fields: string[]
  isInStock: boolean
}

export interface Purchase {
  /** Our reference; A-Z and 0-9, at most 20 characters. */
  reference: string
  sku: string
  quantity: number
  /** The typed player data, in the order of the game's inputs. */
  fields: string[]
  /** The highest cost of one piece; a dearer product is not bought. */
  maxCostSatang: Satang
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
  /** The cost of all pieces together; null when the supplier did not say. */
  costSatang: Satang | null
}

/** Makes an answer without a reply. */
export const notTold = <Answer>(answer: Answer): Told<Answer> => ({
  answer,
  httpStatus: null,
  code: null,
  message: null,
  theirId: null,
  costSatang: null,
})

type Validated = { kind: 'ok'; name: string | null } | { kind: 'wrong' } | { kind: 'unavailable' }

/** A supplier's report that the state of a purchase changed. */
interface Callback {
  /** Our reference of the purchase. */
  reference: string
  /** The text that we answer with. */
  reply: string
  /** The content in a normalised spelling, so that a repeat is recognised even when it is written differently. */
  said: string
}

/** A service that delivers what the shop sells. No call throws: every failure on the way is an answer. */
export interface Supplier {
  name: SupplierName
  capabilities: Capabilities
  /** Returns null when the list is not available. */
  listProducts(): Promise<SupplierProduct[] | null>
  /** Call it only when `capabilities.validates` is not "none". */
  validatePlayer(sku: string, fields: string[]): Promise<Validated>
  place(purchase: Purchase): Promise<Told<PlaceAnswer>>
  status(purchase: Pick<Purchase, 'reference' | 'quantity'>, theirId: string | null): Promise<Told<StatusAnswer>>
  /** Returns our balance there; null when it is not available. */
  balance(): Promise<Satang | null>
  /** Returns what a callback is about; null when it is not from the supplier, or is too old. */
  readCallback(rawBody: string): Callback | null
}
