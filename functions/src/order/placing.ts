import { randomBytes, randomInt } from 'node:crypto'
import { paymentMethodsFor, priceInForce, VERIFIABLE_GAME_CODE } from '@shop/shared/catalogue/catalogue.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import type { confirmPrice } from '@shop/shared/order/endpoints.ts'
import {
  type Actor,
  formatOrderNo,
  GUEST_UNPAID_PER_PLAYER,
  type OrderOutcome,
  placeBankOrder,
  REPORTED_PER_BUYER,
} from '@shop/shared/order/order.ts'
import { bangkokMonthOf } from '@shop/shared/time.ts'
import { uuidv7 } from 'uuidv7'
import { playerFields } from '../catalogue/store.ts'
import { violatedConstraint } from '../database/database.ts'
import { ownerKey } from '../http/caller.ts'
import { type Context, callerKey, mustBeOnce } from '../http/route.ts'
import { findPlacingFacts, insertOrder, type PlacingFacts } from './placing-store.ts'
import { adoptHold, findOrder, type OrderRecord, type OrderSnapshot, reserveAmount } from './store.ts'

type Request = ParsedInput<typeof confirmPrice>['body']

/** How long a buyer with too many undecided orders is asked to wait. */
const WAIT_MINUTES = 5
/** Random order numbers collide rarely; this many in a row means something else is wrong. */
const ATTEMPTS = 5

/** The owner key of whoever is buying; guests need a guest key. */
export function buyerKeyOf(context: Context): string {
  const key = ownerKey(context)
  if (!key) throw new AppError('INVALID_INPUT', { fields: { 'guest-key': 'กรุณาโหลดหน้านี้ใหม่' } })
  return key
}

export const actorOf = (context: Context): Actor => ({ uid: context.uid, role: context.caller })

export async function takeOrderLimits(context: Context): Promise<void> {
  const { limits } = context.shop
  await limits.take('ordersPerCaller', callerKey(context))
  await limits.take('ordersPerAddress', context.address)
}

/** Checks what was asked for against the catalogue; throws the code that says what to correct. */
function checkSelection(facts: PlacingFacts, context: Context) {
  const { game, package: sold, receivingAccount, settings } = facts
  if (!game) throw new AppError('GAME_NOT_FOUND')
  if (!sold || sold.gameId !== game.id) throw new AppError('PACKAGE_NOT_FOUND')
  if (!paymentMethodsFor(context.caller).includes('bank')) throw new AppError('PAYMENT_METHOD_NOT_ALLOWED')
  if (context.caller === 'guest' && !settings.ALLOW_GUEST_CHECKOUT) throw new AppError('GUEST_CHECKOUT_OFF')
  if (!receivingAccount) throw new AppError('RECEIVING_ACCOUNT_NOT_FOUND')
  return { game, sold, receivingAccount, priceSatang: priceInForce(facts.price, 0, context.now) }
}

/** The player's inputs with their labels; every active one must be filled. */
export function playerInputs(
  labels: string[],
  request: { playerId: string; field2?: string; field3?: string; field4?: string; field5?: string },
): OrderSnapshot['fields'] {
  const values = { ...request, field1: request.playerId }
  return playerFields(labels).map(({ name, label }) => {
    const value = values[name]
    if (!value) throw new AppError('PLAYER_FIELD_REQUIRED', { values: { field: label }, fields: { [name]: label } })
    return { name, label, value }
  })
}

/** The player's name where the game's ids are verified; null elsewhere. */
export async function verifiedPlayerName(
  context: Context,
  gameCode: string,
  playerId: string,
  isChecked: boolean,
): Promise<string | null> {
  if (gameCode !== VERIFIABLE_GAME_CODE || !isChecked) return null
  return (await context.shop.playerLookup.findPlayer(gameCode, playerId)).name
}

/** The free slot for another unpaid guest order of this player; null for signed-in buyers. */
function guestSlotOf(facts: PlacingFacts, context: Context): number | null {
  if (context.uid) return null
  for (let slot = 1; slot <= GUEST_UNPAID_PER_PLAYER; slot++) if (!facts.guestSlots.includes(slot)) return slot
  throw new AppError('TOO_MANY_UNPAID', { values: { n: WAIT_MINUTES } })
}

function checkUnpaid(facts: PlacingFacts): void {
  if (facts.unpaidOrderNos.length > 0) {
    throw new AppError('UNPAID_ORDER_EXISTS', { details: { orderNos: facts.unpaidOrderNos } })
  }
  if (facts.reportedCount >= REPORTED_PER_BUYER) throw new AppError('TOO_MANY_UNPAID', { values: { n: WAIT_MINUTES } })
}

/** A number nobody can guess the next of. */
export const newOrderNo = (now: Date): string => formatOrderNo(bangkokMonthOf(now), randomInt(100_000_000))
export const newTrackToken = (): string => randomBytes(16).toString('base64url')

async function factsFor(context: Context, request: Request, buyerKey: string): Promise<PlacingFacts> {
  return findPlacingFacts(context.shop.db, {
    once: mustBeOnce(context),
    gameId: request.gameId,
    packageId: request.packageId,
    payment: 'bank',
    receivingAccountId: request.receivingAccountId,
    buyerKey,
    playerId: request.playerId,
  })
}

/** The order this key already made, if it did; throws 409 when the key came with another request. */
async function keptOrder(context: Context, kept: PlacingFacts['kept']): Promise<OrderRecord | null> {
  if (!kept) return null
  if (kept.requestHash !== mustBeOnce(context).requestHash) throw new AppError('IDEMPOTENCY_KEY_REUSED')
  const record = await findOrder(context.shop.db, { orderNo: kept.reply.orderNo })
  invariant(record, 'the order of a kept reply exists')
  return record
}

/** Places a bank order; a repeat of the same request gives the same order. */
export async function placeBankOrderFor(context: Context, request: Request): Promise<OrderRecord> {
  const buyerKey = buyerKeyOf(context)
  for (let attempt = 1; ; attempt++) {
    const facts = await factsFor(context, request, buyerKey)
    const kept = await keptOrder(context, facts.kept)
    if (kept) return kept
    if (attempt === 1) await takeOrderLimits(context)
    try {
      return await placeOnce(context, request, facts, buyerKey)
    } catch (error) {
      // Another request won a unique key in the same moment: the facts have changed, so decide again.
      if (violatedConstraint(error) === undefined || attempt >= ATTEMPTS) throw error
    }
  }
}

async function placeOnce(
  context: Context,
  request: Request,
  facts: PlacingFacts,
  buyerKey: string,
): Promise<OrderRecord> {
  const { shop, now } = context
  const { game, sold, receivingAccount, priceSatang } = checkSelection(facts, context)
  const fields = playerInputs(game.fieldLabels, request)
  checkUnpaid(facts)
  const guestSlot = guestSlotOf(facts, context)
  const playerName = await verifiedPlayerName(context, game.code, request.playerId, facts.settings.CHECK_MIDASBUY)
  const orderId = uuidv7()
  const trackToken = newTrackToken()
  const snapshot = { packageName: sold.name, fields, termsVersion: request.termsVersion }

  const outcome = await shop.db.transaction(async (tx): Promise<OrderOutcome> => {
    const want = { receivingAccountId: receivingAccount.id, priceSatang, buyerKey, orderId, now }
    const { pointSatang } = request.randPointId
      ? await adoptHold(tx, { ...want, id: request.randPointId })
      : await reserveAmount(tx, { ...want, reusableAt: null })
    const placed = placeBankOrder(
      {
        id: orderId,
        orderNo: newOrderNo(now),
        buyerUid: context.uid,
        gameId: game.id,
        packageId: sold.id,
        playerId: request.playerId,
        playerName,
        priceSatang,
        pointSatang,
        receivingAccountId: receivingAccount.id,
        timeLimitMinutes: facts.settings.PAYMENT_TIME_LIMIT,
      },
      actorOf(context),
      now,
    )
    await insertOrder(tx, { outcome: placed, trackToken, buyerKey, guestSlot, snapshot, once: mustBeOnce(context) })
    return placed
  })
  return recordOf(outcome, { context, trackToken, buyerKey, snapshot, game, receivingAccount })
}

/** The record of an order that was just made, without reading it back. */
export function recordOf(
  { order, event }: OrderOutcome,
  made: Pick<OrderRecord, 'trackToken' | 'buyerKey' | 'snapshot' | 'game' | 'receivingAccount'> & { context: Context },
): OrderRecord {
  const { context, ...rest } = made
  const { account } = context
  return {
    ...rest,
    order,
    buyer: { name: account?.name ?? null, email: account?.email ?? null, tel: account?.tel ?? null },
    claimedByName: null,
    events: [{ ...event, actorName: account?.name ?? null }],
  }
}
