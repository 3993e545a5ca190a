import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Call, type Dialect, metadataOf, type Site } from './dialect.ts'
import { type Answer, type Charge, feesOf, type GatewayEvent } from './register.ts'

const SECRET_KEY = 'skey_test_5xuy4w91xqz7d1w9u0t'
const WEBHOOK_SECRET = Buffer.from('the-stand-in-signs-with-this-secret').toString('base64')

const error = (status: number, code: string): Answer => ({
  status,
  body: { object: 'error', location: 'https://docs.opn.ooo/api-errors', code, message: code },
})

/** How a buyer pays by each type of source: by a QR code, or at an address of its own. */
const FLOW: Record<string, 'offline' | 'redirect' | 'app_redirect'> = {
  promptpay: 'offline',
  truemoney_qr: 'offline',
  truemoney_jumpapp: 'app_redirect',
  shopeepay: 'redirect',
  shopeepay_jumpapp: 'app_redirect',
  rabbit_linepay: 'redirect',
}
const LEAST_SATANG = 2_000
const MOST_SATANG = 15_000_000
const MOST_MS = 24 * 3_600_000
const DAY_ONE = new Date(0)

function viewSource({ id, amountSatang, currency, method, status }: Charge, origin: string): object {
  const flow = FLOW[method]
  const picture = {
    object: 'document',
    filename: 'qrcode.svg',
    kind: 'qr',
    download_uri: `${origin}/charges/${id}/documents/docu_test_1/downloads/${id}`,
  }
  return {
    object: 'source',
    id: id.replace('chrg', 'src'),
    type: method,
    flow,
    amount: amountSatang,
    currency,
    charge_status: status,
    scannable_code: flow === 'offline' ? { object: 'barcode', type: 'qr', image: picture } : null,
  }
}

/** A charge in Opn's words. */
function viewCharge(charge: Charge, origin: string): object {
  const { id, amountSatang, currency, metadata, description, returnUrl, status, failureCode } = charge
  const isPaid = status === 'successful'
  const { fee, tax } = isPaid ? feesOf(amountSatang) : { fee: 0, tax: 0 }
  return {
    object: 'charge',
    id,
    location: `/charges/${id}`,
    livemode: charge.isLive,
    amount: amountSatang,
    currency,
    description,
    metadata,
    return_uri: returnUrl,
    authorize_uri: FLOW[charge.method] === 'offline' ? null : `${origin}/pay/${id}`,
    status,
    paid: isPaid,
    authorized: isPaid,
    paid_at: charge.paidAt?.toISOString() ?? null,
    expires_at: charge.expiresAt?.toISOString() ?? null,
    created_at: charge.createdAt.toISOString(),
    expired: status === 'expired',
    failure_code: failureCode,
    failure_message: failureCode,
    fee,
    fee_vat: tax,
    net: amountSatang - fee - tax,
    refundable: false,
    refunded_amount: charge.refundedSatang,
    source: viewSource(charge, origin),
  }
}

function createCharge({ fields }: Call, { register, origin, now }: Site): Answer {
  const amountSatang = Number(fields.get('amount'))
  const method = fields.get('source[type]') ?? ''
  const flow = FLOW[method]
  const expiresAt = new Date(fields.get('expires_at') ?? now.getTime() + MOST_MS)
  if (fields.get('currency')?.toUpperCase() !== 'THB' || !flow) return error(400, 'invalid_charge')
  if (!Number.isInteger(amountSatang) || amountSatang < LEAST_SATANG || amountSatang > MOST_SATANG)
    return error(400, 'invalid_amount')
  if (!(expiresAt > now && expiresAt.getTime() <= now.getTime() + MOST_MS)) return error(400, 'bad_request')
  const returnUrl = fields.get('return_uri') ?? null
  if (flow !== 'offline' && !returnUrl) return error(400, 'bad_request')
  const description = fields.get('description') ?? ''
  const asked = { amountSatang, method, metadata: metadataOf(fields), description, returnUrl, expiresAt }
  return { status: 200, body: viewCharge(register.create(asked), origin) }
}

/** A page of a list, the oldest first unless it is asked for otherwise. @param seen what is left of all of it */
function list<T>({ query }: Call, all: readonly T[], seen: readonly T[], view: (each: T) => object): Answer {
  const [limit, offset] = [Math.min(Number(query.get('limit') ?? 20), 100), Number(query.get('offset') ?? 0)]
  const ordered = query.get('order') === 'reverse_chronological' ? seen.toReversed() : seen
  const data = ordered.slice(offset, offset + limit).map(view)
  return { status: 200, body: { object: 'list', limit, offset, total: all.length, data } }
}

function listCharges(call: Call, { register, origin, now, isHalf }: Site): Answer {
  const [from, to] = ['from', 'to'].map(name => call.query.get(name))
  const all = register.between(from ? new Date(from) : DAY_ONE, to ? new Date(to) : now)
  const seen = isHalf ? all.slice(0, Math.floor(all.length / 2)) : all
  return list(call, all, seen, charge => viewCharge(charge, origin))
}

const viewEvent = ({ id, charge, at }: GatewayEvent, origin: string): object => ({
  object: 'event',
  id,
  livemode: charge.isLive,
  location: `/events/${id}`,
  webhook_deliveries: [],
  // However it ended.
  key: 'charge.complete',
  created_at: at.toISOString(),
  data: viewCharge(charge, origin),
})

function answerEvents(call: Call, { register: { events }, origin }: Site): Answer {
  if (call.path === '/events') return list(call, events, events, each => viewEvent(each, origin))
  const found = events.find(({ id }) => call.path === `/events/${id}`)
  return found ? { status: 200, body: viewEvent(found, origin) } : error(404, 'not_found')
}

async function answerCharge({ method, path }: Call, { register, origin }: Site): Promise<Answer> {
  const [, id = '', act] = /^\/charges\/([^/]+)(?:\/(expire|mark_as_paid|mark_as_failed))?$/.exec(path) ?? []
  const charge = register.find(id)
  if (!charge || (act !== undefined) !== (method === 'POST')) return error(404, 'not_found')
  if (act && charge.status !== 'pending') return error(400, act === 'expire' ? 'failed_expire' : 'invalid_charge')
  if (act === 'expire') await register.expire(id)
  if (act === 'mark_as_paid') await register.pay(id)
  if (act === 'mark_as_failed') await register.fail(id)
  return { status: 200, body: viewCharge(charge, origin) }
}

const hmac = (key: Buffer, signed: string) => createHmac('sha256', key).update(signed).digest('hex')

/** Opn Payments (Omise). */
export const opn: Dialect = {
  environment: origin => ({
    GATEWAY: 'opn',
    OPN_BASE_URL: origin,
    OPN_SECRET_KEY: SECRET_KEY,
    OPN_WEBHOOK_SECRET: WEBHOOK_SECRET,
  }),
  newId: of => `${{ charge: 'chrg', event: 'evnt' }[of]}_test_${randomBytes(10).toString('hex').slice(0, 19)}`,
  isKey(authorization) {
    const given = Buffer.from(authorization?.replace(/^Basic /, '') ?? '', 'base64')
    const expected = Buffer.from(`${SECRET_KEY}:`)
    return given.length === expected.length && timingSafeEqual(given, expected)
  },
  refusedKey: error(401, 'authentication_failure'),
  tooMany: { ...error(429, 'too_many_requests'), headers: { 'retry-after': '2' } },
  broken: error(500, 'backend_error'),
  answer(call, site) {
    const { method, path } = call
    if (path === '/account') return { status: 200, body: { object: 'account', id: 'account_test_1', livemode: false } }
    if (path === '/charges') return method === 'POST' ? createCharge(call, site) : listCharges(call, site)
    return path.startsWith('/events') ? answerEvents(call, site) : answerCharge(call, site)
  },
  event: viewEvent,
  sign: (body, at, isForged) => ({
    'omise-signature': hmac(Buffer.from(isForged ? 'c29tZWJvZHkgZWxzZQ==' : WEBHOOK_SECRET, 'base64'), `${at}.${body}`),
    'omise-signature-timestamp': String(at),
  }),
  qrText: ({ id, amountSatang }) => `https://stand.in/${id}/${amountSatang}`,
}
