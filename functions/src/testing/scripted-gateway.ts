import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { GatewayName } from '@shop/shared/provider-names.ts'
import { listen } from 'local/listen.ts'
import { GATEWAYS } from '../gateway/gateways.ts'
import type { ChargeRequest, Gateway } from '../gateway/provider.ts'

/** What a gateway is told to answer; `reset` and `hang` answer nothing. */
export type Scripted =
  | { status?: number; headers?: Record<string, string>; json?: unknown; text?: string; afterMs?: number }
  | 'reset'
  | 'hang'

interface HeardCall {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  form: URLSearchParams
}

/** A server that answers every call as a test says, for replies that no stand-in with rules of its own would give. */
export interface ScriptedGateway {
  origin: string
  calls: HeardCall[]
  answer: (call: HeardCall) => Scripted
  stop(): Promise<void>
}

export async function startScriptedGateway(): Promise<ScriptedGateway> {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url!, 'http://gateway')
    const call = {
      method: request.method!,
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      form: new URLSearchParams(await text(request)),
    }
    it.calls.push(call)
    const scripted = it.answer(call)
    if (scripted === 'reset') return void request.socket.destroy()
    if (scripted === 'hang') return
    const { status = 200, headers = {}, json, text: body = JSON.stringify(json), afterMs = 0 } = scripted
    setTimeout(() => response.writeHead(status, headers).end(body), afterMs)
  })
  const { origin, stop } = await listen(server, 0)
  const it: ScriptedGateway = { origin, calls: [], answer: () => ({ status: 404 }), stop }
  return it
}

export const GATEWAY_NOW = new Date('2026-08-01T05:00:00Z')
const CREATED = new Date('2026-08-01T04:58:00Z')
const PAID = new Date('2026-08-01T04:59:00Z')
const unix = (date: Date): number => date.getTime() / 1000

export const CHARGE_REQUEST: ChargeRequest = {
  chargeId: '0198d5a0-0000-7000-8000-000000000001',
  method: 'promptpay',
  amountSatang: 149_00,
  description: 'K260801-0001',
  expiresAt: new Date('2026-08-01T05:15:00Z'),
  returnUrl: 'https://shop.example/orders/K260801-0001',
  email: 'buyer@shop.example',
}

type GatewayState = 'waiting' | 'paid' | 'failed' | 'expired'

/** How each gateway writes what both mean. */
export interface Dialect {
  keys: Record<'secret' | 'webhook', { variable: string; values: [string, string] }>
  reference: string
  /** Where charges are made and listed. */
  path: string
  charge(state: GatewayState, more?: object): Record<string, unknown>
  error(code: string): object
  event(reference: string, type?: string): object
  /** The headers of a webhook. */
  sign(body: string, secret: string, at: Date): Record<string, string>
  list(charges: object[], isWhole?: boolean): object
}

const chargeId = CHARGE_REQUEST.chargeId
const hmac = (key: Buffer | string, signed: string) => createHmac('sha256', key).update(signed).digest('hex')
const base64 = (letter: string) => Buffer.from(letter.repeat(32)).toString('base64')

const opn: Dialect = {
  keys: {
    secret: { variable: 'OPN_SECRET_KEY', values: ['skey_test_new', 'skey_test_old'] },
    webhook: { variable: 'OPN_WEBHOOK_SECRET', values: [base64('n'), base64('o')] },
  },
  reference: 'chrg_test_1',
  path: '/charges',
  charge: (state, more) => ({
    object: 'charge',
    id: 'chrg_test_1',
    livemode: false,
    amount: 149_00,
    currency: 'THB',
    fee: 2_46,
    fee_vat: 17,
    status: state === 'waiting' ? 'pending' : state === 'paid' ? 'successful' : state,
    paid: state === 'paid',
    paid_at: state === 'paid' ? PAID.toISOString() : null,
    expires_at: CHARGE_REQUEST.expiresAt.toISOString(),
    failure_code: state === 'failed' ? 'payment_rejected' : null,
    metadata: { charge: chargeId },
    created_at: CREATED.toISOString(),
    ...more,
  }),
  error: code => ({ object: 'error', location: 'https://www.omise.co/api-errors', code, message: 'no' }),
  event: (reference, type = 'charge.complete') => ({
    object: 'event',
    id: 'evnt_test_1',
    key: type,
    data: { object: type.split('.')[0], id: reference },
  }),
  sign: (body, secret, at) => ({
    'omise-signature': hmac(Buffer.from(secret, 'base64'), `${unix(at)}.${body}`),
    'omise-signature-timestamp': String(unix(at)),
  }),
  list: (charges, isWhole = true) => ({ object: 'list', total: charges.length + (isWhole ? 0 : 1), data: charges }),
}

const stripe: Dialect = {
  keys: {
    secret: { variable: 'STRIPE_SECRET_KEY', values: ['sk_test_new', 'sk_test_old'] },
    webhook: { variable: 'STRIPE_WEBHOOK_SECRET', values: ['whsec_new_new_new', 'whsec_old_old_old'] },
  },
  reference: 'pi_1',
  path: '/v1/payment_intents',
  charge: (state, more) => ({
    object: 'payment_intent',
    id: 'pi_1',
    livemode: false,
    amount: 149_00,
    amount_received: state === 'paid' ? 149_00 : 0,
    currency: 'thb',
    status: {
      waiting: 'requires_action',
      paid: 'succeeded',
      failed: 'requires_payment_method',
      expired: 'canceled',
    }[state],
    created: unix(CREATED),
    metadata: { charge: chargeId },
    last_payment_error: state === 'failed' ? { code: 'payment_rejected' } : null,
    latest_charge:
      state === 'paid' ? { created: unix(PAID), balance_transaction: { fee: 2_63, currency: 'thb' } } : null,
    next_action:
      state === 'waiting'
        ? { type: 'promptpay_display_qr_code', promptpay_display_qr_code: { data: '00020101' } }
        : null,
    ...more,
  }),
  error: code => ({ error: { type: 'invalid_request_error', code, message: 'no' } }),
  event: (reference, type = 'payment_intent.succeeded') => ({
    object: 'event',
    id: 'evt_1',
    type,
    data: { object: { object: type.split('.')[0], id: reference } },
  }),
  sign: (body, secret, at) => ({ 'stripe-signature': `t=${unix(at)},v1=${hmac(secret, `${unix(at)}.${body}`)}` }),
  list: (charges, isWhole = true) => ({ object: 'list', has_more: !isWhole, data: charges }),
}

export const DIALECT: Record<GatewayName, Dialect> = { opn, stripe }

interface MadeWith {
  /** How many of the dialect's keys and webhook secrets the shop has, the newest first. */
  keys?: { secret: string; webhook: string }[]
  timeoutMs?: number
  onAccepted?: (keys: Readonly<Record<string, string>>) => Promise<void>
}

/** The shop's own client, which asks at an address. */
export function gatewayAt(
  name: GatewayName,
  origin: string,
  { keys, timeoutMs = 5000, onAccepted }: MadeWith = {},
): Gateway {
  const { secret, webhook } = DIALECT[name].keys
  const pairs = keys ?? [{ secret: secret.values[0], webhook: webhook.values[0] }]
  const given = pairs.map(pair => ({ [secret.variable]: pair.secret, [webhook.variable]: pair.webhook }))
  return GATEWAYS[name].make({ baseUrl: origin, keys: given as never, timeoutMs, now: () => GATEWAY_NOW, onAccepted })
}
