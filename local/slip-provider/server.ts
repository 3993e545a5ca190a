import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { SLIP_PROVIDER_NAMES, type SlipProviderName } from '@shop/shared/provider-names.ts'
import { listen } from '../listen.ts'
import { answerAsEasySlip, easySlipRefusal } from './easyslip.ts'
import { type Counter, openCounter } from './page.ts'
import { type Account, type Answer, createRegister, type Register } from './register.ts'
import { answerAsSlipOk, slipOkRefusal } from './slipok.ts'

/** The demo shop's keys at the providers. */
export const demoSlipKeys = { branchId: 'demo-branch', apiKey: '0b8e5f7a-demo-4c1d-9a57-slip-provider' }

export interface SlipProviderOptions {
  /** 0 takes any free port. */
  port: number
  /** Whether the shop registered this account with the providers. */
  isRegistered?: (account: Account) => boolean
  /** Finds what can be paid at the page; without it there is no page. */
  counter?: Counter
  now?: () => Date
}

export interface RunningSlipProvider extends Register {
  origin: string
  /** The configuration with which the shop's server asks here. */
  environment: Record<string, string>
  stop(): Promise<void>
}

/** Stands in for SlipOK (`/slipok/…`) and EasySlip (`/easyslip/…`), and serves a page where money is "sent". */
export async function startSlipProvider(options: SlipProviderOptions): Promise<RunningSlipProvider> {
  const now = options.now ?? (() => new Date())
  const register = createRegister({ now, isRegistered: options.isRegistered ?? (() => true) })
  const page = options.counter && openCounter(options.counter, register, now)
  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => {
      response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end(error.message)
    })
  })
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://stand.in').pathname
    const name = SLIP_PROVIDER_NAMES.find(each => APIS[each].matches(path))
    if (!name) return page ? page(request, response) : void response.writeHead(404).end()
    const api = APIS[name]
    if (request.method === 'GET') return send(api.standing(request, path), response)
    const body = await readJson(request)
    const [qrText, baht] = [String(body[api.qrField] ?? ''), body[api.amountField]]
    const objection = api.check(request, path, qrText)
    const asked = objection ? null : register.ask(name, qrText, Math.round(Number(baht) * 100))
    const answer = objection ?? api.answer(asked)
    const status = typeof answer === 'object' ? answer.status : null
    register.journal.push({ provider: name, at: now().toISOString(), qrText, fault: asked?.fault ?? null, status })
    send(answer, response)
  }
  const { origin, stop } = await listen(server, options.port)
  return {
    ...register,
    origin,
    environment: Object.assign({}, ...Object.values(APIS).map(({ environmentAt }) => environmentAt(origin))),
    stop,
  }
}

interface Api {
  /** The configuration with which the shop's server asks here. */
  environmentAt(origin: string): Record<string, string>
  matches(path: string): boolean
  qrField: string
  amountField: string
  /** Refuses a call with a wrong address, key or body; returns null for a call that is fine. */
  check(request: IncomingMessage, path: string, qrText: string): Answer | null
  answer(asked: ReturnType<Register['ask']>): Answer
  /** Answers about the shop's own account with the provider. */
  standing(request: IncomingMessage, path: string): Answer
}

const APIS: Record<SlipProviderName, Api> = {
  slipok: {
    environmentAt: origin => ({
      SLIPOK_BASE_URL: `${origin}/slipok`,
      SLIPOK_BRANCH_ID: demoSlipKeys.branchId,
      SLIPOK_API_KEY: demoSlipKeys.apiKey,
    }),
    matches: path => path.startsWith('/slipok/'),
    qrField: 'data',
    amountField: 'amount',
    check(request, path, qrText) {
      if (path !== `/slipok/${demoSlipKeys.branchId}`) return slipOkRefusal(1001)
      if (request.headers['x-authorization'] !== demoSlipKeys.apiKey) return slipOkRefusal(1002)
      return qrText ? null : slipOkRefusal(1000)
    },
    answer: answerAsSlipOk,
    standing: (request, path) =>
      path === `/slipok/${demoSlipKeys.branchId}/quota` && request.headers['x-authorization'] === demoSlipKeys.apiKey
        ? { status: 200, body: { success: true, data: { quota: 100, specialQuota: 0, overQuota: 0 } } }
        : slipOkRefusal(1002),
  },
  easyslip: {
    environmentAt: origin => ({ EASYSLIP_BASE_URL: `${origin}/easyslip`, EASYSLIP_API_KEY: demoSlipKeys.apiKey }),
    matches: path => path === '/easyslip/verify/bank' || path === '/easyslip/info',
    qrField: 'payload',
    amountField: 'matchAmount',
    check(request, _, qrText) {
      if (request.headers.authorization !== `Bearer ${demoSlipKeys.apiKey}`)
        return easySlipRefusal(401, 'INVALID_API_KEY')
      return qrText.length >= 1 && qrText.length <= 128 ? null : easySlipRefusal(400, 'VALIDATION_ERROR')
    },
    answer: answerAsEasySlip,
    standing: request =>
      request.headers.authorization === `Bearer ${demoSlipKeys.apiKey}`
        ? { status: 200, body: { success: true, data: {} } }
        : easySlipRefusal(401, 'INVALID_API_KEY'),
  },
}

/** No caller waits so long. */
const HANG_MS = 30_000

function send(answer: Answer, response: ServerResponse): void {
  if (answer === 'hang') return void setTimeout(() => response.destroy(), HANG_MS).unref()
  if (answer === 'reset') return void response.destroy()
  if (answer === 'html')
    return void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>')
  if (answer === 'tooMany') return void response.writeHead(429, { 'retry-after': '42' }).end('{}')
  const json = { 'content-type': 'application/json; charset=utf-8' }
  if (answer === 'cut') return void response.writeHead(200, json).end('{"success":true,"data":{"transRef":"2026')
  response.writeHead(answer.status, json).end(JSON.stringify(answer.body))
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>
  } catch {
    return {}
  }
}
