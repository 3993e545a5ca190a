import { readFileSync, writeFileSync } from 'node:fs'
import type { EndpointShape } from '@shop/shared/endpoint.ts'
import { API_ERROR_CODES, apiStatusCode } from '@shop/shared/reseller/errors.ts'
import { scopeOf } from '@shop/shared/reseller/reseller.ts'
import { V1_ENDPOINTS } from '@shop/shared/reseller/v1-endpoints.ts'
import { WEBHOOK_EVENTS } from '@shop/shared/webhook/webhook.ts'
import { expect, test } from 'vitest'
import { errorsOf } from '../http/endpoint-errors.ts'
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

const changed = (change: (copy: any) => void): string[] => {
  const copy = read()
  change(copy)
  return findBreaks(document, copy)
}
const orders = '/reseller/v1/orders'
const bodyOf = (copy: any) => copy.paths[orders].post.requestBody.content['application/json'].schema

test.each<[string, (copy: any) => void]>([
  ['gone: GET /reseller/v1/games', copy => delete copy.paths['/reseller/v1/games']],
  [`gone: POST ${orders} body.ref`, copy => delete bodyOf(copy).properties.ref],
  [`gone: POST ${orders} 200.status`, copy => delete copy.components.schemas.Order.properties.status],
  [
    `gone: POST ${orders} 200.status may be "on_hold"`,
    copy => copy.components.schemas.Order.properties.status.enum.splice(2, 1),
  ],
  [
    `gone: POST ${orders} 402.code may be "KEY_ENDED"`,
    copy => {
      const { code } = copy.components.schemas.Error.properties
      code.enum = code.enum.filter((each: string) => each !== 'KEY_ENDED')
    },
  ],
  [
    `gone: POST ${orders} answers 409 SOLD_OUT`,
    copy => delete copy.paths[orders].post.responses['409'].content['application/json'].examples.SOLD_OUT,
  ],
  [`gone: POST ${orders} answers 402`, copy => delete copy.paths[orders].post.responses['402']],
  [
    `gone: POST ${orders} 200.price is integer`,
    copy => Object.assign(copy.components.schemas.Order.properties.price, { type: 'string' }),
  ],
  [
    `gone: POST ${orders} 200.ref is always there`,
    copy => copy.components.schemas.Order.required.splice(copy.components.schemas.Order.required.indexOf('ref'), 1),
  ],
  [`new: POST ${orders} body.maxPrice is always there`, copy => bodyOf(copy).required.push('maxPrice')],
  [
    `new: GET ${orders} query status is always there`,
    copy => Object.assign(copy.paths[orders].get.parameters[0], { required: true }),
  ],
  [
    `new: GET /reseller/v1/games needs [{"bearer":["order"]}]`,
    copy => Object.assign(copy.paths['/reseller/v1/games'].get, { security: [{ bearer: ['order'] }] }),
  ],
  [
    `narrower: POST ${orders} body.ref maxLength 32`,
    copy => Object.assign(bodyOf(copy).properties.ref, { maxLength: 32 }),
  ],
  [`gone: POST order.completed`, copy => delete copy.webhooks['order.completed']],
  [
    'gone: POST order.completed body.data.ref',
    copy =>
      delete copy.webhooks['order.completed'].post.requestBody.content['application/json'].schema.properties.data
        .properties.ref,
  ],
  [
    'gone: GET /reseller/v1/wallet is called getWallet',
    copy => Object.assign(copy.paths['/reseller/v1/wallet'].get, { operationId: 'wallet' }),
  ],
])('is a break: %s', (told, change) => {
  expect(changed(change)).toContain(told)
})

test('additions are no breaks: calls, fields, inputs that may be left out, values, errors, wider inputs', () => {
  const breaks = changed(copy => {
    copy.paths['/reseller/v1/news'] = copy.paths[orders]
    copy.components.schemas.Order.properties.note = { type: 'string' }
    copy.components.schemas.Order.required.push('note')
    copy.components.schemas.Order.properties.status.enum.push('paused')
    copy.components.schemas.Error.properties.code.enum.push('NEW_CODE')
    bodyOf(copy).properties.note = {
      type: 'object',
      properties: { text: { type: 'string', maxLength: 50 } },
      required: ['text'],
    }
    bodyOf(copy).properties.ref.maxLength = 128
    copy.webhooks['order.paused'] = copy.webhooks['order.completed']
  })
  expect(breaks).toEqual([])
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
