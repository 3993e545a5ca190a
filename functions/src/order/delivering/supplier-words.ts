// What a purchase brought or why it brought nothing, in the words that staff read in the queue.
import type { Order } from '@shop/shared/order/order.ts'
import { supplierLabel } from '@shop/shared/provider-names.ts'
import {
  ATTEMPT_STATE,
  type PlaceAnswer,
  REJECTION,
  type Rejection,
  type StatusAnswer,
} from '@shop/shared/supplier/supplier.ts'
import type { Told } from '../../supplier/provider.ts'
import type { Attempt } from '../../supplier/store.ts'

const USED_CODE = 'ผู้จำหน่ายส่งรหัสที่ร้านเคยได้รับแล้ว กรุณาแจ้งผู้จำหน่าย'
const NOT_ALL = 'ส่งมาไม่ครบ'

export type Answer = PlaceAnswer | StatusAnswer

/** What a purchase brought. */
export interface Goods {
  /** How the purchase ended: with all that its order missed, with some of it, or with nothing of use. */
  state: 'delivered' | 'part' | 'failed'
  pieces: number
  /** Whether the supplier sold codes that the shop had before. */
  hasUsed: boolean
}

/** Why a purchase brought no goods, or not all. */
export interface Why {
  rejection: Rejection | null
  reason: string
}

/** Returns why a purchase brought no goods, or not all of them. */
export function whyOf(told: Told<Answer>, goods: Goods | null): Why {
  if (goods === null) return reasonOf(told)
  return { rejection: null, reason: goods.hasUsed ? USED_CODE : NOT_ALL }
}

/** Returns why a purchase brought no goods: our own words for known reasons, and the supplier's. */
function reasonOf({ answer, message }: Told<Answer>) {
  const rejection = answer.kind === 'rejected' ? answer.reason : null
  const known = rejection ? REJECTION[rejection].text : ATTEMPT_STATE.failed.label
  return { rejection, reason: message && message !== known ? `${known} (${message})` : known }
}

export const forStaff = ({ supplier, reference }: Attempt, reason: string): string =>
  `ผู้จำหน่าย ${supplierLabel(supplier)}: ${reason} · อ้างอิง ${reference}`

/** Words for staff about what an order has already, so that nobody delivers that again. */
export const soFar = ({ quantity }: Order, brought: number): string =>
  brought > 0 ? `ส่งแล้ว ${brought} จาก ${quantity} ชิ้น เหลือ ${quantity - brought} ชิ้น · ` : ''

/** Why nobody can deliver what an order misses: the last refusal, if there was one. */
export const whyNobody = (newest: Attempt | undefined): string =>
  newest?.reason ? forStaff(newest, newest.reason) : 'ไม่มีผู้จำหน่ายใดส่งสินค้านี้ได้ กรุณาเติมเอง'
