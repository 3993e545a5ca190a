import type { Satang } from '@shop/shared/money.ts'
import { asc, eq } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import { as, type Expr, pick, row, sql, under } from '../database/sql.ts'
import { gameTag, packagePrice, receivingAccount } from './tables.ts'

/** Returns the SQL of a price row's list price at a moment, by the same rule as `listPriceAt`. */
export function listPriceSql(alias: string, now: string): Expr<Satang> {
  const r = under(packagePrice, alias)
  return as.satang(`CASE WHEN ${r.nextDay} <= (${now}::timestamptz AT TIME ZONE 'Asia/Bangkok')::date
    THEN ${r.nextPriceSatang} ELSE ${r.priceSatang} END`)
}

export async function findGameTags(db: Sql, kind: 'region' | 'language' | 'platform') {
  return db.orm
    .select({ code: gameTag.code, name: gameTag.name })
    .from(gameTag)
    .where(eq(gameTag.kind, kind))
    .orderBy(asc(gameTag.position))
}

const a = under(receivingAccount)

/** Tells whether an account of the shop has this id, in use or not. */
export async function receivingAccountExists(db: Sql, id: number): Promise<boolean> {
  const rows = await db.query({ text: sql`SELECT ${row(pick(a, 'id'))} FROM ${a} WHERE ${a.id} = $1`, values: [id] })
  return rows.length > 0
}

/** Returns one or all accounts that receive money, with the numbers that identify a transfer to them. */
export async function findAccountNumbers(db: Sql, only: number | null) {
  const names = as.shape<string[]>(`array_remove(ARRAY[${a.accountName}, ${a.accountNameEn}], NULL)`)
  return db.query({
    text: sql`SELECT ${row({ ...pick(a, 'id', 'bankCode', 'accountNo', 'promptPayId'), names })}
      FROM ${a} WHERE ${a.id} = $1 OR ($1::int IS NULL AND ${a.isActive})`,
    values: [only],
  })
}

/** Returns an account's name in Latin letters, if its number is still this one; null when none was entered. */
export async function findLatinName(db: Sql, of: { id: number; accountNo: string }): Promise<string | null> {
  const [found] = await db.query({
    text: sql`SELECT ${row({ name: a.accountNameEn })} FROM ${a} WHERE ${a.id} = $1 AND ${a.accountNo} = $2`,
    values: [of.id, of.accountNo],
  })
  return found?.name ?? null
}

/** Tells whether the shop receives money on this account. */
export async function isReceivingAccount(db: Sql, id: number): Promise<boolean> {
  const rows = await db.query({
    text: sql`SELECT ${row(pick(a, 'id'))} FROM ${a} WHERE ${a.id} = $1 AND ${a.isActive}`,
    values: [id],
  })
  return rows.length > 0
}
