import type { Delivers } from '../catalogue/delivers.ts'
import { keysOf } from '../table.ts'

/** What a supplier's API can do according to its documentation. */
export interface Capabilities {
  /** The currency of its prices and of our balance there, e.g. "THB". */
  currency: string
  /** Whether a purchase carries a reference of ours. */
  ownReference: boolean
  /** Whether a purchase can be found by our reference. */
  findByReference: boolean
  /** Whether a second purchase with the same reference is refused. */
  refusesRepeats: boolean
  validates: 'none' | 'optional' | 'required'
  callback: 'none' | 'unsigned' | 'signed'
  delivers: readonly Delivers[]
  /** How many pieces one purchase may have; null for any number. */
  mostPieces: number | null
}

interface RejectionEntry {
  /** The reason in words for staff. */
  text: string
  /** Whether every other order would be refused as well until somebody acts. */
  stops: boolean
  /** Whether another supplier may deliver what this one refuses; nothing was bought here. */
  goesOn: boolean
}

/** Why a supplier refuses a purchase. */
export const REJECTION = {
  balance: { text: 'เงินของร้านที่ผู้จำหน่ายไม่พอ', stops: true, goesOn: true },
  auth: { text: 'ผู้จำหน่ายไม่ยอมรับรหัสของร้าน', stops: true, goesOn: true },
  ip: { text: 'ผู้จำหน่ายไม่อนุญาตเครื่องของร้าน', stops: true, goesOn: true },
  price: { text: 'ราคาของผู้จำหน่ายสูงกว่าต้นทุนที่ตั้งไว้', stops: false, goesOn: true },
  stock: { text: 'สินค้าของผู้จำหน่ายหมด', stops: false, goesOn: true },
  product: { text: 'ผู้จำหน่ายไม่มีสินค้านี้', stops: false, goesOn: true },
  player: { text: 'ผู้จำหน่ายไม่พบผู้เล่นนี้', stops: false, goesOn: false },
  rate: { text: 'ส่งคำสั่งถึงผู้จำหน่ายถี่เกินไป', stops: false, goesOn: true },
  unreachable: { text: 'ติดต่อผู้จำหน่ายไม่ได้ ยังไม่ได้ส่งคำสั่งซื้อ', stops: false, goesOn: true },
  other: { text: 'ผู้จำหน่ายไม่รับคำสั่งซื้อ', stops: false, goesOn: false },
} as const satisfies Record<string, RejectionEntry>
export type Rejection = keyof typeof REJECTION

interface AttemptEntry {
  label: string
  tone: 'accent' | 'warn' | 'ok' | 'bad'
  /** Whether the goods may still come, so that nothing is bought again. */
  isOpen: boolean
  /** Whether it brought goods. */
  hasGoods: boolean
}

/** The states of a purchase from a supplier. */
export const ATTEMPT_STATE = {
  sending: { label: 'กำลังส่งคำสั่ง', tone: 'accent', isOpen: true, hasGoods: false },
  unknown: { label: 'ไม่ทราบผล', tone: 'warn', isOpen: true, hasGoods: false },
  accepted: { label: 'ผู้จำหน่ายรับแล้ว รอส่ง', tone: 'accent', isOpen: true, hasGoods: false },
  delivered: { label: 'ส่งแล้ว', tone: 'ok', isOpen: false, hasGoods: true },
  /** It brought some of the order's pieces; others are bought beside it. */
  part: { label: 'ส่งแล้วบางส่วน', tone: 'ok', isOpen: false, hasGoods: true },
  rejected: { label: 'ไม่รับคำสั่ง', tone: 'bad', isOpen: false, hasGoods: false },
  failed: { label: 'เติมไม่สำเร็จ', tone: 'bad', isOpen: false, hasGoods: false },
  refunded: { label: 'คืนเงินให้ร้าน', tone: 'bad', isOpen: false, hasGoods: false },
} as const satisfies Record<string, AttemptEntry>
export type AttemptState = keyof typeof ATTEMPT_STATE
export const ATTEMPT_STATES = keysOf(ATTEMPT_STATE)
export const OPEN_STATES = ATTEMPT_STATES.filter(state => ATTEMPT_STATE[state].isOpen)
export const GOODS_STATES = ATTEMPT_STATES.filter(state => ATTEMPT_STATE[state].hasGoods)

/** The answers of a supplier to a purchase. */
export type PlaceAnswer =
  | { kind: 'accepted' }
  | { kind: 'delivered' }
  | { kind: 'rejected'; reason: Rejection }
  /** It already has a purchase with this reference, so an earlier call arrived. */
  | { kind: 'repeated' }
  /** The answer is not certain, so the purchase may have arrived. */
  | { kind: 'unknown' }

/** The answer of a supplier to the question about a purchase. */
export interface StatusAnswer {
  kind: 'pending' | 'delivered' | 'failed' | 'refunded' | 'notFound' | 'unknown'
}

export const ANSWER_LABEL: Record<(PlaceAnswer | StatusAnswer)['kind'], string> = {
  accepted: 'รับคำสั่ง',
  delivered: 'ส่งแล้ว',
  rejected: 'ไม่รับคำสั่ง',
  repeated: 'เคยได้รับเลขนี้แล้ว',
  unknown: 'ไม่ได้คำตอบที่แน่นอน',
  pending: 'กำลังส่ง',
  failed: 'เติมไม่สำเร็จ',
  refunded: 'คืนเงินให้ร้านแล้ว',
  notFound: 'ไม่พบคำสั่งซื้อ',
}
