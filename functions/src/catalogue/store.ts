import { asc, eq } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import { gameTag } from './tables.ts'

/** Returns the SQL of a price row's list price at a moment, by the same rule as `listPriceAt`. */
export const listPriceSql = (alias: string, now: string): string =>
  `CASE WHEN ${alias}.next_day <= (${now}::timestamptz AT TIME ZONE 'Asia/Bangkok')::date
    THEN ${alias}.next_price_satang ELSE ${alias}.price_satang END`

export async function findGameTags(db: Sql, kind: 'region' | 'language' | 'platform') {
  return db.orm
    .select({ code: gameTag.code, name: gameTag.name })
    .from(gameTag)
    .where(eq(gameTag.kind, kind))
    .orderBy(asc(gameTag.position))
}

/** Tells whether an account of the shop has this id, in use or not. */
export async function receivingAccountExists(db: Sql, id: number): Promise<boolean> {
  const rows = await db.query({ text: 'SELECT 1 FROM receiving_account WHERE id = $1', values: [id] })
  return rows.length > 0
}

/** Returns one or all accounts that receive money, with the numbers that identify a transfer to them. */
export async function findAccountNumbers(db: Sql, only: number | null) {
  return db.query<{ id: number; bankCode: string; accountNo: string; promptPayId: string | null; names: string[] }>({
    text: `SELECT id, bank_code AS "bankCode", account_no AS "accountNo", prompt_pay_id AS "promptPayId",
        array_remove(ARRAY[account_name, account_name_en], NULL) AS names
      FROM receiving_account WHERE id = $1 OR ($1::int IS NULL AND is_active)`,
    values: [only],
  })
}

/** Returns an account's name in Latin letters, if its number is still this one; null when none was entered. */
export async function findLatinName(db: Sql, of: { id: number; accountNo: string }): Promise<string | null> {
  const [row] = await db.query<{ name: string | null }>({
    text: 'SELECT account_name_en AS name FROM receiving_account WHERE id = $1 AND account_no = $2',
    values: [of.id, of.accountNo],
  })
  return row?.name ?? null
}

/** Tells whether the shop receives money on this account. */
export async function isReceivingAccount(db: Sql, id: number): Promise<boolean> {
  const rows = await db.query({ text: 'SELECT 1 FROM receiving_account WHERE id = $1 AND is_active', values: [id] })
  return rows.length > 0
}
