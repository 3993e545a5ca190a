import { readFileSync, writeFileSync } from 'node:fs'
import type { EndpointShape } from '@shop/shared/endpoint.ts'
import { API_ERROR_CODES, apiStatusCode } from '@shop/shared/reseller/errors.ts'
import { scopeOf } from '@shop/shared/reseller/reseller.ts'
import { V1_ENDPOINTS } from '@shop/shared/reseller/v1-endpoints.ts'
import { WEBHOOK_EVENTS } from '@shop/shared/webhook/webhook.ts'
import { expect, test } from 'vitest'
import { errorsOf } from '../call/endpoint-errors.ts'
import { type Document, findBreaks } from '../testing/public-surface.ts'
import { resellerDocument } from './openapi.ts'
import { eventBody, eventExample } from './openapi-webhooks.ts'
import { operationOf } from './operations.ts'

const endpoints: readonly EndpointShape[] = V1_ENDPOINTS
/** As a client gets it. */
const read = () => JSON.parse(JSON.stringify(resellerDocument('https://shop.example')))
const document = read() as Document & { servers: object[]; paths: NonNullable<Document['paths']> }

const PINNED = new URL('v1.json', import.meta.url)

test('nothing that was published is gone or asks for more; WRITE_DOCS=1 publishes what was added', () => {
  const pinned = JSON.parse(readFileSync(PINNED, 'utf8')) as Document
  expect(findBreaks(pinned, document)).toEqual([])
  if (process.env.WRITE_DOCS) writeFileSync(PINNED, `${JSON.stringify(document, null, 1)}\n`)
})

const orders = '/reseller/v1/orders'
const BODY = ['paths', orders, 'post', 'requestBody', 'content', 'application/json', 'schema']
const EVENT = ['webhooks', 'order.completed', 'post', 'requestBody', 'content', 'application/json', 'schema']
const ORDER = ['components', 'schemas', 'Order']
const CODES = ['components', 'schemas', 'Error', 'properties', 'code', 'enum']

/** A change of a document: where, and what comes there in the place of what stands there; undefined takes it away. */
type Change = [path: string[], to: (before: unknown) => unknown]
const gone = () => undefined
const become = (value: unknown) => () => value
const extended = (value: object) => (before: unknown) => ({ ...(before as object), ...value })
const longer = (value: string) => (before: unknown) => [...(before as string[]), value]
const without = (value: string) => (before: unknown) => (before as string[]).filter(each => each !== value)

/** What the changes of a published document break. */
function breaksOf(...changes: Change[]): string[] {
  const copy = read() as Record<string, unknown>
  for (const [path, to] of changes) {
    const place = path.slice(0, -1).reduce((node, name) => node[name] as Record<string, unknown>, copy)
    const [name] = path.slice(-1) as [string]
    const value = to(place[name])
    if (value === undefined) delete place[name]
    else place[name] = value
  }
  return findBreaks(document, copy)
}

test.each<[string, ...Change]>([
  ['gone: GET /reseller/v1/games', ['paths', '/reseller/v1/games'], gone],
  [`gone: POST ${orders} body.ref`, [...BODY, 'properties', 'ref'], gone],
  [`gone: POST ${orders} 200.status`, [...ORDER, 'properties', 'status'], gone],
  [`gone: POST ${orders} 200.status may be "on_hold"`, [...ORDER, 'properties', 'status', 'enum'], without('on_hold')],
  [`gone: POST ${orders} 402.code may be "KEY_ENDED"`, CODES, without('KEY_ENDED')],
  [
    `gone: POST ${orders} answers 409 SOLD_OUT`,
    ['paths', orders, 'post', 'responses', '409', 'content', 'application/json', 'examples', 'SOLD_OUT'],
    gone,
  ],
  [`gone: POST ${orders} answers 402`, ['paths', orders, 'post', 'responses', '402'], gone],
  [`gone: POST ${orders} 200.price is integer`, [...ORDER, 'properties', 'price', 'type'], become('string')],
  [`gone: POST ${orders} 200.ref is always there`, [...ORDER, 'required'], without('ref')],
  [`new: POST ${orders} body.maxPrice is always there`, [...BODY, 'required'], longer('maxPrice')],
  [
    `new: GET ${orders} query status is always there`,
    ['paths', orders, 'get', 'parameters', '0', 'required'],
    become(true),
  ],
  [
    'new: GET /reseller/v1/games needs [{"bearer":["order"]}]',
    ['paths', '/reseller/v1/games', 'get', 'security'],
    become([{ bearer: ['order'] }]),
  ],
  [`narrower: POST ${orders} body.ref maxLength 32`, [...BODY, 'properties', 'ref', 'maxLength'], become(32)],
  ['gone: POST order.completed', ['webhooks', 'order.completed'], gone],
  ['gone: POST order.completed body.data.ref', [...EVENT, 'properties', 'data', 'properties', 'ref'], gone],
  [
    'gone: GET /reseller/v1/wallet is called getWallet',
    ['paths', '/reseller/v1/wallet', 'get', 'operationId'],
    become('wallet'),
  ],
])('is a break: %s', (told, ...change) => {
  expect(breaksOf(change)).toContain(told)
})

test('additions are no breaks: calls, fields, inputs that may be left out, values, errors, wider inputs', () => {
  const note = { type: 'object', properties: { text: { type: 'string', maxLength: 50 } }, required: ['text'] }
  expect(
    breaksOf(
      [['paths', '/reseller/v1/news'], become(document.paths[orders])],
      [[...ORDER, 'properties'], extended({ note: { type: 'string' } })],
      [[...ORDER, 'required'], longer('note')],
      [[...ORDER, 'properties', 'status', 'enum'], longer('paused')],
      [CODES, longer('NEW_CODE')],
      [[...BODY, 'properties'], extended({ note })],
      [[...BODY, 'properties', 'ref', 'maxLength'], become(128)],
      [['webhooks', 'order.paused'], become(document.webhooks!['order.completed'])],
    ),
  ).toEqual([])
})

test('every error of a call is public, and every public error is one of some call', () => {
  const reachable = new Set(endpoints.flatMap(endpoint => [...errorsOf(endpoint)]))
  expect([...reachable].sort()).toEqual([...API_ERROR_CODES].sort())
})

test('every call stands in the document once, with its name, scope and just its own errors', () => {
  const described = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      call: `${method.toUpperCase()} ${path}`,
      ...operation,
    })),
  )
  expect(described.map(({ call }) => call).sort()).toEqual(
    endpoints.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`).sort(),
  )
  expect(new Set(described.map(({ operationId }) => operationId)).size).toBe(endpoints.length)
  for (const endpoint of endpoints) {
    const operation = described.find(({ operationId }) => operationId === operationOf(endpoint).id)!
    expect(operation.security).toEqual([{ bearer: [scopeOf(endpoint.allow)] }])
    const told = Object.entries(operation.responses).flatMap(([status, reply]) =>
      Object.values(reply.content ?? {}).flatMap(({ examples }) =>
        Object.entries(examples ?? {}).map(([code, example]) => ({
          code,
          status: Number(status),
          body: (example as { value: object }).value,
        })),
      ),
    )
    const expected = [...errorsOf(endpoint)].map(code => ({
      code,
      status: apiStatusCode(code),
      body: expect.objectContaining({ code, message: expect.stringMatching(/[ก-๙]/), requestId: expect.any(String) }),
    }))
    expect(told.toSorted((a, b) => a.code.localeCompare(b.code))).toEqual(
      expected.toSorted((a, b) => a.code.localeCompare(b.code)),
    )
    expect(Object.keys(operation.responses['429']!.headers!)).toEqual(['Retry-After'])
  }
  expect(document.paths[orders]!.post!.responses['402']).toMatchObject({ description: 'WALLET_BALANCE_TOO_LOW' })
  expect(document.servers).toEqual([{ url: 'https://shop.example' }])
})

test.each(endpoints.map(endpoint => [operationOf(endpoint).id, endpoint] as const))(
  'the examples of %s are what it takes and answers',
  (_, endpoint) => {
    const { body, reply }: { body?: object; reply: object } = operationOf(endpoint).examples
    expect(endpoint.reply.parse(reply)).toEqual(reply)
    if (endpoint.body) expect(endpoint.body.parse(body)).toEqual(body)
    else expect(body).toBeUndefined()
  },
)

test('every event stands in the document with an example of its body', () => {
  expect(Object.keys(document.webhooks ?? {}).sort()).toEqual([...WEBHOOK_EVENTS].sort())
  for (const type of WEBHOOK_EVENTS) expect(eventBody(type).parse(eventExample(type))).toEqual(eventExample(type))
})
