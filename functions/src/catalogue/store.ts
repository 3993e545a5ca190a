import { bankOf } from '@shop/shared/catalogue/banks.ts'
import { isOnSale, type PaymentCode, type PlayerField } from '@shop/shared/catalogue/catalogue.ts'
import type { Game, GamePackage, ReceivingAccount } from '@shop/shared/catalogue/endpoints.ts'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { benefit } from '../agent/tables.ts'
import type { Sql } from '../database/database.ts'
import { banner, game, gamePackage, gameTag, packagePrice, paymentMethod, receivingAccount } from './tables.ts'

/** The inputs a player fills in; an empty label is an input that is off. */
export function playerFields(labels: readonly string[]): PlayerField[] {
  return labels
    .map((label, index) => ({ name: `field${index + 1}` as PlayerField['name'], label }))
    .filter(field => field.label !== '')
}

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
    fields: playerFields(row.fieldLabels),
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
  filter: { gameCode?: string; payments: PaymentCode[]; tierId: number | null; now: Date },
): Promise<GamePackage[]> {
  const rows = await db.orm
    .select({
      id: gamePackage.id,
      gameId: game.id,
      gameCode: game.code,
      name: gamePackage.name,
      desc: gamePackage.description,
      payment: packagePrice.payment,
      priceSatang: packagePrice.priceSatang,
      startDay: packagePrice.startDay,
      endDay: packagePrice.endDay,
      isActive: packagePrice.isActive,
      discountSatang: benefit.discountSatang,
    })
    .from(gamePackage)
    .innerJoin(game, and(eq(game.id, gamePackage.gameId), eq(game.isActive, true)))
    .innerJoin(packagePrice, eq(packagePrice.packageId, gamePackage.id))
    .leftJoin(
      benefit,
      and(
        eq(benefit.packageId, gamePackage.id),
        eq(benefit.tierId, filter.tierId ?? sql`NULL`),
        eq(benefit.isActive, true),
        eq(packagePrice.payment, 'wallet'),
      ),
    )
    .where(
      and(
        eq(gamePackage.isActive, true),
        eq(packagePrice.isActive, true),
        inArray(packagePrice.payment, filter.payments),
        filter.gameCode === undefined ? undefined : eq(game.code, filter.gameCode),
      ),
    )
    .orderBy(asc(game.position), asc(gamePackage.position), asc(packagePrice.payment))
  return rows
    .filter(row => isOnSale(row, filter.now))
    .map(({ startDay: _start, endDay: _end, isActive: _active, ...row }) => ({
      ...row,
      discountSatang: Math.min(row.discountSatang ?? 0, row.priceSatang),
    }))
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
