import { type PaymentCode, type PlayerInputs, type PlayerValues, paymentMethodsFor } from '../catalogue/catalogue.ts'
import { type PriceRow, priceInForce } from '../catalogue/pricing.ts'
import { AppError } from '../errors.ts'
import { formatBahtShort, type Satang } from '../money.ts'
import type { Caller } from '../permissions.ts'
import { MAX_TAIL_SATANG } from './order.ts'
import { playerInputsOf, type TypedField } from './player.ts'

/** Strangers may have this many unpaid, unreported orders for one player id of a game, whatever browser they come from. */
const GUEST_UNPAID_PER_PLAYER = 3
/** Reported but undecided orders a buyer may have before they must wait for staff. */
const REPORTED_PER_BUYER = 3
/**
 * Strangers draw from the first 66 tails only: however many of them come at once, the last third of an account's amounts
 * stays for people who are known.
 */
const GUEST_TAILS = 66
/** How long a buyer with too many undecided orders is asked to wait. */
const WAIT_MINUTES = 5

/** Who asks to buy. */
export interface Asking {
  caller: Caller
  /** An address or LINE is proven. Who has not done that is a stranger, with an account or without: both cost nothing. */
  isProven: boolean
}

/** What a wallet and its owner's tier allow one order to be. */
export interface WalletLimits {
  balanceSatang: Satang
  maxAmountPerOrderSatang: Satang
  maxItemPerOrder: number
}

/** What of a package is offered by a payment method. */
export interface Offer<Game = { id: number }> {
  game: Game | null
  package: { id: number; gameId: number; name: string; costSatang: Satang | null } | null
  price: PriceRow | null
  /** The caller's own, of their tier. */
  discountSatang: Satang
}

/**
 * What a caller pays for one piece now.
 * @throws GAME_NOT_FOUND, PACKAGE_NOT_FOUND, PAYMENT_METHOD_NOT_ALLOWED, PACKAGE_NOT_ON_SALE
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
  /** The buyer's; null without one. */
  wallet: WalletLimits | null
}

const BARRIERS: Record<PaymentCode, (purchase: Purchase) => AppError | null> = {
  bank: () => null,
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

/** Why so many pieces at this price can't be paid this way; null when they can. */
export const purchaseBarrier = (purchase: Purchase): AppError | null => BARRIERS[purchase.payment](purchase)

/** How many pieces one order may hold, and which limit keeps it from being more; at least 1. */
export function quantityLimit(unitPriceSatang: Satang, limits: WalletLimits): { most: number; by: keyof WalletLimits } {
  // Of a free package infinitely many, or NaN: no comparison finds that tighter.
  const fit = (amountSatang: Satang) => Math.floor(amountSatang / unitPriceSatang)
  const bounds: { most: number; by: keyof WalletLimits }[] = [
    { most: limits.maxItemPerOrder, by: 'maxItemPerOrder' },
    { most: fit(limits.maxAmountPerOrderSatang), by: 'maxAmountPerOrderSatang' },
    { most: fit(limits.balanceSatang), by: 'balanceSatang' },
  ]
  const tightest = bounds.reduce((least, bound) => (bound.most < least.most ? bound : least))
  return { ...tightest, most: Math.max(1, tightest.most) }
}

/** What a buyer asks for. Prices, names and the uid are never among it. */
export interface PlacingRequest extends PlayerValues {
  gameId: number
  packageId: number
  payment: PaymentCode
  quantity: number
  /** For a transfer: the account it goes to, and the held amount it adopts. */
  receivingAccountId: number | null
  holdId: string | null
  /** Of the terms the buyer accepted. */
  termsVersion: string
}

/** All that deciding about a new order needs. */
export interface PlacingFacts<Game = { id: number } & PlayerInputs> extends Offer<Game> {
  allowsGuests: boolean
  wallet: (WalletLimits & { id: string }) | null
  receivingAccount: { id: number } | null
  /** The tails that are taken on that account at this price. */
  takenTails: number[]
  /** The buyer's live hold on that account that the request names. */
  hold: { priceSatang: Satang; tailSatang: Satang } | null
  /** Numbers of the buyer's unpaid, unreported orders. */
  unpaidOrderNos: string[]
  /** The buyer's reported orders that still wait for staff. */
  reportedCount: number
  /** Slots that unpaid, unreported orders of strangers hold for this player. */
  guestSlots: number[]
}

/** What a payment method adds to a decided purchase. */
interface Means {
  tailSatang: Satang
  receivingAccountId: number | null
  walletId: string | null
  /** Of a stranger's unpaid order: which of its player's slots it takes. */
  guestSlot: number | null
}

/** What was decided of a purchase; `tailSatang` is null where every amount of the account is taken. */
export interface DecidedPurchase<Game> extends Omit<Means, 'tailSatang'> {
  game: Game
  packageName: string
  fields: TypedField[]
  priceSatang: Satang
  /** Of all its pieces; null = not known. */
  costSatang: Satang | null
  tailSatang: Satang | null
}

type MeansRule = (
  request: PlacingRequest,
  facts: PlacingFacts,
  ask: { asking: Asking; priceSatang: Satang; draw: number },
) => Omit<Means, 'tailSatang'> & { tailSatang: Satang | null }

const MEANS: Record<PaymentCode, MeansRule> = {
  bank(request, facts, { asking, priceSatang, draw }) {
    mustBeAllowed(asking.caller, facts.allowsGuests)
    if (!facts.receivingAccount) throw new AppError('RECEIVING_ACCOUNT_NOT_FOUND')
    const guestSlot = slotForUnpaid(facts, asking.isProven)
    const held = request.holdId === null ? undefined : facts.hold
    if (held !== undefined && held?.priceSatang !== priceSatang) throw new AppError('HOLD_EXPIRED')
    const tailSatang = held?.tailSatang ?? freeTail(facts.takenTails, asking, draw)
    return { tailSatang, receivingAccountId: facts.receivingAccount.id, walletId: null, guestSlot }
  },
  wallet: (_, { wallet }) => ({
    tailSatang: 0,
    receivingAccountId: null,
    // Without one there was a barrier.
    walletId: wallet!.id,
    guestSlot: null,
  }),
}

/** @throws UNPAID_ORDER_EXISTS, TOO_MANY_UNPAID */
function slotForUnpaid({ unpaidOrderNos, reportedCount, guestSlots }: PlacingFacts, isProven: boolean): number | null {
  if (unpaidOrderNos.length > 0) throw new AppError('UNPAID_ORDER_EXISTS', { details: { orderNos: unpaidOrderNos } })
  const tooMany = () => new AppError('TOO_MANY_UNPAID', { values: { n: WAIT_MINUTES } })
  if (reportedCount >= REPORTED_PER_BUYER) throw tooMany()
  if (isProven) return null
  for (let slot = 1; slot <= GUEST_UNPAID_PER_PLAYER; slot++) if (!guestSlots.includes(slot)) return slot
  throw tooMany()
}

/** Whether somebody may have an amount at all, for an order or held for one. @throws GUEST_CHECKOUT_OFF */
export function mustBeAllowed(caller: Caller, allowsGuests: boolean): void {
  if (caller === 'guest' && !allowsGuests) throw new AppError('GUEST_CHECKOUT_OFF')
}

/** How many of an account's tails somebody draws from. */
export const tailsFor = ({ isProven }: Asking): number => (isProven ? MAX_TAIL_SATANG : GUEST_TAILS)

/** One of the asker's tails that is not taken; null when all are. `draw` is a random number in [0, 1). */
export function freeTail(taken: readonly number[], asking: Asking, draw: number): Satang | null {
  const tails = Array.from({ length: tailsFor(asking) }, (_, index) => index + 1)
  const free = tails.filter(tail => !taken.includes(tail))
  return free[Math.floor(draw * free.length)] ?? null
}

/**
 * What a buyer gets for what they ask, by whichever way they pay; throws the code that says what to correct.
 * @param draw a random number in [0, 1) that picks among free transfer amounts
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
  const priceSatang = unitPriceSatang * quantity
  const fields = playerInputsOf(game, request)
  const barrier = purchaseBarrier({ payment, quantity, unitPriceSatang, wallet: facts.wallet })
  if (barrier) throw barrier
  return {
    game,
    packageName: sold.name,
    fields,
    priceSatang,
    costSatang: sold.costSatang === null ? null : sold.costSatang * quantity,
    ...MEANS[payment](request, facts, { asking, priceSatang, draw }),
  }
}
