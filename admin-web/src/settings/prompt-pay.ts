import { latinDigits, withoutGaps } from '@shop/shared/typed-text.ts'

/** The kinds of PromptPay id by their number of digits. */
const KIND: Record<number, string> = { 10: 'เบอร์โทรศัพท์', 13: 'เลขประจำตัวประชาชนหรือผู้เสียภาษี', 15: 'รหัส e-Wallet' }

/** Takes the spaces and dashes out of a number that was typed or pasted. */
export const digitsOf = (text: string): string => latinDigits(withoutGaps(text))

/** The kind of PromptPay id that a text is; null when it is none. */
export function promptPayKindOf(text: string): string | null {
  const digits = digitsOf(text)
  if (!/^\d+$/.test(digits)) return null
  if (digits.length === 10 && !digits.startsWith('0')) return null
  return KIND[digits.length] ?? null
}
