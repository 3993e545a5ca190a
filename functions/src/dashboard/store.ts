import type { SaleChannel } from '@shop/shared/dashboard/channel.ts'
import type { Days } from '@shop/shared/dashboard/dashboard.ts'
import type { ExpiringPrice, PackageSums, SaleSums } from '@shop/shared/dashboard/endpoints.ts'
import { listPriceSql } from '../catalogue/store.ts'
import type { Queries } from '../database/database.ts'
import { columns, Filter, findPage, personName } from '../database/listing.ts'
import { type FeeRow, findFees } from './fees.ts'
import type { SaleQuery, Span } from './span.ts'

type SoldPackage = Pick<PackageSums, 'packageId' | 'packageName' | 'gameId' | 'gameName' | 'gamePicture'>
/** Whose purchases they are: of the wallet of a reseller `uid`, else of everybody in a channel. */
export interface Buyer {
  channel: SaleChannel
  uid: string | null
  name: string | null
}
export type SoldRow = SoldPackage & SaleSums & Buyer & { period: string }

const NUMBERS = ['totalSale', 'quantity', 'revenueSatang', 'costSatang', 'uncostedSatang'] as const
const SUMS = `coalesce(sum(d.orders), 0)::int AS "totalSale", coalesce(sum(d.quantity), 0)::int AS quantity,
  coalesce(sum(d.revenue_satang), 0)::bigint AS "revenueSatang", coalesce(sum(d.cost_satang), 0)::bigint AS "costSatang",
  coalesce(sum(d.uncosted_satang), 0)::bigint AS "uncostedSatang"`

const PERIOD = { day: 'd.day::text', month: 'left(d.day::text, 7)' }

/** Returns the FROM of the sales `d` with its conditions. A month that is not whole is read by day. */
function salesOf({ days: { from, to }, step }: Span, { gameId, payment }: SaleQuery): { from: string; filter: Filter } {
  const filter = new Filter()
  const [first, last] = [`${filter.bind(from)}::date`, `${filter.bind(to)}::date`]
  const days = (since: string) => `SELECT * FROM sold_day WHERE day >= ${since} AND day <= ${last}`
  const rest = `date_trunc('month', ${last} + 1)::date`
  const months = `SELECT * FROM sold_month WHERE day >= ${first} AND day < ${rest} UNION ALL ${days(rest)}`
  filter.where(payment, code => `d.payment = ${code}`)
  filter.where(gameId, id => `d.package_id IN (SELECT id FROM package WHERE game_id = ${id})`)
  return { from: `(${step === 'day' ? days(first) : months}) AS d`, filter }
}

/** Sums of sales without their fees, which `findFees` tells. */
type PlainSums = Omit<SaleSums, 'feeSatang'>

/** Returns the sum of all sales. */
export async function findSums(db: Queries, span: Span, query: SaleQuery): Promise<SaleSums> {
  const { from, filter } = salesOf(span, query)
  const [row] = await db.query<PlainSums>({
    text: `SELECT ${SUMS} FROM ${from} WHERE ${filter}`,
    values: filter.values,
  })
  const fees = await findFees(db, span, query)
  return { ...row!, feeSatang: fees.reduce((sum, { feeSatang }) => sum + feeSatang, 0) }
}

/** Returns the revenue by day or month, for those with a sale. */
export async function findRevenueByStep(db: Queries, span: Span, query: SaleQuery): Promise<Map<string, number>> {
  const { from, filter } = salesOf(span, query)
  const rows = await db.query<{ period: string; revenueSatang: number }>({
    text: `SELECT ${PERIOD[span.step]} AS period, sum(d.revenue_satang)::bigint AS "revenueSatang"
      FROM ${from} WHERE ${filter} GROUP BY 1`,
    values: filter.values,
  })
  return new Map(rows.map(({ period, revenueSatang }) => [period, revenueSatang]))
}

const RESELLER = `d.payment = 'wallet'`
const CHANNEL = `CASE WHEN ${RESELLER} THEN 'reseller' ELSE d.buyer END`
const UID = `CASE WHEN ${RESELLER} THEN d.buyer END`

/** Returns the sales by reseller, and those without one by channel, highest revenue first. */
export function findSalesByBuyer(db: Queries, span: Span, query: SaleQuery): Promise<(PlainSums & Buyer)[]> {
  const { from, filter } = salesOf(span, query)
  return db.query<PlainSums & Buyer>({
    text: `WITH sold AS (SELECT ${CHANNEL} AS channel, ${UID} AS uid, ${SUMS} FROM ${from} WHERE ${filter} GROUP BY 1, 2)
      SELECT s.*, ${personName('a')} AS name FROM sold s LEFT JOIN account a ON a.uid = s.uid
      WHERE s."totalSale" <> 0 ORDER BY s."revenueSatang" DESC, s.channel, s.uid`,
    values: filter.values,
  })
}

const SOLD_ROW = columns<SoldRow>({
  packageId: 'p.id',
  packageName: 'p.name',
  gameId: 'g.id',
  gameName: 'g.name',
  gamePicture: 'g.picture',
  period: 's.period',
  channel: 's.channel',
  uid: 's.uid',
  name: personName('a'),
  totalSale: 's."totalSale"',
  quantity: 's.quantity',
  revenueSatang: 's."revenueSatang"',
  costSatang: 's."costSatang"',
  uncostedSatang: 's."uncostedSatang"',
  feeSatang: 's."feeSatang"',
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
  return db.query<SoldRow>({
    text: `WITH counted AS (
        SELECT d.package_id, ${by.step ? PERIOD[span.step] : `''`} AS period, ${by.buyer ? CHANNEL : `''`} AS channel,
          ${by.buyer ? UID : 'NULL::text'} AS uid, ${SUMS} FROM ${from} WHERE ${filter} GROUP BY 1, 2, 3, 4
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
      FROM sold s JOIN package p ON p.id = s.package_id JOIN game g ON g.id = p.game_id
        LEFT JOIN account a ON a.uid = s.uid
      WHERE s."totalSale" <> 0 OR s."feeSatang" <> 0
      ORDER BY s.period, s."revenueSatang" DESC, p.id, s.channel, s.uid`,
    values: filter.values,
  })
}

/** Returns enabled prices that end on one of these days, as they are on the first of them. */
export async function findExpiringPrices(
  db: Queries,
  { from, to }: Days,
  { gameId, payment }: SaleQuery,
  paging: { page: number; pageSize: number },
): Promise<{ rows: ExpiringPrice[]; total: number }> {
  const filter = new Filter('r.is_active', 'p.is_active', 'g.is_active')
  const today = filter.bind(from)
  filter.must(`r.end_day >= ${today}::date`)
  filter.where(to, day => `r.end_day <= ${day}::date`)
  filter.where(payment, code => `r.payment = ${code}`)
  filter.where(gameId, id => `p.game_id = ${id}`)
  return findPage<ExpiringPrice>(
    db,
    {
      from: 'package_price r JOIN package p ON p.id = r.package_id JOIN game g ON g.id = p.game_id',
      filter,
      order: 'r.end_day, r.package_id, r.payment',
      select: `SELECT r.package_id AS "packageId", p.name AS "packageName", g.id AS "gameId", g.name AS "gameName",
          r.payment AS "paymentMethod", ${listPriceSql('r', `(${today}::date::timestamp AT TIME ZONE 'Asia/Bangkok')`)} AS "priceSatang", r.end_day::text AS "expiredDate",
          r.end_day - ${today}::date AS "daysLeft"
        FROM page r JOIN package p ON p.id = r.package_id JOIN game g ON g.id = p.game_id`,
    },
    paging,
  )
}
