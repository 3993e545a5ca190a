import { NO_PLAYER, type PlayerInputs, type PlayerValues } from '../catalogue/catalogue.ts'
import type { Delivers } from '../catalogue/delivers.ts'
import { PAYMENT_METHOD, type PaymentCode, type PaymentKind, paymentMethodsFor } from '../catalogue/payment-method.ts'
import { type PriceRow, priceInForce } from '../catalogue/pricing.ts'
import { AppError, invariant } from '../errors.ts'
import { formatBahtShort, type Satang } from '../money.ts'
import type { Caller } from '../permissions.ts'
import { MAX_TAIL_SATANG } from './order.ts'
import { playerInputsOf, type TypedField } from './player.ts'

/**
 * The number of unpaid, unreported orders that guests may have for one player id of a game, from any number of
 * browsers.
 */
const GUEST_UNPAID_PER_PLAYER = 3
/** The same for a game's codes, which have no player: strangers must not put aside all of them. */
const GUEST_UNPAID_CODES = 30
/** The number of reported, undecided orders that a buyer may have before they must wait for staff. */
const REPORTED_PER_BUYER = 3
/**
 * Guests use the first 66 tails only, so that the last third of an account's amounts stays free for known buyers,
 * however many guests come.
 */
const GUEST_TAILS = 66
/** How long a buyer with too many undecided orders is asked to wait. */
const WAIT_MINUTES = 5

/** Somebody who wants to buy. */
export interface Asking {
  caller: Caller
  /**
   * Whether they have proven an address or a LINE identity. If not, they are treated as a guest even with an account,
   * because both cost nothing to make.
   */
  isProven: boolean
}

/** The limits that a wallet and its owner's tier set for one order. */
export interface WalletLimits {
  balanceSatang: Satang
  maxAmountPerOrderSatang: Satang
  maxItemPerOrder: number
}

/** The offer of a package by a payment method. */
export interface Offer<Game = { id: number }> {
  game: Game | null
  package: { id: number; gameId: number; name: string; costSatang: Satang | null; delivers: Delivers } | null
  price: PriceRow | null
  /** The discount of the caller's tier. */
  discountSatang: Satang
}

/**
 * Returns what a caller pays for one piece now. @throws GAME_NOT_FOUND, PACKAGE_NOT_FOUND, PAYMENT_METHOD_NOT_ALLOWED,
 * PACKAGE_NOT_ON_SALE
 */
export function quote<Game extends { id: number }>(
  caller: Caller,
  payment: PaymentCode,
  offer: Offer<Game>,
  now: Date,
): { game: Game; package: NonNullable<Offer['package']>; unitPriceSatang: Satang } {
  const { game, package: sold } = offer
  if (!game) throw new AppError('GAME_NOT_FOUND')
  if (!sold || sold.gameId !== game.id) throw new AppError('PACKAGE_NOT_FOUND')
  if (!paymentMethodsFor(caller).includes(payment)) throw new AppError('PAYMENT_METHOD_NOT_ALLOWED')
  return { game, package: sold, unitPriceSatang: priceInForce(offer.price, offer.discountSatang, now) }
}

interface Purchase {
  payment: PaymentCode
  quantity: number
  unitPriceSatang: Satang
  /** The buyer's wallet; null without one. */
  wallet: WalletLimits | null
  /** The buyer's shop credit; 0 without. */
  creditBalanceSatang: Satang
}

const BARRIERS: Record<PaymentKind, (purchase: Purchase) => AppError | null> = {
  bank: () => null,
  gateway: () => null,
  credit: ({ quantity, unitPriceSatang, creditBalanceSatang }) =>
    unitPriceSatang * quantity > creditBalanceSatang ? new AppError('CREDIT_TOO_LOW') : null,
  wallet({ wallet, quantity, unitPriceSatang }) {
    if (!wallet) return new AppError('WALLET_NOT_FOUND')
    const amountSatang = unitPriceSatang * quantity
    const { maxItemPerOrder, maxAmountPerOrderSatang, balanceSatang } = wallet
    if (quantity > maxItemPerOrder) return new AppError('QUANTITY_OVER_TIER_LIMIT', { values: { n: maxItemPerOrder } })
    if (amountSatang > maxAmountPerOrderSatang)
      return new AppError('ORDER_OVER_TIER_LIMIT', { values: { n: formatBahtShort(maxAmountPerOrderSatang) } })
    return amountSatang > balanceSatang ? new AppError('WALLET_BALANCE_TOO_LOW') : null
  },
}

/** Returns why this number of pieces can't be paid by this method; null when they can. */
export const purchaseBarrier = (purchase: Purchase): AppError | null =>
  BARRIERS[PAYMENT_METHOD[purchase.payment].kind](purchase)

/** Returns the largest number of pieces for one order, at least 1, and the limit that sets it. */
export function quantityLimit(unitPriceSatang: Satang, limits: WalletLimits): { most: number; by: keyof WalletLimits } {
  // A free package gives infinity or NaN, which no comparison finds smaller.
  const fit = (amountSatang: Satang) => Math.floor(amountSatang / unitPriceSatang)
  const bounds: { most: number; by: keyof WalletLimits }[] = [
    { most: limits.maxItemPerOrder, by: 'maxItemPerOrder' },
    { most: fit(limits.maxAmountPerOrderSatang), by: 'maxAmountPerOrderSatang' },
    { most: fit(limits.balanceSatang), by: 'balanceSatang' },
  ]
  const tightest = bounds.reduce((least, bound) => (bound.most < least.most ? bound : least))
  return { ...tightest, most: Math.max(1, tightest.most) }
}

/** The request of a buyer. It never contains names or the uid, nor what is charged. */
export interface PlacingRequest extends PlayerValues {
  gameId: number
  packageId: number
  payment: PaymentCode
  quantity: number
  /** For a transfer: the account it goes to, and the held amount it uses. */
  receivingAccountId: number | null
  holdId: string | null
  /** Shop credit to pay a part with, beside the payment method; 0 for none. */
  creditSatang: Satang
  /** The version of the terms that the buyer accepted. */
  termsVersion: string
  /** The package's warning in the words that the buyer accepted. */
  acceptedWarning?: string | undefined
  /** The price of one piece that the buyer agrees to; missing from who asks for none, as machines do. */
  seenPriceSatang?: Satang | undefined
}

/** All facts that decide about a new order. */
export interface PlacingFacts<Game = { id: number } & PlayerInputs> extends Offer<Game> {
  allowsGuests: boolean
  wallet: (WalletLimits & { id: string }) | null
  /** The buyer's shop credit; null without. */
  credit: { id: string; balanceSatang: Satang } | null
  receivingAccount: { id: number } | null
  /** The taken tails of that account at `tailsAtSatang`, which must be what is due for the order without one. */
  takenTails: number[]
  tailsAtSatang: Satang | null
  /** The buyer's valid hold on that account that the request names. */
  hold: { priceSatang: Satang; tailSatang: Satang } | null
  /** Numbers of the buyer's unpaid, unreported orders. */
  unpaidOrderNos: string[]
  /** The buyer's reported orders that still wait for staff. */
  reportedCount: number
  /** Slots that unpaid, unreported orders of guests hold for this player. */
  guestSlots: number[]
}

/** The fields that a payment method adds to a decided purchase. */
interface Means {
  tailSatang: Satang
  receivingAccountId: number | null
  walletId: string | null
  /** The shop credit that pays all of it. */
  creditId: string | null
  /** The slot of its player that a guest's unpaid order takes. */
  guestSlot: number | null
}

/** A decided purchase; `tailSatang` is null when every amount of the account is taken. */
export interface DecidedPurchase<Game> extends Omit<Means, 'tailSatang'> {
  game: Game
  packageName: string
  fields: TypedField[]
  priceSatang: Satang
  /** The cost of all its pieces; null when unknown. */
  costSatang: Satang | null
  tailSatang: Satang | null
  /** The part that shop credit pays beside another method. */
  creditSatang: Satang
}

type MeansRule = (
  request: PlacingRequest,
  facts: PlacingFacts,
  ask: { asking: Asking; dueSatang: Satang; draw: number },
) => Omit<Means, 'tailSatang'> & { tailSatang: Satang | null }

const NO_MEANS: Means = { tailSatang: 0, receivingAccountId: null, walletId: null, creditId: null, guestSlot: null }

const MEANS: Record<PaymentKind, MeansRule> = {
  bank(request, facts, { asking, dueSatang, draw }) {
    mustBeAllowed(asking.caller, facts.allowsGuests)
    if (!facts.receivingAccount) throw new AppError('RECEIVING_ACCOUNT_NOT_FOUND')
    const guestSlot = slotForUnpaid(facts, request, asking.isProven)
    const held = request.holdId === null ? undefined : facts.hold
    if (held !== undefined && held?.priceSatang !== dueSatang) throw new AppError('HOLD_EXPIRED')
    // With tails of another price, free ones would be drawn that are taken.
    invariant(held !== undefined || facts.tailsAtSatang === dueSatang, 'the tails were read at what is due')
    const tailSatang = held?.tailSatang ?? freeTail(facts.takenTails, asking, draw)
    return { ...NO_MEANS, tailSatang, receivingAccountId: facts.receivingAccount.id, guestSlot }
  },
  gateway(request, facts, { asking }) {
    mustBeAllowed(asking.caller, facts.allowsGuests)
    const guestSlot = slotForUnpaid(facts, request, asking.isProven)
    return { ...NO_MEANS, guestSlot }
  },
  // A purchase without a wallet was refused above.
  wallet: (_, { wallet }) => ({ ...NO_MEANS, walletId: wallet!.id }),
  credit(_, { credit }) {
    if (!credit) throw new AppError('CREDIT_TOO_LOW')
    return { ...NO_MEANS, creditId: credit.id }
  },
}

/** @throws CREDIT_TOO_LOW, CREDIT_COVERS_ALL */
function creditFor({ creditSatang }: PlacingRequest, { credit }: PlacingFacts, priceSatang: Satang): string | null {
  if (creditSatang === 0) return null
  if (!credit || credit.balanceSatang < creditSatang) throw new AppError('CREDIT_TOO_LOW')
  if (creditSatang >= priceSatang) throw new AppError('CREDIT_COVERS_ALL')
  return credit.id
}

/** @throws UNPAID_ORDER_EXISTS, TOO_MANY_UNPAID */
function slotForUnpaid(
  { unpaidOrderNos, reportedCount, guestSlots }: PlacingFacts,
  { playerId }: PlacingRequest,
  isProven: boolean,
): number | null {
  if (unpaidOrderNos.length > 0) throw new AppError('UNPAID_ORDER_EXISTS', { details: { orderNos: unpaidOrderNos } })
  const tooMany = () => new AppError('TOO_MANY_UNPAID', { values: { n: WAIT_MINUTES } })
  if (reportedCount >= REPORTED_PER_BUYER) throw tooMany()
  if (isProven) return null
  const most = playerId === NO_PLAYER ? GUEST_UNPAID_CODES : GUEST_UNPAID_PER_PLAYER
  for (let slot = 1; slot <= most; slot++) if (!guestSlots.includes(slot)) return slot
  throw tooMany()
}

/** Checks whether somebody may have an amount, for an order or on hold. @throws GUEST_CHECKOUT_OFF */
export function mustBeAllowed(caller: Caller, allowsGuests: boolean): void {
  if (caller === 'guest' && !allowsGuests) throw new AppError('GUEST_CHECKOUT_OFF')
}

/**
 * Checks that the buyer has agreed to the warning of what they buy, in the words that it has now. @throws
 * WARNING_NOT_ACCEPTED with `details.warning`
 */
export function mustBeAccepted({ warning }: { warning: string }, accepted = ''): void {
  if (warning !== '' && warning !== accepted) throw new AppError('WARNING_NOT_ACCEPTED', { details: { warning } })
}

/** Checks that the buyer has seen what one piece costs now. @throws PRICE_CHANGED with `details.priceSatang` */
function mustBeSeen(priceSatang: Satang, seenSatang: Satang = priceSatang): void {
  if (seenSatang !== priceSatang) throw new AppError('PRICE_CHANGED', { details: { priceSatang } })
}

/** Returns how many of an account's tails somebody can get. */
export const tailsFor = ({ isProven }: Asking): number => (isProven ? MAX_TAIL_SATANG : GUEST_TAILS)

/** Returns one of the buyer's free tails; null when all are taken. `draw` is a random number in [0, 1). */
export function freeTail(taken: readonly number[], asking: Asking, draw: number): Satang | null {
  const tails = Array.from({ length: tailsFor(asking) }, (_, index) => index + 1)
  const free = tails.filter(tail => !taken.includes(tail))
  return free[Math.floor(draw * free.length)] ?? null
}

/**
 * Decides what a buyer gets for their request, with any payment method; throws the code that tells what to correct.
 * @param draw a random number in [0, 1) that chooses among free transfer amounts
 */
export function decidePlacing<Game extends { id: number } & PlayerInputs>(
  request: PlacingRequest,
  facts: PlacingFacts<Game>,
  asking: Asking,
  now: Date,
  draw: number,
): DecidedPurchase<Game> {
  const { payment, quantity } = request
  const { game, package: sold, unitPriceSatang } = quote(asking.caller, payment, facts, now)
  mustBeSeen(unitPriceSatang, request.seenPriceSatang)
  const priceSatang = unitPriceSatang * quantity
  const fields = sold.delivers === 'code' ? [] : playerInputsOf(game, request)
  const creditBalanceSatang = facts.credit?.balanceSatang ?? 0
  const barrier = purchaseBarrier({ payment, quantity, unitPriceSatang, wallet: facts.wallet, creditBalanceSatang })
  if (barrier) throw barrier
  const creditId = creditFor(request, facts, priceSatang)
  const dueSatang = priceSatang - request.creditSatang
  const means = MEANS[PAYMENT_METHOD[payment].kind](request, facts, { asking, dueSatang, draw })
  return {
    game,
    packageName: sold.name,
    fields,
    priceSatang,
    costSatang: sold.costSatang === null ? null : sold.costSatang * quantity,
    ...means,
    creditId: creditId ?? means.creditId,
    creditSatang: request.creditSatang,
  }
}
