import { randomUUID } from 'node:crypto'
import type { Delivers } from '@shop/shared/catalogue/delivers.ts'
import type { Satang } from '@shop/shared/money.ts'
import type { Capabilities, PlaceAnswer, Rejection, StatusAnswer } from '@shop/shared/supplier/supplier.ts'
import * as z from 'zod'
import type { Access } from '../asking/choice.ts'
import { askWithAny, type KeyVerdict } from '../asking/keys.ts'
import { askJson, type JsonReply } from '../http/ask-json.ts'
import {
  type Asked,
  type InSatang,
  notTold,
  type PlainCode,
  type Purchase,
  type Supplier,
  type SupplierProduct,
  type Told,
  type Validated,
} from './provider.ts'

interface GamesDropOptions extends Access<'GAMESDROP_TOKEN'> {
  timeoutMs: number
  inSatang: InSatang
}

const CAPABILITIES: Capabilities = {
  currency: 'USD',
  ownReference: true,
  // One client asks so, no page of theirs says that it is possible; see docs/decisions/0068-several-suppliers.md.
  findByReference: false,
  refusesRepeats: true,
  validates: 'optional',
  callback: 'none',
  delivers: ['top_up', 'code'],
  // An order has no number of pieces.
  mostPieces: 1,
}

/** What a documented code means as the answer to a purchase; null when it does not prove that nothing was bought. */
const CODE = {
  INVALID_TOKEN: 'auth',
  INSUFFICIENT_BALANCE: 'balance',
  OFFER_NOT_FOUND: 'product',
  WRONG_PRICE: 'price',
  INVALID_REQUEST_BODY: 'other',
  TRANSACTION_DUPLICATE: 'repeated',
  BALANCE_UNAVAILABLE: null,
  SERVICE_UNAVAILABLE: null,
  ORDER_NOT_FOUND: null,
  ORDER_NOT_PROCESSING: null,
  ORDER_NOT_COMPLETED: null,
  ORDER_ALREADY_CANCELED: null,
  ORDER_ALREADY_REFUNDED: null,
} as const satisfies Record<string, Rejection | 'repeated' | null>
type Code = keyof typeof CODE
const isCode = (code: string | undefined): code is Code => code !== undefined && Object.hasOwn(CODE, code)

const STATUS: Record<string, StatusAnswer['kind']> = {
  SUBMITTED: 'pending',
  PROCESSING: 'pending',
  COMPLETED: 'delivered',
  CANCELED: 'failed',
  REFUND: 'refunded',
}

const text = z.union([z.string(), z.number()]).transform(String)
const flaw = z.object({ code: z.string(), message: z.string().optional() })
const refusal = z.union([z.object({ error: flaw }).transform(({ error }) => error), flaw])
const offer = z.object({
  offerId: text,
  productName: z.string(),
  offerName: z.string().optional(),
  price: z.number(),
  currency: z.string(),
  isReturnDataForCustomer: z.boolean().optional(),
  stock: z.number().nullish(),
  region: z.string().nullish(),
  fields: z.array(z.string()).nullish(),
})
const offers = z.union([z.array(offer), z.object({ offers: z.array(offer) }).transform(page => page.offers)])
const order = z.object({
  orderId: text,
  offerId: text,
  price: text.optional(),
  currency: z.string().optional(),
  status: z.string(),
  key: z.union([z.string(), z.array(z.string())]).nullish(),
  message: z.string().nullish(),
})
const purse = z.object({ balance: text, currency: z.object({ code: z.string() }) })
const player = z.object({ status: z.enum(['VALID', 'INVALID']), gameUserLogin: z.string().nullish() })

const MOST_OFFERS = 5000
const PLAYER_FIELDS = ['gameUserId', 'gameServerId'] as const

/** They want numbers where an offer has a number; some have names. */
const theirOfferId = (sku: string): number | string => (/^\d{1,15}$/.test(sku) ? Number(sku) : sku)

const deliversOf = ({ isReturnDataForCustomer }: z.output<typeof offer>): Delivers =>
  isReturnDataForCustomer ? 'code' : 'top_up'

const codesOf = (key: z.output<typeof order>['key']): PlainCode[] =>
  [key ?? []].flat().flatMap(code => {
    const plain = code.trim()
    return plain ? [{ code: plain, pin: null, serial: null, expiresOn: null }] : []
  })

/** Reads a refusal; null when the reply is none, or none that can be read. */
function readRefusal(reply: JsonReply | null): z.output<typeof flaw> | null {
  const parsed = refusal.safeParse(reply?.body)
  return parsed.success ? parsed.data : null
}

function judgeKey(reply: JsonReply | null): KeyVerdict {
  if (!reply || reply.body === undefined) return null
  if (readRefusal(reply)?.code === 'INVALID_TOKEN') return 'refused'
  return reply.status < 300 ? 'accepted' : null
}

const refuse = (reason: Rejection, kept: Partial<Told<PlaceAnswer>> = {}): Told<PlaceAnswer> => ({
  ...notTold({ kind: 'rejected', reason }),
  ...kept,
})

/** Its calls, and what its prices are here. */
interface Api extends Pick<GamesDropOptions, 'inSatang'> {
  call(path: string, json?: object): Promise<JsonReply | null>
}

/** Returns what a reading call says; null when it says something else. */
async function read<T>({ call }: Api, path: string, schema: z.ZodType<T>, json?: object): Promise<T | null> {
  const reply = await call(path, json)
  const parsed = schema.safeParse(reply?.body)
  return reply && reply.status < 300 && parsed.success ? parsed.data : null
}

const customerOf = (fields: readonly string[]) =>
  Object.fromEntries(PLAYER_FIELDS.flatMap((name, at) => (fields[at] ? [[name, fields[at]]] : [])))

/** Reads the offer's price of this moment, at which alone it is sold. */
async function prepare(
  { call, inSatang }: Api,
  purchase: Purchase,
): Promise<{ price: number } | { refused: Told<PlaceAnswer> }> {
  const reply = await call('offers/find-one', { offerId: theirOfferId(purchase.sku) })
  const said = readRefusal(reply)
  const kept = { httpStatus: reply?.status ?? null, code: said?.code ?? null, message: said?.message ?? null }
  if (isCode(said?.code)) {
    const means = CODE[said.code]
    return { refused: refuse(means === null || means === 'repeated' ? 'unreachable' : means, kept) }
  }
  const parsed = offer.safeParse(reply?.body)
  if (!reply || reply.status >= 300 || !parsed.success) return { refused: refuse('unreachable', kept) }
  // Goods of the other kind would be paid for and reach nobody.
  if (deliversOf(parsed.data) !== purchase.delivers) return { refused: refuse('product', kept) }
  const { price, currency, stock } = parsed.data
  if (stock === 0) return { refused: refuse('stock', kept) }
  const costSatang = await inSatang(String(price), currency)
  const isTooDear = costSatang === null || costSatang > purchase.maxCostSatang
  return isTooDear ? { refused: refuse('price', kept) } : { price }
}

/** Reads an order out of a reply; null when it is not one of this offer. */
async function readOrder({ inSatang }: Api, reply: JsonReply, { sku, delivers }: Asked) {
  const parsed = order.safeParse(reply.body)
  if (reply.status >= 300 || !parsed.success || parsed.data.offerId !== sku) return null
  const { orderId: theirId, status, price, currency, key, message } = parsed.data
  const said = STATUS[status] ?? 'unknown'
  const codes = delivers === 'code' && said === 'delivered' ? codesOf(key) : []
  const kind = said === 'delivered' && delivers === 'code' && codes.length === 0 ? ('pending' as const) : said
  const costSatang: Satang | null = price && currency ? await inSatang(price, currency) : null
  return {
    kind,
    told: { httpStatus: reply.status, code: status, message: message ?? null, theirId, costSatang, codes },
  }
}

async function place(api: Api, purchase: Purchase): Promise<Told<PlaceAnswer>> {
  const prepared = await prepare(api, purchase)
  if ('refused' in prepared) return prepared.refused
  const { sku, reference: transactionId, delivers, fields } = purchase
  const reply = await api.call('offers/create-order', {
    offerId: theirOfferId(sku),
    price: prepared.price,
    transactionId,
    ...(delivers === 'top_up' && { customer: customerOf(fields) }),
  })
  if (!reply) return notTold({ kind: 'unknown' })
  const bought = await readOrder(api, reply, purchase)
  // One that failed at once is asked about, so that its reason is read in one place.
  if (bought) return { ...bought.told, answer: { kind: bought.kind === 'delivered' ? 'delivered' : 'accepted' } }
  const said = readRefusal(reply)
  const kept = { httpStatus: reply.status, code: said?.code ?? null, message: said?.message ?? null }
  const means = isCode(said?.code) ? CODE[said.code] : null
  if (means === null) return { ...notTold({ kind: 'unknown' }), ...kept }
  return means === 'repeated' ? { ...notTold({ kind: 'repeated' }), ...kept } : refuse(means, kept)
}

async function status(api: Api, purchase: Asked, theirId: string | null): Promise<Told<StatusAnswer>> {
  const by = theirId === null ? { transactionId: purchase.reference } : { orderId: theirOfferId(theirId) }
  const reply = await api.call('offers/order-status', by)
  if (!reply) return notTold({ kind: 'unknown' })
  const found = await readOrder(api, reply, purchase)
  if (found) return { ...found.told, answer: { kind: found.kind } }
  const said = readRefusal(reply)
  const kept = { httpStatus: reply.status, code: said?.code ?? null, message: said?.message ?? null }
  return { ...notTold({ kind: said?.code === 'ORDER_NOT_FOUND' ? 'notFound' : 'unknown' }), ...kept }
}

const viewProduct = async ({ inSatang }: Api, each: z.output<typeof offer>): Promise<SupplierProduct> => ({
  sku: each.offerId,
  name: [each.productName, each.offerName].filter(Boolean).join(' · '),
  delivers: deliversOf(each),
  price: String(each.price),
  currency: each.currency,
  costSatang: await inSatang(String(each.price), each.currency),
  fields: deliversOf(each) === 'code' ? [] : (each.fields ?? [PLAYER_FIELDS[0]]),
  isInStock: each.stock !== 0,
  region: each.region ?? '',
})

async function listProducts(api: Api): Promise<SupplierProduct[] | null> {
  const products: SupplierProduct[] = []
  for (let page = 1; ; page++) {
    const found = await read(api, 'offers/sync', offers, { page, limit: MOST_OFFERS })
    if (!found) return null
    products.push(...(await Promise.all(found.map(each => viewProduct(api, each)))))
    if (found.length < MOST_OFFERS) return products
  }
}

async function validatePlayer(api: Api, sku: string, fields: string[]): Promise<Validated> {
  const offerId = theirOfferId(sku)
  const found = await read(api, 'offers/find-one', offer, { offerId })
  if (!found) return { kind: 'unavailable' }
  // The question wants a reference, too. It is never that of a purchase, which must stay unused until it is made.
  const asked = {
    offerId,
    price: found.price,
    transactionId: `check-${randomUUID()}`,
    customer: customerOf(fields),
  }
  const said = await read(api, 'offers/check-game-data', player, asked)
  if (!said) return { kind: 'unavailable' }
  return said.status === 'VALID' ? { kind: 'ok', name: said.gameUserLogin ?? null } : { kind: 'wrong' }
}

/** Makes a client of GamesDrop's Partner API, as its guide of August 2025 describes it. */
export function createGamesDrop({ baseUrl, keys, timeoutMs, inSatang, onAccepted }: GamesDropOptions): Supplier {
  const asking = askWithAny(keys, onAccepted)
  const api: Api = {
    inSatang,
    call: (path, json) =>
      asking(
        ({ GAMESDROP_TOKEN: authorization }) =>
          askJson(`${baseUrl}/api/v1/${path}`, { json, headers: { authorization }, timeoutMs }),
        judgeKey,
      ),
  }
  return {
    name: 'gamesdrop',
    capabilities: CAPABILITIES,
    listProducts: () => listProducts(api),
    validatePlayer: (sku, fields) => validatePlayer(api, sku, fields),
    place: purchase => place(api, purchase),
    status: (purchase, theirId) => status(api, purchase, theirId),
    async balance() {
      const found = await read(api, 'balance', purse)
      return found && inSatang(found.balance, found.currency.code)
    },
    readCallback: () => null,
  }
}
