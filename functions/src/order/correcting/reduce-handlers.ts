import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import type { Order } from '@shop/shared/order/order.ts'
import { reduceOrder } from '@shop/shared/order/reduce.ts'
import { reduceDelivery } from '@shop/shared/supplier/endpoints.ts'
import { isOwner } from '../../account/caller.ts'
import { audit } from '../../audit/store.ts'
import { type Context, personOf, type Route, route } from '../../call/route.ts'
import { findAttempts } from '../../supplier/store.ts'
import { findBrought } from '../delivering/brought.ts'
import { moveByChange } from '../moving.ts'
import { lockOrder, saveOutcome } from '../store.ts'

/** Returns the fields of an order that the audit log stores. */
const audited = ({ status, quantity, priceSatang, reason }: Order) => ({ status, quantity, priceSatang, reason })

async function reduce(context: Context, body: ParsedInput<typeof reduceDelivery>['body']) {
  const { orderNo, broughtPieces } = body
  const by = personOf(context)
  return context.shop.db.transaction(async tx => {
    const locked = await lockOrder(tx, { orderNo })
    if (!locked) throw new AppError('ORDER_NOT_FOUND')
    const { order, buyerKey } = locked
    // An order that staff bought as a guest in this browser is their own, too.
    if (isOwner(context, buyerKey)) throw new AppError('OWN_ORDER')
    const brought = await findBrought(tx, order.id, await findAttempts(tx, order.id))
    const { reduced, completed } = reduceOrder(order, brought, broughtPieces, by, context.now)
    await moveByChange(tx, context, locked, reduced)
    await saveOutcome(tx, reduced)
    await saveOutcome(tx, completed)
    const sides = { before: audited(order), after: audited(completed.order) }
    await audit(tx, by, { action: 'order.reduce', subject: `order:${orderNo}`, ...sides })
    return { orderNo }
  })
}

export const reduceRoutes: Route[] = [route(reduceDelivery, ({ body }, context) => reduce(context, body))]
