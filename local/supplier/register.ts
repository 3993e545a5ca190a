import { randomInt } from 'node:crypto'
import type { Delivers } from '@shop/shared/catalogue/delivers.ts'
import type { Fault } from './faults.ts'

/** What a unit of a currency costs here; every whole satang is a short decimal number of each. */
export const SATANG_PER_UNIT = { THB: 100, USD: 3200, EUR: 4000 } as const

export interface Product {
  id: string
  category: { id: string; name: string }
  name: string
  priceSatang: number
  fields: string[]
  /** Goods for a player when it is left out. */
  delivers?: Delivers
  /** How long a purchase takes; a few seconds when it is left out. */
  seconds?: number
}

/** A purchase in the supplier's books. */
export interface Booked {
  id: string
  reference: string
  product: Product
  quantity: number
  fields: Record<string, string>
  costSatang: number
  /** The codes that were sold with it; empty for goods of another kind. */
  codes: readonly string[]
  at: Date
  fault: Fault | null
  /** How many more questions about it are answered as if it were unknown. */
  hiddenFor: number
  /** How often the shop was told its status. */
  asks: number
  givenBackSatang: number
}

/** How far a purchase is; `undocumented` is a state that the supplier's documents do not name. */
export type Progress = 'waiting' | 'sending' | 'delivered' | 'failed' | 'refunded' | 'undocumented'

const SECONDS_TO_DELIVER = 3
const SECONDS_TO_REFUND = 3600
const SECONDS_TO_READ = 60
/** Letters and digits that are easily taken for each other are among them, as in real codes. */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const makeCode = (): string =>
  Array.from({ length: 4 }, () => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('')).join(
    '-',
  )

/** A supplier's books: its products, the purchases, the shop's money there, and a journal of all calls. */
export class Register {
  readonly booked = new Map<string, Booked>()
  readonly journal: { at: string; method: string; path: string; reference: string | null; status: number | null }[] = []
  /** Each of the next purchases has one of these faults, in this order. */
  faults: Fault[] = []
  balanceSatang: number
  readonly products: readonly Product[]
  private readonly now: () => Date

  constructor(options: { products: readonly Product[]; balanceSatang: number; now: () => Date }) {
    this.products = options.products
    this.balanceSatang = options.balanceSatang
    this.now = options.now
  }

  /** Books a purchase and takes its money; a reference can be booked only once. */
  book(
    reference: string,
    product: Product,
    quantity: number,
    fields: Record<string, string>,
    fault: Fault | null,
  ): Booked {
    const known = this.booked.get(reference)
    if (known) throw new Error(`${reference} was bought twice`)
    const costSatang = product.priceSatang * quantity
    this.balanceSatang -= costSatang
    const id = String(12_563_858 + this.booked.size)
    const hiddenFor = fault === 'notFoundTwice' ? 2 : fault === 'lost' ? Number.POSITIVE_INFINITY : 0
    const at = this.now()
    const codes = this.makeCodes(product, quantity, fault)
    const made = { id, reference, product, quantity, fields, costSatang, codes, at, fault, hiddenFor }
    const booked: Booked = { ...made, asks: 0, givenBackSatang: 0 }
    this.booked.set(reference, booked)
    return booked
  }

  /** Takes up a purchase of an earlier run of the stand-in, with its money. */
  recall(booked: Booked): void {
    this.balanceSatang -= booked.costSatang
    this.booked.set(booked.reference, booked)
    this.progressOf(booked)
  }

  private makeCodes({ delivers }: Product, quantity: number, fault: Fault | null): string[] {
    if (delivers !== 'code') return []
    const sold = [...this.booked.values()].findLast(({ codes }) => codes.length > 0)
    if (fault === 'usedCode' && sold) return Array.from({ length: quantity }, () => sold.codes[0]!)
    return Array.from({ length: quantity }, makeCode)
  }

  private secondsOf = ({ at }: Booked): number => (this.now().getTime() - at.getTime()) / 1000

  /** Returns how far a purchase is now, and gives back the money of what will not come. */
  progressOf(booked: Booked): Progress {
    const progress = this.plainProgress(booked, this.secondsOf(booked))
    const { product, costSatang, quantity } = booked
    const isOver = progress === 'failed' || progress === 'refunded'
    const missing = progress === 'delivered' ? quantity - this.piecesOf(booked) : 0
    const backSatang = isOver ? costSatang : missing * product.priceSatang
    this.balanceSatang += Math.max(0, backSatang - booked.givenBackSatang)
    booked.givenBackSatang = Math.max(booked.givenBackSatang, backSatang)
    return progress
  }

  /** Returns how many pieces of a purchase come. */
  piecesOf({ fault, quantity }: Booked): number {
    return fault === 'someKeys' ? Math.floor(quantity * 0.6) : quantity
  }

  /** Returns the codes of a purchase that can be read now. */
  codesOf(booked: Booked): readonly string[] {
    const isLate = booked.fault === 'codesLate' && this.secondsOf(booked) < SECONDS_TO_READ
    return this.progressOf(booked) === 'delivered' && !isLate ? booked.codes.slice(0, this.piecesOf(booked)) : []
  }

  private plainProgress(
    { fault, asks, product: { seconds: needed = SECONDS_TO_DELIVER } }: Booked,
    seconds: number,
  ): Progress {
    if (fault === 'forever') return 'waiting'
    if (seconds < needed) return seconds < 1 ? 'waiting' : 'sending'
    if (fault === 'player' || fault === 'canceled') return 'failed'
    if (fault === 'failed') return 'refunded'
    if (fault === 'unknownStatus' && asks <= 1) return 'undocumented'
    return fault === 'lateRefund' && seconds >= SECONDS_TO_REFUND ? 'refunded' : 'delivered'
  }

  /** Returns the cost of all purchases whose money was not given back. */
  spentSatang(): number {
    return [...this.booked.values()].reduce(
      (sum, { costSatang, givenBackSatang }) => sum + costSatang - givenBackSatang,
      0,
    )
  }
}
