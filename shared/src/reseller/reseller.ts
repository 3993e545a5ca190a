import { AppError } from '../errors.ts'
import type { Satang } from '../money.ts'
import type { Order } from '../order/order.ts'
import type { OrderStatus } from '../order/status.ts'
import type { Action } from '../permissions.ts'
import { keysOf } from '../table.ts'
import type { LedgerTransaction } from '../wallet/ledger.ts'

/** Rules of the resellers' API: agents' machines order with keys of their own. */

/** What a key works with: the agent's wallet, or play money and made-up packages. */
export const KEY_MODE = {
  live: { label: 'ใช้จริง', prefix: 'rk_live_' },
  test: { label: 'ทดสอบ', prefix: 'rk_test_' },
} as const satisfies Record<string, { label: string; prefix: string }>
export type KeyMode = keyof typeof KEY_MODE
export const KEY_MODES = keysOf(KEY_MODE)

/** What a key may do, in words for its owner, with the permission that each call of the API asks for. */
export const KEY_SCOPE = {
  read: { label: 'อ่านสินค้า ราคา คำสั่งซื้อ และกระเป๋าเงิน', allow: 'reseller.read' },
  order: { label: 'สั่งซื้อและยกเลิก (ใช้เงินในกระเป๋า)', allow: 'reseller.order' },
  codes: { label: 'อ่านรหัสของคำสั่งซื้อ', allow: 'reseller.codes' },
} as const satisfies Record<string, { label: string; allow: Action }>
export type KeyScope = keyof typeof KEY_SCOPE
export const KEY_SCOPES = keysOf(KEY_SCOPE)

/** Returns the scope that an action of the API needs; null for an action that no key may do. */
export const scopeOf = (action: Action): KeyScope | null =>
  KEY_SCOPES.find(scope => KEY_SCOPE[scope].allow === action) ?? null

/** Two keys of a mode live side by side, so that one takes the other's place without a pause. */
export const MOST_KEYS = 2
export const MOST_ADDRESSES = 20

/** Why a key works no more. */
export const KEY_END = {
  owner: { label: 'เจ้าของยกเลิก' },
  staff: { label: 'ร้านยกเลิก' },
  account: { label: 'บัญชีถูกปิดหรือร้านรีเซ็ตการเข้าสู่ระบบ' },
} as const satisfies Record<string, { label: string }>
export type KeyEnd = keyof typeof KEY_END
export const KEY_ENDS = keysOf(KEY_END)

/** A key as its caller sends it: its id, a full stop, and 43 characters of secret. */
const KEY_TEXT = /^(rk_(?:live|test)_[A-Za-z0-9]{16})\.([A-Za-z0-9_-]{43})$/

/** Reads a key that was sent as a bearer token; null when it is none. */
export function readKey(text: string): { id: string; secret: string } | null {
  const [, id, secret] = KEY_TEXT.exec(text) ?? []
  return id && secret ? { id, secret } : null
}

/**
 * States of an order as the API tells them. `waiting`: paid, and nobody has begun. `on_hold`: it could not be delivered,
 * and the shop decides between another try and giving the money back.
 */
export const API_STATUS = {
  waiting: { isFinal: false, label: 'paid, waiting for its turn; it can still be canceled' },
  processing: { isFinal: false, label: 'being delivered' },
  on_hold: { isFinal: false, label: 'could not be delivered; the shop tries again or gives the money back' },
  completed: { isFinal: true, label: 'delivered; `refunded` is what went back for pieces that never came' },
  failed: { isFinal: true, label: 'not delivered; all its money is back in the wallet' },
  canceled: { isFinal: true, label: 'canceled by you; all its money is back in the wallet' },
} as const satisfies Record<string, { isFinal: boolean; label: string }>
export type ApiStatus = keyof typeof API_STATUS
export const API_STATUSES = keysOf(API_STATUS)

const STATUS = {
  // An order from a wallet is never in the three states of unpaid ones, nor in that of money on its way.
  waiting_payment: 'waiting',
  paid: 'waiting',
  processing: 'processing',
  success: 'completed',
  cancel: 'canceled',
  expired: 'failed',
  failed: 'on_hold',
  refunding: 'on_hold',
  refunded: 'failed',
} as const satisfies Record<OrderStatus, ApiStatus>

/** @param isCanceled whether its caller canceled it */
export const apiStatusOf = (status: OrderStatus, isCanceled: boolean): ApiStatus =>
  status === 'refunded' && isCanceled ? 'canceled' : STATUS[status]

/** The order's statuses that the API tells as this one. */
export const statusesOf = (wanted: ApiStatus): OrderStatus[] =>
  keysOf(STATUS).filter(status => STATUS[status] === wanted || (wanted === 'canceled' && status === 'refunded'))

export const ENTRY_KINDS = ['top_up', 'order', 'refund', 'correction'] as const

/** What machines are told that a movement of a wallet is, by its kind in the books; null for kinds that no wallet has. */
export const ENTRY_KIND = {
  order_paid: 'order',
  order_refunded: 'refund',
  order_reduced: 'refund',
  order_payment_undone: 'refund',
  top_up: 'top_up',
  correction: 'correction',
  line_booked: 'top_up',
  line_undone: 'correction',
  refund_sent: null,
  charge_fee: null,
  charge_owed: null,
  credit_held: null,
  credit_returned: null,
  refund_credited: null,
  credit_withdrawn: null,
} as const satisfies Record<LedgerTransaction['kind'], (typeof ENTRY_KINDS)[number] | null>

/** What a machine says of an order, and what its key may spend. */
export interface MachineOrder {
  keyId: string
  /** The most that the whole order may cost; null for any price. */
  maxPriceSatang: Satang | null
  /** The most that the key spends in a Bangkok day; null without limit. */
  dailyLimitSatang: Satang | null
}

/** @throws PRICE_ABOVE_MAX, KEY_LIMIT_REACHED. @param spentSatang what the key has spent in this Bangkok day */
export function mustBeWithin(
  { maxPriceSatang, dailyLimitSatang }: Pick<MachineOrder, 'maxPriceSatang' | 'dailyLimitSatang'>,
  priceSatang: Satang,
  spentSatang: Satang,
): void {
  if (maxPriceSatang !== null && priceSatang > maxPriceSatang)
    throw new AppError('PRICE_ABOVE_MAX', { details: { price: priceSatang } })
  const left = dailyLimitSatang === null ? priceSatang : dailyLimitSatang - spentSatang
  if (priceSatang > left) throw new AppError('KEY_LIMIT_REACHED', { details: { left: Math.max(0, left) } })
}

/** Whether nobody has begun an order since it was placed, so that its caller may take it back. */
export const isUntouched = ({ status, version }: Pick<Order, 'status' | 'version'>): boolean =>
  status === 'paid' && version === 1
