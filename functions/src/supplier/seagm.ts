import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Delivers } from '@shop/shared/catalogue/delivers.ts'
import type { Satang } from '@shop/shared/money.ts'
import type { Capabilities, PlaceAnswer, Rejection, StatusAnswer } from '@shop/shared/supplier/supplier.ts'
import { parseBaht } from '@shop/shared/typed-baht.ts'
import * as z from 'zod'
import type { Access } from '../asking/choice.ts'
import { askWithAny, type KeyVerdict } from '../asking/keys.ts'
import { askJson, type JsonReply } from '../http/ask-json.ts'
import { type Asked, notTold, type Purchase, type Supplier, type SupplierProduct, type Told } from './provider.ts'
import { cards, codesOf } from './seagm-cards.ts'

interface SeagmOptions extends Access<'SEAGM_UID' | 'SEAGM_SECRET_KEY'> {
  timeoutMs: number
  now: () => Date
}

const CAPABILITIES: Capabilities = {
  currency: 'THB',
  ownReference: true,
  findByReference: true,
  // The documentation does not say whether it does.
  refusesRepeats: false,
  validates: 'none',
  callback: 'signed',
  delivers: ['top_up', 'code'],
  mostPieces: null,
}

/** Top-ups and cards have calls of the same form under different names. */
const NOUN = { top_up: 'recharge', code: 'card' } as const satisfies Record<Delivers, string>

type Params = Record<string, string>

/** A callback that is older is refused, because somebody may have kept and resent it. */
const CALLBACK_SECONDS = 24 * 3600

/** Returns all parameters sorted by name, encoded as a form. */
const sortedForm = (params: Params): string =>
  new URLSearchParams(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1))).toString()

/** Signs the parameters with HMAC-SHA256. */
export const signSeagm = (params: Params, secretKey: string): string =>
  createHmac('sha256', secretKey).update(sortedForm(params)).digest('hex')

const text = z.union([z.string(), z.number()]).transform(String)
const envelope = z.object({
  code: z.number(),
  msg: z.string().optional(),
  data: z.unknown().optional(),
  error_info: z.object({ info_code: text.optional(), info_message: z.string().optional() }).optional(),
})
const order = z.object({
  id: text.optional(),
  order_id: text.optional(),
  mch_order_id: text,
  status_code: z.coerce.number(),
  send_amount: z.coerce.number().optional(),
  pay_amount: text.optional(),
  currency: z.string().optional(),
  refunded_reason: z.string().optional(),
  cards,
})
const product = z.object({
  id: text,
  name: z.string(),
  unit_price: text,
  currency: z.string(),
  fields: z.array(z.object({ name: z.string() })).default([]),
  stock: z.coerce.number().nullish(),
})
const categories = z.array(z.object({ id: text, name: z.string() }))

/** The meaning of the answer's `code` when nothing was bought. Any other code is unclear. */
const REJECTED: Record<number, Rejection> = {
  401: 'auth',
  402: 'balance',
  403: 'ip',
  409: 'auth',
  412: 'auth',
  429: 'rate',
}
/** With code 400 `info_code` names the error; this is the one that the documentation lists. */
const NO_SUCH_TYPE = '20077'

const STATUS: Record<number, StatusAnswer['kind']> = {
  10001: 'pending',
  10002: 'pending',
  10003: 'delivered',
  10004: 'failed',
  10005: 'refunded',
}

const inSatang = (amount: string | undefined, currency: string | undefined): Satang | null =>
  amount !== undefined && currency === CAPABILITIES.currency ? parseBaht(amount) : null

const OK = [200, 201, 202]

function readEnvelope({ status, body }: JsonReply) {
  const parsed = envelope.safeParse(body)
  if (!parsed.success) return null
  const { code, msg, data, error_info: info } = parsed.data
  // The message "OK" has no information.
  const message = OK.includes(code) ? null : (info?.info_message ?? msg ?? null)
  const kept = { httpStatus: status, code: info?.info_code ?? String(code), message }
  return { code, data, infoCode: info?.info_code, kept }
}

/** With a key that it refuses, SEAGM does nothing, so that the same may be asked with another. */
function judgeKey(reply: JsonReply | null): KeyVerdict {
  const answered = reply && readEnvelope(reply)
  if (!answered) return null
  return REJECTED[answered.code] === 'auth' ? 'refused' : 'accepted'
}

/** Returns the purchase from an answer, if it is the one that was asked about. */
function readOrder(data: unknown, { reference, quantity, delivers }: Asked) {
  const parsed = order.safeParse(data)
  if (!parsed.success || parsed.data.mch_order_id !== reference) return null
  const { id, order_id, status_code, send_amount, pay_amount, currency, refunded_reason } = parsed.data
  const codes = codesOf(parsed.data.cards)
  const sent = delivers === 'code' ? codes.length : send_amount
  const said = STATUS[status_code]
  // Only some pieces were sent, so the purchase is neither delivered nor failed as a whole.
  const isPartial = sent !== undefined && sent > 0 && sent < quantity
  const isDoubtful = said === undefined || (said !== 'pending' && isPartial) || (said === 'delivered' && sent === 0)
  // Cards may be done a while before they can be read.
  const isUnread = delivers === 'code' && said === 'delivered' && sent === 0
  const kind = isUnread ? ('pending' as const) : isDoubtful ? ('unknown' as const) : said
  return {
    kind,
    theirId: id ?? order_id ?? null,
    costSatang: inSatang(pay_amount, currency),
    message: refunded_reason || null,
    codes: kind === 'delivered' && delivers === 'code' ? codes : [],
  }
}

/** Makes a call; without JSON in the answer its result is unknown. */
type Call = (method: 'GET' | 'POST', path: string, params?: Params) => Promise<JsonReply | null>

/** Returns the data of a successful reading call, else null. */
async function read<T>(call: Call, path: string, schema: z.ZodType<T>): Promise<T | null> {
  const reply = await call('GET', path)
  const answered = reply && readEnvelope(reply)
  if (!answered || !OK.includes(answered.code)) return null
  const parsed = schema.safeParse(answered.data)
  return parsed.success ? parsed.data : null
}

const viewProduct = (each: z.output<typeof product>, delivers: Delivers): SupplierProduct => ({
  sku: each.id,
  name: each.name,
  delivers,
  price: each.unit_price,
  currency: each.currency,
  costSatang: inSatang(each.unit_price, each.currency),
  isInStock: each.stock !== 0,
  region: '',
  fields: delivers === 'code' ? [] : each.fields.map(field => field.name),
})

/**
 * The API has no parameter for the highest price, so the product's cost is read first; when that fails, nothing is
 * bought.
 */
async function prepare(call: Call, purchase: Purchase): Promise<Told<PlaceAnswer> | Params> {
  const refuse = (reason: Rejection, kept: object = {}) => ({
    ...notTold({ kind: 'rejected', reason } as const),
    ...kept,
  })
  const reply = await call('GET', `/v1/${NOUN[purchase.delivers]}-types/${encodeURIComponent(purchase.sku)}`)
  const answered = reply && readEnvelope(reply)
  if (!answered) return refuse('unreachable')
  const { code, kept } = answered
  if (code === 404 || code === 410) return refuse('product', kept)
  if (!OK.includes(code)) return refuse(REJECTED[code] ?? 'unreachable', kept)
  const parsed = product.safeParse(answered.data)
  if (!parsed.success) return refuse('unreachable', kept)
  const { costSatang, fields } = viewProduct(parsed.data, purchase.delivers)
  if (costSatang === null || costSatang > purchase.maxCostSatang) return refuse('price', kept)
  const { stock } = parsed.data
  if (typeof stock === 'number' && stock < purchase.quantity) return refuse('stock', kept)
  if (fields.length > purchase.fields.length) return refuse('player', kept)
  return Object.fromEntries(fields.map((name, index) => [name, purchase.fields[index]!]))
}

async function place(call: Call, purchase: Purchase): Promise<Told<PlaceAnswer>> {
  const fields = await prepare(call, purchase)
  if (isTold(fields)) return fields
  const { reference, sku, quantity, delivers } = purchase
  const own = { type_id: sku, buy_amount: String(quantity), mch_order_id: reference }
  const reply = await call('POST', `/v1/${NOUN[delivers]}-orders`, { ...fields, ...own })
  const answered = reply && readEnvelope(reply)
  if (!answered) return { ...notTold({ kind: 'unknown' }), httpStatus: reply?.status ?? null }
  const { code, data, infoCode, kept } = answered
  if (OK.includes(code)) {
    const bought = readOrder(data, purchase)
    if (!bought) return { ...notTold({ kind: 'unknown' }), ...kept }
    const { kind, theirId, costSatang, codes } = bought
    // If it failed, the reason is read when the purchase's status is asked.
    const answer = { kind: kind === 'delivered' ? 'delivered' : 'accepted' } as const
    return { ...notTold(answer), ...kept, theirId, costSatang, codes }
  }
  const reason = code === 400 && infoCode === NO_SUCH_TYPE ? 'product' : reply.status < 500 ? REJECTED[code] : undefined
  return { ...notTold(reason ? { kind: 'rejected', reason } : { kind: 'unknown' }), ...kept }
}

async function status(call: Call, purchase: Asked): Promise<Told<StatusAnswer>> {
  const path = `/v1/${NOUN[purchase.delivers]}-orders/${purchase.reference}`
  const reply = await call('GET', path, { query_type: 'mchOrderId' })
  const answered = reply && readEnvelope(reply)
  if (!answered) return { ...notTold({ kind: 'unknown' }), httpStatus: reply?.status ?? null }
  const { code, data, kept } = answered
  if (code === 404) return { ...notTold({ kind: 'notFound' }), ...kept }
  const bought = OK.includes(code) ? readOrder(data, purchase) : null
  if (!bought) return { ...notTold({ kind: 'unknown' }), ...kept }
  const { kind, ...said } = bought
  return { ...notTold({ kind }), ...kept, ...said }
}

async function listProducts(call: Call, delivers: Delivers): Promise<SupplierProduct[] | null> {
  const noun = NOUN[delivers]
  const found = await read(call, `/v1/${noun}-categories`, categories)
  if (!found) return null
  const products: SupplierProduct[] = []
  // These calls are made one after the other, because SEAGM has hundreds of categories and blocks clients that ask
  // too fast.
  for (const { id, name } of found) {
    const types = await read(call, `/v1/${noun}-categories/${encodeURIComponent(id)}/${noun}-types`, z.array(product))
    if (!types) return null
    products.push(...types.map(each => ({ ...viewProduct(each, delivers), name: `${name} · ${each.name}` })))
  }
  return products
}

function readCallback({ keys, now }: SeagmOptions, rawBody: string): ReturnType<Supplier['readCallback']> {
  const { signature = '', ...params } = Object.fromEntries(new URLSearchParams(rawBody))
  const given = Buffer.from(signature.toLowerCase())
  const isSigned = keys.some(({ SEAGM_SECRET_KEY: secretKey }) => {
    const right = Buffer.from(signSeagm(params, secretKey))
    return given.length === right.length && timingSafeEqual(given, right)
  })
  const reference = params.mch_order_id
  if (!isSigned || !reference) return null
  const age = now().getTime() / 1000 - Number(params.timestamp ?? Number.NaN)
  if (params.timestamp !== undefined && !(Math.abs(age) <= CALLBACK_SECONDS)) return null
  return { reference, reply: 'success', said: sortedForm(params) }
}

/** Makes a client of SEAGM's API for direct top-ups and cards, as documented in June 2025. */
export function createSeagm(options: SeagmOptions): Supplier {
  const { baseUrl, keys, timeoutMs, now, onAccepted } = options
  const asking = askWithAny(keys, onAccepted)
  const call: Call = (method, path, params = {}) => {
    const form = method === 'POST' ? new URLSearchParams(params) : undefined
    return asking(({ SEAGM_UID: uid, SEAGM_SECRET_KEY: secretKey }) => {
      const auth = { uid, timestamp: String(Math.floor(now().getTime() / 1000)) }
      const signature = signSeagm({ ...auth, ...params }, secretKey)
      const inQuery = new URLSearchParams({ ...auth, ...(method === 'GET' && params), signature })
      return askJson(`${baseUrl}${path}?${inQuery}`, { method, form, timeoutMs })
    }, judgeKey)
  }
  return {
    name: 'seagm',
    capabilities: CAPABILITIES,
    async listProducts() {
      const [topUps, codes] = [await listProducts(call, 'top_up'), await listProducts(call, 'code')]
      return topUps && codes && [...topUps, ...codes]
    },
    validatePlayer: async () => ({ kind: 'unavailable' }),
    place: purchase => place(call, purchase),
    status: purchase => status(call, purchase),
    async balance() {
      const me = await read(call, '/v1/me', z.object({ balance: text, currency: z.string() }))
      return me && inSatang(me.balance, me.currency)
    },
    readCallback: rawBody => readCallback(options, rawBody),
  }
}

const isTold = (prepared: Told<PlaceAnswer> | Params): prepared is Told<PlaceAnswer> =>
  typeof prepared.answer === 'object'
