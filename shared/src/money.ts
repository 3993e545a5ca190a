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

/** Crashes on anything that is not a safe integer: a float here is a bug that would become wrong money. */
export function assertSatang(amountSatang: number): asserts amountSatang is Satang {
  if (!Number.isSafeInteger(amountSatang)) throw new Error(`not an integer amount of satang: ${amountSatang}`)
}
