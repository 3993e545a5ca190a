import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Call, type Dialect, metadataOf, type Site } from './dialect.ts'
import { type Answer, type Charge, feesOf, type GatewayEvent } from './register.ts'

const SECRET_KEY = 'sk_test_5xuy4w91xqz7d1w9u0t'
const WEBHOOK_SECRET = 'whsec_the-stand-in-signs-with-this-secret'

const error = (status: number, code: string | null, type = 'invalid_request_error', more: object = {}): Answer => ({
  status,
  body: { error: { type, ...(code && { code }), message: code ?? type, ...more } },
})

const LEAST_SATANG = 1_000
/** An amount has eight digits at most. */
const MOST_SATANG = 99_999_999

const STATUS: Record<Charge['status'], string> = {
  pending: 'requires_action',
  successful: 'succeeded',
  // Its code can't be paid any more; another one may be asked for.
  failed: 'requires_payment_method',
  expired: 'canceled',
}
const EVENT: Record<GatewayEvent['end'], string> = {
  successful: 'payment_intent.succeeded',
  failed: 'payment_intent.payment_failed',
  expired: 'payment_intent.canceled',
}

const unix = (date: Date): number => Math.floor(date.getTime() / 1000)

/** What a charge is paid by, as a QR code and as pictures of one. */
function viewAction({ id }: Charge, origin: string): object {
  const picture = (kind: string) => `${origin}/charges/${id}/downloads/qr.${kind}`
  return {
    type: 'promptpay_display_qr_code',
    promptpay_display_qr_code: {
      data: `${origin}/pay/${id}`,
      hosted_instructions_url: `${origin}/pay/${id}`,
      image_url_png: picture('png'),
      image_url_svg: picture('svg'),
    },
  }
}

/** The payment of an intent; what is not asked for in full is an id. */
function viewPayment(charge: Charge, expanded: ReadonlySet<string>): object | string {
  const { id, amountSatang, currency, isLive, paidAt } = charge
  const { fee, tax } = feesOf(amountSatang)
  const own = (prefix: string) => id.replace('pi', prefix)
  const booking = {
    object: 'balance_transaction',
    id: own('txn'),
    type: 'charge',
    amount: amountSatang,
    currency: currency.toLowerCase(),
    fee: fee + tax,
    net: amountSatang - fee - tax,
  }
  const payment = {
    object: 'charge',
    id: own('ch'),
    amount: amountSatang,
    amount_refunded: charge.refundedSatang,
    currency: currency.toLowerCase(),
    livemode: isLive,
    created: unix(paidAt!),
    paid: true,
    status: 'succeeded',
    payment_intent: id,
    balance_transaction: expanded.has('latest_charge.balance_transaction') ? booking : booking.id,
  }
  return [...expanded].some(name => name.startsWith('latest_charge')) ? payment : payment.id
}

/** A charge as Stripe's payment intent. */
function viewIntent(charge: Charge, origin: string, expanded: ReadonlySet<string> = new Set()): object {
  const { id, amountSatang, status, failureCode } = charge
  const isPaid = status === 'successful'
  return {
    object: 'payment_intent',
    id,
    livemode: charge.isLive,
    amount: amountSatang,
    amount_received: isPaid ? amountSatang : 0,
    currency: charge.currency.toLowerCase(),
    client_secret: `${id}_secret_stand_in`,
    created: unix(charge.createdAt),
    description: charge.description,
    metadata: charge.metadata,
    payment_method_types: [charge.method],
    status: STATUS[status],
    next_action: status === 'pending' ? viewAction(charge, origin) : null,
    latest_charge: isPaid ? viewPayment(charge, expanded) : null,
    last_payment_error: failureCode ? { type: 'card_error', code: failureCode, message: failureCode } : null,
  }
}

/** The names under `expand[]`, or under `expand[0]` as Stripe's own clients write it. */
const expandedOf = (fields: Iterable<[string, string]>): Set<string> =>
  new Set([...fields].filter(([name]) => name.startsWith('expand[')).map(([, value]) => value))

/** In newer versions of the API the methods are called "allowed". */
const TYPES = /^(allowed_)?payment_method_types\[/

function createIntent({ fields }: Call, { register, origin }: Site): Answer {
  const amountSatang = Number(fields.get('amount'))
  const types = [...fields].filter(([name]) => TYPES.test(name)).map(([, type]) => type)
  const missing = ['payment_method_data[billing_details][email]'].find(name => !fields.get(name))
  if (!Number.isInteger(amountSatang)) return error(400, 'parameter_invalid_integer')
  if (amountSatang < LEAST_SATANG) return error(400, 'amount_too_small')
  if (amountSatang > MOST_SATANG) return error(400, 'amount_too_large')
  const isPromptPay = types.join() === 'promptpay' && fields.get('payment_method_data[type]') === 'promptpay'
  if (fields.get('currency') !== 'thb' || !isPromptPay || fields.get('confirm') !== 'true')
    return error(400, 'payment_intent_invalid_parameter')
  if (missing) return error(400, 'parameter_missing', undefined, { param: missing })
  const description = fields.get('description') ?? ''
  const asked = { amountSatang, method: 'promptpay', metadata: metadataOf(fields), description }
  // Its codes have no end that could be asked for.
  const charge = register.create({ ...asked, returnUrl: null, expiresAt: null })
  return { status: 200, body: viewIntent(charge, origin, expandedOf(fields)) }
}

/** A page of a list, the newest first; it goes on after the id of its last entry. */
function list<T extends { id: string }>({ path, query }: Call, oldestFirst: readonly T[], view: (each: T) => object) {
  const limit = Math.min(Number(query.get('limit') ?? 10), 100)
  const all = oldestFirst.toReversed()
  const after = query.get('starting_after')
  const at = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1
  if (after !== null && at === 0) return error(400, 'resource_missing', undefined, { param: 'starting_after' })
  const body = {
    object: 'list',
    url: path,
    has_more: all.length > at + limit,
    data: all.slice(at, at + limit).map(view),
  }
  return { status: 200, body }
}

function listIntents(call: Call, { register, origin, now, isHalf }: Site): Answer {
  if (isHalf) return { status: 200, body: { object: 'list', url: call.path, has_more: true, data: [] } }
  const [from, to] = ['created[gte]', 'created[lte]'].map(name => call.query.get(name))
  const until = to === null || to === undefined ? now : new Date(Number(to) * 1000 + 999)
  const all = register.between(new Date(Number(from ?? 0) * 1000), until)
  const expanded = new Set([...expandedOf(call.query)].map(name => name.replace(/^data\./, '')))
  return list(call, all, charge => viewIntent(charge, origin, expanded))
}

async function answerIntent({ method, path, query, fields }: Call, { register, origin }: Site): Promise<Answer> {
  const [, id = '', act] = /^\/v1\/payment_intents\/([^/]+)(?:\/(cancel))?$/.exec(path) ?? []
  const charge = register.find(id)
  if (!charge || (act !== undefined) !== (method === 'POST')) return error(404, 'resource_missing')
  if (act) {
    const isOver = charge.status === 'successful' || charge.status === 'expired'
    if (isOver) return error(400, 'payment_intent_unexpected_state')
    await register.expire(id)
  }
  return { status: 200, body: viewIntent(charge, origin, expandedOf(act ? fields : query)) }
}

const viewEvent = ({ id, end, charge, at }: GatewayEvent, origin: string) => ({
  object: 'event',
  id,
  livemode: charge.isLive,
  type: EVENT[end],
  created: unix(at),
  data: { object: viewIntent(charge, origin) },
})

/** The answers that are not kept: nothing was begun. */
const isRefusal = ({ status }: Answer): boolean => status >= 400 && status < 500

const hmac = (key: string, signed: string) => createHmac('sha256', key).update(signed).digest('hex')

/** Stripe, by PromptPay. */
export const stripe: Dialect = {
  environment: origin => ({
    GATEWAY: 'stripe',
    STRIPE_BASE_URL: origin,
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  }),
  newId: of => `${{ charge: 'pi', event: 'evt' }[of]}_${randomBytes(12).toString('hex')}`,
  isKey(authorization) {
    const [given, expected] = [authorization ?? '', `Bearer ${SECRET_KEY}`].map(text => Buffer.from(text))
    return given!.length === expected!.length && timingSafeEqual(given!, expected!)
  },
  refusedKey: error(401, null),
  tooMany: { ...error(429, 'rate_limit'), headers: { 'retry-after': '2' } },
  broken: error(500, null, 'api_error'),
  answer(call, site) {
    const { method, path } = call
    if (path === '/v1/payment_intents') return method === 'POST' ? createIntent(call, site) : listIntents(call, site)
    if (path === '/v1/events') return list(call, site.register.events, event => viewEvent(event, site.origin))
    return answerIntent(call, site)
  },
  async once({ method, path, fields, headers }, { kept }, work) {
    const key = headers['idempotency-key']
    if (method !== 'POST' || typeof key !== 'string') return work()
    const asked = JSON.stringify([path, ...[...fields].sort()])
    const before = kept.get(key)
    if (before && before.asked !== asked) return error(400, null, 'idempotency_error')
    if (before) return { ...before.answer, headers: { ...before.answer.headers, 'idempotent-replayed': 'true' } }
    const answer = await work()
    if (!isRefusal(answer)) kept.set(key, { asked, answer })
    return answer
  },
  event: viewEvent,
  sign: (body, at, isForged) => ({
    'stripe-signature': `t=${at},v1=${hmac(isForged ? 'whsec_somebody_else' : WEBHOOK_SECRET, `${at}.${body}`)}`,
  }),
  qrText: ({ id }, origin) => `${origin}/pay/${id}`,
}
