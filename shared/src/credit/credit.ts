import type { Satang } from '../money.ts'

/**
 * Returns how much shop credit may still leave before its PIN is asked for. @param sincePinSatang what left since the PIN
 * was last typed, by orders and withdrawals alike @param aboveBaht the option CREDIT_PIN_ABOVE
 */
export const leftWithoutPin = (sincePinSatang: Satang, aboveBaht: number): Satang =>
  Math.max(0, aboveBaht * 100 - sincePinSatang)

/**
 * Tells whether an account may take an order's refund as credit. That is the account that bought; and of an order that a
 * guest bought in the same browser, an account that its owner made since then. One that was there before may be anybody's
 * who signs in there, and would be a way to move money from one person to another.
 */
export const mayTakeCredit = (
  order: { buyerUid: string | null; createdAt: Date },
  account: { uid: string; createdAt: Date },
): boolean => order.buyerUid === account.uid || (order.buyerUid === null && account.createdAt >= order.createdAt)

/** Why shop credit came or went. */
export const CREDIT_MOVES = {
  refund: 'รับเงินคืน',
  spent: 'ใช้ซื้อ',
  held: 'ใช้กับคำสั่งซื้อ',
  returned: 'คืนจากคำสั่งซื้อที่ไม่ได้ชำระ',
  withdrawn: 'ขอรับเป็นเงินโอน',
} as const satisfies Record<string, string>
export type CreditMove = keyof typeof CREDIT_MOVES
