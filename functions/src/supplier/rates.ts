import type { Satang } from '@shop/shared/money.ts'
import { parseBaht } from '@shop/shared/typed-baht.ts'
import type { Queries } from '../database/database.ts'
import { as, pick, row, sql, under } from '../database/sql.ts'
import type { InSatang } from './provider.ts'
import { currencyRate } from './tables.ts'

const BAHT = 'THB'
const KEPT_MS = 60_000
const DECIMAL = /^\d{1,12}(\.\d{1,12})?$/

/** Knows no rates. */
export const onlyBaht: InSatang = async (amount, currency) => (currency === BAHT ? parseBaht(amount) : null)

/**
 * Returns what an amount of a currency costs, in whole satang, rounded up so that no cost is told too low.
 * @param satangPerUnit as PostgreSQL writes a numeric, e.g. "3312.5000" for one US dollar
 */
export function convert(amount: string, satangPerUnit: string): Satang | null {
  if (!DECIMAL.test(amount) || !DECIMAL.test(satangPerUnit)) return null
  const [whole, scale] = scaled(amount)
  const [rate, rateScale] = scaled(satangPerUnit)
  const divisor = 10n ** BigInt(scale + rateScale)
  const satang = (whole * rate + divisor - 1n) / divisor
  return satang <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(satang) : null
}

/** An exact decimal as a whole number and how many of its digits stand after the point. */
function scaled(text: string): [bigint, number] {
  const [whole = '0', part = ''] = text.split('.')
  return [BigInt(whole + part), part.length]
}

/**
 * Turns prices into satang at the rates of the database, which are read again after a while.
 * @param keptMs how long a rate is used before it is read again
 */
export function openRates(db: Queries, keptMs = KEPT_MS): InSatang {
  let read: Promise<Map<string, string>> | null = null
  let readAt = 0
  const rates = (): Promise<Map<string, string>> => {
    if (!read || performance.now() - readAt >= keptMs) {
      readAt = performance.now()
      read = findRates(db).catch((error: unknown) => {
        read = null
        throw error
      })
    }
    return read
  }
  return async (amount, currency) => {
    if (currency === BAHT) return onlyBaht(amount, currency)
    const rate = (await rates()).get(currency)
    return rate === undefined ? null : convert(amount, rate)
  }
}

const r = under(currencyRate)

async function findRates(db: Queries): Promise<Map<string, string>> {
  const rows = await db.query({
    text: sql`SELECT ${row({ ...pick(r, 'currency'), rate: as.text(`${r.satangPerUnit}`) })} FROM ${r}`,
  })
  return new Map(rows.map(({ currency, rate }) => [currency, rate]))
}
