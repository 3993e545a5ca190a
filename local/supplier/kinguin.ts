import { type Answer, type Api, type Call, HIDDEN_BY_ANY, REFUSED_BY_ANY, type Site } from './api.ts'
import type { Fault } from './faults.ts'
import { type Booked, type Product, type Progress, SATANG_PER_UNIT } from './register.ts'

const KEYS = { apiKey: 'demo-kinguin-api-key', secret: 'demo-kinguin-webhook-secret' }
const BASE = '/esa/api'

const STATUS: Record<Progress, string> = {
  waiting: 'processing',
  sending: 'processing',
  delivered: 'completed',
  failed: 'canceled',
  refunded: 'refunded',
  undocumented: 'held',
}
const KEY_STATUS: Record<Progress, string> = {
  waiting: 'PENDING',
  sending: 'PROCESSING',
  delivered: 'DELIVERED',
  failed: 'CANCELED',
  refunded: 'REFUNDED',
  undocumented: 'PROCESSING',
}

const said = (body: object, status = 200): Answer => ({ status, body })
const refused = (kind: string, status: number, more: object = {}): Answer =>
  said({ kind, status, title: kind, detail: `Error ${kind}`, ...more }, status)
const DUPLICATE = refused('ConstraintViolation', 400, { propertyPath: 'orderExternalId' })

/** What the shop gets when a fault keeps a purchase from being booked. */
const REFUSED: Partial<Record<Fault, Answer>> = {
  ...REFUSED_BY_ANY,
  tooMany: refused('Error', 429),
  key: refused('Authorization', 401),
  noBalance: refused('InsufficientBalance', 400),
  noOffer: refused('ProductUnavailable', 400),
  locked: refused('ResourceLock', 409),
}
/** What the shop gets when a purchase is booked but a fault hides that from the shop. */
const BOOKED_BUT: Partial<Record<Fault, Answer>> = {
  ...HIDDEN_BY_ANY,
  repeated: DUPLICATE,
  unknownCode: refused('Strange', 400),
}

const priceOf = (satang: number): number => satang / SATANG_PER_UNIT.EUR
/** A quantity that nobody buys up. */
const MANY = 1000

const viewProduct = ({ id, name, category, priceSatang }: Product, isDearer = false) => ({
  kinguinId: 1,
  productId: id,
  name: `${category.name} ${name}`,
  price: priceOf(priceSatang * (isDearer ? 2 : 1)),
  qty: MANY,
  textQty: MANY,
  isPreorder: false,
  regionalLimitations: 'Thailand',
})

interface Wanted {
  productId?: string
  qty?: number
  price?: number
}

/** Speaks as Kinguin's API for shops, in euros at a rate that never moves. */
export function kinguinApi({ register, now, tell }: Site): Api {
  function viewBooked(booked: Booked) {
    const progress = register.progressOf(booked)
    const pieces = register.piecesOf(booked)
    const isCut = progress === 'delivered' && pieces < booked.quantity
    const keys = Array.from({ length: booked.quantity }, (_, at) => ({
      id: `${booked.id}-${at}`,
      status: isCut && at >= pieces ? 'REFUNDED' : KEY_STATUS[progress],
    }))
    return {
      orderId: `PH${booked.id}`,
      orderExternalId: booked.reference,
      status: isCut ? 'refunded' : STATUS[progress],
      paymentPrice: priceOf(booked.costSatang),
      products: [{ productId: booked.product.id, qty: booked.quantity, keyType: 'text', keys }],
    }
  }

  const callbackOf: Api['callbackOf'] = (booked, change) => {
    const { orderId, orderExternalId, status } = viewBooked(booked)
    const isOld = change === 'outdated'
    const updatedAt = new Date(now().getTime() - (isOld ? 60_000 : 0)).toISOString()
    const headers = {
      'content-type': 'application/json',
      'x-event-name': 'order.status',
      'x-event-secret': change === 'forged' ? 'somebody else' : KEYS.secret,
    }
    const told = { orderId, orderExternalId, status: isOld ? 'processing' : status, updatedAt }
    return { headers, body: JSON.stringify(told) }
  }

  async function buy({ json: { products, orderExternalId } }: Call): Promise<Answer> {
    const { productId, qty = 0, price = 0 } = (products as Wanted[] | undefined)?.[0] ?? {}
    const product = register.products.find(({ id }) => id === productId)
    const reference = String(orderExternalId)
    if (!product) return refused('ProductUnavailable', 400)
    if (register.booked.has(reference)) return DUPLICATE
    const fault = register.faults.shift() ?? null
    const refusal = REFUSED[fault as Fault]
    if (refusal) return refusal
    if (price < priceOf(product.priceSatang)) return refused('ProductUnavailable', 400)
    if (register.balanceSatang < product.priceSatang * qty) return refused('InsufficientBalance', 400)
    const booked = register.book(reference, product, qty, {}, fault)
    if (fault === 'callbackFirst') await tell(callbackOf(booked, 'outdated')!)
    if (fault === 'slow') await new Promise(resolve => setTimeout(resolve, 100))
    return BOOKED_BUT[fault as Fault] ?? said(viewBooked(booked), 201)
  }

  /** Returns an order that can be seen. */
  function find(is: (booked: Booked) => boolean): Booked | null {
    const booked = [...register.booked.values()].find(is)
    if (booked && booked.hiddenFor > 0) booked.hiddenFor--
    else if (booked) {
      booked.asks++
      return booked
    }
    return null
  }
  const byNumber = (orderId: string) => (booked: Booked) => `PH${booked.id}` === orderId

  function productOf(id: string): Answer {
    const [fault] = register.faults
    const found = register.products.find(each => each.id === id)
    if (fault === 'gone' || fault === 'price') register.faults.shift()
    return found && fault !== 'gone' ? said(viewProduct(found, fault === 'price')) : refused('Http', 404)
  }

  function keysOf(orderId: string): Answer {
    const booked = [...register.booked.values()].find(byNumber(orderId))
    const codes = booked ? register.codesOf(booked) : []
    // So an order answers for ever that was refunded.
    if (booked && codes.length === 0 && register.progressOf(booked) !== 'delivered')
      return refused('OrderNotDispatchedYet', 422)
    return said(codes.map((serial, at) => ({ id: `${booked!.id}-${at}`, serial, type: 'text/plain' })))
  }

  function list({ params }: Call): Answer {
    const [page, limit] = [Number(params.page ?? 1), Number(params.limit ?? 25)]
    const results = register.products.slice((page - 1) * limit, page * limit).map(each => viewProduct(each))
    return said({ results, item_count: register.products.length })
  }

  function orderOf(id: string | undefined, { orderExternalId }: Call['params']): Answer {
    const booked = find(id ? byNumber(id) : ({ reference }) => reference === orderExternalId)
    if (id) return booked ? said(viewBooked(booked)) : refused('OrderNotFound', 404)
    return said({ results: booked ? [viewBooked(booked)] : [], item_count: booked ? 1 : 0 })
  }

  return {
    environmentAt: origin => ({
      KINGUIN_BASE_URL: `${origin}${BASE}`,
      KINGUIN_API_KEY: KEYS.apiKey,
      KINGUIN_WEBHOOK_SECRET: KEYS.secret,
    }),
    matches: path => path.startsWith(`${BASE}/`),
    referenceOf: ({ params, json }) => params.orderExternalId ?? (json.orderExternalId as string | undefined) ?? null,
    answer(call) {
      if (call.headers['x-api-key'] !== KEYS.apiKey) return refused('Authorization', 401)
      const [, version, noun, id, part] = call.path.slice(BASE.length).split('/')
      if (noun === 'balance') return said({ balance: priceOf(register.balanceSatang) })
      if (noun === 'products') return id && version === 'v2' ? productOf(id) : list(call)
      if (noun !== 'order') return refused('Http', 404)
      if (call.method === 'POST') return buy(call)
      return part === 'keys' ? keysOf(id ?? '') : orderOf(id, call.params)
    },
    callbackOf,
  }
}
