import type { AuditSubject } from '@shop/shared/audit/subject.ts'
import type { explainPrices } from '@shop/shared/catalogue/manage-endpoints.ts'
import { explainPrice } from '@shop/shared/catalogue/price-editing.ts'
import type { PriceRow } from '@shop/shared/catalogue/pricing.ts'
import type { Reply } from '@shop/shared/endpoint.ts'
import { findSubjectAt } from '../audit/store.ts'
import type { Sql } from '../database/database.ts'
import { findTierDiscounts, type StoredPackage } from './package-store.ts'

type Row = Reply<typeof explainPrices>['rows'][number]

/** The data that prices depended on at a moment. */
interface State {
  /** Why nobody could buy the package; null when it was on sale. */
  closed: string | null
  prices: Partial<Record<string, PriceRow>>
  tiers: { id: number; name: string; discountSatang: number }[]
}

async function stateNow(db: Sql, { id, prices, isActive, isGameActive }: StoredPackage): Promise<State> {
  return {
    closed: !isGameActive ? 'เกมถูกปิดไว้' : !isActive ? 'แพ็กเกจถูกปิดไว้' : null,
    prices: Object.fromEntries(prices.map(price => [price.payment, price])),
    tiers: await findTierDiscounts(db, id),
  }
}

/** Returns this state at an earlier moment, with the values that the audit log recorded then. */
async function stateAt(db: Sql, { id, gameId }: StoredPackage, now: State, at: Date): Promise<State> {
  const find = (subject: AuditSubject, key?: string) => findSubjectAt(db, { subject, key, at })
  const [prices, sold, game] = await Promise.all([find(`price:${id}`), find(`package:${id}`), find(`game:${gameId}`)])
  const tiers = await Promise.all(
    now.tiers.map(async tier => {
      const cells = await find(`discount:${id}`, `tier:${tier.id}`)
      if (cells === undefined) return tier
      const cell = cells?.[`tier:${tier.id}`] as { discountSatang: number; isActive: boolean } | undefined
      return { ...tier, discountSatang: cell?.isActive ? cell.discountSatang : 0 }
    }),
  )
  const isClosed = (state: Record<string, unknown> | null | undefined) => state !== undefined && !state?.isActive
  const isSame = sold === undefined && game === undefined
  return {
    closed: isClosed(game) ? 'เกมถูกปิดไว้' : isClosed(sold) ? 'แพ็กเกจถูกปิดไว้' : isSame ? now.closed : null,
    prices: prices === undefined ? now.prices : ((prices ?? {}) as State['prices']),
    tiers,
  }
}

/**
 * Explains who pays what for a package at a moment and why. For the past it uses what was set then, for the future what
 * is set now. Everybody pays the same by transfer, and everybody with a wallet has a tier.
 */
export async function explainPackage(
  db: Sql,
  sold: StoredPackage,
  { at, now }: { at: Date; now: Date },
): Promise<Row[]> {
  const current = await stateNow(db, sold)
  const { closed, prices, tiers } = at < now ? await stateAt(db, sold, current, at) : current
  const rowOf = (payment: Row['payment'], tier: State['tiers'][number] | null): Row => ({
    payment,
    tierId: tier?.id ?? null,
    tierName: tier?.name ?? null,
    ...explainPrice(prices[payment] ?? null, tier, at),
    ...(closed !== null && { paysSatang: null, discountSatang: 0, reasons: [closed] }),
  })
  return [rowOf('bank', null), ...tiers.map(tier => rowOf('wallet', tier))]
}
