import * as z from 'zod'
import { PAYMENT_CODES } from '../catalogue/payment-method.ts'
import { endpoint } from '../endpoint.ts'
import { page, paging, rowId, rowIdParam, satang } from '../wire.ts'
import { SALE_CHANNELS } from './channel.ts'
import { SALE_PERIODS, STOCK_PERIODS } from './dashboard.ts'

/** Selects every game, or every payment method. */
export const ALL = 'all'

const paymentMethod = z.enum([ALL, ...PAYMENT_CODES])
const saleBody = z.object({ game: z.union([z.literal(ALL), rowId]), period: z.enum(SALE_PERIODS), paymentMethod })
export type SaleFilter = z.output<typeof saleBody>

/**
 * Sums of paid orders without refunded ones. A sale counts for the Bangkok day of its payment, and so does a fee; fees
 * stay a cost when the order is refunded.
 */
const sums = z.object({
  /** The number of orders. */
  totalSale: z.int(),
  /** The number of pieces. */
  quantity: z.int(),
  revenueSatang: satang,
  costSatang: satang,
  /** The part of the revenue whose cost is unknown. */
  uncostedSatang: satang,
  /** What payment gateways kept, less what buyers paid for the method. */
  feeSatang: satang,
})
export type SaleSums = z.output<typeof sums>

const soldPackage = z.object({
  packageId: rowId,
  packageName: z.string(),
  gameId: rowId,
  gameName: z.string(),
  gamePicture: z.string(),
})

const dashboard = { method: 'POST', allow: 'dashboard.view', body: saleBody } as const

export const getSale = endpoint({
  ...dashboard,
  path: '/romons.dashboard/api/dashboard/sale',
  summary: 'Orders of each package, most first, and of each of its days or, in a year, months',
  reply: z.array(
    soldPackage.extend({
      totalSale: z.int(),
      /** Every day "YYYY-MM-DD" or month "YYYY-MM" of the period, also those without a sale. */
      details: z.array(z.object({ period: z.string(), totalSale: z.int() })),
    }),
  ),
})
export type PackageSales = z.output<typeof getSale.reply>[number]

export const getNumberOfSale = endpoint({
  ...dashboard,
  path: '/romons.dashboard/api/dashboard/noofsale',
  summary: 'What each package sold, most revenue first',
  reply: z.array(soldPackage.extend(sums.shape)),
})
export type PackageSums = z.output<typeof getNumberOfSale.reply>[number]

export const getSalesRevenue = endpoint({
  ...dashboard,
  path: '/romons.dashboard/api/dashboard/salesrevenue',
  summary: 'What the period sold in all, and the period before',
  reply: sums.extend({ before: sums }),
})
export type Revenue = z.output<typeof getSalesRevenue.reply>

export const getRevenueSteps = endpoint({
  ...dashboard,
  path: '/romons.dashboard/api/dashboard/revenuesteps',
  summary: 'Revenue of each day or, in a year, month of the period, beside that of the period before',
  reply: z.array(z.object({ period: z.string(), revenueSatang: satang, beforeSatang: satang })),
})
export type RevenueStep = z.output<typeof getRevenueSteps.reply>[number]

export const getTopPackages = endpoint({
  ...dashboard,
  path: '/romons.dashboard/api/dashboard/top3',
  summary: 'The three packages of which most pieces were sold',
  reply: z.array(soldPackage.extend(sums.shape)).max(3),
})

export const getDailyRevenue = endpoint({
  ...dashboard,
  path: '/romons.dashboard/api/dashboard/dailyrevenue',
  summary: 'Revenue of each game, most first, and of each of its days or, in a year, months',
  reply: z.array(
    z.object({
      gameId: rowId,
      gameName: z.string(),
      revenueSatang: satang,
      details: z.array(z.object({ period: z.string(), revenueSatang: satang })),
    }),
  ),
})

export const getSaleType = endpoint({
  ...dashboard,
  path: '/romons.dashboard/api/dashboard/saletype',
  summary: 'Shares of the revenue, most first: of games, or of the packages of one game',
  reply: z.array(z.object({ id: rowId, name: z.string(), revenueSatang: satang })),
})
export type Share = z.output<typeof getSaleType.reply>[number]

const soldBoth = sums.pick({ totalSale: true, revenueSatang: true })

export const getChannelSales = endpoint({
  ...dashboard,
  path: '/romons.dashboard/api/dashboard/channel',
  summary: 'What each channel sold, most revenue first',
  reply: z.array(soldBoth.extend({ channel: z.enum(SALE_CHANNELS) })),
})
export type ChannelSales = z.output<typeof getChannelSales.reply>[number]

export const getResellerSales = endpoint({
  ...dashboard,
  path: '/romons.dashboard/api/dashboard/reseller',
  summary: 'What resellers bought, most revenue first; then the other resellers together, then what no reseller bought',
  reply: z.array(
    soldBoth.extend({
      kind: z.enum(['reseller', 'others', 'none']),
      /** null where several stand together. */
      uid: z.string().nullable(),
      name: z.string().nullable(),
      /** How many stand together. */
      count: z.int(),
    }),
  ),
})
export type ResellerSales = z.output<typeof getResellerSales.reply>[number]

export const exportSale = endpoint({
  method: 'GET',
  path: '/romons.dashboard/api/dashboard/sale/export',
  summary: 'CSV of what each package sold to each channel and reseller on each day or, in a year, month',
  allow: 'dashboard.view',
  query: saleBody.extend({ game: z.union([z.literal(ALL), rowIdParam]) }),
  reply: z.any(),
  replyKind: 'csv',
})

const expiringPrice = z.object({
  packageId: rowId,
  packageName: z.string(),
  gameId: rowId,
  gameName: z.string(),
  paymentMethod: z.enum(PAYMENT_CODES),
  priceSatang: satang,
  /** The last day of sale. */
  expiredDate: z.iso.date(),
  daysLeft: z.int(),
})
export type ExpiringPrice = z.output<typeof expiringPrice>

export const listExpiringPrices = endpoint({
  method: 'GET',
  path: '/romons.dashboard/api/dashboard/nearlyexpire',
  summary: 'Enabled prices that end within the period, which looks ahead: the next to end first',
  allow: 'dashboard.view',
  query: z.object({
    ...paging,
    game: z.union([z.literal(ALL), rowIdParam]),
    period: z.enum(STOCK_PERIODS),
    paymentMethod,
  }),
  reply: page(expiringPrice),
})
