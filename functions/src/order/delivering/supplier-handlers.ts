import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import { nextSource } from '@shop/shared/order/delivery.ts'
import type { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { isOwnOrder, type Order } from '@shop/shared/order/order.ts'
import { reductionNow } from '@shop/shared/order/reduce.ts'
import { isReturned } from '@shop/shared/order/status.ts'
import { isOwnRisk, staffCallOf } from '@shop/shared/supplier/decision.ts'
import * as contract from '@shop/shared/supplier/endpoints.ts'
import { ATTEMPT_STATE } from '@shop/shared/supplier/supplier.ts'
import { uuidv7 } from 'uuidv7'
import { may } from '../../account/caller.ts'
import { audit } from '../../audit/store.ts'
import { type Context, personOf, type Route, route } from '../../call/route.ts'
import type { Sql } from '../../database/database.ts'
import { inJson } from '../../http/in-json.ts'
import { enqueue } from '../../outbox/outbox.ts'
import { findHeldBy } from '../../supplier/proof-store.ts'
import { hasSuppliers, supplierNamed } from '../../supplier/provider.ts'
import * as store from '../../supplier/store.ts'
import { findOrderEvents, lockOrder } from '../store.ts'
import { findBrought, findNext } from './brought.ts'

/** Tells whether another purchase may follow the newest one, which brought less than the order's pieces. */
const isRetriable = (newest: store.Attempt | undefined): boolean =>
  !newest || (!ATTEMPT_STATE[newest.state].isOpen && newest.state !== 'delivered' && newest.contradiction === null)

/**
 * Returns how far an order's delivery is and its purchases, as the caller may see them; null while nothing was bought or
 * taken from stock.
 */
export async function viewDelivery(context: Context, order: Order): Promise<contract.DeliveryView | null> {
  const { shop, uid } = context
  const attempts = await store.findAttempts(shop.db, order.id)
  const [newest] = attempts
  const brought = await findBrought(shop.db, order.id, attempts)
  const { pieces, stockPieces } = brought
  if (!newest && stockPieces === 0) return null
  const ids = attempts.map(({ id }) => id)
  const answers = await store.findAnswers(shop.db, ids)
  const refundedBy = await findRefunders(shop.db, order.id)
  const heldBy = await findHeldBy(shop.db, order.id)
  const seesCosts = may(context, 'supplier.manage')
  const reduction = reductionNow(order, brought)
  const canBuy = hasSuppliers(shop) || stockPieces > 0
  return {
    quantity: order.quantity,
    broughtPieces: pieces,
    stockPieces,
    next: await findNext(shop, order, newest, order.quantity - pieces),
    reduction: reduction && { missingPieces: reduction.missingPieces, backSatang: reduction.backSatang },
    isOpen: attempts.some(({ state }) => ATTEMPT_STATE[state].isOpen),
    canRetry: order.status === 'paid' && isRetriable(newest) && canBuy && !heldBy,
    attempts: attempts.map(attempt => ({
      ...inJson(attempt),
      costSatang: seesCosts ? attempt.costSatang : null,
      isOwnRisk: isOwnRisk(uid, attempt, refundedBy),
      staffCall: attempt.seenBy || (attempt.overruledAt && !attempt.contradiction) ? null : staffCallOf(attempt),
      answers: answers.filter(({ attemptId }) => attemptId === attempt.id).map(inJson),
    })),
  }
}

type Change = ParsedInput<typeof updateOrderStatus>['body']

/** Requires a confirmation and a reason from somebody who goes on by hand while a supplier may still deliver. */
export async function mustKnowSupplierRisk(tx: Sql, context: Context, order: Order, change: Change): Promise<void> {
  const open = await store.findOpenAttempt(tx, order.id)
  if (!open || open.overruledAt) return
  const { supplierRiskReason: reason } = change
  if (!reason) throw new AppError('SUPPLIER_OUTCOME_OPEN', { details: { reference: open.reference } })
  const by = personOf(context)
  await store.overruleAttempt(tx, open.id, by.uid, reason, by.now)
  const sides = { before: { reference: open.reference }, after: { status: change.status, reason } }
  await audit(tx, by, { action: 'supplier.overrule', subject: `order:${order.orderNo}`, ...sides })
}

interface Named {
  orderNo: string
}

async function mustLock(tx: Sql, orderNo: string): Promise<Order> {
  const locked = await lockOrder(tx, { orderNo })
  if (!locked) throw new AppError('ORDER_NOT_FOUND')
  return locked.order
}

/** Returns the order with its newest purchase, both locked. */
async function lockDelivery(tx: Sql, orderNo: string) {
  const order = await mustLock(tx, orderNo)
  const [newest] = await store.findAttempts(tx, order.id)
  if (!newest) throw new AppError('DELIVERY_NOT_RETRIABLE')
  return { order, newest }
}

async function retry(context: Context, { orderNo }: Named) {
  const { shop, now } = context
  return shop.db.transaction(async tx => {
    const order = await mustLock(tx, orderNo)
    if (isOwnOrder(order, personOf(context))) throw new AppError('OWN_ORDER')
    const attempts = await store.findAttempts(tx, order.id)
    const [newest] = attempts
    const { pieces } = await findBrought(tx, order.id, attempts)
    // Without a purchase or a code of the shop's, the order's own job is still to come.
    const isBegun = newest !== undefined || pieces > 0
    if (order.status !== 'paid' || !isBegun || !isRetriable(newest)) throw new AppError('DELIVERY_NOT_RETRIABLE')
    if (await findHeldBy(tx, order.id)) throw new AppError('MONEY_NOT_PROVEN')
    const sold = await store.findDelivery(tx, order.packageId)
    const standingOf = await store.findStandings(tx, shop.suppliers, now)
    const next = sold && nextSource(order, sold, { place: 0, missing: order.quantity - pieces }, standingOf)
    if (next?.from !== 'supplier' && next?.from !== 'stock') throw new AppError('SUPPLIER_OFF')
    const payload = { orderId: order.id, after: newest?.id ?? null }
    await enqueue(tx, { kind: 'supplier.deliver', key: `${order.id}:${uuidv7()}`, payload, now })
    return { orderNo }
  })
}

async function ask({ shop, now }: Context, { orderNo }: Named) {
  return shop.db.transaction(async tx => {
    const { newest } = await lockDelivery(tx, orderNo)
    if (!supplierNamed(shop.suppliers, newest.supplier)) throw new AppError('SUPPLIER_OFF')
    const payload = { attemptId: newest.id }
    await enqueue(tx, { kind: 'supplier.ask', key: `staff:${uuidv7()}`, payload, now })
    return { orderNo }
  })
}

/** Returns who agreed to the refund of an order. */
const findRefunders = async (db: Sql, orderId: string): Promise<(string | null)[]> =>
  (await findOrderEvents(db, orderId)).flatMap(({ from, to, kind, actor }) =>
    kind === 'status' && from !== null && isReturned(to) && !isReturned(from) ? [actor.uid] : [],
  )

async function see(context: Context, { orderNo, reason }: Named & { reason: string }) {
  const by = personOf(context)
  return context.shop.db.transaction(async tx => {
    const { order, newest } = await lockDelivery(tx, orderNo)
    if (!newest.contradiction || newest.seenBy) throw new AppError('DELIVERY_NOT_RETRIABLE')
    if (isOwnOrder(order, by)) throw new AppError('OWN_ORDER')
    if (isOwnRisk(by.uid, newest, await findRefunders(tx, order.id))) throw new AppError('CONTRADICTION_OWN')
    await store.seeContradiction(tx, newest.id, by.uid)
    const sides = { before: { reference: newest.reference }, after: { reason } }
    await audit(tx, by, { action: 'supplier.see', subject: `order:${orderNo}`, ...sides })
    return { orderNo }
  })
}

export const supplierOrderRoutes: Route[] = [
  route(contract.retryDelivery, ({ body }, context) => retry(context, body)),
  route(contract.askDelivery, ({ body }, context) => ask(context, body)),
  route(contract.seeContradiction, ({ body }, context) => see(context, body)),
]
