import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import { amountOf } from '@shop/shared/order/order.ts'
import { bangkokDay } from '@shop/shared/time.ts'
import { replaceVoucher } from '@shop/shared/voucher/endpoints.ts'
import { audit } from '../audit/store.ts'
import { isSold } from '../dashboard/sale-day.ts'
import { isOwner } from '../http/caller.ts'
import { type Context, personOf, type Route, route } from '../http/route.ts'
import { tell } from '../outbox/outbox.ts'
import { moveValue } from '../value/moving.ts'
import { sellOne, withdrawSold } from '../voucher/stock-store.ts'
import { refreshOut } from '../voucher/store.ts'
import { costMore } from './code-cost.ts'
import { lockOrder } from './store.ts'

type Replacement = ParsedInput<typeof replaceVoucher>['body']

/**
 * Takes a bad code back and hands out another. Goods leave and nobody pays for them, so it counts as a move of value; the
 * order's lock lets one code be replaced only once.
 */
async function replace(context: Context, { orderNo, id, reason }: Replacement) {
  const { shop, now } = context
  const by = personOf(context)
  const day = bangkokDay(now)
  const done = await shop.db.transaction(async tx => {
    const locked = await lockOrder(tx, { orderNo })
    if (!locked) throw new AppError('ORDER_NOT_FOUND')
    const { order, buyerKey } = locked
    if (isOwner(context, buyerKey)) throw new AppError('OWN_ORDER')
    const before = isSold(order.status) ? await withdrawSold(tx, { id, orderId: order.id }, { ...by, reason }) : null
    if (before === null) throw new AppError('VOUCHER_NOT_REPLACEABLE')
    await moveValue(tx, by, {
      kind: 'codeReplaced',
      amountSatang: Math.ceil(amountOf(order) / order.quantity),
      subject: `order:${orderNo}`,
      note: `${orderNo} รหัสลงท้าย ${before} ${reason}`,
      owners: [buyerKey],
    })
    const after = await sellOne(tx, { orderId: order.id, packageId: order.packageId, day, now })
    if (after === null) throw new AppError('VOUCHER_NONE_LEFT')
    await costMore(tx, order, after.costSatang)
    await audit(tx, by, {
      action: 'voucher.replace',
      subject: `order:${orderNo}`,
      before: { lastFour: before },
      after: { lastFour: after.lastFour, reason },
    })
    if (order.buyerUid) await tell(tx, { event: 'orderEnded', id: order.id, turn: `code:${id}`, now })
    return { lastFour: after.lastFour, packageId: order.packageId }
  })
  await refreshOut(shop.db, done.packageId, day)
  return { orderNo, lastFour: done.lastFour }
}

export const codeReplacingRoutes: Route[] = [route(replaceVoucher, ({ body }, context) => replace(context, body))]
