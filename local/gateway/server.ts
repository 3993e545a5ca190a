import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { GatewayName } from '@shop/shared/provider-names.ts'
import encodeQR from 'qr'
import sharp from 'sharp'
import { listen } from '../listen.ts'
import { readFont } from '../page-font.ts'
import { fieldsOf } from './dialect.ts'
import { DIALECTS } from './dialects.ts'
import { appPage, booksPage } from './page.ts'
import {
  type Answer,
  type Charge,
  FAULTS,
  type GatewayEvent,
  MESSAGE_FAULTS,
  type MessageFault,
  PAYMENT_FAULTS,
  Register,
} from './register.ts'

interface Message {
  body: string
  headers: Record<string, string>
}

export interface GatewayOptions {
  name?: GatewayName
  /** 0 takes any free port. */
  port: number
  /** The charges of earlier runs. */
  known?: readonly Charge[]
  /** Sends a message to the shop, and rejects when the shop is not there; without it nothing is sent. */
  tell?: (message: Message) => Promise<unknown>
  now?: () => Date
  slowMs?: number
}

export interface RunningGateway {
  name: GatewayName
  register: Register
  origin: string
  /** The configuration with which the shop's server collects here. */
  environment: Record<string, string>
  /** Sends the messages that are late. */
  tellLate(): Promise<void>
  stop(): Promise<void>
}

/** No caller waits so long. */
const HANG_MS = 30_000
const LATE_MS = 20_000
const OLD_SECONDS = 3600

/** Stands in for a payment gateway. Its pages stand in for the apps of banks and wallets. */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const { name = 'opn', now = () => new Date(), slowMs = 4000 } = options
  const dialect = DIALECTS[name]
  let origin = ''
  const late: GatewayEvent[] = []

  async function send(event: GatewayEvent, fault?: MessageFault): Promise<void> {
    const body = JSON.stringify(dialect.event(event, origin))
    const at = Math.floor(now().getTime() / 1000) - (fault === 'old' ? OLD_SECONDS : 0)
    const headers = { 'content-type': 'application/json', ...dialect.sign(body, at, fault === 'forged') }
    await options.tell?.({ body, headers }).catch(() => {})
  }
  const tellLate = async () => {
    for (const event of late.splice(0)) await send(event)
  }
  async function tell(event: GatewayEvent, fault: MessageFault | null): Promise<void> {
    if (fault === 'late') {
      late.push(event)
      setTimeout(tellLate, LATE_MS).unref()
    } else if (fault !== 'never') await send(event, fault ?? undefined)
    if (fault === 'twice') await send(event)
  }
  const register = new Register({ now, newId: dialect.newId, tell })
  for (const charge of options.known ?? []) register.charges.set(charge.id, charge)

  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' })
      response.end(error.message)
    })
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://stand.in')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const { method = 'GET', headers } = request
    if (await servePages({ method, path, body }, response)) return
    if (!dialect.isKey(headers.authorization)) return reply(dialect.refusedKey, response)
    const fault = register.faults.shift()
    if (fault === 'key') return reply(dialect.refusedKey, response)
    if (fault === 'tooMany') return reply(dialect.tooMany, response)
    if (fault === 'hang') return void setTimeout(() => response.destroy(), HANG_MS).unref()
    const call = { method, path, query, headers, fields: fieldsOf(headers['content-type'] ?? '', body) }
    const site = { register, origin, now: now(), isHalf: fault === 'halfList' }
    const work = async () => (fault === 'broken' ? dialect.broken : dialect.answer(call, site))
    const answered = await (dialect.once ? dialect.once(call, register, work) : work())
    if (fault === 'lost') return void response.destroy()
    if (fault === 'slow') await delay(slowMs, undefined, { ref: false })
    reply(answered, response)
  }

  /** Serves what people and browsers open, which needs no key. */
  async function servePages(
    { method, path, body }: { method: string; path: string; body: string },
    response: ServerResponse,
  ): Promise<boolean> {
    const form = new URLSearchParams(body)
    const [, way, id = ''] = /^\/(act\/pay|act\/fail|pay|charges)\/([^/]+)/.exec(path) ?? []
    const charge = register.find(id)
    const font = await readFont(path.split('/__emu/fonts/')[1] ?? '')
    if (font) response.writeHead(200, { 'content-type': 'font/woff2' }).end(font)
    else if (path === '/') html(booksPage(name, register), response)
    else if (path === '/__emu/fault' && method === 'POST') {
      const [fault, message, payment] = [
        FAULTS.find(each => each === form.get('fault')),
        MESSAGE_FAULTS.find(each => each === form.get('message')),
        PAYMENT_FAULTS.find(each => each === form.get('payment')),
      ]
      if (fault) register.faults.push(fault)
      if (message) register.messageFaults.push(message)
      if (payment) register.paymentFaults.push(payment)
      response.writeHead(303, { location: '/' }).end()
    } else if (charge && path.includes('/downloads/')) {
      const svg = encodeQR(dialect.qrText(charge, origin), 'svg')
      if (path.endsWith('.png')) response.writeHead(200, { 'content-type': 'image/png' }).end(await drawPng(svg))
      else response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(svg)
    } else if (charge && way === 'pay') html(appPage(charge), response)
    else if (charge && way?.startsWith('act/') && method === 'POST') {
      await (way === 'act/pay' ? register.pay(id) : register.fail(id))
      response.writeHead(303, { location: form.get('back') || '/' }).end()
    } else return false
    return true
  }

  const listening = await listen(server, options.port)
  origin = listening.origin
  return { name, register, origin, environment: dialect.environment(origin), tellLate, stop: listening.stop }
}

const PNG_PIXELS = 400
const drawPng = (svg: string): Promise<Buffer> =>
  sharp(Buffer.from(svg)).resize(PNG_PIXELS, PNG_PIXELS, { kernel: 'nearest' }).png().toBuffer()

const html = (page: string, response: ServerResponse): void =>
  void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)

function reply({ status, body, headers }: Answer, response: ServerResponse): void {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    .end(JSON.stringify(body))
}
