import * as z from 'zod'
import {
  type AskGateway,
  createAsking,
  createHearing,
  type GatewayCall,
  type GatewayOptions,
  isLiveKey,
  type KeyStarts,
} from './ask.ts'
import type { ChargeAnswer, ChargeList, ChargeRequest, ChargeState, Gateway, ToldCharge } from './provider.ts'

export const STRIPE_KEYS: KeyStarts = { live: 'sk_live_', test: 'sk_test_' }

/** Pins the shape of replies. */
const VERSION = '2024-06-20'
/** Stripe tells no most for PromptPay; this is what a bank's QR code takes elsewhere. */
const LIMITS = { leastSatang: 10_00, mostSatang: 150_000_00 }
/** The fee stands in a payment's booking, which is told only when it is asked for. */
const BOOKING = 'latest_charge.balance_transaction'

const satang = z.number().int().nonnegative()
const time = z
  .number()
  .int()
  .transform(seconds => new Date(seconds * 1000))
const text = z.string().nullish()

const booking = z.object({ fee: satang, currency: z.string() })
/** What is not asked for in full is told by its id. */
const payment = z.object({
  created: time,
  amount: satang.nullish(),
  amount_refunded: satang.nullish(),
  disputed: z.boolean().nullish(),
  balance_transaction: z.union([booking, z.string()]).nullish(),
})
const intent = z.object({
  object: z.literal('payment_intent'),
  id: z.string().min(1),
  livemode: z.boolean(),
  amount: satang,
  amount_received: satang.nullish(),
  currency: z.string(),
  status: z.enum([
    'requires_payment_method',
    'requires_confirmation',
    'requires_action',
    'requires_capture',
    'processing',
    'succeeded',
    'canceled',
  ]),
  created: time,
  metadata: z.record(z.string(), z.unknown()).nullish(),
  last_payment_error: z.object({ code: text, decline_code: text }).nullish(),
  latest_charge: z.union([payment, z.string()]).nullish(),
  next_action: z.object({ promptpay_display_qr_code: z.object({ data: z.string().min(1) }).nullish() }).nullish(),
})
type Intent = z.output<typeof intent>

const page = z.object({ object: z.literal('list'), has_more: z.boolean(), data: z.array(z.unknown()) })
const intentId = z.string().regex(/^pi_\w+$/)
const event = z
  .object({
    object: z.literal('event'),
    data: z.object({
      object: z.union([
        z.object({ object: z.literal('payment_intent'), id: intentId }).transform(({ id }) => id),
        // A refund, a dispute or the payment itself names the intent that it belongs to.
        z.object({ payment_intent: intentId }).transform(told => told.payment_intent),
      ]),
    }),
  })
  .transform(({ data }) => data.object)
/** What another call with the same key has done or is doing is not known, so that this is no refusal. */
const UNCLEAR = 'idempotency_error'
const error = z
  .object({ error: z.object({ type: z.string(), code: text }) })
  .refine(told => told.error.type !== UNCLEAR)
  .transform(told => told.error.code || told.error.type)

/** Returns null for a payment without what proves it. */
function stateOf(told: Intent): ChargeState | null {
  switch (told.status) {
    case 'succeeded': {
      const paid = told.latest_charge
      if (paid === null || typeof paid !== 'object') return null
      const booked = paid.balance_transaction
      const isTold = typeof booked === 'object' && booked !== null && booked.currency === told.currency
      return { kind: 'paid', at: paid.created, feeSatang: isTold ? booked.fee : null }
    }
    case 'canceled':
      return { kind: 'expired' }
    case 'requires_payment_method': {
      // It was confirmed when it was made: its code can't be paid any more.
      const failure = told.last_payment_error
      return { kind: 'failed', code: failure?.decline_code ?? failure?.code ?? null }
    }
    default: {
      const qrText = told.next_action?.promptpay_display_qr_code?.data
      return { kind: 'waiting', pay: qrText ? { by: 'qrText', text: qrText } : null, expiresAt: null }
    }
  }
}

function goneBackOf(told: Intent): ToldCharge['goneBack'] {
  const paid = told.latest_charge
  if (paid === null || typeof paid !== 'object') return null
  if (paid.amount_refunded) return { why: 'refunded', amountSatang: paid.amount_refunded }
  return paid.disputed ? { why: 'disputed', amountSatang: paid.amount ?? told.amount } : null
}

function view(told: Intent): ToldCharge | null {
  const state = stateOf(told)
  const own = told.metadata?.charge
  return (
    state && {
      reference: told.id,
      chargeId: typeof own === 'string' ? own : null,
      amountSatang: state.kind === 'paid' ? (told.amount_received ?? told.amount) : told.amount,
      currency: told.currency.toLowerCase(),
      isLive: told.livemode,
      createdAt: told.created,
      goneBack: goneBackOf(told),
      state,
    }
  )
}

const PAGE = 100
const MOST_PAGES = 100
const secondsOf = (date: Date): string => String(Math.floor(date.getTime() / 1000))

const formOf = (request: ChargeRequest) => ({
  amount: String(request.amountSatang),
  currency: 'thb',
  'payment_method_types[]': 'promptpay',
  'payment_method_data[type]': 'promptpay',
  'payment_method_data[billing_details][email]': request.email,
  confirm: 'true',
  description: request.description,
  'metadata[charge]': request.chargeId,
  'expand[]': BOOKING,
})

async function listIntents(ask: AskGateway, { from, to }: { from: Date; to: Date }): Promise<ChargeList> {
  const period = { 'created[gte]': secondsOf(from), 'created[lte]': secondsOf(to), limit: String(PAGE) }
  const newestFirst: ToldCharge[] = []
  let isReadable = true
  let after: string | undefined
  for (let at = 0; at < MOST_PAGES; at++) {
    const query = new URLSearchParams({
      ...period,
      'expand[]': `data.${BOOKING}`,
      ...(after && { starting_after: after }),
    })
    const answered = await ask({ path: `/v1/payment_intents?${query}` }, page)
    if (answered.kind !== 'ok') return answered
    const { data, has_more: hasMore } = answered.value
    for (const each of data) {
      const parsed = intent.safeParse(each)
      const viewed = parsed.success ? view(parsed.data) : null
      if (viewed) newestFirst.push(viewed)
      else isReadable = false
    }
    const last = z.object({ id: z.string() }).safeParse(data.at(-1))
    if (!hasMore || !last.success || last.data.id === after)
      return { kind: 'list', charges: newestFirst.reverse(), isWhole: isReadable && !hasMore }
    after = last.data.id
  }
  return { kind: 'list', charges: newestFirst.reverse(), isWhole: false }
}

/** Makes a client of Stripe's payment intents, by PromptPay. Stripe's codes have no end of their own. */
export function createStripe(options: GatewayOptions<'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'>): Gateway {
  const authorize = (key: string) => ({ authorization: `Bearer ${key}`, 'stripe-version': VERSION })
  const { ask, standing } = createAsking(options, 'STRIPE_SECRET_KEY', authorize, error)
  const hear = createHearing(options, 'STRIPE_WEBHOOK_SECRET', secret => Buffer.from(secret), event)

  async function askIntent(call: GatewayCall, reference: string | null): Promise<ChargeAnswer> {
    const answered = await ask(call, intent)
    if (answered.kind !== 'ok') return answered
    const viewed = reference === null || answered.value.id === reference ? view(answered.value) : null
    return viewed ? { kind: 'charge', charge: viewed } : { kind: 'silent' }
  }

  const pathOf = (reference: string) => `/v1/payment_intents/${encodeURIComponent(reference)}`
  const read = (reference: string) =>
    askIntent({ path: `${pathOf(reference)}?${new URLSearchParams({ 'expand[]': BOOKING })}` }, reference)

  return {
    name: 'stripe',
    isLive: options.keys.every(each => isLiveKey(each.STRIPE_SECRET_KEY, STRIPE_KEYS)),
    methods: { promptpay: LIMITS },
    makesOnce: true,
    create: request =>
      request.method === 'promptpay'
        ? askIntent(
            { path: '/v1/payment_intents', form: formOf(request), headers: { 'idempotency-key': request.chargeId } },
            null,
          )
        : Promise.resolve({ kind: 'refused', code: 'method' }),
    read,
    async end(reference) {
      // Whatever it answers, only the intent itself says whether a payment was faster.
      await ask({ path: `${pathOf(reference)}/cancel`, form: {} }, z.unknown())
      return read(reference)
    },
    hear(headers, rawBody, now) {
      const parts = (headers.get('stripe-signature') ?? '').split(',').map(part => part.trim().split('='))
      const valuesOf = (name: string) => parts.flatMap(([key, value = '']) => (key === name ? [value] : []))
      const [timestamp = '', ...others] = valuesOf('t')
      return others.length > 0 ? null : hear({ signed: valuesOf('v1'), timestamp, rawBody, now })
    },
    list: period => listIntents(ask, period),
    standing: () => standing('/v1/payment_intents?limit=1'),
  }
}
