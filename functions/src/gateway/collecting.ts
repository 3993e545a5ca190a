import type { GatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import type { ChargeView } from '@shop/shared/gateway/fields.ts'
import { beginCharge, type Charge, nextAskAt, surchargeOf } from '@shop/shared/gateway/gateway.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { uuidv7 } from 'uuidv7'
import type { Catalogue } from '../catalogue/snapshot.ts'
import type { Sql } from '../database/database.ts'
import { log } from '../http/log.ts'
import { type Context, limitKey } from '../http/route.ts'
import { enqueue } from '../outbox/outbox.ts'
import { mustTakeOrders } from '../outbox/safe-mode.ts'
import { hearAnswer } from './asking.ts'
import { mustBeTaken, offeredMethod } from './methods.ts'
import type { ChargeAnswer, Gateway } from './provider.ts'
import * as store from './store.ts'
import { viewPayable } from './view.ts'

/** What is to be collected, locked and still waiting for its money. */
export interface Due {
  owner: store.ChargeOwner
  /** The method that it is to be paid by so far. */
  payment: GatewayMethod
  amountSatang: number
  expiresAt: Date
}

export interface Collection {
  method: GatewayMethod
  /** The number that the gateway's own pages show. */
  no: string
  /** The page of the storefront where it is paid. */
  page: string
  /** @throws when it does not wait for money, or is not the caller's */
  lock(tx: Sql): Promise<Due>
  /** How what is collected is locked for the gateway's word. */
  owners: Partial<store.ChargeOwners>
}

/** A gateway that has not answered after this time is not waited for when the buyer tries again. */
const ASKING_SECONDS = 15

/** Returns the charge that something is being paid by already; null when another one must be made. */
async function findUsable(
  tx: Sql,
  owner: store.ChargeOwner,
  method: GatewayMethod,
  now: Date,
): Promise<store.ChargeRow | null> {
  const newest = await store.findNewestCharge(tx, owner)
  if (!newest?.isWanted || newest.method !== method || newest.expiresAt <= now) return null
  if (newest.state === 'waiting') return newest
  return newest.state === 'asking' && addSeconds(newest.createdAt, ASKING_SECONDS) > now ? newest : null
}

/**
 * Writes a charge down before the gateway is asked for it, and gives up the other ones. Returns the gateway that is to be
 * asked; null for a charge that was there.
 */
async function begin(
  tx: Sql,
  { now, shop }: Context,
  { method, lock }: Collection,
  catalogue: Catalogue,
): Promise<{ charge: store.ChargeRow; newAt: Gateway | null }> {
  const { owner, payment, ...due } = await lock(tx)
  const { gateway, terms, limits } = offeredMethod(shop.gateway, catalogue, method, now)
  mustBeTaken(limits, due.amountSatang)
  const usable = await findUsable(tx, owner, method, now)
  if (usable) return { charge: usable, newAt: null }
  await store.endCharges(tx, owner, now)
  if (payment !== method) await store.savePayment(tx, owner, method)
  const surchargeSatang = surchargeOf(terms, due.amountSatang)
  const ask = { id: uuidv7(), gateway: gateway.name, method, surchargeSatang, isLive: gateway.isLive }
  const charge = beginCharge({ orderId: null, topUpId: null, ...owner, ...due }, ask, now)
  await store.insertCharge(tx, charge)
  const dueAt = nextAskAt(charge, now)
  invariant(dueAt, 'a new charge is asked about')
  await enqueue(tx, { kind: 'charge.ask', key: charge.id, payload: { chargeId: charge.id }, now, dueAt })
  return { charge: { ...charge, pay: null, contradiction: null }, newAt: gateway }
}

/** Tells whether a gateway's answer says that it has not made the charge. */
const isRefusal = ({ kind }: ChargeAnswer): boolean => kind !== 'charge' && kind !== 'silent'

/** Stores what the gateway answered to a new charge. After silence it is asked about later, because it may exist. */
async function hearCreated(
  tx: Sql,
  { shop }: Context,
  { owners }: Collection,
  charge: Charge,
  answer: ChargeAnswer,
): Promise<void> {
  if (answer.kind === 'charge') await hearAnswer(tx, shop, owners, charge.id, answer)
  else if (isRefusal(answer)) await store.saveCharge(tx, { ...charge, state: 'failed' })
}

/** The picture of a QR may not have come with the first answer; then the gateway is asked again. */
async function withPay({ shop }: Context, { owners }: Collection, charge: store.ChargeRow): Promise<store.ChargeRow> {
  const { gateway, db } = shop
  if (charge.pay || charge.reference === null || gateway?.name !== charge.gateway) return charge
  const answer = await gateway.read(charge.reference)
  if (answer.kind !== 'charge') return charge
  await db.transaction(tx => hearAnswer(tx, shop, owners, charge.id, answer))
  return (await store.findCharge(db, charge.id)) ?? charge
}

/** Has the gateway collect something: by the charge that waits already, or by a new one. */
export async function collect(context: Context, collection: Collection): Promise<ChargeView> {
  const { shop, account } = context
  const { method, no, page } = collection
  await shop.limits.takeShared([{ limit: 'chargesPerCaller', key: limitKey(context) }])
  await mustTakeOrders(shop.db)
  const catalogue = await shop.catalogue.latest()
  const { charge, newAt } = await shop.db.transaction(tx => begin(tx, context, collection, catalogue))
  if (!newAt) return viewPayable(await withPay(context, collection, charge))
  const { id: chargeId, amountSatang, expiresAt } = charge
  const returnUrl = new URL(page, shop.config.STOREFRONT_URL).href
  const email = account?.email ?? shop.config.MAIL_FROM?.address ?? ''
  const answer = await newAt.create({ chargeId, method, amountSatang, description: no, expiresAt, returnUrl, email })
  if (answer.kind !== 'charge') log('WARNING', 'gateway makes no charge', { charge: chargeId, ...answer })
  await shop.db.transaction(tx => hearCreated(tx, context, collection, charge, answer))
  if (isRefusal(answer)) throw new AppError('GATEWAY_UNAVAILABLE')
  const made = await store.findCharge(shop.db, chargeId)
  invariant(made, 'a charge is never deleted')
  return viewPayable(made)
}
