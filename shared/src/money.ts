import { latinDigits } from './digits.ts'

/** An amount of money: an integer number of satang (1 baht = 100 satang). Never a float, never baht. */
export type Satang = number

const grouped = new Intl.NumberFormat('en-US')

/** Splits satang for display: 12345678 -> { sign: '', baht: '123,456', satang: '78' }. */
export function splitBaht(amountSatang: Satang): { sign: string; baht: string; satang: string } {
  assertSatang(amountSatang)
  const absolute = Math.abs(amountSatang)
  return {
    sign: amountSatang < 0 ? '−' : '',
    baht: grouped.format(Math.trunc(absolute / 100)),
    satang: String(absolute % 100).padStart(2, '0'),
  }
}

/** 123456 -> "1,234.56"; negative amounts carry U+2212. */
export function formatBaht(amountSatang: Satang): string {
  const { sign, baht, satang } = splitBaht(amountSatang)
  return `${sign}${baht}.${satang}`
}

/** 123456 -> "฿1,234.56"; a negative amount has its minus before the sign of the currency: "−฿2.40". */
export function formatMoney(amountSatang: Satang): string {
  const { sign, baht, satang } = splitBaht(amountSatang)
  return `${sign}฿${baht}.${satang}`
}

/** 123400 -> "1,234", 123456 -> "1,234.56": for limits and prices where ".00" says nothing. */
export function formatBahtShort(amountSatang: Satang): string {
  const text = formatBaht(amountSatang)
  return text.endsWith('.00') ? text.slice(0, -3) : text
}

/** Plain decimal for banking apps and files: 14937 -> "149.37", no separators. */
export function toDecimalText(amountSatang: Satang): string {
  assertSatang(amountSatang)
  const absolute = Math.abs(amountSatang)
  return `${amountSatang < 0 ? '-' : ''}${Math.trunc(absolute / 100)}.${String(absolute % 100).padStart(2, '0')}`
}

/**
 * Reads what a person typed ("1,234.5", "๓๕") as satang; null when it is not an amount with at most two decimals. Commas
 * may only group thousands, because "12,50" could be twelve and a half as well as a mistyped 1,250.
 */
export function parseBaht(text: string): Satang | null {
  const match = /^(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d{0,2}))?$/.exec(latinDigits(text.trim()))
  const whole = match?.[1]?.replaceAll(',', '')
  if (!match || whole === undefined || whole.length > 12) return null
  return Number(whole) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
}

/** Asks what was meant by a number with a comma where none groups thousands; null for any other text. */
export function commaQuestion(text: string): string | null {
  const typed = latinDigits(text.trim())
  const asWhole = typed.replaceAll(',', '')
  if (!/^\d+(,\d+)+(\.\d*)?$/.test(typed) || parseBaht(typed) !== null || parseBaht(asWhole) === null) return null
  const asDecimal = typed.replace(',', '.')
  const readings = parseBaht(asDecimal) === null ? asWhole : `${asDecimal} หรือ ${asWhole}`
  return `“${text.trim()}” หมายถึงเท่าไร กรุณาพิมพ์ ${readings}`
}

/** Crashes on anything that is not a safe integer: a float here is a bug that would become wrong money. */
export function assertSatang(amountSatang: number): asserts amountSatang is Satang {
  if (!Number.isSafeInteger(amountSatang)) throw new Error(`not an integer amount of satang: ${amountSatang}`)
}
