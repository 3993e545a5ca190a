import { BANK_SOURCE, type Currency } from '@shop/shared/cost/currency.ts'
import type { Sql } from '../database/database.ts'
import { personName } from '../database/listing.ts'
import type { BankRate } from './bank-rates.ts'

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
    text: `SELECT r.currency, trim_scale(r.satang_per_unit / 100)::text AS baht, r.source, ${personName('a')} AS "byName", r.at
      FROM currency_rate r LEFT JOIN account a ON a.uid = r.source ORDER BY r.currency`,
  })

/** Returns the rate of a currency and keeps others from changing it meanwhile; null when nobody has told it. */
export async function lockRate(tx: Sql, currency: Currency): Promise<string | null> {
  await tx.query({ text: `SELECT pg_advisory_xact_lock(hashtextextended('rate ' || $1, 0))`, values: [currency] })
  return (await findStoredRates(tx)).find(rate => rate.currency === currency)?.baht ?? null
}

export async function saveTypedRate(
  tx: Sql,
  { currency, baht, uid, now }: { currency: Currency; baht: string; uid: string; now: Date },
): Promise<void> {
  await tx.query({
    text: `INSERT INTO currency_rate (currency, satang_per_unit, source, at) VALUES ($1, $2::numeric * 100, $3, $4)
      ON CONFLICT (currency) DO UPDATE SET satang_per_unit = excluded.satang_per_unit, source = excluded.source, at = excluded.at`,
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
  const rows = await db.query<{ currency: string; saved: boolean }>({
    text: `WITH sent AS (
        SELECT s.currency, s.selling::numeric * (100 + $2) AS satang, least($3, (s.day || 'T18:00:00+07')::timestamptz) AS at
        FROM json_to_recordset($1) AS s (currency text, selling text, day text)
      ), later AS (
        SELECT s.*, r.currency IS NULL OR s.satang / r.satang_per_unit BETWEEN 1 - $5::numeric AND 1 + $5::numeric AS fits
        FROM sent s LEFT JOIN currency_rate r ON r.currency = s.currency WHERE r.at IS NULL OR s.at > r.at
      ), saved AS (
        INSERT INTO currency_rate AS r (currency, satang_per_unit, source, at)
        SELECT currency, satang, $4, at FROM later WHERE fits
        ON CONFLICT (currency) DO UPDATE SET satang_per_unit = excluded.satang_per_unit, source = excluded.source, at = excluded.at
          WHERE r.at < excluded.at RETURNING 1
      ) SELECT currency, fits AS saved FROM later`,
    values: [JSON.stringify(rates), marginPercent, now, BANK_SOURCE, MOST_DIFFERENCE],
  })
  return rows.filter(({ saved }) => !saved).map(({ currency }) => currency)
}

/** Returns the currencies that suppliers bill products in, beside the baht. */
export async function findUsedCurrencies(db: Sql): Promise<string[]> {
  const rows = await db.query<{ currency: string }>({
    text: `SELECT DISTINCT currency FROM supplier_product WHERE gone_at IS NULL AND currency <> 'THB' ORDER BY currency`,
  })
  return rows.map(({ currency }) => currency)
}
