import { CURRENCY, type Currency, isCurrency } from '@shop/shared/cost/currency.ts'
import * as z from 'zod'
import { askWithAny } from '../asking/keys.ts'
import { askJson, type JsonReply } from '../http/ask-json.ts'

declare module '../shop/shop.ts' {
  interface Shop {
    /** null when rates of exchange are typed by hand. */
    bankRates: BankRates | null
  }
}

/** What the bank says one unit of a currency is sold for. */
export interface BankRate {
  currency: Currency
  /** Baht, as an exact decimal. */
  selling: string
  /** The Bangkok day that it is of. */
  day: string
}

export interface BankRates {
  /** Returns the latest rate of each currency from these days; null when the bank does not answer. */
  latest(from: string, to: string): Promise<BankRate[] | null>
}

/** Days without trade have no rate, and an empty text stands in its place. */
const detail = z.object({
  period: z.string(),
  currency_id: z.string(),
  selling: z.union([z.string(), z.number()]).transform(String).optional(),
})
const answer = z.object({ result: z.object({ data: z.object({ data_detail: z.array(detail) }) }) })

const PRICE = /^\d{1,6}(\.\d{1,12})?$/

const judge = (reply: JsonReply | null) =>
  reply === null
    ? null
    : reply.status === 401 || reply.status === 403
      ? 'refused'
      : reply.status === 200
        ? 'accepted'
        : null

/**
 * The Bank of Thailand's service "Average Exchange Rate - THB / Foreign Currency", which tells what banks sold a currency
 * for on each working day.
 */
export function createBankRates(options: {
  baseUrl: string
  keys: readonly string[]
  timeoutMs: number
  onAccepted?: (key: string) => Promise<void>
}): BankRates {
  const { baseUrl, keys, timeoutMs, onAccepted } = options
  const asking = askWithAny(keys, onAccepted)
  return {
    async latest(from, to) {
      const query = new URLSearchParams({ start_period: from, end_period: to })
      const url = `${baseUrl}/Stat-ExchangeRate/v2/DAILY_AVG_EXG_RATE/?${query}`
      const reply = await asking(key => askJson(url, { headers: { authorization: key }, timeoutMs }), judge)
      const parsed = answer.safeParse(reply?.status === 200 ? reply.body : null)
      if (!parsed.success) return null
      const rates = parsed.data.result.data.data_detail.flatMap(
        ({ period: day, currency_id: currency, selling = '' }): BankRate[] =>
          isCurrency(currency) && CURRENCY[currency].isAtBank && PRICE.test(selling) && Number(selling) > 0
            ? [{ currency, selling, day }]
            : [],
      )
      const inOrder = rates.toSorted((a, b) => a.day.localeCompare(b.day))
      return [...new Map(inOrder.map(rate => [rate.currency, rate])).values()]
    },
  }
}
