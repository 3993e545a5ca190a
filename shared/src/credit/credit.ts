import type { Satang } from '../money.ts'

/** Tells whether using so much shop credit for one order takes the PIN. @param aboveBaht the option CREDIT_PIN_ABOVE */
export const needsPin = (creditSatang: Satang, aboveBaht: number): boolean => creditSatang > aboveBaht * 100

/** Why shop credit came or went. */
export const CREDIT_MOVES = {
  refund: 'รับเงินคืน',
  spent: 'ใช้ซื้อ',
  held: 'ใช้กับคำสั่งซื้อ',
  returned: 'คืนจากคำสั่งซื้อที่ไม่ได้ชำระ',
  withdrawn: 'ขอรับเป็นเงินโอน',
} as const satisfies Record<string, string>
export type CreditMove = keyof typeof CREDIT_MOVES
