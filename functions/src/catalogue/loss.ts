import { type AgreedPackage, lossOf } from '@shop/shared/catalogue/loss.ts'
import { formatBaht, type Satang } from '@shop/shared/money.ts'
import { SHOP_ITSELF } from '../audit/store.ts'
import type { Sql } from '../database/database.ts'
import { pick, row, sql, under } from '../database/sql.ts'
import type { CatalogueChange } from '../settings/catalogue-change.ts'
import { moveValue } from '../value/moving.ts'
import { LARGEST_DISCOUNT, PRICES } from './package-store.ts'
import { game, gamePackage } from './tables.ts'

interface NamedPackage extends AgreedPackage {
  id: number
  gameName: string
  name: string
}

const [p, g] = [under(gamePackage, 'p'), under(game, 'g')]

async function findLosses(tx: Sql, ids: readonly number[], now: Date) {
  const sold = await tx.query({
    text: sql`SELECT ${row<NamedPackage>({
      ...pick(p, 'id', 'name', 'costSatang', 'agreedLossSatang'),
      gameName: g.name,
      discountSatang: LARGEST_DISCOUNT,
      prices: PRICES,
    })}
      FROM ${p} JOIN ${g} ON ${g.id} = ${p.gameId} WHERE ${p.id} = ANY($1::int[]) ORDER BY ${p.id}`,
    values: [ids],
  })
  return sold.map(each => ({ ...each, lossSatang: lossOf(each, now) }))
}

type Agreed = Pick<NamedPackage, 'id' | 'agreedLossSatang'> & { lossSatang: Satang }

async function saveAgreed(tx: Sql, sold: readonly Agreed[]): Promise<void> {
  const changed = sold.filter(({ lossSatang, agreedLossSatang }) => lossSatang !== agreedLossSatang)
  if (changed.length === 0) return
  await tx.query({
    text: sql`UPDATE ${p} SET ${gamePackage.agreedLossSatang.name} = u.loss FROM unnest($1::int[], $2::bigint[]) AS u(id, loss)
      WHERE ${p.id} = u.id`,
    values: [changed.map(({ id }) => id), changed.map(({ lossSatang }) => lossSatang)],
  })
}

const MOST_NAMED = 5
const baht = (satang: Satang) => `${formatBaht(satang)} บาท`
/** Names the smallest price that anybody pays; it is on no price list when it is an agent's price with a discount. */
function lossText(costSatang: Satang | null, lossSatang: Satang): string {
  const text = `ขาดทุนชิ้นละ ${baht(lossSatang)}`
  const least = Math.max(0, (costSatang ?? 0) - lossSatang)
  return costSatang === null ? text : `ขายต่ำสุด ${formatBaht(least)} ต้นทุน ${formatBaht(costSatang)} ${text}`
}

/** What a change has touched so far. */
interface Touched {
  ids: Set<number>
  /** Costs that it removed, by package, because a loss could hide behind an unknown cost. */
  forgotten: Map<number, Satang>
}

const touchedBy = new WeakMap<CatalogueChange, Touched>()

/**
 * Has the losses of packages judged when the change is complete, because a cost, a price and its discounts belong
 * together: a larger loss than the agreed one needs a second person again, a smaller one becomes the agreed loss.
 * What the shop changes on its own nobody agrees to: a package that makes a larger loss by it stops, see `isBelowCost`.
 * The change ends with SECOND_WORD_NEEDED.
 */
export function agreeLosses(
  change: CatalogueChange,
  ids: readonly number[],
  forgotten: ReadonlyMap<number, Satang> = new Map(),
): void {
  const known = touchedBy.get(change)
  const touched: Touched = known ?? { ids: new Set(), forgotten: new Map() }
  if (!known) {
    touchedBy.set(change, touched)
    change.atEnd(() => judgeLosses(change, touched))
  }
  for (const id of ids) touched.ids.add(id)
  for (const [id, costSatang] of forgotten) touched.forgotten.set(id, costSatang)
}

async function judgeLosses({ tx, person }: CatalogueChange, { ids, forgotten }: Touched): Promise<void> {
  if (ids.size === 0) return
  const sold = await findLosses(tx, [...ids], person.now)
  if (person.uid === SHOP_ITSELF.uid)
    return saveAgreed(
      tx,
      sold.filter(({ lossSatang, agreedLossSatang }) => lossSatang < agreedLossSatang),
    )
  const asked = sold.flatMap(({ id, gameName, name, costSatang, lossSatang, agreedLossSatang }) => {
    const forgot = costSatang === null ? forgotten.get(id) : undefined
    const of = `${gameName} ${name}`
    if (lossSatang > agreedLossSatang)
      return [{ id, satang: lossSatang, words: `${of} ${lossText(costSatang, lossSatang)}` }]
    return forgot === undefined ? [] : [{ id, satang: forgot, words: `${of} ไม่ทราบต้นทุนอีก (เดิม ${baht(forgot)})` }]
  })
  if (asked.length > 0) {
    const more = asked.length > MOST_NAMED ? ` และอีก ${asked.length - MOST_NAMED} แพ็กเกจ` : ''
    const named = asked.slice(0, MOST_NAMED).map(({ words }) => words)
    await moveValue(tx, person, {
      kind: 'saleBelowCost',
      subject: `package:${asked[0]!.id}`,
      note: named.join(' · ') + more,
      amountSatang: asked.reduce((sum, { satang }) => sum + satang, 0),
    })
  }
  await saveAgreed(tx, sold)
}
