import { AppError, messageOf } from '@shop/shared/errors.ts'
import { confirmBarrier, confirmMoney, type MoneyWord } from '@shop/shared/order/money-proof.ts'
import type { Order } from '@shop/shared/order/order.ts'
import * as contract from '@shop/shared/order/proof-endpoints.ts'
import type { StaffOrderView } from '@shop/shared/order/staff-endpoints.ts'
import { isOwner } from '../../account/caller.ts'
import { audit } from '../../audit/store.ts'
import { type Context, personOf, type Route, route } from '../../call/route.ts'
import type { Sql } from '../../database/database.ts'
import { deliverProven, findHeldBy } from '../../supplier/proof-store.ts'
import { hasSuppliers } from '../../supplier/provider.ts'
import { findDelivery } from '../../supplier/store.ts'
import { isTiedTo } from '../../value/moving.ts'
import { findTwoPersonAmount } from '../../value/store.ts'
import { lockOrder, saveOutcome } from '../store.ts'

interface Found {
  order: Order
  buyerKey: string
}

/** Checks whether the caller may be the second person for an order's money. */
async function moneyWordOf(db: Sql, context: Context, { order, buyerKey }: Found) {
  const { uid, role, now } = personOf(context)
  const held = await findHeldBy(db, order.id)
  const word: MoneyWord = {
    actor: { uid, role },
    isOwn: isOwner(context, buyerKey),
    heldBy: held?.uid ?? null,
    isTied: held !== null && (await isTiedTo(db, held.uid, { uid, role }, { action: 'value.second', now })),
    largeAboveSatang: await findTwoPersonAmount(db),
  }
  return { word, heldByName: held?.name ?? null, file: held?.file ?? null }
}

/**
 * Returns why a paid order is not sent to the supplier yet, and whether the caller may be the second person; null when
 * nothing holds it.
 */
export async function viewHold(context: Context, found: Found): Promise<StaffOrderView['hold']> {
  const { db } = context.shop
  const { order } = found
  if (order.status !== 'paid' || !hasSuppliers(context.shop) || !(await findDelivery(db, order.packageId))) return null
  const { word, heldByName, file } = await moneyWordOf(db, context, found)
  if (word.heldBy === null) return null
  const barrier = confirmBarrier(order, word)
  return { heldByName, file, whyNot: barrier && messageOf(barrier) }
}

async function confirm(context: Context, { orderNo }: { orderNo: string }) {
  const { now } = context
  return context.shop.db.transaction(async tx => {
    const locked = await lockOrder(tx, { orderNo })
    if (!locked) throw new AppError('ORDER_NOT_FOUND')
    const { word } = await moneyWordOf(tx, context, locked)
    const { order } = locked
    await saveOutcome(tx, confirmMoney(order, word, now))
    const sides = { before: null, after: { uid: word.heldBy } }
    await audit(tx, personOf(context), { action: 'order.confirmMoney', subject: `order:${orderNo}`, ...sides })
    await deliverProven(tx, [order.id], now)
    return { orderNo }
  })
}

export const holdRoutes: Route[] = [route(contract.confirmMoney, ({ body }, context) => confirm(context, body))]
