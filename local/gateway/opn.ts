import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import encodeQR from 'qr'
import type { Charge, MessageFault, Register } from './register.ts'
import { feesOf } from './register.ts'

/** The keys with which the demo shop enters. */
export const demoGatewayKeys = {
  secretKey: 'skey_test_5xuy4w91xqz7d1w9u0t',
  webhookSecret: Buffer.from('the-stand-in-signs-with-this-secret').toString('base64'),
}

/** An answer to the shop. */
export interface Answer {
  status: number
  body: object | string
  headers?: Record<string, string>
}

const error = (status: number, code: string): Answer => ({
  status,
  body: { object: 'error', location: 'https://docs.opn.ooo/api-errors', code, message: code },
})
export const REFUSED_KEY = error(401, 'authentication_failure')
export const TOO_MANY = { ...error(429, 'too_many_requests'), headers: { 'retry-after': '2' } }
export const BROKEN = error(500, 'backend_error')

const METHODS = ['promptpay', 'truemoney_qr', 'shopeepay', 'rabbit_linepay']
const BY_QR = ['promptpay', 'truemoney_qr']
const LEAST_SATANG = 2_000
const MOST_SATANG = 15_000_000
const MOST_MS = 24 * 3_600_000

/** A charge in Opn's words. */
function viewCharge(charge: Charge, origin: string): object {
  const { id, amountSatang, currency, method, metadata, description, returnUrl, status, failureCode } = charge
  const isPaid = status === 'successful'
  const { fee, tax } = feesOf(amountSatang)
  const picture = {
    object: 'document',
    filename: 'qrcode.svg',
    kind: 'qr',
    download_uri: `${origin}/charges/${id}/documents/docu_test_1/downloads/${id}`,
  }
  const isByQr = BY_QR.includes(method)
  return {
    object: 'charge',
    id,
    livemode: false,
    amount: amountSatang,
    currency,
    description,
    metadata,
    return_uri: returnUrl,
    authorize_uri: isByQr ? null : `${origin}/pay/${id}`,
    status,
    paid: isPaid,
    authorized: isPaid,
    paid_at: charge.paidAt?.toISOString() ?? null,
    expires_at: charge.expiresAt.toISOString(),
    created_at: charge.createdAt.toISOString(),
    expired: status === 'expired',
    failure_code: failureCode,
    failure_message: failureCode,
    fee: isPaid ? fee : 0,
    fee_vat: isPaid ? tax : 0,
    net: isPaid ? amountSatang - fee - tax : amountSatang,
    source: {
      object: 'source',
      type: method,
      flow: isByQr ? 'offline' : 'redirect',
      charge_status: status,
      scannable_code: isByQr ? { object: 'barcode', type: 'qr', image: picture } : null,
    },
  }
}

interface Call {
  method: string
  path: string
  query: URLSearchParams
  /** The fields of a form or of JSON, as `source[type]`. */
  fields: Map<string, string>
}

/** Flattens JSON to the names that a form would have. */
export function fieldsOf(contentType: string, body: string): Map<string, string> {
  if (!contentType.includes('json')) return new Map(new URLSearchParams(body))
  const flat = new Map<string, string>()
  const walk = (value: unknown, name: string) => {
    if (value !== null && typeof value === 'object')
      for (const [key, inner] of Object.entries(value)) walk(inner, name ? `${name}[${key}]` : key)
    else if (value !== null && value !== undefined) flat.set(name, String(value))
  }
  walk(JSON.parse(body), '')
  return flat
}

function createCharge(register: Register, fields: Call['fields'], origin: string, now: Date): Answer {
  const amountSatang = Number(fields.get('amount'))
  const method = fields.get('source[type]') ?? ''
  const expiresAt = new Date(fields.get('expires_at') ?? now.getTime() + MOST_MS)
  if (fields.get('currency')?.toUpperCase() !== 'THB' || !METHODS.includes(method)) return error(400, 'invalid_charge')
  if (!Number.isInteger(amountSatang) || amountSatang < LEAST_SATANG || amountSatang > MOST_SATANG)
    return error(400, 'invalid_amount')
  if (!(expiresAt > now && expiresAt.getTime() <= now.getTime() + MOST_MS)) return error(400, 'bad_request')
  const metadata = Object.fromEntries(
    [...fields].flatMap(([name, value]) => {
      const key = /^metadata\[(.+)\]$/.exec(name)?.[1]
      return key === undefined ? [] : [[key, value]]
    }),
  )
  const returnUrl = fields.get('return_uri') ?? null
  if (!BY_QR.includes(method) && !returnUrl) return error(400, 'bad_request')
  const asked = { amountSatang, method, metadata, description: fields.get('description') ?? '', returnUrl, expiresAt }
  return { status: 200, body: viewCharge(register.create(asked), origin) }
}

function listCharges(register: Register, { query }: Call, origin: string, now: Date, isHalf: boolean): Answer {
  const [from, to] = [new Date(query.get('from') ?? 0), new Date(query.get('to') ?? now)]
  const [limit, offset] = [Math.min(Number(query.get('limit') ?? 20), 100), Number(query.get('offset') ?? 0)]
  const all = [...register.charges.keys()]
    .map(id => register.find(id)!)
    .filter(({ createdAt }) => createdAt >= from && createdAt <= to)
  if (query.get('order') === 'reverse_chronological') all.reverse()
  const shown = isHalf ? all.slice(0, Math.floor(all.length / 2)) : all
  const data = shown.slice(offset, offset + limit).map(charge => viewCharge(charge, origin))
  return { status: 200, body: { object: 'list', limit, offset, total: all.length, data } }
}

/** Answers a call as Opn does. @param isHalf whether a list leaves out half of its charges */
export async function answer(
  register: Register,
  call: Call,
  origin: string,
  now: Date,
  isHalf: boolean,
): Promise<Answer> {
  const { method, path, fields } = call
  if (path === '/account') return { status: 200, body: { object: 'account', id: 'account_test_1', livemode: false } }
  if (path === '/charges' && method === 'POST') return createCharge(register, fields, origin, now)
  if (path === '/charges') return listCharges(register, call, origin, now, isHalf)
  const [, id = '', act = ''] = /^\/charges\/([^/]+)(?:\/(expire|mark_as_paid|mark_as_failed))?$/.exec(path) ?? []
  const charge = register.find(id)
  if (!charge) return error(404, 'not_found')
  if (act === 'expire' && !(await register.expire(id))) return error(400, 'failed_expire')
  if (act === 'mark_as_paid') await register.pay(id)
  if (act === 'mark_as_failed') await register.fail(id)
  return { status: 200, body: viewCharge(register.find(id)!, origin) }
}

/** Whether a call has the secret key, as the name of HTTP's basic authentication. */
export function isKey(header: string | undefined, secretKey: string): boolean {
  const given = Buffer.from(header?.replace(/^Basic /, '') ?? '', 'base64')
  const expected = Buffer.from(`${secretKey}:`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** The QR code of a charge, as Opn draws it. It pays nobody. */
export const drawQr = (charge: Charge): string =>
  encodeQR(`https://stand.in/${charge.id}/${charge.amountSatang}`, 'svg')

/** A message to the shop about a charge, with the headers that prove whose it is. */
export function messageOf(
  key: string,
  charge: Charge,
  {
    origin,
    now,
    webhookSecret,
    fault,
  }: { origin: string; now: Date; webhookSecret: string; fault: MessageFault | null },
): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify({
    object: 'event',
    id: `evnt_test_${randomUUID().replaceAll('-', '').slice(0, 19)}`,
    livemode: false,
    key,
    created_at: now.toISOString(),
    data: viewCharge(charge, origin),
  })
  const at = String(Math.floor(now.getTime() / 1000) - (fault === 'old' ? 3600 : 0))
  const secret = fault === 'forged' ? Buffer.from('somebody else') : Buffer.from(webhookSecret, 'base64')
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'omise-signature': signature,
      'omise-signature-timestamp': at,
    },
  }
}
