import type { GatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
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
import type { ChargeAnswer, ChargeList, ChargeRequest, ChargeState, Gateway, Pay, ToldCharge } from './provider.ts'
import { readQrSvg } from './qr-svg.ts'

export const OPN_KEYS: KeyStarts = { live: 'skey_', test: 'skey_test_' }

/** Pins the shape of replies. Webhooks have the account's own version, of which only the charge's id is read. */
const VERSION = '2019-05-29'
/** At Thai accounts. */
const LIMITS = { leastSatang: 20_00, mostSatang: 150_000_00 }

/** TrueMoney by its app, which works on a phone itself; another kind asks for the buyer's phone number. */
const SOURCE: Record<GatewayMethod, string> = {
  promptpay: 'promptpay',
  truemoney: 'truemoney_jumpapp',
  shopeepay: 'shopeepay',
  linepay: 'rabbit_linepay',
}

const satang = z.number().int().nonnegative()
const time = z.iso.datetime({ offset: true }).transform(text => new Date(text))
const text = z.string().nullish()

const charge = z.object({
  object: z.literal('charge'),
  id: z.string().min(1),
  livemode: z.boolean(),
  amount: satang,
  currency: z.string(),
  status: z.enum(['pending', 'successful', 'failed', 'expired', 'reversed']),
  paid: z.boolean(),
  paid_at: time.nullish(),
  fee: satang.nullish(),
  fee_vat: satang.nullish(),
  expires_at: time.nullish(),
  failure_code: text,
  refunded_amount: satang.nullish(),
  dispute: z.object({ amount: satang, status: z.string() }).nullish(),
  created_at: time,
  metadata: z.record(z.string(), z.unknown()).nullish(),
  authorize_uri: text,
  source: z
    .object({ scannable_code: z.object({ image: z.object({ download_uri: text }).nullish() }).nullish() })
    .nullish(),
})
type Charge = z.output<typeof charge>

const page = z.object({ object: z.literal('list'), total: z.number().int().nonnegative(), data: z.array(z.unknown()) })
const chargeId = z.string().regex(/^chrg_\w+$/)
const event = z
  .object({
    object: z.literal('event'),
    data: z.union([
      z.object({ object: z.literal('charge'), id: chargeId }).transform(({ id }) => id),
      // A refund or a dispute names the charge that it takes from.
      z.object({ charge: chargeId }).transform(({ charge }) => charge),
    ]),
  })
  .transform(({ data }) => data)
const error = z.object({ object: z.literal('error'), code: text }).transform(({ code }) => code || null)

/** Returns null for a charge that contradicts itself. */
function stateOf(told: Charge, pay: Pay | null): ChargeState | null {
  if (told.paid !== (told.status === 'successful')) return null
  switch (told.status) {
    case 'successful': {
      const { paid_at: at, fee, fee_vat: tax } = told
      return at ? { kind: 'paid', at, feeSatang: fee == null ? null : fee + (tax ?? 0) } : null
    }
    case 'pending':
      return { kind: 'waiting', pay, expiresAt: told.expires_at ?? null }
    case 'expired':
      return { kind: 'expired' }
    default:
      return { kind: 'failed', code: told.failure_code ?? (told.status === 'reversed' ? 'reversed' : null) }
  }
}

function goneBackOf({ refunded_amount: refunded, dispute }: Charge): ToldCharge['goneBack'] {
  if (refunded) return { why: 'refunded', amountSatang: refunded }
  return dispute && dispute.status !== 'won' ? { why: 'disputed', amountSatang: dispute.amount } : null
}

function view(told: Charge, pay: Pay | null): ToldCharge | null {
  const state = stateOf(told, pay)
  const own = told.metadata?.charge
  return (
    state && {
      reference: told.id,
      chargeId: typeof own === 'string' ? own : null,
      amountSatang: told.amount,
      currency: told.currency.toLowerCase(),
      isLive: told.livemode,
      createdAt: told.created_at,
      goneBack: goneBackOf(told),
      state,
    }
  )
}

const LOCAL = ['localhost', '127.0.0.1', '[::1]']

/** Returns the address where a buyer pays; null for one that no browser should be sent to. */
function readPage(uri: string, baseUrl: string): Pay | null {
  const [url, base] = [URL.parse(uri), new URL(baseUrl)]
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOCAL.includes(base.hostname))
  return url && isSafe ? { by: 'page', url: url.href } : null
}

/** Reads a QR code's picture, which must come from the gateway itself. */
async function readPicture(uri: string, baseUrl: string, timeoutMs: number): Promise<Pay | null> {
  const url = URL.parse(uri)
  if (url?.origin !== new URL(baseUrl).origin) return null
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
    const svg = response.ok ? readQrSvg(await textOf(response)) : null
    return svg === null ? null : { by: 'qr', svg }
  } catch {
    return null
  }
}

const MOST_BYTES = 512 * 1024

/** @throws Error for a body that is too long */
async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.length
    if (bytes > MOST_BYTES) throw new Error('too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

const PAGE = 100
const MOST_PAGES = 100

const formOf = (request: ChargeRequest) => ({
  amount: String(request.amountSatang),
  currency: 'THB',
  'source[type]': SOURCE[request.method],
  'metadata[charge]': request.chargeId,
  description: request.description,
  return_uri: request.returnUrl,
  expires_at: request.expiresAt.toISOString(),
})

async function listCharges(ask: AskGateway, { from, to }: { from: Date; to: Date }): Promise<ChargeList> {
  const period = { from: from.toISOString(), to: to.toISOString(), order: 'chronological', limit: String(PAGE) }
  const found = new Map<string, ToldCharge>()
  for (let at = 0; at < MOST_PAGES; at++) {
    const query = new URLSearchParams({ ...period, offset: String(at * PAGE) })
    const answered = await ask({ path: `/charges?${query}` }, page)
    if (answered.kind !== 'ok') return answered
    const { total, data } = answered.value
    for (const each of data) {
      const parsed = charge.safeParse(each)
      const viewed = parsed.success ? view(parsed.data, null) : null
      if (viewed) found.set(viewed.reference, viewed)
    }
    const isLast = data.length < PAGE || (at + 1) * PAGE >= total
    if (isLast) return { kind: 'list', charges: [...found.values()], isWhole: found.size === total }
  }
  return { kind: 'list', charges: [...found.values()], isWhole: false }
}

/**
 * Makes a client of Opn Payments (Omise). A charge is not made twice by its own id there, so that after silence only
 * `list` tells whether there is one.
 */
export function createOpn(options: GatewayOptions<'OPN_SECRET_KEY', 'OPN_WEBHOOK_SECRET'>): Gateway {
  const { baseUrl, keys, timeoutMs } = options
  const authorize = (key: string) => ({
    authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
    'omise-version': VERSION,
  })
  const { ask, standing } = createAsking(options, 'OPN_SECRET_KEY', authorize, error)
  const hear = createHearing(options, 'OPN_WEBHOOK_SECRET', secret => Buffer.from(secret, 'base64'), event)

  /** A picture that does not come is null: whoever reads the charge again gets it then. */
  async function payOf({ status, source, authorize_uri: uri }: Charge): Promise<Pay | null> {
    if (status !== 'pending') return null
    const picture = source?.scannable_code?.image?.download_uri
    if (picture) return readPicture(picture, baseUrl, timeoutMs)
    return uri ? readPage(uri, baseUrl) : null
  }

  async function askCharge(call: GatewayCall, reference: string | null): Promise<ChargeAnswer> {
    const answered = await ask(call, charge)
    if (answered.kind !== 'ok') return answered
    const told = answered.value
    const viewed = reference === null || told.id === reference ? view(told, await payOf(told)) : null
    return viewed ? { kind: 'charge', charge: viewed } : { kind: 'silent' }
  }

  const read = (reference: string) => askCharge({ path: `/charges/${encodeURIComponent(reference)}` }, reference)

  return {
    name: 'opn',
    isLive: keys.every(each => isLiveKey(each.OPN_SECRET_KEY, OPN_KEYS)),
    methods: { promptpay: LIMITS, truemoney: LIMITS, shopeepay: LIMITS, linepay: LIMITS },
    makesOnce: false,
    create: request => askCharge({ path: '/charges', form: formOf(request) }, null),
    read,
    async end(reference) {
      // Whatever it answers, only the charge itself says whether a payment was faster.
      await ask({ path: `/charges/${encodeURIComponent(reference)}/expire`, form: {} }, z.unknown())
      return read(reference)
    },
    hear: (headers, rawBody, now) =>
      hear({
        signed: (headers.get('omise-signature') ?? '').split(',').map(each => each.trim()),
        timestamp: headers.get('omise-signature-timestamp') ?? '',
        rawBody,
        now,
      }),
    list: period => listCharges(ask, period),
    standing: () => standing('/charges?limit=1'),
  }
}
