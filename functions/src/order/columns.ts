import type { Order } from '@shop/shared/order/order.ts'
import { getTableColumns } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
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
