import { isGatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import { AppError } from '@shop/shared/errors.ts'
import * as contract from '@shop/shared/order/charge-endpoints.ts'
import { dueOf } from '@shop/shared/order/order.ts'
import type { Sql } from '../database/database.ts'
import { collect, type Due } from '../gateway/collecting.ts'
import * as store from '../gateway/store.ts'
import { viewPayable } from '../gateway/view.ts'
import { type Context, type Route, route } from '../http/route.ts'
import { lockChargedOrder } from './charged-order.ts'
import { mayFollow } from './handlers.ts'
import { findOrder, lockOrder } from './store.ts'

/** @throws ORDER_NOT_FOUND, ORDER_STATUS_NOT_ALLOWED */
async function lockDue(tx: Sql, context: Context, orderNo: string): Promise<Due> {
  const locked = await lockOrder(tx, { orderNo })
  if (!locked || !mayFollow(context, locked)) throw new AppError('ORDER_NOT_FOUND')
  const { order } = locked
  const { id, payment, status, expiresAt } = order
  if (!isGatewayMethod(payment) || status !== 'waiting_payment' || !expiresAt || expiresAt <= context.now)
    throw new AppError('ORDER_STATUS_NOT_ALLOWED', { details: { status } })
  return { owner: { orderId: id }, payment, amountSatang: dueOf(order), expiresAt }
}

async function viewNewest(context: Context, orderNo: string) {
  const { db } = context.shop
  const record = await findOrder(db, { orderNo })
  if (!record || !mayFollow(context, record)) throw new AppError('ORDER_NOT_FOUND')
  const newest = await store.findNewestCharge(db, { orderId: record.order.id })
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
  route(contract.getCharge, ({ params }, context) => viewNewest(context, params.orderNo)),
]
