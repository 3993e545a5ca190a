import { bankOf } from '@shop/shared/catalogue/banks.ts'
import {
  isOnSale,
  listPriceAt,
  type PaymentCode,
  type PriceRow,
  playerFieldsOf,
} from '@shop/shared/catalogue/catalogue.ts'
import type { Game, GamePackage, ReceivingAccount } from '@shop/shared/catalogue/endpoints.ts'
import { and, asc, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import { Filter } from '../database/listing.ts'
import { banner, deliveryTime, game, gameTag, paymentMethod, receivingAccount } from './tables.ts'

/** The list price of a price row at a moment, as SQL: what `listPriceAt` says. */
export const listPriceSql = (alias: string, now: string): string =>
  `CASE WHEN ${alias}.next_day <= (${now}::timestamptz AT TIME ZONE 'Asia/Bangkok')::date
    THEN ${alias}.next_price_satang ELSE ${alias}.price_satang END`

/** The minutes a delivery usually takes: as measured (`delivery_time`), else as set for the game. */
export const usualMinutesSql = (game: string, measured: string): string =>
  `json_build_object('from', coalesce(${measured}.minutes_from, ${game}.usual_minutes_from),
    'to', coalesce(${measured}.minutes_to, ${game}.usual_minutes_to))`

/** Active games; `checksPlayers`: whether the shop checks player ids at all. */
export async function findGames(db: Sql, { checksPlayers }: { checksPlayers: boolean }): Promise<Game[]> {
  const rows = await db.orm
    .select({
      ...getTableColumns(game),
      usualMinutes: sql<Game['usualMinutes']>`${sql.raw(usualMinutesSql('game', 'delivery_time'))}`,
    })
    .from(game)
    .leftJoin(deliveryTime, eq(deliveryTime.gameId, game.id))
    .where(eq(game.isActive, true))
    .orderBy(asc(game.position))
  return rows.map(row => ({
    id: row.id,
    code: row.code,
    name: row.name,
    desc: row.description,
    picture: row.picture,
    regions: row.regions,
    languages: row.languages,
    platforms: row.platforms,
    searchWords: row.searchWords,
    fields: playerFieldsOf(row),
    playerHint: row.playerHint,
    playerHintPicture: row.playerHintPicture,
    isPlayerChecked: row.playerCheck !== null && checksPlayers,
    usualMinutes: row.usualMinutes,
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
        r.next_price_satang AS "nextPriceSatang", r.next_day::text AS "nextDay",
        coalesce(d.discount_satang, 0) AS "discountSatang"
      FROM package p JOIN game g ON g.id = p.game_id JOIN package_price r ON r.package_id = p.id
      LEFT JOIN discount d ON d.package_id = p.id AND d.tier_id = ${tier} AND d.is_active AND r.payment = 'wallet'
      WHERE ${filter} ORDER BY g.position, p.position, r.payment`,
    values: filter.values,
  })
  return rows
    .filter(row => isOnSale(row, want.now))
    .map(({ id, gameId, gameCode, name, desc, payment, ...row }) => {
      const priceSatang = listPriceAt(row, want.now)
      const discountSatang = Math.min(row.discountSatang, priceSatang)
      return { id, gameId, gameCode, name, desc, payment, priceSatang, discountSatang }
    })
}

export async function tierExists(db: Sql, id: number): Promise<boolean> {
  return (await db.query({ text: 'SELECT 1 FROM agent_tier WHERE id = $1', values: [id] })).length > 0
}

/** What an active game is known by; null when there is none of this code. */
export async function findActiveGame(db: Sql, code: string) {
  const [row] = await db.orm
    .select({ id: game.id, playerCheck: game.playerCheck })
    .from(game)
    .where(and(eq(game.code, code), eq(game.isActive, true)))
  return row ?? null
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

/** Whether this is an account of the shop, and be it one out of use. */
export async function receivingAccountExists(db: Sql, id: number): Promise<boolean> {
  const rows = await db.query({ text: 'SELECT 1 FROM receiving_account WHERE id = $1', values: [id] })
  return rows.length > 0
}

/** Accounts that the shop receives money on, with what tells a transfer to them: one of them, or all. */
export async function findAccountNumbers(db: Sql, only: number | null) {
  return db.query<{ id: number; bankCode: string; accountNo: string; promptPayId: string | null; name: string }>({
    text: `SELECT id, bank_code AS "bankCode", account_no AS "accountNo", prompt_pay_id AS "promptPayId", account_name AS name
      FROM receiving_account WHERE id = $1 OR ($1::int IS NULL AND is_active)`,
    values: [only],
  })
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
