import { randomBytes, randomInt } from 'node:crypto'
import { NO_PLAYER } from '@shop/shared/catalogue/catalogue.ts'
import { isGatewayMethod, PAYMENT_METHOD } from '@shop/shared/catalogue/payment-method.ts'
import { leftWithoutPin } from '@shop/shared/credit/credit.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import type { Satang } from '@shop/shared/money.ts'
import { formatOrderNo, placeOrder } from '@shop/shared/order/order.ts'
import type { TypedField } from '@shop/shared/order/player.ts'
import {
  type Asking,
  decidePlacing,
  mustBeAccepted,
  type PlacingRequest,
  tailsFor,
} from '@shop/shared/order/purchase.ts'
import { type MachineOrder, mustBeWithin } from '@shop/shared/reseller/reseller.ts'
import type { Options } from '@shop/shared/settings/option.ts'
import { mustBeTermsInForce } from '@shop/shared/settings/terms.ts'
import { bangkokDay, bangkokMonthOf } from '@shop/shared/time.ts'
import { uuidv7 } from 'uuidv7'
import { savePinTry, tryPin } from '../../access/pin.ts'
import { isProven } from '../../account/session.ts'
import type { Account } from '../../account/store.ts'
import type { TokenIdentity } from '../../account/token.ts'
import { limitKey } from '../../call/route.ts'
import { playerNameFor } from '../../catalogue/player-check.ts'
import type { Catalogue, CatalogueGame, CataloguePackage } from '../../catalogue/snapshot.ts'
import { type Sql, sqlState, violatedConstraint } from '../../database/database.ts'
import { mustBeTaken, offeredMethod } from '../../gateway/methods.ts'
import type { Once } from '../../http/idempotency.ts'
import { type Call, windowOf } from '../../http/rate-limit.ts'
import type { Shop } from '../../shop/shop.ts'
import { countFree, countOpen, refreshOut } from '../../voucher/store.ts'
import { findOrder, type OrderRecord } from '../store.ts'
import type { Buyer, FindFacts, StoredFacts } from './facts-store.ts'
import { bankPriceOf, offerOf, receivingAccountOf } from './offer.ts'
import type { Reservation } from './placing-parts.ts'
import * as store from './placing-store.ts'

declare module '../../shop/shop.ts' {
  interface Shop {
    /** Reads the facts that a purchase is decided on; purchases of the same moment share one statement. */
    findFacts: FindFacts
    /** Stores new orders; orders of the same moment share one statement. */
    storeOrder: store.StoreOrder
  }
}

/** The facts about a buyer that placing an order needs. */
export interface PlacingBuyer extends Buyer, Asking {
  address: string
  /** The buyer as the order's page shows them. */
  shown: OrderRecord['buyer']
}

/** Somebody who wants to buy; their account is read together with the other facts. */
export interface Visitor extends Buyer {
  token: TokenIdentity | null
  address: string
  /** Authorises the visitor; nothing may be revealed or done before. @throws the reason why they are refused */
  enter(account: Account | null): PlacingBuyer
}

export interface PlacedRequest extends PlacingRequest {
  /** The typed PIN of a wallet or of shop credit; null where none is asked for. */
  typedPin: string | null
  /** What a machine with a key says of its order; it types no PIN. Missing for people. */
  byKey?: MachineOrder
}

export type Parts = Pick<
  Shop,
  'db' | 'limits' | 'playerLookup' | 'suppliers' | 'catalogue' | 'pins' | 'gateway' | 'findFacts' | 'storeOrder'
> & {
  /** Staff are told of a new order where the shop has a chat. */
  chat: object | null
}

const SPENT_MEANWHILE = ['wallet_balance_not_negative', 'credit_balance_not_negative']

/** Tells whether somebody else took a unique key or the money in the same moment, so that the facts have changed. */
function isLostRace(error: unknown): boolean {
  return sqlState(error) === '23505' || SPENT_MEANWHILE.includes(violatedConstraint(error) ?? '')
}

/** Each lost race means that somebody else's order was stored; this many in a row mean that something else is wrong. */
const ATTEMPTS = 50

/**
 * Returns the limits of a try to buy. Guests are counted by address and separately, so that they can't use up the
 * limits of known buyers. The owner of a wallet is known, because staff created it. The options may be those in memory:
 * a number that was raised is in force with the next check of the catalogue.
 */
export function limitsOf(
  { uid, address }: Pick<Visitor, 'uid' | 'address'>,
  isStranger: boolean,
  { GUEST_ORDERS_PER_ADDRESS_AND_HOUR: perHour }: Options,
  byKey?: MachineOrder,
): Call[] {
  if (byKey) return [{ limit: 'apiOrdersPerKey', key: byKey.keyId }]
  if (!isStranger)
    return [
      { limit: 'ordersPerCaller', key: limitKey({ uid, address }) },
      { limit: 'ordersPerAddress', key: address },
    ]
  const isSet = perHour > 0
  const perMinute = Math.max(windowOf('guestOrdersPerAddress').calls, Math.ceil(perHour / 3))
  return [
    { limit: 'guestOrdersPerAddress', key: address, most: isSet ? perMinute : undefined },
    { limit: 'guestOrdersPerAddressAndHour', key: address, most: isSet ? perHour : undefined },
  ]
}

/**
 * Places an order with any payment method: reads the facts, decides by them and the catalogue of the same moment, and
 * stores everything in one statement. When somebody else was faster or the catalogue changed, it reads and decides
 * again. A repeat of the same request returns the first one's order.
 */
export async function placeOrderOnce(
  shop: Parts,
  visitor: Visitor,
  sent: PlacedRequest,
  once: Once,
  now: Date,
): Promise<OrderRecord> {
  const isStranger = sent.payment !== 'wallet' && !isProven(visitor.token)
  const { options } = await shop.catalogue.atLeast(0)
  const counting = shop.limits.countShared(limitsOf(visitor, isStranger, options, sent.byKey))
  const asked = { buyer: visitor, token: visitor.token, once, counting, now }
  // The first try uses the catalogue in memory, however old it is, because the facts name the current version.
  let version = 0
  // Asking may take seconds while nobody answers, so that one order asks once, however many races it loses.
  let asking: Promise<string | null> | undefined
  const findName: Basis['findName'] = (...asked) => (asking ??= playerNameFor(shop, ...asked))
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const catalogue = await shop.catalogue.atLeast(version)
    const request = withTerms(catalogue, withPlayer(catalogue, sent))
    const bankPriceSatang = dueAtBank(catalogue, request, now)
    const isCounted = attempt === 1
    const facts = await shop.findFacts({ ...asked, request, bankPriceSatang, isCounted })
    const buyer = visitor.enter(facts.account)
    if (facts.kept) return keptOrder(shop.db, facts.kept, once, sent)
    if (facts.holding) throw new AppError(facts.holding)
    if (isCounted) counting.judge(facts.counts)
    version = facts.version
    if (catalogue.version !== version) continue
    const placed = await place(shop, buyer, request, { facts, catalogue, findName, once, now }).catch(
      (error: unknown) => {
        if (!isLostRace(error)) throw error
        return null
      },
    )
    if (placed) return placed
  }
  throw new Error('somebody wins each race')
}

/**
 * Returns the order that this key or reference has already made. @throws IDEMPOTENCY_KEY_REUSED, REF_REUSED when it came
 * with another request
 */
async function keptOrder(
  db: Sql,
  kept: NonNullable<StoredFacts['kept']>,
  once: Once,
  { byKey }: PlacedRequest,
): Promise<OrderRecord> {
  if (kept.requestHash !== once.requestHash) throw new AppError(byKey ? 'REF_REUSED' : 'IDEMPOTENCY_KEY_REUSED')
  const record = await findOrder(db, { orderNo: kept.reply.orderNo })
  invariant(record, 'the order of a kept reply exists')
  return record
}

/** Codes are sold to no player, whatever was typed. */
const withPlayer = ({ packages }: Catalogue, request: PlacedRequest): PlacedRequest =>
  packages.get(request.packageId)?.delivers === 'code' ? { ...request, playerId: NO_PLAYER } : request

/** A machine orders under the terms in force, as its owner was told when they made its key. */
const withTerms = ({ termsInForce }: Catalogue, request: PlacedRequest): PlacedRequest =>
  request.byKey ? { ...request, termsVersion: termsInForce.version } : request

interface Basis {
  facts: StoredFacts
  /** The catalogue in the version of the facts. */
  catalogue: Catalogue
  /** The name of the request's player. @throws PLAYER_NOT_FOUND */
  findName: (catalogue: Catalogue, game: CatalogueGame, fields: readonly TypedField[]) => Promise<string | null>
  once: Once
  now: Date
}

/** Returns what a transfer for a request is before its tail is added; null without a price. */
function dueAtBank(catalogue: Catalogue, { packageId, creditSatang }: PlacedRequest, now: Date): Satang | null {
  const priceSatang = bankPriceOf(catalogue, packageId, now)
  return priceSatang === null ? null : priceSatang - creditSatang
}

/** Decides a request. @throws the code that tells the buyer what to correct */
function decide(request: PlacedRequest, asking: Asking, { facts, catalogue, now }: Basis) {
  const { packageId, payment } = request
  mustBeTermsInForce(request.termsVersion, catalogue.terms, now)
  const sold = catalogue.packages.get(packageId)
  // A machine names no game.
  if (request.byKey && !sold) throw new AppError('PACKAGE_NOT_FOUND')
  if (sold?.isOut) throw new AppError('SOLD_OUT')
  const game = catalogue.games.get(request.gameId)
  const receivingAccount = receivingAccountOf(catalogue, request.receivingAccountId)
  const known = {
    ...offerOf(catalogue, { game, packageId, payment, tierId: facts.account?.tierId ?? null, now }),
    receivingAccount,
    allowsGuests: catalogue.options.ALLOW_GUEST_CHECKOUT,
    wallet: facts.wallet,
    credit: facts.credit,
    takenTails: facts.takenTails,
    tailsAtSatang: dueAtBank(catalogue, request, now),
    hold: facts.hold,
    guestSlots: facts.guestSlots,
    unpaidOrderNos: facts.waiting.filter(orderNo => orderNo !== null),
    reportedCount: facts.waiting.filter(orderNo => orderNo === null).length,
  }
  const decided = decidePlacing(request, known, asking, now, Math.random())
  invariant(sold, 'what was decided to be sold is in the catalogue')
  mustBeAccepted(sold, request.acceptedWarning)
  if (request.byKey) mustBeWithin(request.byKey, decided.priceSatang, facts.spentSatang ?? 0)
  return { ...decided, sold, receivingAccount }
}

/** Makes one try; returns null when something it needed was taken or changed in the same moment. */
async function place(
  shop: Parts,
  buyer: PlacingBuyer,
  request: PlacedRequest,
  basis: Basis,
): Promise<OrderRecord | null> {
  const { facts, catalogue, findName, once, now } = basis
  const { options } = catalogue
  const decided = decide(request, buyer, basis)
  if (isGatewayMethod(request.payment))
    mustBeTaken(
      offeredMethod(shop.gateway, catalogue, request.payment, now).limits,
      decided.priceSatang - request.creditSatang,
    )
  const { game, sold, fields, packageName, receivingAccount, guestSlot, tailSatang, ...bought } = decided
  if (tailSatang === null) throw await amountsExhausted(shop.db, buyer, bought.priceSatang - bought.creditSatang, now)
  const playerName = fields.length > 0 ? await findName(catalogue, game, fields) : null
  const held = await reservationOf(shop, buyer, request, { facts, options, priceSatang: bought.priceSatang }, now)
  if (!held) return null
  const codes = codesOf(sold, request.quantity, now)
  const key = request.byKey ? { ...request.byKey, day: bangkokDay(now) } : null
  if (key && facts.spentSatang === null) await store.beginKeyDay(shop.db, key)
  const reservation = { ...held, codes, key }
  const { gameId, packageId, playerId, payment, quantity, termsVersion } = request
  const actor = { uid: buyer.uid, role: buyer.caller }
  const ids = { id: uuidv7(), orderNo: newOrderNo(now), buyerUid: buyer.uid }
  const draft = { ...ids, gameId, packageId, playerId, playerName, payment, quantity, tailSatang, ...bought }
  const outcome = placeOrder(draft, options.PAYMENT_TIME_LIMIT, actor, now)
  const kept = {
    trackToken: newTrackToken(),
    buyerKey: buyer.key,
    snapshot: {
      gameName: game.name,
      gamePicture: game.picture,
      usualMinutes: game.usualMinutes,
      packageName,
      receivingAccount,
      fields,
      termsVersion,
      ...(sold.warning && { acceptedWarning: sold.warning }),
    },
  }
  const decidedOn = { catalogueVersion: catalogue.version, guestSlot, reservation, once }
  const made = await shop.storeOrder({ ...kept, ...decidedOn, outcome, isTold: shop.chat !== null })
  if (codes) await refreshOut(shop.db, request.packageId, codes.day)
  if (!made && codes) await mustBeInStock(shop.db, request.packageId, { ...codes, isStranger: guestSlot !== null })
  if (!made) return null
  return {
    ...kept,
    order: outcome.order,
    gameCode: game.code,
    buyer: buyer.shown,
    termsAcceptedAt: now,
    claimedByName: null,
    queueNo: made.queueNo,
    // Counting them would cost every purchase a question that the order's page asks a moment later.
    ahead: null,
    proposedPlayer: null,
    slipCheck: null,
    refunds: [],
    refundRequest: null,
    creditBackSatang: 0,
    delivers: sold.delivers,
    codes: [],
    codeAddress: null,
    charge: null,
    events: [{ ...outcome.event, actorName: buyer.shown.name }],
  }
}

/** Returns the codes that an order takes from the shop's own stock; null when it takes none. */
function codesOf(sold: CataloguePackage, pieces: number, now: Date): Reservation['codes'] {
  return sold.isFromStock ? { pieces, isAll: sold.isOnlyStock, day: bangkokDay(now) } : null
}

/** @throws SOLD_OUT, STOCK_TOO_LOW, STOCK_FOR_KNOWN */
async function mustBeInStock(
  db: Sql,
  packageId: number,
  { pieces, isAll, day, isStranger }: NonNullable<Reservation['codes']> & { isStranger: boolean },
): Promise<void> {
  if (!isAll) return
  const left = await countFree(db, packageId, day)
  if (left === 0) throw new AppError('SOLD_OUT')
  if (left < pieces) throw new AppError('STOCK_TOO_LOW', { values: { n: left } })
  if (isStranger && (await countOpen(db, packageId, day)) < pieces) throw new AppError('STOCK_FOR_KNOWN')
}

/**
 * Returns what the order must claim. A wrong PIN is counted before it is refused. Returns null when another try at the
 * PIN was counted in the meantime.
 */
async function reservationOf(
  { db, pins }: Parts,
  buyer: PlacingBuyer,
  { typedPin, holdId, payment, creditSatang, byKey }: PlacedRequest,
  { facts, options, priceSatang }: { facts: StoredFacts; options: Options; priceSatang: Satang },
  now: Date,
): Promise<Omit<Reservation, 'codes' | 'key'> | null> {
  const { kind } = PAYMENT_METHOD[payment]
  if (byKey) return { amount: null, tried: null, credit: null }
  const amount: Reservation['amount'] = kind === 'bank' ? (holdId === null ? 'new' : { holdId }) : null
  const usedSatang = kind === 'credit' ? priceSatang : creditSatang
  const { pin } = facts
  const isWithoutPin = usedSatang <= leftWithoutPin(facts.credit?.sincePinSatang ?? 0, options.CREDIT_PIN_ABOVE)
  if (kind !== 'wallet' && isWithoutPin) {
    const credit = usedSatang > 0 ? { usedSatang, mostSatang: options.CREDIT_PIN_ABOVE * 100 } : null
    return { amount, tried: null, credit }
  }
  if (usedSatang > 0 && typedPin === null && pin) throw new AppError('CREDIT_PIN_REQUIRED')
  const { uid, caller: role } = buyer
  if (!pin || uid === null || typedPin === null)
    throw new AppError(usedSatang > 0 ? 'CREDIT_PIN_NOT_SET' : 'PIN_NOT_SET')
  const tried = await tryPin(pins, uid, pin, typedPin, now)
  if (!tried.error) return { amount, tried, credit: usedSatang > 0 ? { usedSatang, mostSatang: null } : null }
  const isCounted = tried.isRefused || (await db.transaction(tx => savePinTry(tx, { uid, role, now }, tried)))
  if (isCounted) throw tried.error
  return null
}

/** 128 random bits, because whoever has them may see the order. */
export const newTrackToken = (): string => randomBytes(16).toString('base64url')

/** An order number whose successor nobody can guess. */
export const newOrderNo = (now: Date): string => formatOrderNo(bangkokMonthOf(now), randomInt(100_000_000))

/**
 * Throws because an account has no free amount left for the buyer: names accounts that have one, or says when the first
 * becomes free.
 */
export async function amountsExhausted(db: Sql, asking: Asking, priceSatang: number, now: Date): Promise<AppError> {
  const tails = tailsFor(asking)
  const accounts = await store.findTakenAmounts(db, { priceSatang, tails }, now)
  const free = accounts.filter(({ taken }) => taken < tails).map(({ id }) => id)
  if (free.length > 0) return new AppError('ACCOUNT_AMOUNTS_EXHAUSTED', { details: { accounts: free } })
  const next = Math.min(...accounts.flatMap(({ nextFreeAt }) => (nextFreeAt ? [nextFreeAt.getTime()] : [])))
  const minutes = Number.isFinite(next) ? Math.max(1, Math.ceil((next - now.getTime()) / 60_000)) : 5
  return new AppError('AMOUNTS_EXHAUSTED', { values: { n: minutes } })
}
