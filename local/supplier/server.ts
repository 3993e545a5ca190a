import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toDecimalText } from '@shop/shared/money.ts'
import { signSeagm } from 'functions/src/supplier/seagm.ts'
import { showBooks } from './page.ts'
import { type Booked, type Fault, type Product, Register } from './register.ts'

const KEYS = { uid: '10000', secretKey: 'demo-supplier-secret-key' }
const CLOCK_SECONDS = 120

export interface SupplierOptions {
  /** 0 takes any. */
  port: number
  products: readonly Product[]
  balanceSatang: number
  /** Where what became of purchases is told; without it nowhere. Rejects when nobody is there. */
  tell?: (body: string) => Promise<void>
  now?: () => Date
}

export interface RunningSupplier {
  register: Register
  origin: string
  /** What the server must be told to buy here. */
  environment: Record<string, string>
  /** Tells what became of purchases since the last time. */
  tellDue(): Promise<void>
  stop(): Promise<void>
}

interface Call {
  method: string
  path: string
  params: Record<string, string>
}

type Answer =
  | { code: number; data?: unknown; info?: { info_code: number; info_message: string } }
  | 'hang'
  | 'reset'
  | 'html'
  | 'cut'

const viewProduct = ({ id, name, category, priceSatang, fields }: Product, isDearer: boolean) => ({
  id,
  name,
  category_id: category.id,
  unit_price: toDecimalText(priceSatang * (isDearer ? 2 : 1)),
  currency: 'THB',
  fields: fields.map(field => ({ name: field, label: field, type: 'input' })),
})

/** Stands in for SEAGM's API for top-ups. */
export async function startSupplier(options: SupplierOptions): Promise<RunningSupplier> {
  const now = options.now ?? (() => new Date())
  const register = new Register({ ...options, now })
  const told = new Map<string, number>()

  function viewBooked(booked: Booked): Record<string, string | number> {
    const status = register.statusOf(booked)
    const sent = status === 10003 ? booked.quantity - (booked.fault === 'partial' ? 1 : 0) : 0
    const reason = { 10004: 'Invalid account', 10005: 'Out of service' }[status as number] ?? ''
    return {
      id: booked.id,
      mch_order_id: booked.reference,
      type_id: booked.product.id,
      buy_amount: booked.quantity,
      pay_amount: toDecimalText(booked.costSatang),
      currency: 'THB',
      send_amount: sent,
      status_code: status,
      refunded_reason: reason,
      timestamp: Math.floor(now().getTime() / 1000),
    }
  }

  const signed = (booked: Booked, change: object = {}, key = KEYS.secretKey): string => {
    const all = Object.entries({ ...viewBooked(booked), ...change }).map(([name, value]) => [name, String(value)])
    const params = Object.fromEntries(all) as Record<string, string>
    return new URLSearchParams({ ...params, signature: signSeagm(params, key) }).toString()
  }
  const tell = async (...bodies: string[]) => {
    for (const body of bodies) await options.tell?.(body).catch(() => {})
  }

  async function tellDue(): Promise<void> {
    for (const booked of register.booked.values()) {
      const { fault, reference } = booked
      if (booked.hiddenFor > 0 || fault === 'callbackNever' || fault === 'unknownStatus') continue
      const status = register.statusOf(booked)
      if (status < 10003 || status > 10005 || told.get(reference) === status) continue
      told.set(reference, status)
      const body = signed(booked)
      if (fault === 'callbackForged') await tell(signed(booked, {}, 'somebody else'))
      else if (fault === 'callbackTwice') await tell(body, body)
      else if (fault === 'callbackOrder') await tell(body, signed(booked, { status_code: 10002 }))
      else await tell(body)
    }
  }

  async function buy({ params }: Call): Promise<Answer> {
    const {
      type_id,
      buy_amount,
      mch_order_id: reference = '',
      uid: _uid,
      timestamp: _time,
      signature: _sign,
      ...fields
    } = params
    const product = register.products.find(({ id }) => id === type_id)
    if (!product) return { code: 400, info: { info_code: 20077, info_message: "Type doesn't exist." } }
    if (register.booked.has(reference))
      return { code: 400, info: { info_code: 20099, info_message: 'Duplicate order.' } }
    const fault = register.faults.shift() ?? null
    const quantity = Number(buy_amount)
    const refusal = REFUSED[fault as Fault]
    if (refusal) return refusal
    if (fault === 'noBalance' || register.balanceSatang < product.priceSatang * quantity) return { code: 402 }
    const booked = register.book(reference, product, quantity, fields, fault)
    if (fault === 'callbackFirst') await tell(signed(booked, { status_code: 10002 }))
    if (fault === 'slow') await new Promise(resolve => setTimeout(resolve, 100))
    return BOOKED_BUT[fault as Fault] ?? { code: 201, data: viewBooked(booked) }
  }

  function statusOf(reference: string): Answer {
    const booked = register.booked.get(reference)
    if (!booked || booked.hiddenFor > 0) {
      if (booked) booked.hiddenFor--
      return { code: 404 }
    }
    booked.asks++
    return { code: 200, data: viewBooked(booked) }
  }

  function answer(call: Call): Promise<Answer> | Answer {
    const { path, method } = call
    const [, version, noun, id, part] = path.split('/')
    if (version !== 'v1') return { code: 404 }
    const { signature, ...params } = call.params
    const age = Math.abs(now().getTime() / 1000 - Number(params.timestamp))
    if (params.uid !== KEYS.uid) return { code: 401 }
    if (age > CLOCK_SECONDS || signature !== signSeagm(params, KEYS.secretKey)) return { code: 409 }
    if (noun === 'me')
      return { code: 200, data: { id: KEYS.uid, balance: toDecimalText(register.balanceSatang), currency: 'THB' } }
    if (noun === 'recharge-orders') return method === 'POST' ? buy(call) : statusOf(id ?? '')
    const categories = new Map(register.products.map(({ category }) => [category.id, category]))
    if (noun === 'recharge-categories' && !part) return { code: 200, data: [...categories.values()] }
    if (noun === 'recharge-categories')
      return {
        code: 200,
        data: register.products.filter(({ category }) => category.id === id).map(each => viewProduct(each, false)),
      }
    if (noun !== 'recharge-types') return { code: 404 }
    const [fault] = register.faults
    const found = register.products.find(each => each.id === id)
    if (fault === 'gone' || fault === 'price') register.faults.shift()
    return found && fault !== 'gone' ? { code: 200, data: viewProduct(found, fault === 'price') } : { code: 404 }
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => {
      response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end(error.message)
    })
  })
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://stand.in')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const form = new URLSearchParams(Buffer.concat(chunks).toString())
    const [method, path] = [request.method ?? 'GET', url.pathname]
    if (!path.startsWith('/v1/')) return showBooks(register, method, form, response)
    const params = { ...Object.fromEntries(form), ...Object.fromEntries(url.searchParams) }
    const answered = await answer({ method, path, params })
    const status = typeof answered === 'object' ? answered.code : null
    register.journal.push({ at: now().toISOString(), method, path, reference: params.mch_order_id ?? null, status })
    send(answered, response)
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', resolve)
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const environment = {
    SUPPLIER: 'seagm',
    SEAGM_BASE_URL: origin,
    SEAGM_UID: KEYS.uid,
    SEAGM_SECRET_KEY: KEYS.secretKey,
  }
  return { register, origin, environment, tellDue, stop: () => close(server) }
}

/** Faults by which nothing is bought. */
const REFUSED: Partial<Record<Fault, Answer>> = {
  hangBefore: 'hang',
  resetBefore: 'reset',
  tooMany: { code: 429 },
  key: { code: 401 },
}

/** Faults that keep the shop from hearing that it was bought. */
const BOOKED_BUT: Partial<Record<Fault, Answer>> = {
  hangAfter: 'hang',
  notFoundTwice: 'hang',
  lost: 'hang',
  unknownStatus: 'reset',
  reset: 'reset',
  html: 'html',
  cut: 'cut',
  repeated: { code: 400, info: { info_code: 20099, info_message: 'Duplicate order.' } },
  unknownCode: { code: 299 },
}

/** Longer than anybody waits. */
const HANG_MS = 30_000

function send(answer: Answer, response: ServerResponse): void {
  if (answer === 'hang') return void setTimeout(() => response.destroy(), HANG_MS).unref()
  if (answer === 'reset') return void response.destroy()
  if (answer === 'html')
    return void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>')
  const json = { 'content-type': 'application/json; charset=utf-8' }
  if (answer === 'cut') return void response.writeHead(200, json).end('{"code":201,"data":{"mch_order_id":"K')
  const { code, data, info } = answer
  const msg = code < 300 ? 'OK' : `Error ${code}`
  response.writeHead(code >= 200 && code < 600 ? code : 200, json)
  response.end(JSON.stringify({ code, msg, ...(data !== undefined && { data }), ...(info && { error_info: info }) }))
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise(resolve => server.close(() => resolve()))
}
