import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { listen } from '../listen.ts'
import { readFont } from '../page-font.ts'
import {
  type Answer,
  answer,
  BROKEN,
  demoGatewayKeys,
  drawQr,
  fieldsOf,
  isKey,
  messageOf,
  REFUSED_KEY,
  TOO_MANY,
} from './opn.ts'
import { appPage, booksPage } from './page.ts'
import { type Charge, FAULTS, MESSAGE_FAULTS, Register } from './register.ts'

export interface GatewayOptions {
  /** 0 takes any free port. */
  port: number
  /** Sends a message to the shop, and rejects when the shop is not there; without it nothing is sent. */
  tell?: (message: { body: string; headers: Record<string, string> }) => Promise<unknown>
  now?: () => Date
  slowMs?: number
}

export interface RunningGateway {
  register: Register
  origin: string
  /** The configuration with which the shop's server collects here. */
  environment: Record<string, string>
  stop(): Promise<void>
}

/** No caller waits so long. */
const HANG_MS = 30_000

/** Stands in for Opn Payments. Its pages stand in for the apps of banks and wallets. */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const { now = () => new Date(), slowMs = 4000 } = options
  const { secretKey, webhookSecret } = demoGatewayKeys
  let origin = ''

  async function tell(key: string, charge: Charge): Promise<void> {
    const fault = register.messageFaults.shift() ?? null
    if (fault === 'never') return
    // A message about what has not happened yet, as when two pass each other on their way.
    const told = fault === 'early' ? { ...charge, status: 'pending' as const, paidAt: null } : charge
    const message = messageOf(key, told, { origin, now: now(), webhookSecret, fault })
    for (let times = fault === 'twice' ? 2 : 1; times > 0; times--) await options.tell?.(message).catch(() => {})
  }
  const register = new Register(now, tell)

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
    const call = { method: request.method ?? 'GET', path, query, body }
    if (await servePages(call, response)) return
    if (!isKey(request.headers.authorization, secretKey)) return send(REFUSED_KEY, response)
    const fault = register.faults.shift()
    if (fault === 'key') return send(REFUSED_KEY, response)
    if (fault === 'tooMany') return send(TOO_MANY, response)
    if (fault === 'broken') return send(BROKEN, response)
    if (fault === 'hang') return void setTimeout(() => response.destroy(), HANG_MS).unref()
    const fields = fieldsOf(request.headers['content-type'] ?? '', body)
    const answered = await answer(register, { ...call, fields }, origin, now(), fault === 'halfList')
    if (fault === 'lost') return void response.destroy()
    if (fault === 'slow') await delay(slowMs, undefined, { ref: false })
    send(answered, response)
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
    else if (path === '/') html(booksPage(register), response)
    else if (path === '/__emu/fault' && method === 'POST') {
      const [fault, message] = [
        FAULTS.find(each => each === form.get('fault')),
        MESSAGE_FAULTS.find(each => each === form.get('message')),
      ]
      if (fault) register.faults.push(fault)
      if (message) register.messageFaults.push(message)
      response.writeHead(303, { location: '/' }).end()
    } else if (charge && path.includes('/downloads/'))
      response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(drawQr(charge))
    else if (charge && way === 'pay') html(appPage(charge), response)
    else if (charge && way?.startsWith('act/') && method === 'POST') {
      await (way === 'act/pay' ? register.pay(id) : register.fail(id))
      response.writeHead(303, { location: form.get('back') || '/' }).end()
    } else return false
    return true
  }

  const listening = await listen(server, options.port)
  origin = listening.origin
  const environment = {
    GATEWAY: 'opn',
    OPN_BASE_URL: origin,
    OPN_SECRET_KEY: secretKey,
    OPN_WEBHOOK_SECRET: webhookSecret,
  }
  return { register, origin, environment, stop: listening.stop }
}

const html = (page: string, response: ServerResponse): void =>
  void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)

function send({ status, body, headers }: Answer, response: ServerResponse): void {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    .end(JSON.stringify(body))
}
