import { BANK_SOURCE, type Currency } from '@shop/shared/cost/currency.ts'
import { account } from '../account/tables.ts'
import type { Sql } from '../database/database.ts'
import { personName } from '../database/listing.ts'
import { as, locked, orNull, outer, pick, row, sql, under } from '../database/sql.ts'
import { excludedSql } from '../database/values.ts'
import { currencyRate } from '../supplier/tables.ts'
import type { BankRate } from './bank-rates.ts'
import { supplierProduct } from './tables.ts'

const [r, known] = [under(currencyRate, 'r'), outer(currencyRate, 'r')]
const a = outer(account, 'a')
/** Where names stand alone, and what an INSERT brings. */
const [stored, sent] = [under(currencyRate), under(currencyRate, 'excluded')]
const products = under(supplierProduct)

interface StoredRate {
  currency: string
  /** Baht for one unit, as an exact decimal. */
  baht: string
  source: string
  byName: string | null
  at: Date
}

export const findStoredRates = (db: Sql): Promise<StoredRate[]> =>
  db.query({
    text: sql`SELECT ${row<StoredRate>({
      ...pick(r, 'currency', 'source', 'at'),
      baht: as.text(`trim_scale(${r.satangPerUnit} / 100)`),
      byName: orNull(personName('a')),
    })}
      FROM ${r} LEFT JOIN ${a} ON ${a.uid} = ${r.source} ORDER BY ${r.currency}`,
  })

/** Returns the rate of a currency and keeps others from changing it meanwhile; null when nobody has told it. */
export async function lockRate(tx: Sql, currency: Currency): Promise<string | null> {
  await tx.query({ text: sql`SELECT ${locked(`'rate ' || $1`)}`, values: [currency] })
  return (await findStoredRates(tx)).find(rate => rate.currency === currency)?.baht ?? null
}

/** What a currency's rate is by now. */
const TOLD = pick(stored, 'satangPerUnit', 'source', 'at')

export async function saveTypedRate(
  tx: Sql,
  { currency, baht, uid, now }: { currency: Currency; baht: string; uid: string; now: Date },
): Promise<void> {
  await tx.query({
    text: sql`INSERT INTO ${stored} (${stored.currency}, ${stored.satangPerUnit}, ${stored.source}, ${stored.at})
      VALUES ($1, $2::numeric * 100, $3, $4)
      ON CONFLICT (${stored.currency}) DO UPDATE SET ${excludedSql(TOLD)}`,
    values: [currency, baht, uid, now],
  })
}

/** A rate of the bank is believed while it differs from the one before by no more than this part. */
const MOST_DIFFERENCE = 0.2

/**
 * Keeps rates of the bank that are later than what is known, with so many per cent on top; returns the currencies that
 * were left out because they jumped. A rate is of the end of its day.
 */
export async function saveBankRates(
  db: Sql,
  rates: readonly BankRate[],
  { marginPercent, now }: { marginPercent: number; now: Date },
): Promise<string[]> {
  const rows = await db.query({
    text: sql`WITH sent AS (
        SELECT s.currency, s.selling::numeric * (100 + $2) AS satang, least($3, (s.day || 'T18:00:00+07')::timestamptz) AS at
        FROM json_to_recordset($1) AS s (currency text, selling text, day text)
      ), later AS (
        SELECT s.*, ${known.currency} IS NULL
          OR s.satang / ${known.satangPerUnit} BETWEEN 1 - $5::numeric AND 1 + $5::numeric AS fits
        FROM sent s LEFT JOIN ${known} ON ${known.currency} = s.currency WHERE ${known.at} IS NULL OR s.at > ${known.at}
      ), saved AS (
        INSERT INTO ${stored} AS r (${stored.currency}, ${stored.satangPerUnit}, ${stored.source}, ${stored.at})
        SELECT currency, satang, $4, at FROM later WHERE fits
        ON CONFLICT (${stored.currency}) DO UPDATE SET ${excludedSql(TOLD)}
          WHERE ${r.at} < ${sent.at} RETURNING 1
      ) SELECT ${row({ currency: as.text('currency'), saved: as.bool('fits') })} FROM later`,
    values: [JSON.stringify(rates), marginPercent, now, BANK_SOURCE, MOST_DIFFERENCE],
  })
  return rows.filter(({ saved }) => !saved).map(({ currency }) => currency)
}

/** Returns the currencies that suppliers bill products in, beside the baht. */
export async function findUsedCurrencies(db: Sql): Promise<string[]> {
  const rows = await db.query({
    text: sql`SELECT DISTINCT ${row(pick(products, 'currency'))} FROM ${products}
      WHERE ${products.goneAt} IS NULL AND ${products.currency} <> 'THB' ORDER BY ${products.currency}`,
  })
  return rows.map(({ currency }) => currency)
}
