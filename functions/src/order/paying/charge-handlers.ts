import { AppError } from '@shop/shared/errors.ts'
import { mustWaitForCharge, payByTransfer } from '@shop/shared/order/charge.ts'
import * as contract from '@shop/shared/order/charge-endpoints.ts'
import { dueOf } from '@shop/shared/order/order.ts'
import { isOwner } from '../../account/caller.ts'
import { type Context, type Route, route } from '../../call/route.ts'
import type { Sql } from '../../database/database.ts'
import { collect, type Due } from '../../gateway/collecting.ts'
import * as store from '../../gateway/store.ts'
import { viewPayable } from '../../gateway/view.ts'
import { mustTakeOrders } from '../../outbox/safe-mode.ts'
import { buyerOf } from '../placing/handlers.ts'
import { takeFreeAmount } from '../placing/holding.ts'
import { receivingAccountOf } from '../placing/offer.ts'
import { amountsExhausted, limitsOf, type PlacingBuyer } from '../placing/placing.ts'
import { saveReceivingAccount } from '../placing/placing-store.ts'
import { actorOf, mayFollow, viewOrder } from '../showing.ts'
import { findOrder, lockOrder, saveOutcome } from '../store.ts'
import { lockChargedOrder } from './charged-order.ts'

/** Tells whether somebody who may follow an order does so by its tracking link alone. */
const isByLink = (context: Context, { buyerKey }: { buyerKey: string }): boolean => !isOwner(context, buyerKey)

/** @throws ORDER_NOT_FOUND */
async function lockFollowed(tx: Sql, context: Context, orderNo: string) {
  const locked = await lockOrder(tx, { orderNo })
  if (!locked || !mayFollow(context, locked)) throw new AppError('ORDER_NOT_FOUND')
  return { order: locked.order, byLink: isByLink(context, locked) }
}

/** @throws ORDER_NOT_FOUND, ORDER_STATUS_NOT_ALLOWED */
async function lockDue(tx: Sql, context: Context, orderNo: string): Promise<Due> {
  const { order, byLink } = await lockFollowed(tx, context, orderNo)
  const waiting = mustWaitForCharge(order, context.now)
  return { owner: { orderId: order.id }, ...waiting, amountSatang: dueOf(order), byLink }
}

/** Takes an amount of the first account in use that has one for what is due. */
async function takeTransfer(
  tx: Sql,
  context: Context,
  buyer: PlacingBuyer,
  order: { id: string; priceSatang: number },
) {
  const { now, shop } = context
  const catalogue = await shop.catalogue.latest()
  const accounts = [...catalogue.receivingAccounts.keys()].flatMap(id => receivingAccountOf(catalogue, id) ?? [])
  if (accounts.length === 0) throw new AppError('RECEIVING_ACCOUNT_NOT_FOUND')
  for (const account of accounts) {
    const want = { receivingAccountId: account.id, priceSatang: order.priceSatang, orderId: order.id, reusableAt: null }
    const taken = await takeFreeAmount(tx, buyer, want, now)
    if (taken) return { account, tailSatang: taken.tailSatang }
  }
  throw await amountsExhausted(tx, buyer, order.priceSatang, now)
}

/** Goes over to a transfer. Whoever has the tracking link alone ends nothing that the buyer may be paying by. */
async function goOverToTransfer(context: Context, orderNo: string) {
  const { shop, now } = context
  const buyer = buyerOf(context)
  const { options } = await shop.catalogue.latest()
  await shop.limits.takeShared(limitsOf(buyer, !buyer.isProven, options))
  await mustTakeOrders(shop.db)
  await shop.db.transaction(async tx => {
    const { order, byLink } = await lockFollowed(tx, context, orderNo)
    if (byLink) throw new AppError('FORBIDDEN')
    // It has gone over already: by the same click, whose answer was lost, or in another window.
    if (order.payment === 'bank' && order.status === 'waiting_payment') return
    mustWaitForCharge(order, now)
    const { account, tailSatang } = await takeTransfer(tx, context, buyer, { id: order.id, priceSatang: dueOf(order) })
    const transfer = { receivingAccountId: account.id, tailSatang }
    await saveOutcome(tx, payByTransfer(order, transfer, options.PAYMENT_TIME_LIMIT, actorOf(context), now))
    await saveReceivingAccount(tx, order.id, account)
    await store.endCharges(tx, { orderId: order.id }, now)
  })
  return viewOrder(context, orderNo)
}

async function viewNewest(context: Context, orderNo: string) {
  const { db } = context.shop
  const record = await findOrder(db, { orderNo })
  if (!record || !mayFollow(context, record)) throw new AppError('ORDER_NOT_FOUND')
  const newest = await store.findNewestCharge(db, { orderId: record.order.id }, { byLink: isByLink(context, record) })
  return newest && viewPayable(newest)
}

export const chargeRoutes: Route[] = [
  route(contract.chargeOrder, ({ params: { orderNo }, body: { method } }, context) =>
    collect(context, {
      method,
      no: orderNo,
      page: `/payment?order=${orderNo}`,
      lock: tx => lockDue(tx, context, orderNo),
      owners: { order: lockChargedOrder },
    }),
  ),
  route(contract.transferInstead, ({ params: { orderNo } }, context) => goOverToTransfer(context, orderNo)),
  route(contract.getCharge, ({ params }, context) => viewNewest(context, params.orderNo)),
]
