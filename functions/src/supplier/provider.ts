import type { Satang } from '@shop/shared/money.ts'
import type { SupplierName } from '@shop/shared/provider-names.ts'
import type { Capabilities, PlaceAnswer, StatusAnswer } from '@shop/shared/supplier/supplier.ts'

/** Something that can be bought. */
export interface SupplierProduct {
  sku: string
  name: string
  /** Of one piece; null where its price is in another currency than ours. */
  costSatang: Satang | null
  /** Names of its player fields, in the order of the game's inputs. */
  fields: string[]
  isInStock: boolean
}

export interface Purchase {
  /** Ours; A-Z and 0-9, at most 20. */
  reference: string
  sku: string
  quantity: number
  /** What the player typed, in the order of the game's inputs. */
  fields: string[]
  /** Of one piece: what costs more is refused. */
  maxCostSatang: Satang
}

/** An answer with what is kept of how it came. */
export interface Told<Answer> {
  answer: Answer
  /** null when no reply came. */
  httpStatus: number | null
  /** The supplier's own code and words. */
  code: string | null
  message: string | null
  theirId: string | null
  /** What it cost, of all pieces; null when that was not told. */
  costSatang: Satang | null
}

/** An answer without anything beside it. */
export const notTold = <Answer>(answer: Answer): Told<Answer> => ({
  answer,
  httpStatus: null,
  code: null,
  message: null,
  theirId: null,
  costSatang: null,
})

type Validated = { kind: 'ok'; name: string | null } | { kind: 'wrong' } | { kind: 'unavailable' }

/** A supplier's word that something became of a purchase. */
interface Callback {
  /** Our own, of the purchase. */
  reference: string
  /** What it is answered with. */
  reply: string
  /** What it says, in one spelling: the same word sent again in another is the same. */
  said: string
}

/** Somebody who delivers what the shop sells. No call throws: whatever goes wrong on the way is an answer. */
export interface Supplier {
  name: SupplierName
  capabilities: Capabilities
  /** null when the list could not be had. */
  listProducts(): Promise<SupplierProduct[] | null>
  /** Only where `capabilities.validates` is not "none". */
  validatePlayer(sku: string, fields: string[]): Promise<Validated>
  place(purchase: Purchase): Promise<Told<PlaceAnswer>>
  status(purchase: Pick<Purchase, 'reference' | 'quantity'>, theirId: string | null): Promise<Told<StatusAnswer>>
  /** Our money there; null when it could not be had. */
  balance(): Promise<Satang | null>
  /** What a callback is about; null when it is not from the supplier, or too old. */
  readCallback(rawBody: string): Callback | null
}
