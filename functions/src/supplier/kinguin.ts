import { createHash, timingSafeEqual } from 'node:crypto'
import type { Capabilities, PlaceAnswer, Rejection, StatusAnswer } from '@shop/shared/supplier/supplier.ts'
import { lookUp } from '@shop/shared/table.ts'
import * as z from 'zod'
import type { Access } from '../asking/choice.ts'
import { askWithAny, type KeyVerdict } from '../asking/keys.ts'
import { askJson, type JsonReply, readJson } from '../http/ask-json.ts'
import {
  type Asked,
  type InSatang,
  notTold,
  type PlainCode,
  type Purchase,
  type Supplier,
  type SupplierProduct,
  type Told,
} from './provider.ts'

interface KinguinOptions extends Access<'KINGUIN_API_KEY' | 'KINGUIN_WEBHOOK_SECRET'> {
  timeoutMs: number
  inSatang: InSatang
}

/** Prices and balance are told as bare numbers of this currency. */
const CURRENCY = 'EUR'

const CAPABILITIES: Capabilities = {
  currency: CURRENCY,
  ownReference: true,
  findByReference: true,
  refusesRepeats: true,
  validates: 'none',
  // A secret in a header, without a signature over what is said.
  callback: 'unsigned',
  delivers: ['code'],
  mostPieces: 9,
}

/** What a documented kind of error means as the answer to a purchase; null when it proves nothing. */
const KIND = {
  Authorization: 'auth',
  InsufficientBalance: 'balance',
  // No offer meets the price; then as many as wanted are not to be had for it.
  ProductUnavailable: 'stock',
  Preorder: 'product',
  OrderFailed: 'other',
  ConstraintViolation: 'other',
  Http: 'other',
  OrderNotSupported: 'other',
  ResourceLock: null,
  HttpClient: null,
  Error: null,
  OrderNotFound: null,
  NoKeysToReturn: null,
} as const satisfies Record<string, Rejection | null>

const STATUS: Record<string, StatusAnswer['kind']> = {
  processing: 'pending',
  completed: 'delivered',
  canceled: 'failed',
  refunded: 'refunded',
}
/** The states of a key that will never be read. */
const GONE = ['RETURNED', 'REFUNDED', 'CANCELED']

const text = z.union([z.string(), z.number()]).transform(String)
const flaw = z.object({ kind: z.string(), detail: z.string().optional(), propertyPath: z.string().optional() })
const product = z.object({
  productId: z.string(),
  name: z.string(),
  price: z.number(),
  textQty: z.number(),
  isPreorder: z.boolean().optional(),
  regionalLimitations: z.string().nullish(),
})
const order = z.object({
  orderId: z.string(),
  orderExternalId: z.string(),
  status: z.string(),
  paymentPrice: text.optional(),
  products: z.array(z.object({ keys: z.array(z.object({ status: z.string() })).optional() })).optional(),
})
const orders = z.object({ results: z.array(order) })
const keysOf = z.array(z.object({ serial: z.string(), type: z.string() }))
const event = z.object({ orderExternalId: z.string(), status: z.string(), updatedAt: z.string() })

const PAGE = 100

function readFlaw(reply: JsonReply | null): z.output<typeof flaw> | null {
  const parsed = flaw.safeParse(reply?.body)
  return reply && reply.status >= 300 && parsed.success ? parsed.data : null
}

function judgeKey(reply: JsonReply | null): KeyVerdict {
  if (!reply || reply.body === undefined) return null
  if (readFlaw(reply)?.kind === 'Authorization') return 'refused'
  return reply.status < 300 ? 'accepted' : null
}

/** The meaning of an error after which nothing was bought; null when that is not certain. */
function rejectionOf(reply: JsonReply): Rejection | null {
  const kind = readFlaw(reply)?.kind
  return lookUp(KIND, kind) ?? null
}

const replyOf = (reply: JsonReply | null) => {
  const said = readFlaw(reply)
  return { httpStatus: reply?.status ?? null, code: said?.kind ?? null, message: said?.detail ?? null }
}

const refuse = (reason: Rejection, kept: Partial<Told<PlaceAnswer>> = {}): Told<PlaceAnswer> => ({
  ...notTold({ kind: 'rejected', reason }),
  ...kept,
})

const digest = (secret: string) => createHash('sha256').update(secret).digest()

/** Its calls, and what its prices are here. */
interface Api extends Pick<KinguinOptions, 'inSatang'> {
  /** Makes a call; null without an answer. */
  call(path: string, json?: object): Promise<JsonReply | null>
}

async function read<T>({ call }: Api, path: string, schema: z.ZodType<T>): Promise<T | null> {
  const reply = await call(path)
  const parsed = schema.safeParse(reply?.body)
  return reply && reply.status < 300 && parsed.success ? parsed.data : null
}

async function prepare(
  { call, inSatang }: Api,
  purchase: Purchase,
): Promise<{ price: number } | { refused: Told<PlaceAnswer> }> {
  const reply = await call(`/v2/products/${encodeURIComponent(purchase.sku)}`)
  const kept = replyOf(reply)
  if (reply?.status === 404) return { refused: refuse('product', kept) }
  if (reply && reply.status >= 300) return { refused: refuse(rejectionOf(reply) ?? 'unreachable', kept) }
  const parsed = product.safeParse(reply?.body)
  if (!parsed.success) return { refused: refuse('unreachable', kept) }
  const { price, textQty, isPreorder } = parsed.data
  // The keys of what is not out yet come on a day that nobody knows.
  if (isPreorder) return { refused: refuse('product', kept) }
  const costSatang = await inSatang(String(price), CURRENCY)
  if (costSatang === null || costSatang > purchase.maxCostSatang) return { refused: refuse('price', kept) }
  return textQty < purchase.quantity ? { refused: refuse('stock', kept) } : { price }
}

async function place(api: Api, purchase: Purchase): Promise<Told<PlaceAnswer>> {
  const prepared = await prepare(api, purchase)
  if ('refused' in prepared) return prepared.refused
  const { sku: productId, quantity: qty, reference: orderExternalId } = purchase
  const products = [{ productId, qty, price: prepared.price, keyType: 'text' }]
  const reply = await api.call('/v2/order', { products, orderExternalId })
  if (!reply) return notTold({ kind: 'unknown' })
  const kept = replyOf(reply)
  const parsed = order.safeParse(reply.body)
  if (reply.status < 300 && parsed.success && parsed.data.orderExternalId === orderExternalId) {
    const { orderId: theirId, paymentPrice } = parsed.data
    const costSatang = paymentPrice === undefined ? null : await api.inSatang(paymentPrice, CURRENCY)
    // The keys have a call of their own, so even a completed one is asked about.
    return { ...notTold({ kind: 'accepted' }), ...kept, theirId, costSatang }
  }
  if (readFlaw(reply)?.propertyPath === 'orderExternalId') return { ...notTold({ kind: 'repeated' }), ...kept }
  const reason = rejectionOf(reply)
  return reason ? refuse(reason, kept) : { ...notTold({ kind: 'unknown' }), ...kept }
}

/** Returns the codes of an order, none when it is said to have none, null when that is not known. */
async function readCodes({ call }: Api, orderId: string): Promise<PlainCode[] | null> {
  const path = `/v2/order/${encodeURIComponent(orderId)}/keys?page=1&limit=${PAGE}`
  const reply = await call(path)
  const said = readFlaw(reply)
  // That of an order which never gets any says so for ever.
  if (reply && said && reply.status < 500 && said.kind !== 'Authorization') return []
  const parsed = keysOf.safeParse(reply?.body)
  if (!parsed.success || parsed.data.some(({ type }) => type !== 'text/plain')) return null
  return parsed.data.map(({ serial }) => ({ code: serial.trim(), pin: null, serial: null, expiresOn: null }))
}

/** Returns an order by their number or by our reference, or the answer that it can't be had. */
async function find({ call }: Api, { reference }: Asked, theirId: string | null) {
  const reply = await call(
    theirId === null
      ? `/v1/order?orderExternalId=${encodeURIComponent(reference)}`
      : `/v1/order/${encodeURIComponent(theirId)}`,
  )
  const none = (kind: 'notFound' | 'unknown') => ({ told: { ...notTold({ kind }), ...replyOf(reply) } })
  if (theirId !== null) {
    const parsed = order.safeParse(reply?.body)
    if (parsed.success && parsed.data.orderExternalId === reference) return { order: parsed.data, reply: reply! }
    return none(readFlaw(reply)?.kind === 'OrderNotFound' ? 'notFound' : 'unknown')
  }
  const parsed = orders.safeParse(reply?.body)
  if (!parsed.success) return none('unknown')
  const found = parsed.data.results.find(({ orderExternalId }) => orderExternalId === reference)
  return found ? { order: found, reply: reply! } : none('notFound')
}

async function status(api: Api, purchase: Asked, theirId: string | null): Promise<Told<StatusAnswer>> {
  const found = await find(api, purchase, theirId)
  if ('told' in found) return found.told
  const { orderId, status: state, paymentPrice, products = [] } = found.order
  const paid = paymentPrice === undefined ? null : await api.inSatang(paymentPrice, CURRENCY)
  const kept = { ...replyOf(found.reply), code: state, theirId: orderId, costSatang: paid }
  const answer = (kind: StatusAnswer['kind']): Told<StatusAnswer> => ({ ...notTold({ kind }), ...kept })
  const said = STATUS[state] ?? 'unknown'
  if (said === 'pending' || said === 'unknown') return answer(said)
  const codes = await readCodes(api, orderId)
  if (!codes) return answer('unknown')
  const states = products.flatMap(({ keys: each = [] }) => each.map(key => key.status))
  const gone = states.filter(each => GONE.includes(each)).length
  if (codes.length < states.filter(each => each === 'DELIVERED').length) return answer('unknown')
  if (codes.length === 0) return answer(said === 'delivered' && gone < purchase.quantity ? 'pending' : endOf(said))
  // Fewer than were bought are all that come only when the others are said to be gone.
  if (codes.length + gone < purchase.quantity) return answer('pending')
  const costSatang = paid === null ? null : Math.round((paid * codes.length) / purchase.quantity)
  return { ...answer('delivered'), costSatang, codes }
}

async function listProducts(api: Api): Promise<SupplierProduct[] | null> {
  const list = z.object({ results: z.array(product), item_count: z.number() })
  const products: SupplierProduct[] = []
  for (let page = 1; ; page++) {
    const found = await read(api, `/v1/products?page=${page}&limit=${PAGE}`, list)
    if (!found) return null
    for (const { productId, name, price, textQty, isPreorder, regionalLimitations } of found.results)
      products.push({
        sku: productId,
        name,
        delivers: 'code',
        price: String(price),
        currency: CURRENCY,
        costSatang: await api.inSatang(String(price), CURRENCY),
        fields: [],
        isInStock: textQty > 0 && !isPreorder,
        region: regionalLimitations ?? '',
      })
    if (found.results.length < PAGE) return products
  }
}

function readCallback(
  { keys, onAccepted }: KinguinOptions,
  ...[rawBody, headers]: Parameters<Supplier['readCallback']>
) {
  const given = digest(headers.get('x-event-secret') ?? '')
  const secret = keys.map(each => each.KINGUIN_WEBHOOK_SECRET).find(each => timingSafeEqual(given, digest(each)))
  if (secret === undefined) return null
  void onAccepted?.({ KINGUIN_WEBHOOK_SECRET: secret })
  const parsed = event.safeParse(readJson(rawBody))
  if (headers.get('x-event-name') !== 'order.status' || !parsed.success) return null
  const { orderExternalId: reference, status: state, updatedAt } = parsed.data
  return { reference, reply: '', said: JSON.stringify([reference, state, updatedAt]) }
}

/** Makes a client of Kinguin's API for shops, as its repository of July 2025 describes it. */
export function createKinguin(options: KinguinOptions): Supplier {
  const { baseUrl, keys, timeoutMs, inSatang, onAccepted } = options
  const own = [...new Set(keys.map(each => each.KINGUIN_API_KEY))]
  const asking = askWithAny(own, key => onAccepted?.({ KINGUIN_API_KEY: key }))
  const api: Api = {
    inSatang,
    call: (path, json) =>
      asking(key => askJson(`${baseUrl}${path}`, { json, headers: { 'x-api-key': key }, timeoutMs }), judgeKey),
  }
  return {
    name: 'kinguin',
    capabilities: CAPABILITIES,
    listProducts: () => listProducts(api),
    validatePlayer: async () => ({ kind: 'unavailable' }),
    place: purchase => place(api, purchase),
    status: (purchase, theirId) => status(api, purchase, theirId),
    async balance() {
      const found = await read(api, '/v1/balance', z.object({ balance: text }))
      return found && inSatang(found.balance, CURRENCY)
    },
    readCallback: (...callback) => readCallback(options, ...callback),
  }
}

/** How a purchase ended of which no key came. */
const endOf = (said: StatusAnswer['kind']): StatusAnswer['kind'] => (said === 'delivered' ? 'refunded' : said)
