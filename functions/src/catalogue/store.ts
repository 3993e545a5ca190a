import { asc, eq } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import { gameTag } from './tables.ts'

/** The list price of a price row at a moment, as SQL: what `listPriceAt` says. */
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

/** Whether this is an account of the shop, and be it one out of use. */
export async function receivingAccountExists(db: Sql, id: number): Promise<boolean> {
  const rows = await db.query({ text: 'SELECT 1 FROM receiving_account WHERE id = $1', values: [id] })
  return rows.length > 0
}

/** Accounts that the shop receives money on, with what tells a transfer to them: one of them, or all. */
export async function findAccountNumbers(db: Sql, only: number | null) {
  return db.query<{ id: number; bankCode: string; accountNo: string; promptPayId: string | null; names: string[] }>({
    text: `SELECT id, bank_code AS "bankCode", account_no AS "accountNo", prompt_pay_id AS "promptPayId",
        array_remove(ARRAY[account_name, account_name_en], NULL) AS names
      FROM receiving_account WHERE id = $1 OR ($1::int IS NULL AND is_active)`,
    values: [only],
  })
}

/** What an account is called in Latin letters, while it still has this number; null where nobody entered it. */
export async function findLatinName(db: Sql, of: { id: number; accountNo: string }): Promise<string | null> {
  const [row] = await db.query<{ name: string | null }>({
    text: 'SELECT account_name_en AS name FROM receiving_account WHERE id = $1 AND account_no = $2',
    values: [of.id, of.accountNo],
  })
  return row?.name ?? null
}

/** Whether the shop receives money on this account. */
export async function isReceivingAccount(db: Sql, id: number): Promise<boolean> {
  const rows = await db.query({ text: 'SELECT 1 FROM receiving_account WHERE id = $1 AND is_active', values: [id] })
  return rows.length > 0
}
