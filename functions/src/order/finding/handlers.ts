import { AppError } from '@shop/shared/errors.ts'
import { lapsedClaimOf } from '@shop/shared/order/claim.ts'
import { canRedo } from '@shop/shared/order/correction.ts'
import * as contract from '@shop/shared/order/endpoints.ts'
import { getReceipt, listOrderStatuses } from '@shop/shared/order/finding-endpoints.ts'
import { type Order, transferOf } from '@shop/shared/order/order.ts'
import { getOrderForStaff, type StaffOrderView } from '@shop/shared/order/staff-endpoints.ts'
import { ORDER_STATUS, ORDER_STATUSES } from '@shop/shared/order/status.ts'
import { authoriseForeign, isOwner, may, ownerKey } from '../../account/caller.ts'
import { type Context, limitKey, type Route, route } from '../../call/route.ts'
import type { Sql } from '../../database/database.ts'
import { findPaidCharges } from '../../gateway/store.ts'
import type { FileReply } from '../../http/file-reply.ts'
import { inJson } from '../../http/in-json.ts'
import { twoPersonAmountOf } from '../../settings/store.ts'
import { findSlipVerdict } from '../../slipcheck/store.ts'
import { findOthersOfSlip, findUsersOfUse } from '../../transfer/store.ts'
import { commandsOf } from '../delivering/status-handlers.ts'
import { viewDelivery } from '../delivering/supplier-handlers.ts'
import { findStatementLine } from '../paying/line-store.ts'
import { viewHold } from '../paying/proof-handlers.ts'
import { actorOf, clockOf, mayFollow, show, viewerOf, viewOrder } from '../showing.ts'
import { findOrder, findSameAmountOrder } from '../store.ts'
import { booksView, customerView, READER, staffView } from '../view.ts'
import { countFinished, findWaitingOrders } from './own-store.ts'
import { printReceipt } from './receipt.ts'

/** Prints an order. For a tracking link the paper shows no more than that link's page. */
async function printOrder(context: Context, orderNo: string): Promise<FileReply> {
  const { shop, now } = context
  await shop.limits.take('papersPerCaller', limitKey(context))
  const record = await findOrder(shop.db, { orderNo })
  if (!record) throw new AppError('ORDER_NOT_FOUND')
  const isStaff = may(context, 'order.work')
  if (!isStaff && !mayFollow(context, record)) authoriseForeign(context, 'order.work', 'ORDER_NOT_FOUND')
  const order = isStaff ? customerView(record, READER, await clockOf(context)) : await show(context, record)
  const body = await printReceipt(order, (await shop.catalogue.latest()).options, now)
  return { body, contentType: 'application/pdf', fileName: `${orderNo}.pdf` }
}

async function trackOrder(context: Context) {
  const { shop, trackToken } = context
  const record = trackToken === null ? null : await findOrder(shop.db, { trackToken })
  if (!record) throw new AppError('ORDER_NOT_FOUND')
  return customerView(record, { ...(await viewerOf(context, record)), byLink: true }, await clockOf(context))
}

/** Returns other orders that may already use the money which this unpaid order claims. */
async function findUsersOfOrder(db: Sql, order: Order, now: Date) {
  const isOpen = ORDER_STATUS[order.status].moves.markPaid !== undefined
  return isOpen && order.payment === 'bank' ? findUsersOfUse(db, transferOf(order, null, now)) : []
}

async function viewForStaff(context: Context, orderNo: string) {
  const { shop, now } = context
  const record = await findOrder(shop.db, { orderNo })
  if (!record) throw new AppError('ORDER_NOT_FOUND')
  const { order, buyerKey } = record
  const { options, packages } = await shop.catalogue.latest()
  const largeAboveSatang = twoPersonAmountOf(options)
  const commands = commandsOf(context, { ...order, buyerKey }, largeAboveSatang, lapsedClaimOf(record.events))
  const isExpired = order.status === 'expired'
  const sameAmountOrderNo = isExpired ? await findSameAmountOrder(shop.db, order, now) : null
  const line = await findStatementLine(shop.db, order.id)
  const slipVerdict = await findSlipVerdict(shop.db, order.id)
  const delivery = await viewDelivery(context, order)
  const slipOthers = await findOthersOfSlip(shop.db, order.slipId, order.id)
  const maybeUsedBy = await findUsersOfOrder(shop.db, order, now)
  const view: StaffOrderView = {
    ...staffView(record, await countFinished(shop.db, buyerKey), now),
    canRedo: !isOwner(context, buyerKey) && canRedo(order, actorOf(context)),
    hold: await viewHold(context, record),
    commands,
    sameAmountOrderNo,
    statementLine: line && inJson(line),
    charges: (await findPaidCharges(shop.db, order.id)).map(inJson),
    slipVerdict,
    slipOthers,
    maybeUsedBy,
    hasCodes: packages.get(order.packageId)?.delivers === 'code',
    delivery,
  }
  return may(context, 'order.work') ? view : booksView(view)
}

async function listWaiting(context: Context) {
  const key = ownerKey(context)
  if (!key) return []
  const rows = await findWaitingOrders(context.shop.db, key)
  return rows.map(row => inJson({ ...row, nowDate: context.now }))
}

export const findingRoutes: Route[] = [
  route(contract.listWaitingOrders, (_, context) => listWaiting(context)),
  route(contract.getOrder, ({ params }, context) => viewOrder(context, params.orderNo)),
  route(getReceipt, ({ params }, context) => printOrder(context, params.orderNo)),
  route(contract.trackOrder, (_, context) => trackOrder(context)),
  route(getOrderForStaff, ({ params }, context) => viewForStaff(context, params.orderNo)),
  route(listOrderStatuses, async () => ORDER_STATUSES.map(key => ({ key, name: ORDER_STATUS[key].label }))),
]
