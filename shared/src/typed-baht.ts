import type { Satang } from './money.ts'
import { asSeen, latinDigits } from './typed-text.ts'

// Amounts as people type them. Apart from money.ts, because nobody types one on the storefront's first page.

const numberIn = (text: string): string => latinDigits(asSeen(text).trim())

/**
 * Reads what a person typed ("1,234.5", "๓๕") as satang; null when it is not an amount with at most two decimals. Commas
 * may only group thousands, because "12,50" could be twelve and a half as well as a mistyped 1,250.
 */
export function parseBaht(text: string): Satang | null {
  const match = /^(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d{0,2}))?$/.exec(numberIn(text))
  const whole = match?.[1]?.replaceAll(',', '')
  if (!match || whole === undefined || whole.length > 12) return null
  return Number(whole) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
}

/** Asks what was meant by a number with a comma where none groups thousands; null for any other text. */
export function commaQuestion(text: string): string | null {
  const typed = numberIn(text)
  const asWhole = typed.replaceAll(',', '')
  if (!/^\d+(,\d+)+(\.\d*)?$/.test(typed) || parseBaht(typed) !== null || parseBaht(asWhole) === null) return null
  const asDecimal = typed.replace(',', '.')
  const readings = parseBaht(asDecimal) === null ? asWhole : `${asDecimal} หรือ ${asWhole}`
  return `“${text.trim()}” หมายถึงเท่าไร กรุณาพิมพ์ ${readings}`
}
