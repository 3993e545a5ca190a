import type { Order } from '@shop/shared/order/order.ts'
import { getTableColumns } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { pick, under } from '../database/sql.ts'
import type { Changing } from '../database/values.ts'
import { orders } from './tables.ts'

const {
  trackToken: _track,
  buyerKey: _key,
  guestSlot: _slot,
  snapshot: _snapshot,
  queueNo: _queueNo,
  proposedPlayer: _proposed,
  ...orderColumns
} = getTableColumns(orders)

/** The columns that store an order of the domain. */
export const ORDER_COLUMNS = orderColumns satisfies Record<keyof Order, AnyPgColumn>

export const ORDER_FIELDS = Object.keys(ORDER_COLUMNS) as (keyof Order)[]

/** Those columns of the orders under an alias. */
export const orderUnder = (alias: string) => pick(under(orders, alias), ...ORDER_FIELDS)

/** Takes the order out of a row that has its fields beside others. */
export function splitOrder<Row extends Order>(row: Row): { order: Order; rest: Omit<Row, keyof Order> } {
  const rest = Object.entries(row).filter(([name]) => !(name in ORDER_COLUMNS))
  return {
    order: pick<Order, keyof Order>(row, ...ORDER_FIELDS),
    rest: Object.fromEntries(rest) as Omit<Row, keyof Order>,
  }
}

/** The fields that a decision about an order may change. */
export const ORDER_CHANGING: Changing<Order> = {
  id: 'fixed',
  orderNo: 'fixed',
  status: 'changes',
  version: 'changes',
  buyerUid: 'fixed',
  gameId: 'fixed',
  packageId: 'fixed',
  playerId: 'changes',
  playerName: 'changes',
  payment: 'changes',
  quantity: 'changes',
  priceSatang: 'changes',
  tailSatang: 'changes',
  costSatang: 'changes',
  receivingAccountId: 'changes',
  walletId: 'fixed',
  creditId: 'fixed',
  creditSatang: 'fixed',
  createdAt: 'fixed',
  expiresAt: 'changes',
  expireAfter: 'changes',
  transferReportedAt: 'changes',
  slipId: 'changes',
  paidAt: 'changes',
  claimedBy: 'changes',
  claimedAt: 'changes',
  claimUntil: 'changes',
  endedAt: 'changes',
  deliveryReference: 'changes',
  reason: 'changes',
}
