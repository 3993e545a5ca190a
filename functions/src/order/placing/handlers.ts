import { confirmCredit } from '@shop/shared/credit/endpoints.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { confirmCharge } from '@shop/shared/order/charge-endpoints.ts'
import * as contract from '@shop/shared/order/endpoints.ts'
import { getTimeLimit } from '@shop/shared/order/finding-endpoints.ts'
import { quote } from '@shop/shared/order/purchase.ts'
import { lineIdOf } from '../../access/view.ts'
import { mustHaveKey } from '../../account/caller.ts'
import { isProven } from '../../account/session.ts'
import { type Account, personNameOf } from '../../account/store.ts'
import { type Arrival, type Context, enteringRoute, mustBeOnce, type Route, route } from '../../call/route.ts'
import { hashRequest, type Once } from '../../http/idempotency.ts'
import { customerView, READER } from '../view.ts'
import { holdAmount } from './holding.ts'
import { offerOf } from './offer.ts'
import { type PlacedRequest, type PlacingBuyer, placeOrderOnce } from './placing.ts'

type PriceParams = ParsedInput<typeof contract.getPrice>['params']

async function currentPrice({ shop, account, caller, now }: Context, params: PriceParams) {
  const catalogue = await shop.catalogue.latest()
  const { packageId, gameCode, paymentCode: payment } = params
  const game = catalogue.gamesByCode.get(gameCode)
  const offer = offerOf(catalogue, { game, packageId, payment, tierId: account?.tierId ?? null, now })
  return { priceSatang: quote(caller, payment, offer, now).unitPriceSatang }
}

/** Returns somebody who was let in as a buyer. */
export function buyerOf(context: Context): PlacingBuyer {
  const { uid, caller, token, address, account } = context
  const { email = null, phone = null, providers = [] } = account ?? {}
  const lineId = account && lineIdOf(account)
  return {
    uid,
    caller,
    address,
    isProven: isProven(token),
    key: mustHaveKey(context),
    shown: { name: account && personNameOf(account), email, phone, providers, lineId },
  }
}

/** The PIN is left out of the request's hash, because four digits could be guessed from a stored hash. */
function onceWithout(pin: string | null, arrival: Arrival, request: object): Once {
  const once = mustBeOnce(arrival)
  if (pin === null) return once
  return { ...once, requestHash: hashRequest('POST', contract.confirmOrder.path, Buffer.from(JSON.stringify(request))) }
}

async function place(arrival: Arrival, { typedPin, ...request }: PlacedRequest) {
  const { shop, uid, token, address, now } = arrival
  const once = onceWithout(typedPin, arrival, request)
  const enter = (account: Account | null) => buyerOf(arrival.enter(account))
  const visitor = { uid, token, address, key: mustHaveKey(arrival), enter }
  const placed = await placeOrderOnce(shop, visitor, { ...request, typedPin }, once, now)
  // The catalogue of this purchase is in memory, so its hours are not asked for again.
  const { options } = await shop.catalogue.atLeast(shop.catalogue.knownVersion())
  return customerView(
    placed,
    // Nothing is delivered in the moment in which it is placed.
    READER,
    { openingHours: options.OPENING_HOURS, isHolding: false, givesCredit: options.SHOP_CREDIT, now },
  )
}

/** What only a transfer has. */
const ELSEWHERE = { receivingAccountId: null, holdId: null }

export const placingRoutes: Route[] = [
  route(contract.getPrice, ({ params }, context) => currentPrice(context, params)),
  route(contract.holdPrice, ({ params, body }, context) =>
    holdAmount(context.shop, buyerOf(context), { ...params, ...body }, mustBeOnce(context), context.now),
  ),
  enteringRoute(contract.confirmPrice, ({ body: { randPointId = null, pin = null, ...body } }, arrival) =>
    place(arrival, { ...body, payment: 'bank', quantity: 1, holdId: randPointId, typedPin: pin }),
  ),
  enteringRoute(confirmCharge, ({ body: { pin = null, ...body } }, arrival) =>
    place(arrival, { ...body, ...ELSEWHERE, quantity: 1, typedPin: pin }),
  ),
  enteringRoute(confirmCredit, ({ body: { pin = null, ...body } }, arrival) =>
    place(arrival, { ...body, ...ELSEWHERE, payment: 'credit', quantity: 1, creditSatang: 0, typedPin: pin }),
  ),
  enteringRoute(contract.confirmOrder, ({ body: { pin, ...body } }, arrival) =>
    place(arrival, { ...body, ...ELSEWHERE, payment: 'wallet', creditSatang: 0, typedPin: pin }),
  ),
  route(getTimeLimit, async (_, { shop, now }) => {
    const { PAYMENT_TIME_LIMIT } = (await shop.catalogue.latest()).options
    return { optionValue: String(PAYMENT_TIME_LIMIT), nowDate: now.toISOString() }
  }),
]
