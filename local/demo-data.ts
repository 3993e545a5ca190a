// Fills an empty database with the demo shop; does nothing when it has games already.
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { accountStatusOf } from '@shop/shared/account/account.ts'
import { PLAYER_FIELD_NAMES } from '@shop/shared/catalogue/catalogue.ts'
import { addSeconds, bangkokDay, DAY_MS } from '@shop/shared/time.ts'
import { eq, inArray } from 'drizzle-orm'
import { account, linkedIdentity } from 'functions/src/account/tables.ts'
import { insertFirstData } from 'functions/src/catalogue/first-data.ts'
import {
  agentTier,
  banner,
  discount,
  game,
  gamePackage,
  packagePrice,
  paymentMethod,
  receivingAccount,
} from 'functions/src/catalogue/tables.ts'
import { chatRoom } from 'functions/src/chat/tables.ts'
import { type Database, openDatabase, type Sql } from 'functions/src/database/database.ts'
import { option } from 'functions/src/settings/tables.ts'
import { type Files, openFiles } from 'functions/src/upload/files.ts'
import { demoAccounts, demoRegulars } from './demo-accounts.ts'
import { demoBanners, drawBanner, textOfBanner } from './demo-banner.ts'
import { demoGames, demoOptions, demoReceivingAccounts, demoTiers } from './demo-catalogue.ts'
import { insertDemoCodes } from './demo-codes.ts'
import { LIVED_DAYS, liveDemoDays } from './demo-days.ts'
import { findPayouts } from './demo-gateway.ts'
import { insertDemoOrders } from './demo-orders.ts'
import { insertDemoResellers } from './demo-reseller.ts'
import { insertDemoStatement } from './demo-statement.ts'
import { insertDemoSuppliers } from './demo-suppliers.ts'
import { insertDemoWallets } from './demo-wallets.ts'
import { demoLine } from './line-emulator/demo.ts'
import { projectRoot } from './os-process.ts'

const satang = (baht: number) => baht * 100
/** What a package costs the shop: so little that the best tier's discount still earns. */
const costOf = (walletBaht: number) => walletBaht * 82

/** What the payment gateway collects by in the demo shop. */
const DEMO_METHODS = ['promptpay', 'truemoney', 'linepay'] as const

/** Seeds the demo shop and its pictures. `history: false` leaves past orders out, for tests that count. */
export async function seedDemoData(
  databaseUrl: string,
  options: { filesDir: string; history?: boolean; now?: Date },
): Promise<void> {
  const { now = new Date() } = options
  const db = openDatabase(databaseUrl, { connections: 4 })
  try {
    await cp(join(projectRoot, 'local/demo-art'), join(options.filesDir, 'public'), { recursive: true })
    const files = await openFiles({ folder: options.filesDir })
    const [first] = await db.orm.select({ id: game.id }).from(game).limit(1)
    if (first) return
    await db.transaction(async tx => {
      await insertFirstData(tx)
      await tx.orm.update(paymentMethod).set({ isOn: true }).where(inArray(paymentMethod.code, DEMO_METHODS))
      await insertSettings(tx)
      await insertCatalogue(tx, now)
      await insertBanners(tx, files)
      await insertAccounts(tx, now)
      await insertTiers(tx)
      await insertDemoWallets(tx, files, now)
      await insertDemoResellers(tx, now)
    })
    const hasPast = options.history !== false
    if (hasPast) await insertOldOrders(db, now)
    const since = addSeconds(now, (-(LIVED_DAYS + 1) * DAY_MS) / 1000)
    await insertDemoCodes(db, { now, since })
    // Whoever is to be the second person must hear of it.
    await insertDemoChat(db, since)
    await insertDemoSuppliers(db, since)
    if (hasPast) await liveDemoDays(databaseUrl, { filesDir: options.filesDir, now })
  } finally {
    await db.close()
  }
}

/** Two months of ordinary orders with their bank lines, up to the days that the shop's people made; until then suppliers delivered nothing. */
async function insertOldOrders(db: Database, now: Date): Promise<void> {
  await insertDemoOrders(db, now)
  await insertDemoStatement(db, await findPayouts(db, now), addSeconds(now, (-LIVED_DAYS * DAY_MS) / 1000))
}

/** LINE's groups of the staff and of the managers hear the shop; the one member of each is linked to their account. */
async function insertDemoChat({ orm }: Sql, now: Date): Promise<void> {
  const { staffGroup, managersGroup, users } = demoLine
  const people = { 'demo-staff': users.staff, 'demo-manager': users.manager }
  const linked = Object.entries(people).map(([uid, { userId }]) => ({ uid, subject: userId }))
  await orm.insert(linkedIdentity).values(linked.map(each => ({ ...each, provider: 'line' as const, linkedAt: now })))
  const bound = { memberCount: 1, boundBy: 'demo-manager', boundAt: now }
  await orm.insert(chatRoom).values([
    { room: 'staff', ...staffGroup, ...bound },
    { room: 'managers', ...managersGroup, ...bound },
  ])
}

async function insertSettings({ orm }: Sql): Promise<void> {
  await orm.insert(option).values(Object.entries(demoOptions).map(([name, value]) => ({ name, value })))
  await orm
    .insert(receivingAccount)
    .values(demoReceivingAccounts.map((each, index) => ({ ...each, position: index + 1 })))
}

async function insertBanners({ orm }: Sql, files: Files): Promise<void> {
  const games = await orm.select({ id: game.id, code: game.code }).from(game)
  for (const [index, each] of demoBanners.entries()) {
    const picture = `banners/${each.code}.webp`
    await files.write(`public/${picture}`, await drawBanner(each), 'image/webp')
    await orm.insert(banner).values({
      picture: `/files/${picture}`,
      description: textOfBanner(each),
      gameId: games.find(({ code }) => code === each.code)!.id,
      position: index + 1,
    })
  }
}

async function insertCatalogue({ orm }: Sql, now: Date): Promise<void> {
  const startDay = bangkokDay(new Date(now.getTime() - 90 * DAY_MS))
  for (const [position, each] of demoGames.entries()) {
    const { fields, formats = [], hint, packages, usualMinutes, ...shown } = each
    const [made] = await orm
      .insert(game)
      .values({
        ...shown,
        picture: `/files/games/${each.code}.svg`,
        fieldLabels: PLAYER_FIELD_NAMES.map((_, place) => fields[place] ?? ''),
        fieldFormats: PLAYER_FIELD_NAMES.map((_, place) => formats[place] ?? null),
        playerHint: hint?.text ?? '',
        playerHintPicture: hint ? `/files/hints/${hint.picture}.svg` : '',
        usualMinutesFrom: usualMinutes[0],
        usualMinutesTo: usualMinutes[1],
        position: position + 1,
      })
      .returning({ id: game.id })
    for (const [index, [name, bankBaht, walletBaht]] of packages.entries()) {
      const [sold] = await orm
        .insert(gamePackage)
        .values({ gameId: made!.id, name, position: index + 1, costSatang: costOf(walletBaht) })
        .returning({ id: gamePackage.id })
      const price = { packageId: sold!.id, startDay, isActive: true }
      await orm.insert(packagePrice).values([
        { ...price, payment: 'bank', priceSatang: satang(bankBaht) },
        { ...price, payment: 'wallet', priceSatang: satang(walletBaht) },
      ])
    }
  }
}

async function insertAccounts({ orm }: Sql, now: Date): Promise<void> {
  const createdAt = new Date(now.getTime() - 61 * DAY_MS)
  const rows = [...demoAccounts, ...demoRegulars].map(each => {
    const [givenName, ...rest] = each.displayName.split(' ')
    return {
      uid: each.uid,
      // Agents are known by their shop's name.
      username: each.role === 'agent' ? `ร้าน${givenName}เกม` : (each.email ?? each.displayName),
      providers: each.email === null ? [] : ['password'],
      givenName: givenName!,
      familyName: rest.join(' '),
      email: each.email,
      emailVerified: each.email !== null,
      status: accountStatusOf(each.isActive),
      role: each.role,
      mustChangePassword: !each.hasChangedPassword,
      mustChangePin: !each.hasChangedPin,
      createdAt,
    }
  })
  await orm.insert(account).values(rows)
}

async function insertTiers({ orm }: Sql): Promise<void> {
  const packages = await orm
    .select({ id: packagePrice.packageId, walletSatang: packagePrice.priceSatang })
    .from(packagePrice)
    .where(eq(packagePrice.payment, 'wallet'))
  for (const tier of demoTiers) {
    const [made] = await orm
      .insert(agentTier)
      .values({
        name: tier.name,
        description: tier.description,
        maxAmountSatang: satang(tier.max),
        minTopUpSatang: satang(tier.minTopUp),
        maxAmountPerOrderSatang: satang(tier.maxPerOrder),
        maxItemPerOrder: tier.maxItems,
      })
      .returning({ id: agentTier.id })
    const discounts = packages.map(({ id: packageId, walletSatang }) => {
      const baht = Math.min(tier.discountBaht, Math.floor((walletSatang / 100) * tier.discountShare))
      return { packageId, tierId: made!.id, discountSatang: satang(baht) }
    })
    await orm.insert(discount).values(discounts)
  }
}
