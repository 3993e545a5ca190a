import { randomBytes } from 'node:crypto'
import { Agent, request as httpRequest } from 'node:http'
import type { EndpointShape } from '@shop/shared/endpoint.ts'
import fc from 'fast-check'
import { type Pool, validValues } from './contract-values.ts'
import { Dice, type Draft, mutate } from './mutations.ts'

/** Somebody who calls: `headers` say who. */
export interface Visitor {
  name: string
  /** The role that the server must take them for; null where it must refuse whatever they ask. */
  caller: string | null
  headers: Record<string, string>
}

/** A request as it goes out, and where it comes from. */
export interface HostileRequest {
  endpoint: EndpointShape
  visitor: Visitor
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer | null
  /** Whether the path, the method and who calls are as the contract has them. */
  isToEndpoint: boolean
}

/** Parts of a path with which it leads nowhere, or to another endpoint. */
const LEAD_AWAY: readonly unknown[] = ['', '.', '..']

/** Valid and hostile requests to every endpoint, `count` of them in all; the same for the same seed and pool. */
export function* hostileRequests(
  endpoints: readonly EndpointShape[],
  visitors: readonly Visitor[],
  pool: Pool,
  { seed, count }: { seed: number; count: number },
): Generator<HostileRequest> {
  const dice = new Dice(seed)
  for (let made = 0; made < count; made++) {
    const endpoint = endpoints[made % endpoints.length]!
    yield requestOf(endpoint, dice.pick(visitors), pool, dice)
  }
}

function requestOf(endpoint: EndpointShape, visitor: Visitor, pool: Pool, dice: Dice): HostileRequest {
  const sample = (schema: EndpointShape['body']) =>
    schema ? fc.sample(validValues(schema, pool), { seed: Math.floor(dice.next(2 ** 31)), numRuns: 1 })[0] : {}
  const draft: Draft = {
    method: endpoint.method,
    params: sample(endpoint.params) as Draft['params'],
    query: sample(endpoint.query) as Draft['query'],
    body: endpoint.body && sample(endpoint.body),
    headers: { ...visitor.headers },
  }
  if (endpoint.body) draft.headers['content-type'] = 'application/json'
  if (endpoint.idempotent) draft.headers['idempotency-key'] = dice.isOneIn(10) ? 'again' : `key-${dice.next(1e9)}`
  if (endpoint.callable) draft.body = { data: draft.body }
  mutate(draft, dice)
  const body = bodyOf(endpoint, draft, dice)
  const { method, params, headers, rawParam, rawSuffix } = draft
  const isWholePath =
    rawParam === undefined && rawSuffix === undefined && !Object.values(params).some(each => LEAD_AWAY.includes(each))
  const isToEndpoint = method === endpoint.method && isWholePath
  return { endpoint, visitor, method, path: pathOf(endpoint, draft), headers, body, isToEndpoint }
}

function bodyOf({ body, bodyKind }: EndpointShape, draft: Draft, dice: Dice): Buffer | null {
  if (draft.rawBody) return draft.rawBody
  if (bodyKind === 'file') return formOf(draft, dice)
  return body ? Buffer.from(JSON.stringify(draft.body) ?? '') : null
}

/** A form with a file that is mostly no picture. */
function formOf(draft: Draft, dice: Dice): Buffer {
  const boundary = 'hostile'
  draft.headers['content-type'] ??= `multipart/form-data; boundary=${boundary}`
  const name = dice.pick(['file', 'file', 'file', 'other', '__proto__'])
  const fileName = dice.pick(['slip.png', '../../etc/passwd', 'a%00.png', '\u00e9', 'x'.repeat(3000)])
  const content = dice.pick([
    ONE_PIXEL,
    ONE_PIXEL.subarray(0, 40),
    randomBytes(200),
    Buffer.alloc(0),
    Buffer.from('<svg/>'),
    Buffer.from('Date,Deposit\n20/11/2026 10:00,149.01\n'),
  ])
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${fileName}"\r\n\r\n`
  return Buffer.concat([Buffer.from(head), content, Buffer.from(dice.isOneIn(10) ? '' : `\r\n--${boundary}--\r\n`)])
}

const ONE_PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A text in a path or query; what no UTF-8 has is written as the bytes it would be. */
const encode = (value: unknown): string => {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.isWellFormed()
    ? encodeURIComponent(text)
    : encodeURIComponent(text.toWellFormed()).replace(/%EF%BF%BD/g, '%ED%A0%80')
}

function pathOf({ path }: EndpointShape, { params, query, rawParam, rawSuffix = '' }: Draft): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => rawParam ?? encode(params[name] ?? 'none'))
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map(each => `${encode(name)}=${encode(each)}`),
  )
  return filled + (pairs.length > 0 ? `?${pairs.join('&')}` : '') + rawSuffix
}

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 })

/** Sends a request byte by byte as it is; rejects when no whole answer came in time. */
export function send(
  origin: string,
  { method, path, headers, body }: HostileRequest,
  seconds: number,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      origin,
      { agent, method, path, headers, signal: AbortSignal.timeout(seconds * 1000) },
      reply => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('error', reject)
        reply.on('end', () =>
          resolve({ status: reply.statusCode!, headers: reply.headers, text: Buffer.concat(chunks).toString() }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(body ?? undefined)
  })
}
