import { OWN_STOCK, sourceLabel } from '@shop/shared/catalogue/delivers.ts'
import { isDelivering, nextSource } from '@shop/shared/order/delivery.ts'
import type { Order } from '@shop/shared/order/order.ts'
import type { Brought } from '@shop/shared/order/reduce.ts'
import { ATTEMPT_STATE } from '@shop/shared/supplier/supplier.ts'
import type { Sql } from '../../database/database.ts'
import type { Shop } from '../../shop/shop.ts'
import type { Suppliers } from '../../supplier/provider.ts'
import * as store from '../../supplier/store.ts'
import { countSold } from '../../voucher/store.ts'

/** The reference of a delivery from the shop's own stock. */
export const STOCK_REFERENCE = sourceLabel(OWN_STOCK)

/** How many pieces an order's purchases brought. */
export const piecesOf = (attempts: readonly Pick<store.Attempt, 'broughtPieces'>[]): number =>
  attempts.reduce((sum, { broughtPieces }) => sum + broughtPieces, 0)

const isCode = ({ delivers }: store.Attempt): boolean => delivers === 'code'

/**
 * Returns how far the delivery of an order is, by its purchases, the newest first, and the codes that it has.
 * `stockPieces` are codes that no purchase brought.
 */
export async function findBrought(
  db: Sql,
  orderId: string,
  attempts: readonly store.Attempt[],
): Promise<Brought & { stockPieces: number }> {
  const codes = await countSold(db, orderId)
  const stockPieces = Math.max(0, codes - piecesOf(attempts.filter(isCode)))
  const pieces = codes + piecesOf(attempts.filter(attempt => !isCode(attempt)))
  const isOpen = attempts.some(({ state, contradiction }) => ATTEMPT_STATE[state].isOpen || contradiction !== null)
  const last = attempts.find(({ broughtPieces }) => broughtPieces > 0)
  const reference = last ? (last.theirId ?? last.reference) : stockPieces > 0 ? STOCK_REFERENCE : null
  return { pieces, isOpen, reference, stockPieces }
}

/** Returns which source is asked next for what an order misses, if its newest purchase brings nothing more; null for none. */
export async function findNext(
  { db, suppliers, now }: Pick<Shop, 'db' | 'now'> & { suppliers: Suppliers },
  order: Order,
  newest: store.Attempt | undefined,
  missing: number,
): Promise<string | null> {
  if (missing <= 0 || (order.status !== 'paid' && !isDelivering(order))) return null
  const sold = await store.findDelivery(db, order.packageId)
  if (!sold) return null
  // Staff who try again begin with the first source.
  const place = !newest || order.status === 'paid' ? 0 : newest.state === 'part' ? newest.place : newest.place + 1
  const next = nextSource(order, sold, { place, missing }, await store.findStandings(db, suppliers, now()))
  if (next.from === 'stock') return OWN_STOCK
  return next.from === 'supplier' ? next.name : null
}
