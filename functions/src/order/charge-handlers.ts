import { type GatewayMethod, isGatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import { type Charge, nextAskAt, surchargeOf } from '@shop/shared/gateway/gateway.ts'
import { beginCharge } from '@shop/shared/order/charge.ts'
import * as contract from '@shop/shared/order/charge-endpoints.ts'
import { dueOf } from '@shop/shared/order/order.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { uuidv7 } from 'uuidv7'
import type { Catalogue } from '../catalogue/snapshot.ts'
import type { Sql } from '../database/database.ts'
import { mustBeTaken, offeredMethod } from '../gateway/methods.ts'
import type { ChargeAnswer, Gateway } from '../gateway/provider.ts'
import * as store from '../gateway/store.ts'
import { viewPayable } from '../gateway/view.ts'
import { log } from '../http/log.ts'
import { type Context, limitKey, type Route, route } from '../http/route.ts'
import { enqueue } from '../outbox/outbox.ts'
import { mustTakeOrders } from '../outbox/safe-mode.ts'
import { hearAnswer } from './charge-asking.ts'
import { mayFollow } from './handlers.ts'
import { findOrder, lockOrder } from './store.ts'

/** A gateway that has not answered after this time is not waited for when the buyer tries again. */
const ASKING_SECONDS = 15

/** Returns the charge that an order is being paid by already; null when another one must be made. */
async function findUsable(tx: Sql, orderId: string, method: GatewayMethod, now: Date): Promise<store.ChargeRow | null> {
  const newest = await store.findNewestCharge(tx, orderId)
  if (!newest?.isWanted || newest.method !== method || newest.expiresAt <= now) return null
  if (newest.state === 'waiting') return newest
  return newest.state === 'asking' && addSeconds(newest.createdAt, ASKING_SECONDS) > now ? newest : null
}

/**
 * Writes a charge down before the gateway is asked for it, and gives up the order's other ones. Returns the gateway that
 * is to be asked; null for a charge that was there.
 */
async function begin(
  tx: Sql,
  context: Context,
  { orderNo, method }: { orderNo: string; method: GatewayMethod },
  catalogue: Catalogue,
): Promise<{ charge: store.ChargeRow; newAt: Gateway | null }> {
  const { now, shop } = context
  const locked = await lockOrder(tx, { orderNo })
  if (!locked || !mayFollow(context, locked)) throw new AppError('ORDER_NOT_FOUND')
  const { order } = locked
  if (
    !isGatewayMethod(order.payment) ||
    order.status !== 'waiting_payment' ||
    !order.expiresAt ||
    order.expiresAt <= now
  )
    throw new AppError('ORDER_STATUS_NOT_ALLOWED', { details: { status: order.status } })
  const { gateway, terms, limits } = offeredMethod(shop.gateway, catalogue, method, now)
  mustBeTaken(limits, dueOf(order))
  const usable = await findUsable(tx, order.id, method, now)
  if (usable) return { charge: usable, newAt: null }
  await store.endCharges(tx, order.id, now)
  if (order.payment !== method) await store.savePayment(tx, order.id, method)
  const surchargeSatang = surchargeOf(terms, dueOf(order))
  const ask = { id: uuidv7(), gateway: gateway.name, method, surchargeSatang, isLive: gateway.isLive }
  const charge = beginCharge(order, ask, now)
  await store.insertCharge(tx, charge)
  const dueAt = nextAskAt(charge, now)
  invariant(dueAt, 'a new charge is asked about')
  await enqueue(tx, { kind: 'charge.ask', key: charge.id, payload: { chargeId: charge.id }, now, dueAt })
  return { charge: { ...charge, pay: null, contradiction: null }, newAt: gateway }
}

/** Tells whether a gateway's answer says that it has not made the charge. */
const isRefusal = ({ kind }: ChargeAnswer): boolean => kind !== 'charge' && kind !== 'silent'

/** Stores what the gateway answered to a new charge. After silence it is asked about later, because it may exist. */
async function hearCreated(tx: Sql, context: Context, charge: Charge, answer: ChargeAnswer): Promise<void> {
  if (answer.kind === 'charge') await hearAnswer(tx, context.shop, charge.id, answer)
  else if (isRefusal(answer)) await store.saveCharge(tx, { ...charge, state: 'failed' })
}

/** The picture of a QR may not have come with the first answer; then the gateway is asked again. */
async function withPay({ shop }: Context, charge: store.ChargeRow): Promise<store.ChargeRow> {
  const { gateway, db } = shop
  if (charge.pay || charge.reference === null || gateway?.name !== charge.gateway) return charge
  const answer = await gateway.read(charge.reference)
  if (answer.kind !== 'charge') return charge
  await db.transaction(tx => hearAnswer(tx, shop, charge.id, answer))
  return (await store.findCharge(db, charge.id)) ?? charge
}

async function chargeOrder(context: Context, ask: { orderNo: string; method: GatewayMethod }) {
  const { shop, account } = context
  const { orderNo, method } = ask
  await shop.limits.takeShared([{ limit: 'chargesPerCaller', key: limitKey(context) }])
  await mustTakeOrders(shop.db)
  const catalogue = await shop.catalogue.latest()
  const { charge, newAt } = await shop.db.transaction(tx => begin(tx, context, ask, catalogue))
  if (!newAt) return viewPayable(await withPay(context, charge))
  const { id: chargeId, amountSatang, expiresAt } = charge
  const returnUrl = new URL(`/payment?order=${orderNo}`, shop.config.STOREFRONT_URL).href
  const email = account?.email ?? shop.config.MAIL_FROM?.address ?? ''
  const answer = await newAt.create({
    chargeId,
    method,
    amountSatang,
    description: orderNo,
    expiresAt,
    returnUrl,
    email,
  })
  if (answer.kind !== 'charge') log('WARNING', 'gateway makes no charge', { charge: chargeId, ...answer })
  await shop.db.transaction(tx => hearCreated(tx, context, charge, answer))
  if (isRefusal(answer)) throw new AppError('GATEWAY_UNAVAILABLE')
  const made = await store.findCharge(shop.db, chargeId)
  invariant(made, 'a charge is never deleted')
  return viewPayable(made)
}

async function viewNewest(context: Context, orderNo: string) {
  const { db } = context.shop
  const record = await findOrder(db, { orderNo })
  if (!record || !mayFollow(context, record)) throw new AppError('ORDER_NOT_FOUND')
  const newest = await store.findNewestCharge(db, record.order.id)
  return newest && viewPayable(newest)
}

export const chargeRoutes: Route[] = [
  route(contract.chargeOrder, ({ params, body }, context) => chargeOrder(context, { ...params, ...body })),
  route(contract.getCharge, ({ params }, context) => viewNewest(context, params.orderNo)),
]
