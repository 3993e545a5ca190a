import { type Answer, type Api, type Call, HIDDEN_BY_ANY, REFUSED_BY_ANY, type Site } from './api.ts'
import type { Fault } from './faults.ts'
import { type Booked, type Product, type Progress, SATANG_PER_UNIT } from './register.ts'

const TOKEN = 'demo-gamesdrop-token'
const CURRENCY = 'USD'
/** How long an offer stays as a fault has made it, because a purchase reads it more than once. */
const SPOILT_MS = 2000

const STATUS: Record<Progress, string> = {
  waiting: 'SUBMITTED',
  sending: 'PROCESSING',
  delivered: 'COMPLETED',
  failed: 'CANCELED',
  refunded: 'REFUND',
  undocumented: 'ON_HOLD',
}

const said = (body: object, status = 200): Answer => ({ status, body })
/** Errors come in two forms. */
const refused = (code: string, status = 400): Answer => said({ error: { code, message: `Error ${code}` } }, status)
const flatly = (code: string, status = 400): Answer => said({ code, message: `Error ${code}` }, status)
const DUPLICATE = refused('TRANSACTION_DUPLICATE', 409)

/** What the shop gets when a fault keeps a purchase from being booked. */
const REFUSED: Partial<Record<Fault, Answer>> = {
  ...REFUSED_BY_ANY,
  tooMany: said({ message: 'Too Many Requests' }, 429),
  key: refused('INVALID_TOKEN', 401),
  wrongPrice: flatly('WRONG_PRICE'),
  unavailable: refused('SERVICE_UNAVAILABLE', 503),
  noBalance: flatly('INSUFFICIENT_BALANCE'),
}
/** What the shop gets when a purchase is booked but a fault hides that from the shop. */
const BOOKED_BUT: Partial<Record<Fault, Answer>> = {
  ...HIDDEN_BY_ANY,
  noSearch: 'hang',
  repeated: DUPLICATE,
  unknownCode: refused('ORDER_STRANGE'),
}

const priceOf = (satang: number): number => satang / SATANG_PER_UNIT[CURRENCY]

/** Speaks as GamesDrop's Partner API. It sells in dollars at a rate that never moves, and sends no callbacks. */
export function gamesDropApi({ register, now }: Site): Api {
  let spoilt: { id: string; fault: Fault; until: number } | null = null

  /** Returns an offer as a fault leaves it. */
  function offerOf(offerId: unknown): { product: Product; price: number } | null {
    const product = register.products.find(({ id }) => Number(id) === offerId)
    const [fault] = register.faults
    if (product && (fault === 'gone' || fault === 'price')) {
      register.faults.shift()
      spoilt = { id: product.id, fault, until: now().getTime() + SPOILT_MS }
    }
    const isSpoilt = spoilt?.id === product?.id && now().getTime() < (spoilt?.until ?? 0)
    if (!product || (isSpoilt && spoilt?.fault === 'gone')) return null
    return { product, price: priceOf(product.priceSatang * (isSpoilt ? 2 : 1)) }
  }

  const viewOffer = ({ product, price }: { product: Product; price: number }) => ({
    offerId: Number(product.id),
    productName: product.category.name,
    offerName: product.name,
    count: 1,
    price,
    currency: CURRENCY,
    isReturnDataForCustomer: product.delivers === 'code',
  })

  function viewBooked(booked: Booked) {
    const { product, id, costSatang, at } = booked
    const status = STATUS[register.progressOf(booked)]
    const [key] = register.codesOf(booked)
    return {
      ...viewOffer({ product, price: priceOf(costSatang) }),
      orderId: Number(id),
      status,
      ...(key !== undefined && { key }),
      ...(status === 'CANCELED' && { message: 'Failed to deliver' }),
      createdAt: at.toISOString().replace('T', ' ').replace('Z', '+00'),
    }
  }

  async function buy({ json: { offerId, price, transactionId, customer } }: Call): Promise<Answer> {
    const found = offerOf(offerId)
    const reference = String(transactionId)
    if (!found) return refused('OFFER_NOT_FOUND')
    if (register.booked.has(reference)) return DUPLICATE
    if (price !== found.price) return refused('WRONG_PRICE')
    const fault = register.faults.shift() ?? null
    const refusal = REFUSED[fault as Fault]
    if (refusal) return refusal
    if (register.balanceSatang < found.product.priceSatang) return refused('INSUFFICIENT_BALANCE')
    const booked = register.book(reference, found.product, 1, { ...(customer as object) }, fault)
    if (fault === 'slow') await new Promise(resolve => setTimeout(resolve, 100))
    return BOOKED_BUT[fault as Fault] ?? said(viewBooked(booked), 201)
  }

  function statusOf({ json: { orderId, transactionId } }: Call): Answer {
    const booked = [...register.booked.values()].find(({ id, reference }) =>
      transactionId === undefined ? Number(id) === orderId : reference === transactionId,
    )
    if (booked?.fault === 'noSearch' && transactionId !== undefined) return refused('INVALID_REQUEST_BODY')
    if (!booked || booked.hiddenFor > 0) {
      if (booked) booked.hiddenFor--
      return refused('ORDER_NOT_FOUND', 404)
    }
    booked.asks++
    return said(viewBooked(booked))
  }

  function checkPlayer({ json: { customer } }: Call): Answer {
    const { gameUserId } = { ...(customer as { gameUserId?: string }) }
    const isUnknown = register.faults[0] === 'player'
    if (isUnknown) register.faults.shift()
    return said(isUnknown || !gameUserId ? { status: 'INVALID' } : { status: 'VALID', gameUserLogin: `P${gameUserId}` })
  }

  function listOffers({ json: { page, limit } }: Call): Answer {
    const offers = register.products.map(product => viewOffer({ product, price: priceOf(product.priceSatang) }))
    const from = (Number(page) - 1) * Number(limit)
    return said({ offers: offers.slice(from, from + Number(limit)), total: offers.length })
  }

  const ANSWER: Record<string, (call: Call) => Promise<Answer> | Answer> = {
    '/api/v1/balance': () =>
      said({ balance: priceOf(register.balanceSatang), draftBalance: 0, currency: { id: 3, code: CURRENCY } }),
    '/api/v1/offers/sync': listOffers,
    '/api/v1/offers/find-one': ({ json: { offerId } }) => {
      const found = offerOf(offerId)
      return found ? said(viewOffer(found)) : refused('OFFER_NOT_FOUND')
    },
    '/api/v1/offers/check-game-data': checkPlayer,
    '/api/v1/offers/create-order': buy,
    '/api/v1/offers/order-status': statusOf,
  }

  return {
    environmentAt: origin => ({ GAMESDROP_BASE_URL: origin, GAMESDROP_TOKEN: TOKEN }),
    matches: path => path.startsWith('/api/v1/'),
    referenceOf: ({ path, json: { transactionId } }) =>
      typeof transactionId === 'string' && !path.endsWith('check-game-data') ? transactionId : null,
    answer(call) {
      if (call.headers.authorization !== TOKEN) return refused('INVALID_TOKEN', 401)
      return ANSWER[call.path]?.(call) ?? refused('INVALID_REQUEST_BODY', 404)
    },
    callbackOf: () => null,
  }
}
