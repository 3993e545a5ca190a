// A game of the demo shop whose packages are codes of the shop's own stock, so that an order is delivered in seconds.
import { randomInt } from 'node:crypto'
import { PLAYER_FIELD_NAMES } from '@shop/shared/catalogue/catalogue.ts'
import { OWN_STOCK } from '@shop/shared/catalogue/delivers.ts'
import { bangkokDay, DAY_MS } from '@shop/shared/time.ts'
import { game, gamePackage, packagePrice } from 'functions/src/catalogue/tables.ts'
import type { Database, Sql } from 'functions/src/database/database.ts'
import { insertBatch } from 'functions/src/voucher/stock-store.ts'
import { insertVouchers, openVouchers } from 'functions/src/voucher/store.ts'
import { uuidv7 } from 'uuidv7'

const satang = (baht: number) => baht * 100

/** Name, price by bank transfer, price from the wallet, what a code cost, how many there are. */
const PACKAGES: [name: string, bankBaht: number, walletBaht: number, costBaht: number, pieces: number][] = [
  ['100 บาท', 109, 106, 97, 60],
  ['300 บาท', 319, 312, 291, 40],
  ['500 บาท', 529, 518, 485, 25],
  // So few that staff are told.
  ['1,000 บาท', 1050, 1030, 970, 3],
]
const LOW_STOCK = 5
/** What a buyer agrees to. */
export const STEAM_WARNING = 'ใช้ได้กับบัญชี Steam ที่ตั้งประเทศเป็นไทยเท่านั้น'
const HELP = 'เปิด Steam เลือกชื่อบัญชีมุมขวาบน แล้วเลือก "เติมรหัส Steam Wallet" วางรหัส แล้วกดดำเนินการต่อ'
/** Without those that look like another. */
const LETTERS = 'ABCDEFGHJKLMNPQRTVWXYZ2346789'

const madeUpCode = (): string =>
  Array.from({ length: 3 }, () => Array.from({ length: 5 }, () => LETTERS[randomInt(LETTERS.length)]).join('')).join(
    '-',
  )

/** @param since when they came in: before the days that are lived, in which some are sold */
export async function insertDemoCodes(db: Database, { now, since }: { now: Date; since: Date }): Promise<void> {
  await db.transaction(async tx => {
    const gameId = await insertGame(tx)
    for (const [index, [name, bankBaht, walletBaht, costBaht, pieces]] of PACKAGES.entries()) {
      const [sold] = await tx.orm
        .insert(gamePackage)
        .values({
          gameId,
          name,
          position: index + 1,
          costSatang: satang(costBaht),
          delivers: 'code',
          sources: [{ supplier: OWN_STOCK, sku: '', costSatang: null }],
          isAutomatic: true,
          warning: STEAM_WARNING,
          redeemHelp: HELP,
          lowStock: LOW_STOCK,
        })
        .returning({ id: gamePackage.id })
      const startDay = bangkokDay(since)
      const price = { packageId: sold!.id, startDay, isActive: true }
      await tx.orm.insert(packagePrice).values([
        { ...price, payment: 'bank', priceSatang: satang(bankBaht) },
        { ...price, payment: 'wallet', priceSatang: satang(walletBaht) },
      ])
      await insertStock(tx, { packageId: sold!.id, name, costSatang: satang(costBaht), pieces }, { now, since })
    }
  })
}

async function insertGame({ orm }: Sql): Promise<number> {
  const [made] = await orm
    .insert(game)
    .values({
      code: 'steam',
      name: 'Steam Wallet',
      description: 'รหัสเติมเงิน Steam ส่งให้ทันทีหลังชำระเงิน',
      regions: ['th'],
      languages: ['th', 'en'],
      platforms: ['pc'],
      searchWords: ['สตีม', 'สตรีม', 'รหัส', 'gift card', 'code'],
      picture: '/files/games/steam.svg',
      fieldLabels: PLAYER_FIELD_NAMES.map((_, place) => (place === 0 ? 'ชื่อบัญชี Steam' : '')),
      fieldFormats: PLAYER_FIELD_NAMES.map(() => null),
      usualMinutesFrom: 1,
      usualMinutesTo: 2,
      position: 100,
    })
    .returning({ id: game.id })
  return made!.id
}

async function insertStock(
  tx: Sql,
  { packageId, name, costSatang, pieces }: { packageId: number; name: string; costSatang: number; pieces: number },
  { now, since }: { now: Date; since: Date },
): Promise<void> {
  const keys = openVouchers({ VOUCHER_KEYS: [], NODE_ENV: 'development' })!
  const batchId = uuidv7()
  const batch = { id: batchId, packageId, name: `Steam ${name} ล็อตแรก`, pieces, costSatang }
  await insertBatch(tx, { ...batch, importedBy: 'demo-manager', importedAt: since })
  // Some of them expire within the month, which staff are told of, too.
  const soon = bangkokDay(new Date(now.getTime() + 20 * DAY_MS))
  const codes = Array.from({ length: pieces }, (_, at) => {
    const expiresOn = at < 2 ? soon : null
    return { code: madeUpCode(), pin: null, serial: `ST${randomInt(1e9)}`, expiresOn, region: 'ไทย' }
  })
  const of = { packageId, batchId, attemptId: null, orderId: null, state: 'free', costSatang } as const
  await insertVouchers(tx, keys, codes, of, since)
}
