import { PAYMENT_CODES, PAYMENT_METHOD, type PaymentCode } from '@shop/shared/catalogue/catalogue.ts'
import { defaultPrice, type PriceEdit, priceFault, priceProblem } from '@shop/shared/catalogue/price-editing.ts'
import { formatBahtShort, parseBaht } from '@shop/shared/money.ts'
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
  return PAYMENT_CODES.map(code => rowOf(prices.find(({ payment }) => payment === code) ?? defaultPrice(code, now)))
}

/** Reads the amounts. An unreadable next price becomes -1, which the rules refuse, because null would mean that there is none. */
function editOf({ price, nextPrice, ...rest }: TypedPrice): PriceEdit {
  return {
    ...rest,
    priceSatang: parseBaht(price),
    nextPriceSatang: nextPrice.trim() === '' ? null : (parseBaht(nextPrice) ?? -1),
  }
}

/** Returns what is wrong with the rows, by payment method; empty when all can be saved. */
export function problemsOf(rows: readonly TypedPrice[]): Partial<Record<PaymentCode, string>> {
  const found = rows.map(row => [row.payment, priceProblem(editOf(row))] as const)
  return Object.fromEntries(found.filter(([, problem]) => problem !== null))
}

/** Returns the field that is wrong; undefined when none is. */
export const wrongFieldOf = (row: TypedPrice): keyof PriceEdit | undefined => priceFault(editOf(row))?.at

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
  PAYMENT_CODES.map(code => {
    const of = (prices: readonly PriceEdit[]) => priceText(prices.find(({ payment }) => payment === code))
    return { label: PAYMENT_METHOD[code].name, theirs: of(theirs), mine: of(mine) }
  })
