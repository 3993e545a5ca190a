import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { line } from '../line.ts'
import { TOP_UP_STATUSES } from '../wallet/top-up.ts'
import { satang, instant as time } from '../wire.ts'
import { orderFilters } from './endpoints.ts'
import { FOUND_BY } from './history.ts'
import { historyRow, orderNo, status } from './own-endpoints.ts'

/** Calls that find a single order, write orders on paper or into a file, or tell what holds for all of them. */

const foundOrder = historyRow
  .pick({
    orderNo: true,
    status: true,
    gameName: true,
    packageName: true,
    playerId: true,
    amountSatang: true,
    createdAt: true,
  })
  .extend({ playerName: z.string().nullable(), buyerName: z.string().nullable() })
export type FoundOrder = z.output<typeof foundOrder>

const foundTopUp = z.object({
  id: z.uuid(),
  no: z.string(),
  status: z.enum(TOP_UP_STATUSES),
  amountSatang: satang,
  /** The agent whose wallet it is for. */
  ownerName: z.string(),
})
export type FoundTopUp = z.output<typeof foundTopUp>

export const searchOrders = endpoint({
  method: 'GET',
  path: '/romons.order/api/order/search',
  summary: 'The newest orders that a text names, by what it names of them, and the top-ups whose slip it names',
  allow: 'order.list',
  /** Part of an order's number, player or buyer, a whole telephone number or slip's reference, or its exact amount in baht. */
  query: z.object({ text: line(100).min(2) }),
  reply: z.object({
    groups: z.array(z.object({ by: z.enum(FOUND_BY), rows: z.array(foundOrder) })),
    /** Those whose slip has the text as its whole reference. */
    topUps: z.array(foundTopUp),
  }),
})

export const getReceipt = endpoint({
  method: 'GET',
  path: '/romons.order/api/order/receipt/:orderNo',
  summary: "An order on paper, as PDF: for its buyer, for staff, and with its tracking link's token in Track-Token",
  allow: 'order.own',
  params: z.object({ orderNo }),
  reply: z.any(),
  replyKind: 'binary',
  errors: ['ORDER_NOT_FOUND', 'RATE_LIMITED'],
})

export const exportAllOrders = endpoint({
  method: 'GET',
  path: '/romons.order/api/order/managehistory/export',
  summary: 'CSV of the rows the filter selects',
  allow: 'order.list',
  query: orderFilters,
  reply: z.any(),
  replyKind: 'csv',
})

export const getTimeLimit = endpoint({
  method: 'GET',
  path: '/romons.payment/api/gettimelimit',
  summary: 'Minutes a bank order may wait for its transfer, and the server clock',
  allow: 'catalogue.browse',
  forOthers: true,
  reply: z.object({ optionValue: z.string(), nowDate: time }),
})

export const listOrderStatuses = endpoint({
  method: 'GET',
  path: '/romons.order/api/order/statuses',
  summary: 'Order statuses with their Thai names',
  allow: 'order.own',
  forOthers: true,
  reply: z.array(z.object({ key: status, name: z.string() })),
})
