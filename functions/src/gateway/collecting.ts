import type { GatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import type { ChargeView } from '@shop/shared/gateway/fields.ts'
import { beginCharge, type Charge, nextAskAt, surchargeOf } from '@shop/shared/gateway/gateway.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { uuidv7 } from 'uuidv7'
import { type Context, limitKey } from '../call/route.ts'
import type { Catalogue } from '../catalogue/snapshot.ts'
import type { Sql } from '../database/database.ts'
import { log } from '../http/log.ts'
import { enqueue } from '../outbox/outbox.ts'
import { mustTakeOrders } from '../outbox/safe-mode.ts'
import type { Shop } from '../shop/shop.ts'
import { askAbout, hearAnswer } from './asking.ts'
import { mustBeTaken, offeredMethod } from './methods.ts'
import type { ChargeAnswer, ChargeRequest, Gateway } from './provider.ts'
import * as store from './store.ts'
import { viewPayable } from './view.ts'

/** What is to be collected, locked and still waiting for its money. */
export interface Due {
  owner: store.ChargeOwner
  /** The method that it is to be paid by so far. */
  payment: GatewayMethod
  amountSatang: number
  expiresAt: Date
  /** Whether it is asked for by a tracking link, which many people may have: it may pay, and ends nothing. */
  byLink: boolean
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
  { owner, byLink }: Pick<Due, 'owner' | 'byLink'>,
  method: GatewayMethod,
  now: Date,
): Promise<store.ChargeRow | null> {
  // A link shares what the buyer pays by, and makes one of each method at most.
  const newest = await store.findNewestCharge(tx, owner, { byLink, method: byLink ? method : null })
  if (!newest?.isWanted || newest.method !== method || newest.expiresAt <= now) return null
  if (newest.state === 'waiting') return newest
  return newest.state === 'asking' && addSeconds(newest.createdAt, ASKING_SECONDS) > now ? newest : null
}

/**
 * Writes a charge down before the gateway is asked for it. Its buyer gives up their other ones by that; what is asked for
 * by a link lives beside them, and where both are paid, one is owed. Returns the gateway that is to be
 * asked; null for a charge that was there.
 */
async function begin(
  tx: Sql,
  { now, shop }: Context,
  { method, lock }: Collection,
  catalogue: Catalogue,
): Promise<{ charge: store.ChargeRow; newAt: Gateway | null }> {
  const { owner, payment, byLink, ...due } = await lock(tx)
  const { gateway, terms, limits } = offeredMethod(shop.gateway, catalogue, method, now)
  mustBeTaken(limits, due.amountSatang)
  const usable = await findUsable(tx, { owner, byLink }, method, now)
  if (usable) return { charge: usable, newAt: null }
  if (!byLink) {
    await store.endCharges(tx, owner, now, "the buyer's")
    if (payment !== method) await store.savePayment(tx, owner, method)
  }
  const surchargeSatang = surchargeOf(terms, due.amountSatang)
  const ask = { id: uuidv7(), gateway: gateway.name, method, surchargeSatang, isLive: gateway.isLive }
  const charge = beginCharge({ orderId: null, topUpId: null, ...owner, ...due }, ask, now)
  await store.insertCharge(tx, { ...charge, byLink })
  const dueAt = nextAskAt(charge, now)
  invariant(dueAt, 'a new charge is asked about')
  await enqueue(tx, { kind: 'charge.ask', key: charge.id, payload: { chargeId: charge.id }, now, dueAt })
  return { charge: { ...charge, byLink, pay: null, contradiction: null, silentSince: null }, newAt: gateway }
}

/**
 * Has a gateway make a charge. After silence it is asked once more, in a way that never makes another one. Only a charge
 * that is there counts then, because the first request may still be on its way.
 */
async function make(
  gateway: Gateway,
  request: ChargeRequest,
  charge: Charge,
  { now }: Pick<Shop, 'now'>,
): Promise<ChargeAnswer> {
  const answer = await gateway.create(request)
  if (answer.kind !== 'silent') return answer
  const again = gateway.makesOnce ? await gateway.create(request) : await askAbout(gateway, charge, now())
  return again.kind === 'charge' ? again : answer
}

/** Why a charge was not made, where that says nothing of whether it exists. */
const isUnsure = ({ kind }: ChargeAnswer): boolean => kind === 'silent' || kind === 'busy'

/**
 * Stores what the gateway answered to a new charge. One that may exist all the same is asked about later, and ended when it
 * does: nobody was shown how to pay it, and the buyer may go on by another one at once.
 */
async function hearCreated(
  tx: Sql,
  { shop }: Context,
  { owners }: Collection,
  charge: Charge,
  answer: ChargeAnswer,
): Promise<void> {
  if (answer.kind === 'charge') await hearAnswer(tx, shop, owners, charge.id, answer)
  else await store.saveUnmade(tx, charge.id, { isSure: !isUnsure(answer), isBusy: answer.kind === 'busy' }, shop.now())
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
  const request = { chargeId, method, amountSatang, description: no, expiresAt, returnUrl, email }
  const answer = await make(newAt, request, charge, shop)
  if (answer.kind !== 'charge') log('WARNING', 'gateway makes no charge', { charge: chargeId, ...answer })
  await shop.db.transaction(tx => hearCreated(tx, context, collection, charge, answer))
  if (answer.kind !== 'charge') throw new AppError('GATEWAY_UNAVAILABLE')
  const made = await store.findCharge(shop.db, chargeId)
  invariant(made, 'a charge is never deleted')
  return viewPayable(made)
}
