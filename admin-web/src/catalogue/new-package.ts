import { PRICE_CODES, type PriceCode } from '@shop/shared/catalogue/payment-method.ts'
import type { PriceEdit } from '@shop/shared/catalogue/price-editing.ts'
import type { Satang } from '@shop/shared/money.ts'
import { parseBaht } from '@shop/shared/typed-baht.ts'

/** The form of a new package; its amounts are text in baht, and a price that is left empty is none. */
export interface NewPackage extends Record<PriceCode, string> {
  name: string
  desc: string
  cost: string
  startDay: string | null
  endDay: string | null
}

/** Returns the typed prices, all for the same days and on sale. An unreadable one is null, which the rules refuse. */
export const newPricesOf = (typed: Pick<NewPackage, PriceCode | 'startDay' | 'endDay'>): PriceEdit[] =>
  PRICE_CODES.filter(code => typed[code].trim() !== '').map(payment => ({
    payment,
    priceSatang: parseBaht(typed[payment]),
    startDay: typed.startDay,
    endDay: typed.endDay,
    isActive: true,
    nextPriceSatang: null,
    nextDay: null,
  }))

export const newCostOf = ({ cost }: Pick<NewPackage, 'cost'>): Satang | null => parseBaht(cost)
