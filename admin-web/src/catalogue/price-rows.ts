import { PAYMENT_METHOD, PRICE_CODES, type PriceCode } from '@shop/shared/catalogue/payment-method.ts'
import { defaultPrice, type PriceEdit, type PriceFault, priceFaultNow } from '@shop/shared/catalogue/price-editing.ts'
import { formatBahtShort } from '@shop/shared/money.ts'
import { commaQuestion, parseBaht } from '@shop/shared/typed-baht.ts'
import { formatDay } from '@shop/web/dates.ts'
import { bahtText } from '../ui/baht-text.ts'
import type { Difference } from '../ui/conflict.tsx'

/** A price while it is edited; its amounts are text in baht. */
export interface TypedPrice extends Omit<PriceEdit, 'priceSatang' | 'nextPriceSatang'> {
  price: string
  nextPrice: string
}

const rowOf = ({ priceSatang, nextPriceSatang, ...rest }: PriceEdit): TypedPrice => ({
  ...rest,
  price: bahtText(priceSatang),
  nextPrice: bahtText(nextPriceSatang),
})

/** Returns a row per payment method; a method without a price starts with the standard one. */
export function rowsOf(prices: readonly PriceEdit[], now: Date): TypedPrice[] {
  return PRICE_CODES.map(code => rowOf(prices.find(({ payment }) => payment === code) ?? defaultPrice(code, now)))
}

/** Reads the amounts. An unreadable next price becomes -1, which the rules refuse, because null would mean that there is none. */
function editOf({ price, nextPrice, ...rest }: TypedPrice): PriceEdit {
  return {
    ...rest,
    priceSatang: parseBaht(price),
    nextPriceSatang: nextPrice.trim() === '' ? null : (parseBaht(nextPrice) ?? -1),
  }
}

/** Returns what is wrong with a row that replaces one of `prices`, and in which field; null when it can be saved. */
export function faultOf(row: TypedPrice, prices: readonly PriceEdit[], now: Date): PriceFault | null {
  const asked = commaQuestion(row.price)
  if (asked) return { at: 'priceSatang', text: asked }
  const askedNext = commaQuestion(row.nextPrice)
  if (askedNext) return { at: 'nextPriceSatang', text: askedNext }
  const was = prices.find(({ payment }) => payment === row.payment)
  return priceFaultNow(editOf(row), was, now)
}

/** Returns what is wrong with the rows, by payment method; empty when all can be saved. */
export function problemsOf(
  rows: readonly TypedPrice[],
  prices: readonly PriceEdit[],
  now: Date,
): Partial<Record<PriceCode, string>> {
  const found = rows.flatMap(row => {
    const fault = faultOf(row, prices, now)
    return fault ? [[row.payment, fault.text] as const] : []
  })
  return Object.fromEntries(found)
}

const isAmount = (text: string) => (parseBaht(text) ?? 0) > 0

/**
 * Returns a row after its price was typed. The first amount where there was none switches the sale on, like a discount;
 * removing it switches the sale off again.
 */
export function typedInto(row: TypedPrice, price: string, prices: readonly PriceEdit[]): TypedPrice {
  const saved = prices.find(({ payment }) => payment === row.payment)
  const isFirst = !saved?.priceSatang && isAmount(row.price) !== isAmount(price)
  return { ...row, price, isActive: isFirst ? isAmount(price) : row.isActive }
}

/** Says what a save of prices changed: "โอนเงินธนาคาร 149 → 155 บาท". */
export function savedText(before: readonly PriceEdit[], after: readonly PriceEdit[]): string {
  const amountOf = (prices: readonly PriceEdit[], code: PriceCode) =>
    prices.find(({ payment }) => payment === code)?.priceSatang ?? 0
  return PRICE_CODES.filter(code => amountOf(before, code) !== amountOf(after, code))
    .map(code => {
      const [was, is] = [amountOf(before, code), amountOf(after, code)].map(formatBahtShort)
      return `${PAYMENT_METHOD[code].name} ${was === '0' ? '' : `${was} → `}${is} บาท`
    })
    .join(' · ')
}

/** Returns the rows to save: those with a stored price, and those that differ from the standard one. */
export function editsToSave(rows: readonly TypedPrice[], prices: readonly PriceEdit[], now: Date): PriceEdit[] {
  const isStandard = (row: TypedPrice) => JSON.stringify(row) === JSON.stringify(rowOf(defaultPrice(row.payment, now)))
  const isKnown = (row: TypedPrice) => prices.some(({ payment }) => payment === row.payment)
  return rows.filter(row => isKnown(row) || !isStandard(row)).map(editOf)
}

/** Describes a price in one line. */
export function priceText(price: PriceEdit | undefined): string {
  if (!price) return ''
  const { priceSatang, startDay, endDay, isActive, nextPriceSatang, nextDay } = price
  const parts = [
    priceSatang === null ? '–' : `${formatBahtShort(priceSatang)} บาท`,
    `${startDay ? formatDay(startDay) : '–'} ถึง ${endDay ? formatDay(endDay) : 'ไม่มีกำหนด'}`,
    isActive ? 'เปิดขาย' : 'ปิดขาย',
  ]
  if (nextPriceSatang !== null && nextDay !== null)
    parts.push(`ราคาล่วงหน้า ${formatBahtShort(nextPriceSatang)} บาท ตั้งแต่ ${formatDay(nextDay)}`)
  return parts.join(' · ')
}

/** Compares two versions of the prices, by payment method. */
export const comparePrices = (mine: readonly PriceEdit[], theirs: readonly PriceEdit[]): Difference[] =>
  PRICE_CODES.map(code => {
    const of = (prices: readonly PriceEdit[]) => priceText(prices.find(({ payment }) => payment === code))
    return { label: PAYMENT_METHOD[code].name, theirs: of(theirs), mine: of(mine) }
  })
