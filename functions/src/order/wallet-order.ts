import { decidePin, isPinLocked } from '@shop/shared/account/pin.ts'
import { checkOrderLimits } from '@shop/shared/agent/agent.ts'
import { priceInForce, VERIFIABLE_GAME_CODE } from '@shop/shared/catalogue/catalogue.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import { confirmOrder } from '@shop/shared/order/endpoints.ts'
import { type OrderOutcome, placeWalletOrder } from '@shop/shared/order/order.ts'
import { uuidv7 } from 'uuidv7'
import { savePin, verifyPin } from '../account/pin.ts'
import { type Sql, violatedConstraint } from '../database/database.ts'
import { findReply, hashRequest, type Once } from '../http/idempotency.ts'
import { type Context, mustBeOnce } from '../http/route.ts'
import {
  actorOf,
  buyerKeyOf,
  newOrderNo,
  newTrackToken,
  playerInputs,
  recordOf,
  takeOrderLimits,
  verifiedPlayerName,
} from './placing.ts'
import { insertOrder } from './placing-store.ts'
import { findOrder, type OrderRecord } from './store.ts'
import { lockWalletOrderFacts, type WalletOrderFacts } from './wallet-order-store.ts'

type Request = ParsedInput<typeof confirmOrder>['body']

/** Random order numbers collide rarely; this many in a row means something else is wrong. */
const ATTEMPTS = 5

/** How one try ended. Everything but a placed order leaves the transaction without an order. */
type Try =
  | { is: 'placed'; record: OrderRecord }
  | { is: 'kept'; orderNo: string }
  /** The wrong PIN was counted, which has to be committed. */
  | { is: 'refused'; error: AppError }
  /** The player's name has to be asked for, which must not happen while the wallet is locked. */
  | { is: 'unverified'; gameCode: string }

/**
 * Buys from the caller's own wallet: PIN, debit, order, ledger and idempotency key in one transaction.
 * A repeat of the same request gives the same order.
 */
export async function placeWalletOrderFor(context: Context, request: Request): Promise<OrderRecord> {
  const { shop } = context
  const once = onceWithoutPin(context, request)
  await takeOrderLimits(context)
  // Usually the customer has just checked the id, and the provider need not be asked again.
  let playerName = shop.playerLookup.recall(VERIFIABLE_GAME_CODE, request.playerId)?.name
  for (let attempt = 1; ; attempt++) {
    try {
      const tried = await shop.db.transaction(tx => buy(tx, context, request, once, playerName))
      if (tried.is === 'placed') return tried.record
      if (tried.is === 'kept') return await orderOf(context, tried.orderNo)
      if (tried.is === 'refused') throw tried.error
      playerName = (await verifiedPlayerName(context, tried.gameCode, request.playerId, true)) ?? undefined
    } catch (error) {
      // The same request may have been served while this one waited for the wallet.
      const kept = await findReply<{ orderNo: string }>(shop.db, once)
      if (kept) return orderOf(context, kept.orderNo)
      if (violatedConstraint(error) === undefined || attempt >= ATTEMPTS) throw error
    }
  }
}

/** What a repeat is known by leaves the PIN out: four digits could be guessed back from a stored hash. */
function onceWithoutPin(context: Context, { pin: _, ...request }: Request): Once {
  const body = Buffer.from(JSON.stringify(request))
  return { ...mustBeOnce(context), requestHash: hashRequest(confirmOrder.method, confirmOrder.path, body) }
}

async function orderOf(context: Context, orderNo: string): Promise<OrderRecord> {
  const record = await findOrder(context.shop.db, { orderNo })
  invariant(record, 'the order of a kept reply exists')
  return record
}

async function buy(
  tx: Sql,
  context: Context,
  request: Request,
  once: Once,
  playerName: string | undefined,
): Promise<Try> {
  const { uid, now } = context
  invariant(uid, 'only signed-in people have a wallet')
  const facts = await lockWalletOrderFacts(tx, { once, uid, gameId: request.gameId, packageId: request.packageId })
  if (facts.kept) {
    if (facts.kept.requestHash !== once.requestHash) throw new AppError('IDEMPOTENCY_KEY_REUSED')
    return { is: 'kept', orderNo: facts.kept.reply.orderNo }
  }
  const selection = checkSelection(facts, request, now)
  const { game, sold, wallet, priceSatang } = selection
  const isChecked = game.code === VERIFIABLE_GAME_CODE && facts.settings.CHECK_MIDASBUY
  if (isChecked && playerName === undefined) return { is: 'unverified', gameCode: game.code }
  const refusal = await tryPin(tx, uid, facts.pin, request.pin, now)
  if (refusal) return { is: 'refused', error: refusal }

  const draft = { id: uuidv7(), orderNo: newOrderNo(now), buyerUid: uid, gameId: game.id, packageId: sold.id }
  const player = { playerId: request.playerId, playerName: isChecked ? (playerName ?? null) : null }
  const money = { priceSatang, quantity: request.quantity, walletId: wallet.id }
  const outcome: OrderOutcome = placeWalletOrder({ ...draft, ...player, ...money }, actorOf(context), now)
  const made = {
    trackToken: newTrackToken(),
    buyerKey: buyerKeyOf(context),
    snapshot: { packageName: sold.name, fields: selection.fields, termsVersion: request.termsVersion },
  }
  await insertOrder(tx, { ...made, outcome, guestSlot: null, once })
  return { is: 'placed', record: recordOf(outcome, { ...made, context, game, receivingAccount: null }) }
}

/** Checks what was asked for against the catalogue, the tier's limits and the balance. */
function checkSelection(facts: WalletOrderFacts, request: Request, now: Date) {
  const { game, package: sold, wallet } = facts
  if (!wallet) throw new AppError('WALLET_NOT_FOUND')
  if (!game) throw new AppError('GAME_NOT_FOUND')
  if (!sold || sold.gameId !== game.id) throw new AppError('PACKAGE_NOT_FOUND')
  const priceSatang = priceInForce(facts.price, facts.discountSatang, now) * request.quantity
  const fields = playerInputs(game.fieldLabels, request)
  checkOrderLimits({ amountSatang: priceSatang, quantity: request.quantity }, wallet)
  if (wallet.balanceSatang < priceSatang) throw new AppError('WALLET_BALANCE_TOO_LOW')
  return { game, sold, wallet, fields, priceSatang }
}

/** One try at the PIN: null when it is right; a wrong one is saved, to be committed before it is answered. */
async function tryPin(
  tx: Sql,
  uid: string,
  stored: WalletOrderFacts['pin'],
  typed: string,
  now: Date,
): Promise<AppError | null> {
  if (!stored) return new AppError('PIN_NOT_SET')
  const isRight = !isPinLocked(stored, now) && (await verifyPin(stored.hash, typed))
  const { record, error } = decidePin(stored, isRight, now)
  if (error && record !== stored) await savePin(tx, uid, { ...stored, ...record })
  return error
}
