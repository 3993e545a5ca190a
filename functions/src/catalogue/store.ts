import { bankOf } from '@shop/shared/catalogue/banks.ts'
import { isOnSale, type PaymentCode, type PriceRow, playerFieldsOf } from '@shop/shared/catalogue/catalogue.ts'
import type { Game, GamePackage, ReceivingAccount } from '@shop/shared/catalogue/endpoints.ts'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import { Filter } from '../database/listing.ts'
import { banner, game, gameTag, paymentMethod, receivingAccount } from './tables.ts'

export async function findGames(db: Sql): Promise<Game[]> {
  const rows = await db.orm.select().from(game).where(eq(game.isActive, true)).orderBy(asc(game.position))
  return rows.map(row => ({
    id: row.id,
    code: row.code,
    name: row.name,
    desc: row.description,
    picture: row.picture,
    regions: row.regions,
    languages: row.languages,
    platforms: row.platforms,
    fields: playerFieldsOf(row.fieldLabels),
    usualMinutes: { from: row.usualMinutesFrom, to: row.usualMinutesTo },
  }))
}

export async function findGameTags(db: Sql, kind: 'region' | 'language' | 'platform') {
  return db.orm
    .select({ code: gameTag.code, name: gameTag.name })
    .from(gameTag)
    .where(eq(gameTag.kind, kind))
    .orderBy(asc(gameTag.position))
}

/** Packages on sale now for the given payment methods, one row per method, with a tier's discounts. */
export async function findPackagesOnSale(
  db: Sql,
  want: { gameCode?: string; payments: PaymentCode[]; tierId: number | null; now: Date },
): Promise<GamePackage[]> {
  const filter = new Filter('g.is_active', 'p.is_active', 'r.is_active')
  const tier = `${filter.bind(want.tierId)}::int`
  filter.where(want.payments, payments => `r.payment = ANY(${payments}::text[])`)
  filter.where(want.gameCode, code => `g.code = ${code}`)
  const rows = await db.query<GamePackage & PriceRow>({
    text: `SELECT p.id, g.id AS "gameId", g.code AS "gameCode", p.name, p.description AS desc, r.payment,
        r.price_satang AS "priceSatang", r.start_day::text AS "startDay", r.end_day::text AS "endDay", r.is_active AS "isActive",
        least(coalesce(d.discount_satang, 0), r.price_satang) AS "discountSatang"
      FROM package p JOIN game g ON g.id = p.game_id JOIN package_price r ON r.package_id = p.id
      LEFT JOIN discount d ON d.package_id = p.id AND d.tier_id = ${tier} AND d.is_active AND r.payment = 'wallet'
      WHERE ${filter} ORDER BY g.position, p.position, r.payment`,
    values: filter.values,
  })
  return rows
    .filter(row => isOnSale(row, want.now))
    .map(({ startDay: _start, endDay: _end, isActive: _active, ...row }) => row)
}

export async function gameExists(db: Sql, code: string): Promise<boolean> {
  const rows = await db.orm
    .select({ id: game.id })
    .from(game)
    .where(and(eq(game.code, code), eq(game.isActive, true)))
  return rows.length > 0
}

export async function findPaymentMethods(db: Sql, codes: PaymentCode[]) {
  return db.orm
    .select({ code: paymentMethod.code, name: paymentMethod.name, image: paymentMethod.image })
    .from(paymentMethod)
    .where(inArray(paymentMethod.code, codes))
    .orderBy(asc(paymentMethod.position))
}

export async function findReceivingAccounts(db: Sql): Promise<ReceivingAccount[]> {
  const rows = await db.orm
    .select()
    .from(receivingAccount)
    .where(eq(receivingAccount.isActive, true))
    .orderBy(asc(receivingAccount.position))
  return rows.map(row => ({
    id: row.id,
    code: row.bankCode,
    bankName: bankOf(row.bankCode).niceName,
    logo: row.logo,
    accountName: row.accountName,
    accountNo: row.accountNo,
    branch: row.branch,
    hasPromptPay: row.promptPayId !== null,
  }))
}

/** Whether the shop receives money on this account. */
export async function isReceivingAccount(db: Sql, id: number): Promise<boolean> {
  const rows = await db.query({ text: 'SELECT 1 FROM receiving_account WHERE id = $1 AND is_active', values: [id] })
  return rows.length > 0
}

export async function findBanners(db: Sql) {
  return db.orm
    .select({ id: banner.id, picture: banner.picture, description: banner.description })
    .from(banner)
    .where(eq(banner.isActive, true))
    .orderBy(asc(banner.position))
}
