import type { SaleChannel } from '@shop/shared/dashboard/channel.ts'
import type { Days } from '@shop/shared/dashboard/dashboard.ts'
import type { ExpiringPrice, PackageSums, SaleSums } from '@shop/shared/dashboard/endpoints.ts'
import { account } from '../account/tables.ts'
import { listPriceSql } from '../catalogue/store.ts'
import { game, gamePackage, packagePrice } from '../catalogue/tables.ts'
import type { Queries } from '../database/database.ts'
import { Filter, findPage, personName } from '../database/listing.ts'
import { as, type Fields, notNull, orNull, outer, row, sql, under } from '../database/sql.ts'
import { type FeeRow, findFees } from './fees.ts'
import type { SaleQuery, Span } from './span.ts'
import { soldDay, soldMonth } from './tables.ts'

/** Sales of days or of months. */
const d = under(soldDay, 'd')
const [days, months] = [under(soldDay), under(soldMonth)]
const [p, g, a] = [under(gamePackage, 'p'), under(game, 'g'), outer(account, 'a')]
const [r, bare] = [under(packagePrice, 'r'), under(gamePackage)]

type SoldPackage = Pick<PackageSums, 'packageId' | 'packageName' | 'gameId' | 'gameName' | 'gamePicture'>
/** Whose purchases they are: of the wallet of a reseller `uid`, else of everybody in a channel. */
export interface Buyer {
  channel: SaleChannel
  uid: string | null
  name: string | null
}
export type SoldRow = SoldPackage & SaleSums & Buyer & { period: string }

/** Sums of sales without their fees, which `findFees` tells. */
type PlainSums = Omit<SaleSums, 'feeSatang'>

const SUMS: Fields<PlainSums> = {
  totalSale: as.int(`coalesce(sum(${d.orders}), 0)`),
  quantity: as.int(`coalesce(sum(${d.quantity}), 0)`),
  revenueSatang: as.satang(`coalesce(sum(${d.revenueSatang}), 0)`),
  costSatang: as.satang(`coalesce(sum(${d.costSatang}), 0)`),
  uncostedSatang: as.satang(`coalesce(sum(${d.uncostedSatang}), 0)`),
}
const NUMBERS = Object.keys(SUMS)
/** Such sums, computed before. */
const SUMMED: Fields<PlainSums> = {
  totalSale: as.int('s."totalSale"'),
  quantity: as.int('s.quantity'),
  revenueSatang: as.satang('s."revenueSatang"'),
  costSatang: as.satang('s."costSatang"'),
  uncostedSatang: as.satang('s."uncostedSatang"'),
}

const PERIOD = { day: `${d.day}::text`, month: `left(${d.day}::text, 7)` }

/** Returns the FROM of the sales `d` with its conditions. A month that is not whole is read by day. */
function salesOf({ days: { from, to }, step }: Span, { gameId, payment }: SaleQuery): { from: string; filter: Filter } {
  const filter = new Filter()
  const [first, last] = [`${filter.bind(from)}::date`, `${filter.bind(to)}::date`]
  const byDay = (since: string) => `SELECT * FROM ${days} WHERE ${days.day} >= ${since} AND ${days.day} <= ${last}`
  const rest = `date_trunc('month', ${last} + 1)::date`
  const byMonth = `SELECT * FROM ${months} WHERE ${months.day} >= ${first} AND ${months.day} < ${rest} UNION ALL ${byDay(rest)}`
  filter.where(payment, code => `${d.payment} = ${code}`)
  filter.where(gameId, id => `${d.packageId} IN (SELECT ${bare.id} FROM ${bare} WHERE ${bare.gameId} = ${id})`)
  return { from: `(${step === 'day' ? byDay(first) : byMonth}) AS d`, filter }
}

/** Returns the sum of all sales. */
export async function findSums(db: Queries, span: Span, query: SaleQuery): Promise<SaleSums> {
  const { from, filter } = salesOf(span, query)
  const [found] = await db.query({
    text: sql`SELECT ${row(SUMS)} FROM ${from} WHERE ${filter}`,
    values: filter.values,
  })
  const fees = await findFees(db, span, query)
  return { ...found!, feeSatang: fees.reduce((sum, { feeSatang }) => sum + feeSatang, 0) }
}

/** Returns the revenue by day or month, for those with a sale. */
export async function findRevenueByStep(db: Queries, span: Span, query: SaleQuery): Promise<Map<string, number>> {
  const { from, filter } = salesOf(span, query)
  const revenue = row({ period: as.text(PERIOD[span.step]), revenueSatang: as.satang(`sum(${d.revenueSatang})`) })
  const rows = await db.query({
    text: sql`SELECT ${revenue}
      FROM ${from} WHERE ${filter} GROUP BY "period"`,
    values: filter.values,
  })
  return new Map(rows.map(({ period, revenueSatang }) => [period, revenueSatang]))
}

const RESELLER = `${d.payment} = 'wallet'`
const CHANNEL = `CASE WHEN ${RESELLER} THEN 'reseller' ELSE ${d.buyer} END`
const UID = `CASE WHEN ${RESELLER} THEN ${d.buyer} END`

/** Of sales `s` with the account `a` of their reseller. */
const BUYER: Fields<Buyer> = {
  channel: as.text('s.channel'),
  uid: orNull(as.text('s.uid')),
  name: orNull(personName('a')),
}

/** Returns the sales by reseller, and those without one by channel, highest revenue first. */
export function findSalesByBuyer(db: Queries, span: Span, query: SaleQuery): Promise<(PlainSums & Buyer)[]> {
  const { from, filter } = salesOf(span, query)
  return db.query({
    text: sql`WITH sold AS (SELECT ${CHANNEL} AS channel, ${UID} AS uid, ${row(SUMS)} FROM ${from} WHERE ${filter} GROUP BY 1, 2)
      SELECT ${row<PlainSums & Buyer>({ ...BUYER, ...SUMMED })} FROM sold s LEFT JOIN ${a} ON ${a.uid} = s.uid
      WHERE s."totalSale" <> 0 ORDER BY s."revenueSatang" DESC, s.channel, s.uid`,
    values: filter.values,
  })
}

const SOLD_ROW = row<SoldRow>({
  packageId: p.id,
  packageName: p.name,
  gameId: g.id,
  gameName: g.name,
  gamePicture: g.picture,
  period: as.text('s.period'),
  ...BUYER,
  ...SUMMED,
  feeSatang: as.satang('s."feeSatang"'),
})

/**
 * Returns the sales by package, highest revenue first; also by day or month, earliest first, and by buyer where that is
 * asked for. What is not asked for is empty, and fees that are not asked for are 0; those that are may be of a package
 * that sold nothing meanwhile.
 */
export async function findSales(
  db: Queries,
  span: Span,
  query: SaleQuery,
  by: { step?: boolean; buyer?: boolean; fees?: boolean } = {},
): Promise<SoldRow[]> {
  const { from, filter } = salesOf(span, query)
  const fees = by.fees ? await findFees(db, span, query, by) : []
  const column = (name: keyof FeeRow) => filter.bind(fees.map(fee => fee[name]))
  const given = `unnest(${column('packageId')}::int[], ${column('period')}::text[], ${column('channel')}::text[], ${column('feeSatang')}::bigint[])`
  return db.query({
    text: sql`WITH counted AS (
        SELECT ${d.packageId}, ${by.step ? PERIOD[span.step] : `''`} AS period, ${by.buyer ? CHANNEL : `''`} AS channel,
          ${by.buyer ? UID : 'NULL::text'} AS uid, ${row(SUMS)} FROM ${from} WHERE ${filter} GROUP BY 1, 2, 3, 4
      ), fee AS (
        SELECT package_id, period, channel, sum(fee)::bigint AS fee
        FROM ${given} AS g (package_id, period, channel, fee) GROUP BY 1, 2, 3
      ), sold AS (
        -- Who pays from a wallet pays through no gateway, so fees are of no reseller.
        SELECT coalesce(n.package_id, f.package_id) AS package_id, coalesce(n.period, f.period) AS period,
          coalesce(n.channel, f.channel) AS channel, n.uid, ${NUMBERS.map(name => `coalesce(n."${name}", 0) AS "${name}"`).join(', ')},
          coalesce(f.fee, 0) AS "feeSatang"
        FROM counted n FULL JOIN fee f
          ON f.package_id = n.package_id AND f.period = n.period AND f.channel = n.channel
      )
      SELECT ${SOLD_ROW}
      FROM sold s JOIN ${p} ON ${p.id} = s.package_id JOIN ${g} ON ${g.id} = ${p.gameId}
        LEFT JOIN ${a} ON ${a.uid} = s.uid
      WHERE s."totalSale" <> 0 OR s."feeSatang" <> 0
      ORDER BY s.period, s."revenueSatang" DESC, ${p.id}, s.channel, s.uid`,
    values: filter.values,
  })
}

const JOINED = `JOIN ${p} ON ${p.id} = ${r.packageId} JOIN ${g} ON ${g.id} = ${p.gameId}`

/** Returns enabled prices that end on one of these days, as they are on the first of them. */
export async function findExpiringPrices(
  db: Queries,
  { from, to }: Days,
  { gameId, payment }: SaleQuery,
  paging: { page: number; pageSize: number },
): Promise<{ rows: ExpiringPrice[]; total: number }> {
  const filter = new Filter(`${r.isActive}`, `${p.isActive}`, `${g.isActive}`)
  const today = filter.bind(from)
  filter.must(`${r.endDay} >= ${today}::date`)
  filter.where(to, day => `${r.endDay} <= ${day}::date`)
  filter.where(payment, code => `${r.payment} = ${code}`)
  filter.where(gameId, id => `${p.gameId} = ${id}`)
  return findPage(
    db,
    {
      from: sql`${r} ${JOINED}`,
      filter,
      order: `${r.endDay}, ${r.packageId}, ${r.payment}`,
      select: sql`SELECT ${row<ExpiringPrice>({
        packageId: r.packageId,
        packageName: p.name,
        gameId: g.id,
        gameName: g.name,
        paymentMethod: r.payment,
        priceSatang: listPriceSql('r', `(${today}::date::timestamp AT TIME ZONE 'Asia/Bangkok')`),
        expiredDate: notNull(r.endDay),
        daysLeft: as.int(`${r.endDay} - ${today}::date`),
      })}
        FROM page r ${JOINED}`,
    },
    paging,
  )
}
