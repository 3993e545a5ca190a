/** The faults that a purchase can have, with their names on the stand-in's page. */
export const FAULT = {
  slow: 'ตอบช้า',
  hangAfter: 'รับคำสั่งแล้วค้าง',
  hangBefore: 'ค้างโดยไม่รับคำสั่ง',
  reset: 'รับคำสั่งแล้วตัดการเชื่อมต่อ',
  resetBefore: 'ตัดการเชื่อมต่อโดยไม่รับคำสั่ง',
  html: 'รับคำสั่งแล้วตอบเป็นหน้าเว็บ 502',
  cut: 'รับคำสั่งแล้วคำตอบขาดกลางทาง',
  tooMany: 'ถามถี่เกินไป 429',
  repeated: 'รับคำสั่งแล้วบอกว่าเลขอ้างอิงซ้ำ',
  unknownCode: 'รับคำสั่งแล้วตอบรหัสที่ไม่มีในเอกสาร',
  noBalance: 'เงินไม่พอ',
  key: 'รหัสใช้ไม่ได้',
  price: 'ราคาขึ้น',
  gone: 'ไม่มีสินค้านี้แล้ว',
  player: 'ไม่พบผู้เล่น',
  failed: 'รับคำสั่งแล้วเติมไม่สำเร็จ',
  forever: 'รับคำสั่งแล้วไม่ส่ง',
  partial: 'ส่งไม่ครบจำนวน',
  lateRefund: 'ส่งแล้ว แต่คืนเงินภายหลัง',
  notFoundTwice: 'ค้าง แล้วหาไม่พบสองครั้ง จึงส่ง',
  lost: 'ค้าง และหาไม่พบตลอด',
  unknownStatus: 'สถานะที่ไม่มีในเอกสาร แล้วจึงส่ง',
  callbackFirst: 'แจ้งผลก่อนตอบคำสั่ง',
  callbackTwice: 'แจ้งผลสองครั้ง',
  callbackOrder: 'แจ้งผลสลับลำดับ',
  callbackForged: 'มีผู้ปลอมการแจ้งผล',
  callbackNever: 'ไม่แจ้งผล',
} as const
export type Fault = keyof typeof FAULT
export const FAULTS = Object.keys(FAULT) as Fault[]

export interface Product {
  id: string
  category: { id: string; name: string }
  name: string
  priceSatang: number
  fields: string[]
}

/** A purchase in the supplier's books. */
export interface Booked {
  id: string
  reference: string
  product: Product
  quantity: number
  fields: Record<string, string>
  costSatang: number
  at: Date
  fault: Fault | null
  /** How many more questions about it are answered as if it were unknown. */
  hiddenFor: number
  /** How often the shop was told its status. */
  asks: number
  hasGivenBack: boolean
}

/** How far a purchase is; `undocumented` is a state that the supplier's documents do not name. */
export type Progress = 'waiting' | 'sending' | 'delivered' | 'failed' | 'refunded' | 'undocumented'

const SECONDS_TO_DELIVER = 3
const SECONDS_TO_REFUND = 3600

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
    const made = { id, reference, product, quantity, fields, costSatang, at, fault, hiddenFor }
    const booked: Booked = { ...made, asks: 0, hasGivenBack: false }
    this.booked.set(reference, booked)
    return booked
  }

  /** Returns how far a purchase is now, and gives its money back when it has failed. */
  progressOf(booked: Booked): Progress {
    const seconds = (this.now().getTime() - booked.at.getTime()) / 1000
    const progress = this.plainProgress(booked, seconds)
    if ((progress === 'failed' || progress === 'refunded') && !booked.hasGivenBack) {
      booked.hasGivenBack = true
      this.balanceSatang += booked.costSatang
    }
    return progress
  }

  private plainProgress({ fault, asks }: Booked, seconds: number): Progress {
    if (fault === 'forever') return 'waiting'
    if (seconds < SECONDS_TO_DELIVER) return seconds < 1 ? 'waiting' : 'sending'
    if (fault === 'failed' || fault === 'player') return fault === 'player' ? 'failed' : 'refunded'
    if (fault === 'unknownStatus' && asks <= 1) return 'undocumented'
    return fault === 'lateRefund' && seconds >= SECONDS_TO_REFUND ? 'refunded' : 'delivered'
  }

  /** Returns the cost of all purchases whose money was not given back. */
  spentSatang(): number {
    return [...this.booked.values()].reduce(
      (sum, { costSatang, hasGivenBack }) => sum + (hasGivenBack ? 0 : costSatang),
      0,
    )
  }
}
