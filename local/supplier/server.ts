import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { SupplierName } from '@shop/shared/provider-names.ts'
import { listen } from '../listen.ts'
import type { Answer, Api, Callback, Site } from './api.ts'
import { gamesDropApi } from './gamesdrop.ts'
import { kinguinApi } from './kinguin.ts'
import { showBooks } from './page.ts'
import { type Booked, type Product, Register } from './register.ts'
import { seagmApi } from './seagm.ts'

/** The suppliers that the stand-in can speak as. */
const APIS = { seagm: seagmApi, gamesdrop: gamesDropApi, kinguin: kinguinApi } satisfies Record<
  SupplierName,
  (site: Site) => Api
>

export interface SupplierOptions {
  /** Which supplier it speaks as; SEAGM when none is named. */
  name?: SupplierName
  /** 0 takes any free port. */
  port: number
  products: readonly Product[]
  balanceSatang: number
  /** What was bought before this run; the shop has heard of it. */
  known?: readonly Booked[]
  /** Sends a callback to the shop, and rejects when the shop is not there; without it no callbacks are sent. */
  tell?: (callback: Callback) => Promise<void>
  now?: () => Date
}

export interface RunningSupplier {
  name: SupplierName
  register: Register
  origin: string
  /** The configuration with which the shop's server buys here. */
  environment: Record<string, string>
  /** Sends the callbacks of purchases whose state has changed since the last time. */
  tellDue(): Promise<void>
  stop(): Promise<void>
}

/** Returns the configuration with which the shop's server buys at all of them. */
export const environmentOf = (suppliers: readonly RunningSupplier[]): Record<string, string> => ({
  ...Object.assign({}, ...suppliers.map(({ environment }) => environment)),
  SUPPLIER: suppliers.map(({ name }) => name).join(','),
})

/** Where the shop hears a supplier. */
export const callbackPath = (name: SupplierName): string => `/supplier/callback/${name}`

/** Stands in for a supplier. */
export async function startSupplier(options: SupplierOptions): Promise<RunningSupplier> {
  const { name = 'seagm', now = () => new Date() } = options
  const register = new Register({ ...options, now })
  const told = new Map<string, string>()
  for (const booked of options.known ?? []) {
    register.recall(booked)
    told.set(booked.reference, register.progressOf(booked))
  }
  const tell = async (...callbacks: Callback[]) => {
    for (const callback of callbacks) await options.tell?.(callback).catch(() => {})
  }
  const api = APIS[name]({ register, now, tell })

  function callbacksOf(booked: Booked): Callback[] {
    const [plain, forged, outdated] = [undefined, 'forged', 'outdated'].map(change =>
      api.callbackOf(booked, change as 'forged' | 'outdated' | undefined),
    )
    if (!plain || !forged || !outdated) return []
    if (booked.fault === 'callbackForged') return [forged]
    if (booked.fault === 'callbackTwice') return [plain, plain]
    return booked.fault === 'callbackOrder' ? [plain, outdated] : [plain]
  }

  async function tellDue(): Promise<void> {
    for (const booked of register.booked.values()) {
      const { fault, reference } = booked
      if (booked.hiddenFor > 0 || fault === 'callbackNever' || fault === 'unknownStatus') continue
      const progress = register.progressOf(booked)
      if (progress === 'waiting' || progress === 'sending' || told.get(reference) === progress) continue
      told.set(reference, progress)
      await tell(...callbacksOf(booked))
    }
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
    const body = Buffer.concat(chunks).toString()
    const { method = 'GET', headers } = request
    const isJson = headers['content-type']?.startsWith('application/json') ?? false
    const form = new URLSearchParams(isJson ? '' : body)
    const path = url.pathname
    if (!api.matches(path)) return showBooks(name, register, { method, form }, response)
    const params = { ...Object.fromEntries(form), ...Object.fromEntries(url.searchParams) }
    const call = { method, path, headers, params, json: isJson ? JSON.parse(body) : {} }
    const answer = await api.answer(call)
    const status = typeof answer === 'object' ? answer.status : null
    register.journal.push({ at: now().toISOString(), method, path, reference: api.referenceOf(call), status })
    send(answer, response)
  }
  const { origin, stop } = await listen(server, options.port)
  const environment = { SUPPLIER: name, ...api.environmentAt(origin) }
  return { name, register, origin, environment, tellDue, stop }
}

/** No caller waits so long. */
const HANG_MS = 30_000

function send(answer: Answer, response: ServerResponse): void {
  if (answer === 'hang') return void setTimeout(() => response.destroy(), HANG_MS).unref()
  if (answer === 'reset') return void response.destroy()
  if (answer === 'html')
    return void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>')
  const json = { 'content-type': 'application/json; charset=utf-8' }
  if (answer === 'cut') return void response.writeHead(200, json).end('{"code":201,"data":{"mch_order_id":"K')
  response.writeHead(answer.status, json).end(JSON.stringify(answer.body))
}
