/** What a PromptPay id may be, by its number of digits. */
const KIND: Record<number, string> = {
  10: 'เบอร์โทรศัพท์',
  13: 'เลขประจำตัวประชาชนหรือผู้เสียภาษี',
  15: 'รหัส e-Wallet',
}

/** Only the digits of an id that was typed or pasted with spaces and dashes. */
export const digitsOf = (text: string) => text.replace(/[\s-]/g, '')

/** What kind of PromptPay id a text is; null for none. */
export function promptPayKindOf(text: string): string | null {
  const digits = digitsOf(text)
  if (!/^\d+$/.test(digits)) return null
  if (digits.length === 10 && !digits.startsWith('0')) return null
  return KIND[digits.length] ?? null
}
