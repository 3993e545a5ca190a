import { createHash } from 'node:crypto'
import { isChatQuotaLow } from '@shop/shared/chat/digest-time.ts'
import { TROUBLE_KINDS, type TroubleKind } from '@shop/shared/chat/trouble.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { AUDIENCE } from '@shop/shared/permissions.ts'
import { supplierLabel } from '@shop/shared/provider-names.ts'
import { earliestStatementDay } from '@shop/shared/statement/period.ts'
import { REJECTION } from '@shop/shared/supplier/supplier.ts'
import { addSeconds, bangkokDay, bangkokMonthOf, DAY_MS, formatShort } from '@shop/shared/time.ts'
import { EXPIRING_DAYS } from '@shop/shared/voucher/voucher.ts'
import { countDeadJobs } from '../backlog/dead-jobs.ts'
import { findDoubted, findStopped, findTooDear } from '../cost/follow-store.ts'
import { findOldRates } from '../cost/rates.ts'
import { countUnknownCharges } from '../gateway/store.ts'
import { countDeadSince } from '../mail/store.ts'
import { findSign, SIGN } from '../pulse/signs.ts'
import type { Shop } from '../shop/shop.ts'
import { isQuotaLow } from '../slipcheck/check.ts'
import { countAsksOfMonth, findStop } from '../slipcheck/store.ts'
import { countOpenGaps } from '../statement/chain-store.ts'
import { countOverdue } from '../statement/reconciliation-store.ts'
import { countDisputed } from '../statement/take-back-store.ts'
import { countWaiting, findSupplier, findUnclear, type SupplierRow } from '../supplier/store.ts'
import { isBalanceLow } from '../supplier/watch.ts'
import { findNeedy } from '../voucher/stock-store.ts'
import { countDeadMessages, findLostRooms, findQuota } from './store.ts'

interface Found {
  /** Identifies one occurrence of the trouble; each occurrence is reported once. */
  turn: string
  detail: string
}
type Find = (shop: Shop, now: Date) => Promise<Found | null>

/** What a gateway does not answer for so long is told. */
const SILENT_SECONDS = 600
const MOST_NAMED = 5

/** Names some of many things, and how many others there are. */
const namedOf = (names: readonly string[], between = ' · ', unit = ''): string =>
  names.slice(0, MOST_NAMED).join(between) +
  (names.length > MOST_NAMED ? ` และอีก ${names.length - MOST_NAMED}${unit}` : '')

/** Of several suppliers in trouble the whole is one trouble: its turn and its words are theirs. */
const ofSuppliers =
  (find: (row: SupplierRow, shop: Shop, now: Date) => Found | null | Promise<Found | null>): Find =>
  async (shop, now) => {
    const all: Found[] = []
    for (const { name } of Object.values(shop.suppliers)) {
      const found = await find(await findSupplier(shop.db, name), shop, now)
      if (found) all.push({ turn: found.turn, detail: `${supplierLabel(name)} ${found.detail}` })
    }
    if (all.length === 0) return null
    return { turn: all.map(({ turn }) => turn).join(' '), detail: all.map(({ detail }) => detail).join(' · ') }
  }

/** Of several packages in trouble the whole is one trouble, which begins anew with each one more. */
function ofPackages(packages: readonly { id: number; gameName: string; name: string }[], now: Date): Found | null {
  if (packages.length === 0) return null
  const named = packages.map(({ gameName, name }) => `${gameName} ${name}`)
  const ids = createHash('sha256')
    .update(packages.map(({ id }) => id).join())
    .digest('base64url')
  return { turn: `${bangkokDay(now)} ${ids}`, detail: namedOf(named, ' · ', ' แพ็กเกจ') }
}

/** How each trouble is detected. One that lasts is reported again the next day or month. */
const FIND: Record<TroubleKind, Find> = {
  async moneyWithoutLine({ db }, now) {
    const { orders, topUps } = await countOverdue(db, earliestStatementDay(now), now)
    const parts = [orders > 0 && `${orders} คำสั่งซื้อ`, topUps > 0 && `${topUps} รายการเติมกระเป๋าเงิน`].filter(Boolean)
    return parts.length > 0 ? { turn: bangkokDay(now), detail: parts.join(' ') } : null
  },
  async chainBroken({ db }, now) {
    const lines = await countOpenGaps(db, earliestStatementDay(now))
    return lines > 0 ? { turn: bangkokDay(now), detail: `${lines} รายการ` } : null
  },
  async linesDisputed({ db }, now) {
    const lines = await countDisputed(db)
    return lines > 0 ? { turn: bangkokDay(now), detail: `${lines} รายการ` } : null
  },
  async slipStopped({ db, slipProvider }, now) {
    const stop = slipProvider && (await findStop(db, slipProvider.name, now))
    return stop && { turn: `${bangkokDay(now)} ${stop.code}`, detail: `${slipProvider.name} ตอบ ${stop.code ?? '-'}` }
  },
  async slipQuotaLow({ db, slipProvider, config }, now) {
    if (!slipProvider) return null
    const [used, quota] = [await countAsksOfMonth(db, slipProvider.name, now), config.SLIP_MONTHLY_QUOTA]
    return isQuotaLow(used, quota) ? { turn: bangkokMonthOf(now), detail: `ใช้ไป ${used} จาก ${quota}` } : null
  },
  supplierStopped: ofSuppliers(async ({ stoppedAt, stoppedFor }, { db }) => {
    if (!stoppedAt || !stoppedFor) return null
    const waiting = await countWaiting(db)
    return { turn: stoppedAt.toISOString(), detail: `${REJECTION[stoppedFor].text} รออยู่ ${waiting} คำสั่งซื้อ` }
  }),
  async gatewaySilent({ db }, now) {
    const { count, silentSince } = await countUnknownCharges(db, now)
    if (!silentSince || addSeconds(silentSince, SILENT_SECONDS) > now) return null
    return { turn: silentSince.toISOString(), detail: `${count} รายการ ตั้งแต่ ${formatShort(silentSince)}` }
  },
  async jobsDead({ db }) {
    const { count, since } = await countDeadJobs(db)
    return since ? { turn: since.toISOString(), detail: `${count} งาน ตั้งแต่ ${formatShort(since)}` } : null
  },
  supplierBalanceLow: ofSuppliers((row, _, now) =>
    row.isOn && isBalanceLow(row)
      ? { turn: bangkokDay(now), detail: `คงเหลือ ${formatBaht(row.balanceSatang ?? 0)} บาท` }
      : null,
  ),
  async supplierContradiction({ db }) {
    const orderNos = (await findUnclear(db)).map(({ orderNo }) => orderNo)
    return orderNos.length > 0 ? { turn: orderNos.at(-1)!, detail: namedOf(orderNos, ' ') } : null
  },
  async codesLow({ db }, now) {
    const low = await findNeedy(db, 'low', bangkokDay(now))
    const detail = namedOf(low.map(({ name, free }) => `${name} เหลือ ${free}`))
    return low.length > 0 ? { turn: `${bangkokDay(now)} ${low.length}`, detail } : null
  },
  async codesExpiring({ db }, now) {
    const some = await findNeedy(db, 'expiring', bangkokDay(now))
    const detail = namedOf(some.map(({ name, expiring }) => `${name} ${expiring} รหัส`))
    return some.length > 0 ? { turn: bangkokMonthOf(now), detail: `ภายใน ${EXPIRING_DAYS} วัน ${detail}` } : null
  },
  async costAbovePrice({ db }, now) {
    return ofPackages(await findStopped(db, now), now)
  },
  async costAboveLimit({ db }, now) {
    return ofPackages(await findTooDear(db), now)
  },
  async costDoubted({ db }, now) {
    return ofPackages(await findDoubted(db), now)
  },
  async rateOld({ db }, now) {
    const currencies = await findOldRates(db, now)
    return currencies.length > 0 ? { turn: bangkokDay(now), detail: currencies.join(' ') } : null
  },
  async nobodyHears(shop, now) {
    const unheard = await shop.findUnheard(shop.db)
    // Told each hour, because the first push that gets through is what ends it.
    const hour = now.toISOString().slice(0, 'YYYY-MM-DDTHH'.length)
    return unheard.length > 0 ? { turn: hour, detail: unheard.map(each => AUDIENCE[each]).join(' ') } : null
  },
  async watcherSilent({ db }, now) {
    const at = await findSign(db, 'watcher')
    if (!at || addSeconds(at, SIGN.watcher.mostSeconds) > now) return null
    return { turn: at.toISOString(), detail: `ถามครั้งล่าสุด ${formatShort(at)}` }
  },
  async chatQuotaLow({ db }, now) {
    const quota = await findQuota(db)
    if (!isChatQuotaLow(quota)) return null
    return { turn: bangkokMonthOf(now), detail: `ใช้ไป ${quota.used} จาก ${quota.limit}` }
  },
  async chatRoomLost({ db }) {
    const lost = await findLostRooms(db)
    const named = lost.map(({ groupName, lostAt }) => `${groupName} (${formatShort(lostAt!)})`)
    return lost.length > 0 ? { turn: lost.at(-1)!.lostAt!.toISOString(), detail: named.join(' ') } : null
  },
  async mailDead({ db }, now) {
    const dead = await countDeadSince(db, new Date(now.getTime() - DAY_MS))
    return dead > 0 ? { turn: bangkokDay(now), detail: `${dead} ฉบับ` } : null
  },
  async chatDead({ db }, now) {
    const dead = await countDeadMessages(db, new Date(now.getTime() - DAY_MS))
    return dead > 0 ? { turn: bangkokDay(now), detail: `${dead} ข้อความ` } : null
  },
}

export const findTrouble = (shop: Shop, kind: TroubleKind, now: Date): Promise<Found | null> => FIND[kind](shop, now)

/** Returns all troubles that exist now. */
export async function findTroubles(shop: Shop, now: Date): Promise<({ kind: TroubleKind } & Found)[]> {
  const all = await Promise.all(TROUBLE_KINDS.map(async kind => ({ kind, found: await FIND[kind](shop, now) })))
  return all.flatMap(({ kind, found }) => (found ? [{ kind, ...found }] : []))
}
