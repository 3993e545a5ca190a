import { PAYMENT_METHOD, type PaymentCode } from '@shop/shared/catalogue/payment-method.ts'
import { SALE_CHANNEL } from '@shop/shared/dashboard/channel.ts'
import { marginOf, type SalePeriod, salePeriod, stepsOf, stockDays } from '@shop/shared/dashboard/dashboard.ts'
import type { SaleSums } from '@shop/shared/dashboard/endpoints.ts'
import * as contract from '@shop/shared/dashboard/endpoints.ts'
import { toDecimalText } from '@shop/shared/money.ts'
import { type Context, type Route, route } from '../call/route.ts'
import { csvReply, oneBatch } from '../http/csv.ts'
import type { SaleQuery } from './span.ts'
import { findExpiringPrices, findRevenueByStep, findSales, findSalesByBuyer, findSums, type SoldRow } from './store.ts'

const TOP = 3
/** The number of resellers before the rest stands together; a single one that is left stands by itself. */
const MOST_RESELLERS = 8

interface SaleFilter {
  game: number | 'all'
  paymentMethod: PaymentCode | 'all'
}

const queryOf = ({ game, paymentMethod }: SaleFilter): SaleQuery => ({
  gameId: game === contract.ALL ? null : game,
  payment: paymentMethod === contract.ALL ? null : paymentMethod,
})

/** Returns the sales of a period by package and, if wanted, by day or month and by buyer. */
function salesOf(
  { shop, now }: Context,
  filter: SaleFilter & { period: SalePeriod },
  by?: Parameters<typeof findSales>[3],
): Promise<SoldRow[]> {
  return findSales(shop.reports, salePeriod(filter.period, now), queryOf(filter), by)
}

type Sold = Pick<SaleSums, 'totalSale' | 'revenueSatang'>
const sum = (rows: readonly Sold[], of: 'totalSale' | 'revenueSatang') => rows.reduce((all, row) => all + row[of], 0)
const both = (rows: readonly Sold[]) => ({
  totalSale: sum(rows, 'totalSale'),
  revenueSatang: sum(rows, 'revenueSatang'),
})

/** Returns one entry for each thing sold, sorted by `of`, highest first, each with its values by day or month. */
function series(rows: SoldRow[], by: 'packageId' | 'gameId', of: 'totalSale' | 'revenueSatang', steps: string[]) {
  const groups = [...Map.groupBy(rows, row => row[by]).values()].map(sold => {
    const parts = Map.groupBy(sold, ({ period }) => period)
    const details = steps.map(period => ({ period, sum: sum(parts.get(period) ?? [], of) }))
    return { what: sold[0]!, sum: sum(sold, of), details }
  })
  return groups.sort((a, b) => b.sum - a.sum)
}

/** Returns such entries for the sales of a period, with their values under the name `of`. */
async function listSeries<Of extends 'totalSale' | 'revenueSatang'>(
  context: Context,
  filter: contract.SaleFilter,
  by: 'packageId' | 'gameId',
  of: Of,
) {
  const rows = await salesOf(context, filter, { step: true })
  const { steps } = salePeriod(filter.period, context.now)
  const named = (sum: number) => ({ [of]: sum }) as Record<Of, number>
  return series(rows, by, of, steps).map(({ what, sum, details }) => ({
    ...what,
    ...named(sum),
    details: details.map(each => ({ period: each.period, ...named(each.sum) })),
  }))
}

/** Returns the revenue of each step of a period, and of the step at the same place of the period before. */
async function listRevenueSteps({ shop, now }: Context, filter: contract.SaleFilter): Promise<contract.RevenueStep[]> {
  const { days, before, step, steps } = salePeriod(filter.period, now)
  const [sold, soldBefore] = await Promise.all(
    [days, before].map(each => findRevenueByStep(shop.reports, { days: each, step }, queryOf(filter))),
  )
  const stepsBefore = stepsOf(before, step)
  return steps.map((period, place) => ({
    period,
    revenueSatang: sold!.get(period) ?? 0,
    beforeSatang: soldBefore!.get(stepsBefore[place] ?? '') ?? 0,
  }))
}

async function listShares(context: Context, filter: contract.SaleFilter): Promise<contract.Share[]> {
  const rows = await salesOf(context, filter)
  if (filter.game !== contract.ALL)
    return rows.map(({ packageId: id, packageName: name, revenueSatang }) => ({ id, name, revenueSatang }))
  return series(rows, 'gameId', 'revenueSatang', []).map(({ what, sum: revenueSatang }) => {
    const { gameId: id, gameName: name } = what
    return { id, name, revenueSatang }
  })
}

const buyersOf = ({ shop, now }: Context, filter: contract.SaleFilter) =>
  findSalesByBuyer(shop.reports, salePeriod(filter.period, now), queryOf(filter))

async function listChannels(context: Context, filter: contract.SaleFilter): Promise<contract.ChannelSales[]> {
  const channels = Map.groupBy(await buyersOf(context, filter), ({ channel }) => channel)
  return [...channels]
    .map(([channel, rows]) => ({ channel, ...both(rows) }))
    .sort((a, b) => b.revenueSatang - a.revenueSatang)
}

/** Names the resellers who bought most; the others stand together, and so do the sales without a reseller. */
async function listResellers(context: Context, filter: contract.SaleFilter): Promise<contract.ResellerSales[]> {
  const buyers = await buyersOf(context, filter)
  const resellers = buyers.filter(({ uid }) => uid !== null)
  const others = resellers.splice(resellers.length > MOST_RESELLERS + 1 ? MOST_RESELLERS : resellers.length)
  const none = buyers.filter(({ uid }) => uid === null)
  return [
    ...resellers.map(row => ({ kind: 'reseller' as const, uid: row.uid, name: row.name, count: 1, ...both([row]) })),
    ...together('others', others),
    ...together('none', none),
  ]
}

const together = (kind: 'others' | 'none', rows: readonly Sold[]): contract.ResellerSales[] =>
  rows.length === 0 ? [] : [{ kind, uid: null, name: null, count: rows.length, ...both(rows) }]

async function sumUp({ shop, now }: Context, filter: contract.SaleFilter): Promise<contract.Revenue> {
  const { days, before, step } = salePeriod(filter.period, now)
  const [sums, sumsBefore] = await Promise.all(
    [days, before].map(each => findSums(shop.reports, { days: each, step }, queryOf(filter))),
  )
  return { ...sums!, before: sumsBefore! }
}

/** Amounts are plain decimals in baht. A margin refers only to the revenue whose cost is known, less all fees. */
const sheetOf = (filter: SaleFilter) => ({
  header: [
    'ช่วงเวลา',
    'เกม',
    'แพ็กเกจ',
    'วิธีชำระเงิน',
    'คำสั่งซื้อ',
    'ชิ้น',
    'รายได้',
    'ต้นทุน',
    'ค่าธรรมเนียมรับชำระ',
    'กำไรขั้นต้น',
    'รายได้ที่ไม่ทราบต้นทุน',
    'ช่องทาง',
    'ตัวแทน',
  ],
  cellsOf: (row: SoldRow): (string | number)[] => [
    row.period,
    row.gameName,
    row.packageName,
    filter.paymentMethod === contract.ALL ? 'ทุกวิธี' : PAYMENT_METHOD[filter.paymentMethod].name,
    row.totalSale,
    row.quantity,
    toDecimalText(row.revenueSatang),
    toDecimalText(row.costSatang),
    toDecimalText(row.feeSatang),
    toDecimalText(marginOf(row)?.satang ?? 0),
    toDecimalText(row.uncostedSatang),
    SALE_CHANNEL[row.channel].label,
    row.name ?? row.uid ?? '',
  ],
})

export const dashboardRoutes: Route[] = [
  route(contract.getSale, ({ body }, context) => listSeries(context, body, 'packageId', 'totalSale')),
  route(contract.getNumberOfSale, ({ body }, context) => salesOf(context, body, { fees: true })),
  route(contract.getSalesRevenue, ({ body }, context) => sumUp(context, body)),
  route(contract.getRevenueSteps, ({ body }, context) => listRevenueSteps(context, body)),
  route(contract.getTopPackages, async ({ body }, context) => {
    const rows = await salesOf(context, body, { fees: true })
    return rows.sort((a, b) => b.quantity - a.quantity || b.revenueSatang - a.revenueSatang).slice(0, TOP)
  }),
  route(contract.getDailyRevenue, ({ body }, context) => listSeries(context, body, 'gameId', 'revenueSatang')),
  route(contract.getSaleType, ({ body }, context) => listShares(context, body)),
  route(contract.getChannelSales, ({ body }, context) => listChannels(context, body)),
  route(contract.getResellerSales, ({ body }, context) => listResellers(context, body)),
  route(contract.exportSale, async ({ query }, context) =>
    csvReply(
      sheetOf(query),
      oneBatch(await salesOf(context, query, { step: true, buyer: true, fees: true })),
      context.now,
    ),
  ),
  // Whoever has just changed a price looks here for it.
  route(contract.listExpiringPrices, async ({ query }, { shop, now }) => {
    const days = stockDays(query.period, now)
    return { ...(await findExpiringPrices(shop.db, days, queryOf(query), query)), nowDate: now.toISOString() }
  }),
]
