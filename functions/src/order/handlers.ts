import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import * as contract from '@shop/shared/order/endpoints.ts'
import { cancelOrder, type Order, type OrderOutcome, reportTransfer } from '@shop/shared/order/order.ts'
import { quote } from '@shop/shared/order/purchase.ts'
import { commandTo, STAFF_COMMAND } from '@shop/shared/order/staff-command.ts'
import { type Actor, ORDER_STATUS, ORDER_STATUSES } from '@shop/shared/order/status.ts'
import { can } from '@shop/shared/permissions.ts'
import { personNameOf } from '../account/store.ts'
import { insertAudit } from '../audit/store.ts'
import { isOwner, ownerKey } from '../http/caller.ts'
import { hashRequest, type Once, runOnce } from '../http/idempotency.ts'
import { type Context, mustBeOnce, type Route, route } from '../http/route.ts'
import { findOptions } from '../settings/store.ts'
import { useSlip } from '../upload/store.ts'
import { findOrders, findWaitingOrders, type HistoryQuery } from './history-store.ts'
import { holdAmount, type PlacedRequest, type PlacingBuyer, placeOrderOnce } from './placing.ts'
import { findOffer } from './placing-store.ts'
import { findOrder, lockOrder, type OrderRecord, saveOutcome } from './store.ts'
import { customerView, staffView } from './view.ts'

type PriceParams = ParsedInput<typeof contract.getPrice>['params']

async function currentPrice({ shop, account, caller, now }: Context, params: PriceParams) {
  const offer = await findOffer(shop.db, { ...params, tierId: account?.tierId ?? null })
  return { priceSatang: quote(caller, params.paymentCode, offer, now).unitPriceSatang }
}

/** The owner key of whoever is buying; guests need a guest key. */
function buyerKeyOf(context: Context): string {
  const key = ownerKey(context)
  if (!key) throw new AppError('INVALID_INPUT', { fields: { 'guest-key': 'กรุณาโหลดหน้านี้ใหม่' } })
  return key
}

const actorOf = ({ uid, caller }: Context): Actor => ({ uid, role: caller })

function buyerOf(context: Context): PlacingBuyer {
  const { uid, caller, address, account } = context
  const { email = null, phone = null } = account ?? {}
  return {
    uid,
    caller,
    address,
    key: buyerKeyOf(context),
    shown: { name: account && personNameOf(account), email, phone },
  }
}

/** What a repeat is known by leaves the PIN out: four digits could be guessed back from a stored hash. */
function onceWithout(pin: string | null, context: Context, request: object): Once {
  const once = mustBeOnce(context)
  if (pin === null) return once
  return { ...once, requestHash: hashRequest('POST', contract.confirmOrder.path, Buffer.from(JSON.stringify(request))) }
}

async function place(context: Context, { typedPin, ...request }: PlacedRequest) {
  const { shop, now } = context
  const once = onceWithout(typedPin, context, request)
  return customerView(await placeOrderOnce(shop, buyerOf(context), { ...request, typedPin }, once, now), now)
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

/** Buyers, staff among them, may cancel their own order as customers do; staff give the command that leads to the status. */
function decideChange(context: Context, order: Order, asBuyer: boolean, change: StatusChange): OrderOutcome {
  const actor = actorOf(context)
  if (asBuyer) {
    if (change.status !== 'cancel') throw new AppError('FORBIDDEN')
    return cancelOrder(order, { ...actor, role: context.uid ? 'customer' : 'guest' }, null, context.now)
  }
  if (!can(context.caller, 'order.work')) throw new AppError('ORDER_NOT_FOUND')
  const command = commandTo(change.status, order.status)
  if (!command) throw new AppError('ORDER_STATUS_NOT_ALLOWED', { details: { status: order.status } })
  const { allow, decide } = STAFF_COMMAND[command]
  if (!can(context.caller, allow)) throw new AppError('FORBIDDEN')
  const { reason = null, deliveryReference = null } = change
  return decide(order, { reason, deliveryReference }, actor, context.now)
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
  route(contract.getPrice, ({ params }, context) => currentPrice(context, params)),
  route(contract.holdPrice, ({ params, body }, context) =>
    holdAmount(context.shop, buyerOf(context), { ...params, ...body }, mustBeOnce(context), context.now),
  ),
  route(contract.confirmPrice, ({ body: { randPointId = null, ...body } }, context) =>
    place(context, { ...body, payment: 'bank', quantity: 1, holdId: randPointId, typedPin: null }),
  ),
  route(contract.confirmOrder, ({ body: { pin, ...body } }, context) =>
    place(context, { ...body, payment: 'wallet', receivingAccountId: null, holdId: null, typedPin: pin }),
  ),
  route(contract.getTimeLimit, async (_, { shop, now }) => {
    const { PAYMENT_TIME_LIMIT } = await findOptions(shop.db)
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
  route(contract.listOrderStatuses, async () => ORDER_STATUSES.map(key => ({ key, name: ORDER_STATUS[key].label }))),
]
