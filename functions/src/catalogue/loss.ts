import { lossOf, type SoldPackage } from '@shop/shared/catalogue/loss.ts'
import { formatBaht, type Satang } from '@shop/shared/money.ts'
import type { Sql } from '../database/database.ts'
import type { CatalogueChange } from '../settings/catalogue-change.ts'
import { moveValue } from '../value/moving.ts'
import { PRICES } from './package-store.ts'

interface AgreedPackage extends SoldPackage {
  id: number
  gameName: string
  name: string
  /** The loss for one piece that a second person agreed to. */
  agreedSatang: Satang
}

const findSold = (tx: Sql, ids: readonly number[]): Promise<AgreedPackage[]> =>
  tx.query({
    text: `SELECT p.id, g.name AS "gameName", p.name, p.cost_satang AS "costSatang", p.agreed_loss_satang AS "agreedSatang",
        (SELECT coalesce(max(d.discount_satang), 0) FROM discount d WHERE d.package_id = p.id AND d.is_active) AS "discountSatang",
        ${PRICES} AS prices
      FROM package p JOIN game g ON g.id = p.game_id WHERE p.id = ANY($1::int[]) ORDER BY p.id`,
    values: [ids],
  })

const MOST_NAMED = 5
const baht = (satang: Satang) => `${formatBaht(satang)} บาท`
/** Names the smallest price that anybody pays; it is on no price list when it is an agent's price with a discount. */
function lossText(costSatang: Satang | null, lossSatang: Satang): string {
  const text = `ขาดทุนชิ้นละ ${baht(lossSatang)}`
  const least = Math.max(0, (costSatang ?? 0) - lossSatang)
  return costSatang === null ? text : `ขายต่ำสุด ${formatBaht(least)} ต้นทุน ${formatBaht(costSatang)} ${text}`
}

/**
 * Compares the loss that the packages now make with the loss that a second person agreed to: a larger loss needs a
 * second person again, a smaller one becomes the agreed loss. `forgotten` holds costs that this edit removed, by
 * package, because a loss could hide behind an unknown cost. @throws SECOND_WORD_NEEDED
 */
export async function agreeLosses(
  { tx, person }: CatalogueChange,
  ids: readonly number[],
  forgotten: ReadonlyMap<number, Satang> = new Map(),
): Promise<void> {
  if (ids.length === 0) return
  const sold = (await findSold(tx, ids)).map(each => ({ ...each, lossSatang: lossOf(each, person.now) }))
  const asked = sold.flatMap(({ id, gameName, name, costSatang, lossSatang, agreedSatang }) => {
    const forgot = forgotten.get(id)
    const of = `${gameName} ${name}`
    if (lossSatang > agreedSatang)
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
  const changed = sold.filter(({ lossSatang, agreedSatang }) => lossSatang !== agreedSatang)
  if (changed.length === 0) return
  await tx.query({
    text: `UPDATE package p SET agreed_loss_satang = u.loss FROM unnest($1::int[], $2::bigint[]) AS u(id, loss) WHERE p.id = u.id`,
    values: [changed.map(({ id }) => id), changed.map(({ lossSatang }) => lossSatang)],
  })
}
