import { paymentMethodsFor, priceInForce } from '@shop/shared/catalogue/catalogue.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import * as contract from '@shop/shared/order/endpoints.ts'
import {
  cancelOrder,
  changeByStaff,
  HOLD_SECONDS,
  ORDER_STATUS_LABELS,
  ORDER_STATUSES,
  type Order,
  type OrderOutcome,
  reportTransfer,
} from '@shop/shared/order/order.ts'
import { can } from '@shop/shared/permissions.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { insertAudit } from '../audit/store.ts'
import { isReceivingAccount } from '../catalogue/store.ts'
import { isOwner, ownerKey } from '../http/caller.ts'
import { runOnce } from '../http/idempotency.ts'
import { type Context, mustBeOnce, type Route, route } from '../http/route.ts'
import { findSettings } from '../settings/store.ts'
import { useSlip } from '../upload/store.ts'
import { findOrders, findWaitingOrders, type HistoryQuery } from './history-store.ts'
import { actorOf, buyerKeyOf, placeBankOrderFor, takeOrderLimits } from './placing.ts'
import { findOffer, findOrder, lockOrder, type OrderRecord, reserveAmount, saveOutcome } from './store.ts'
import { customerView, staffView } from './view.ts'
import { placeWalletOrderFor } from './wallet-order.ts'

type PriceParams = ParsedInput<typeof contract.getPrice>['params']

async function currentPrice(context: Context, params: PriceParams): Promise<number> {
  const offer = await findOffer(context.shop.db, { ...params, tierId: context.account?.tierId ?? null })
  if (!offer.gameFound) throw new AppError('GAME_NOT_FOUND')
  if (!offer.packageFound) throw new AppError('PACKAGE_NOT_FOUND')
  if (!paymentMethodsFor(context.caller).includes(params.paymentCode)) throw new AppError('PAYMENT_METHOD_NOT_ALLOWED')
  return priceInForce(offer.price, offer.discountSatang, context.now)
}

async function holdPrice(context: Context, params: PriceParams, receivingAccountId: number) {
  if (params.paymentCode !== 'bank') throw new AppError('PAYMENT_METHOD_NOT_ALLOWED')
  const { shop, now } = context
  const buyerKey = buyerKeyOf(context)
  await takeOrderLimits(context)
  const priceSatang = await currentPrice(context, params)
  if (!(await isReceivingAccount(shop.db, receivingAccountId))) throw new AppError('RECEIVING_ACCOUNT_NOT_FOUND')
  const heldUntil = addSeconds(now, HOLD_SECONDS)
  return runOnce(shop.db, mustBeOnce(context), now, async tx => {
    const want = { receivingAccountId, priceSatang, buyerKey, orderId: null, reusableAt: heldUntil, now }
    const { id, pointSatang } = await reserveAmount(tx, want)
    return { id, point: pointSatang, priceSatang, heldUntil: heldUntil.toISOString() }
  })
}

/** Whether the caller is the buyer, signed in since or not, or holds the order's tracking link. */
function owns(context: Context, order: { buyerKey: string; trackToken: string }): boolean {
  return isOwner(context, order.buyerKey) || context.trackToken === order.trackToken
}

async function ownOrder(context: Context, orderNo: string): Promise<OrderRecord> {
  const record = await findOrder(context.shop.db, { orderNo })
  if (!record || !owns(context, record)) throw new AppError('ORDER_NOT_FOUND')
  return record
}

async function reportOwnTransfer(context: Context, orderNo: string, slipId: string | null) {
  const { shop, now } = context
  await runOnce(shop.db, mustBeOnce(context), now, async tx => {
    const order = await lockOrder(tx, orderNo)
    if (!order || !owns(context, order)) throw new AppError('ORDER_NOT_FOUND')
    const outcome = reportTransfer(order, slipId, actorOf(context), now)
    if (slipId) await useSlip(tx, { slipId, uploaderKey: buyerKeyOf(context), usedFor: order.id })
    await saveOutcome(tx, outcome)
    return { orderNo }
  })
  return customerView(await ownOrder(context, orderNo), now)
}

type StatusChange = ParsedInput<typeof contract.updateOrderStatus>['body']

/** Buyers, staff among them, may cancel their own order as customers do; staff make every legal change with a reason. */
function decideChange(context: Context, order: Order, asBuyer: boolean, change: StatusChange): OrderOutcome {
  const actor = actorOf(context)
  if (asBuyer) {
    if (change.status !== 'cancel') throw new AppError('FORBIDDEN')
    return cancelOrder(order, { ...actor, role: context.uid ? 'customer' : 'guest' }, null, context.now)
  }
  if (!can(context.caller, 'order.work')) throw new AppError('ORDER_NOT_FOUND')
  const input = { reason: change.reason ?? null, deliveryReference: change.deliveryReference ?? null }
  return changeByStaff(order, change.status, input, actor, context.now)
}

async function updateStatus(context: Context, change: StatusChange) {
  const { shop, now, uid, caller } = context
  const isStaff = can(caller, 'order.work')
  return shop.db.transaction(async tx => {
    const locked = await lockOrder(tx, change.orderNo)
    if (!locked) throw new AppError('ORDER_NOT_FOUND')
    const { buyerKey, trackToken, ...order } = locked
    const cancelsOwn = change.status === 'cancel' && !change.reason
    const asBuyer = owns(context, { buyerKey, trackToken }) && (!isStaff || cancelsOwn)
    const outcome = decideChange(context, order, asBuyer, change)
    await saveOutcome(tx, outcome)
    if (!asBuyer && uid) {
      const { status, reason, deliveryReference } = outcome.order
      await insertAudit(tx, {
        actorUid: uid,
        actorRole: caller,
        action: 'order.changeStatus',
        subject: `order:${order.orderNo}`,
        before: { status: order.status, reason: order.reason, deliveryReference: order.deliveryReference },
        after: { status, reason, deliveryReference },
        at: now,
      })
    }
    return { orderNo: order.orderNo, status: outcome.order.status }
  })
}

async function listWaiting(context: Context) {
  const key = ownerKey(context)
  if (!key) return []
  const rows = await findWaitingOrders(context.shop.db, key)
  return rows.map(row => ({
    ...row,
    expiresAt: row.expiresAt.toISOString(),
    transferReportedAt: row.transferReportedAt?.toISOString() ?? null,
    nowDate: context.now.toISOString(),
  }))
}

async function listOrders(context: Context, query: HistoryQuery, buyerKey: string | null) {
  const { rows, total } = await findOrders(context.shop.db, { ...query, buyerKey })
  const page = rows.map(row => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    transferReportedAt: row.transferReportedAt?.toISOString() ?? null,
  }))
  return { rows: page, total, nowDate: context.now.toISOString() }
}

export const orderRoutes: Route[] = [
  route(contract.getPrice, async ({ params }, context) => ({ priceSatang: await currentPrice(context, params) })),
  route(contract.holdPrice, ({ params, body }, context) => holdPrice(context, params, body.receivingAccountId)),
  route(contract.confirmPrice, async ({ body }, context) =>
    customerView(await placeBankOrderFor(context, body), context.now),
  ),
  route(contract.confirmOrder, async ({ body }, context) =>
    customerView(await placeWalletOrderFor(context, body), context.now),
  ),
  route(contract.getTimeLimit, async (_, { shop, now }) => {
    const { PAYMENT_TIME_LIMIT } = await findSettings(shop.db)
    return { optionValue: String(PAYMENT_TIME_LIMIT), nowDate: now.toISOString() }
  }),
  route(contract.updateOrderStatus, ({ body }, context) => updateStatus(context, body)),
  route(contract.listWaitingOrders, (_, context) => listWaiting(context)),
  route(contract.getOrder, async ({ params }, context) =>
    customerView(await ownOrder(context, params.orderNo), context.now),
  ),
  route(contract.trackOrder, async ({ params }, { shop, now }) => {
    const record = await findOrder(shop.db, { trackToken: params.token })
    if (!record) throw new AppError('ORDER_NOT_FOUND')
    return customerView(record, now)
  }),
  route(contract.reportOrderTransfer, ({ params, body }, context) =>
    reportOwnTransfer(context, params.orderNo, body.slipId ?? null),
  ),
  route(contract.listOwnOrders, ({ query }, context) => listOrders(context, query, buyerKeyOf(context))),
  route(contract.listAllOrders, ({ query }, context) => listOrders(context, query, null)),
  route(contract.getOrderForStaff, async ({ params }, context) => {
    const record = await findOrder(context.shop.db, { orderNo: params.orderNo })
    if (!record) throw new AppError('ORDER_NOT_FOUND')
    return staffView(record, actorOf(context), context.now)
  }),
  route(contract.listOrderStatuses, async () => ORDER_STATUSES.map(key => ({ key, name: ORDER_STATUS_LABELS[key] }))),
]
