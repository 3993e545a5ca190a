import { setUserRole, updateUser } from '@shop/shared/account/endpoints.ts'
import { createAgentUser } from '@shop/shared/agent/endpoints.ts'
import type { ErrorBody } from '@shop/shared/errors.ts'
import { confirmPrice } from '@shop/shared/order/endpoints.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestShop, onceKey, type TestShop } from '../testing/shop.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

const order = { gameId: 1, packageId: 1, playerId: '123', receivingAccountId: 1, termsVersion: '1' }

/** "status CODE" of a call. */
async function answer(path: string, init: RequestInit = {}, uid: string | null = 'admin'): Promise<string> {
  const headers = { ...it.as(uid).headers, 'idempotency-key': onceKey(), ...(init.headers as object) }
  const reply = await it.request(path, { ...init, headers })
  const body = (await reply.json()) as { code?: string; error?: { status: string } }
  return `${reply.status} ${body.code ?? body.error?.status ?? 'OK'}`
}
const post = (
  body: string | Uint8Array<ArrayBuffer>,
  contentType: string | null = 'application/json',
  path: string = confirmPrice.path,
) => answer(path, { method: 'POST', body, headers: contentType ? { 'content-type': contentType } : {} })

describe('what no text column can hold is refused wherever it stands', () => {
  test.each([
    ['NUL in a text', { ...order, termsVersion: 'a\0b' }],
    ['half a character', { ...order, playerId: 'x\ud800' }],
    ['in an unknown field', { ...order, more: [{ deep: 'x\0' }] }],
    ['in a name of a field', { ...order, 'a\0': 1 }],
  ])('in a body: %s', async (_, body) => {
    expect(await post(JSON.stringify(body))).toBe('400 INVALID_INPUT')
  })

  test('nesting that no contract has', async () => {
    const more = '['.repeat(40_000) + ']'.repeat(40_000)
    expect(await post(JSON.stringify(order).replace('{', `{"more":${more},`))).toBe('400 INVALID_INPUT')
  })

  test('in the body of a callable', async () => {
    const body = JSON.stringify({ data: { name: 'a\0' } })
    expect(await post(body, 'application/json', createAgentUser.path)).toBe('400 INVALID_INPUT')
  })

  test.each([
    '/romons.users/api/user/%00',
    '/romons.users/api/user/a%ED%A0%80',
    '/romons.users/api/user/%',
    '/romons.users/api/user/%zz',
    '/romons.users/api/user/%c3',
    '/romons.users/api/user/search?name=%00',
    '/romons.users/api/user/search?name=%E0%A4%A',
    '/romons.users/api/user/search?%00=1',
    '/romons.order/api/order/managehistory?orderNo=%00',
    '/romons.payment/api/wallet/managetransactions?transactionNo=%00',
    '/romons.payment/api/wallet/managetransactions?agentName=%ED%B0%80',
    '/romons.package/api/packages/%00',
    '/romons.gameservice/api/game/getpubgbyid/%00',
    '/romons.payment/api/getprice/pubg/1/%00/bank',
    '/files/%',
    '/files/%00.png',
    '/nowhere/%ff',
  ])('in an address: %s', async path => {
    expect(await answer(path)).toBe('400 INVALID_INPUT')
  })

  test('an idempotency key is printable', async () => {
    const headers = { 'idempotency-key': 'a\u00e9', 'content-type': 'application/json' }
    const body = JSON.stringify(order)
    expect(await answer(confirmPrice.path, { method: 'POST', body, headers })).toBe('400 IDEMPOTENCY_KEY_REQUIRED')
  })
})

test('dots are no player: neither in a body nor encoded in an address', async () => {
  for (const playerId of ['.', '..']) {
    expect(await post(JSON.stringify({ ...order, playerId }))).toBe('400 INVALID_INPUT')
    expect(await answer(`/romons.gameservice/api/game/getpubgbyid/${encodeURIComponent(playerId)}%20`)).toBe(
      '400 INVALID_INPUT',
    )
  }
})

test.each([
  ['/romons.order/api/order/managehistory?sort=x;drop', 'sort'],
  ['/romons.order/api/order/managehistory?sortBy=amount', 'sortBy'],
  ['/romons.order/api/order/history?uid=somebody', 'uid'],
  ['/romons.users/api/user/search?role=admin', 'role'],
  ['/romons.agent/api/tiers?isactived=false', 'isactived'],
])('a filter or sort that a list does not have is answered: %s', async (path, name) => {
  const reply = await it.request(path, { headers: it.as('admin').headers })
  const { fields } = (await reply.json()) as { fields: object }
  expect([reply.status, Object.keys(fields)]).toEqual([400, [name]])
})

test('a field in other capitals is named, whether or not it must be there', async () => {
  const fieldsOf = async (path: string, data: object) => {
    const headers = { ...it.as('admin').headers, 'content-type': 'application/json' }
    const reply = await it.request(path, { method: 'POST', headers, body: JSON.stringify({ data }) })
    return ((await reply.json()) as { error: { details: ErrorBody } }).error.details.fields
  }
  const wrongRole = { uid: 'customer', role: 'staff', isactived: true }
  expect(await fieldsOf(setUserRole.path, wrongRole)).toEqual({ isactived: 'ต้องเขียนว่า isActived' })
  expect(await fieldsOf(updateUser.path, { firstname: 'ใหม่' })).toEqual({ firstname: 'ต้องเขียนว่า firstName' })
})

test.each([
  ['text/plain', '415 UNSUPPORTED_MEDIA_TYPE'],
  ['application/x-www-form-urlencoded', '415 UNSUPPORTED_MEDIA_TYPE'],
  ['multipart/form-data; boundary=x', '415 UNSUPPORTED_MEDIA_TYPE'],
  ['application/json-patch+json', '415 UNSUPPORTED_MEDIA_TYPE'],
  ['application/json; charset=utf-8', '200 OK'],
])('a body of type %s: %s', async (contentType, expected) => {
  expect(await post(JSON.stringify({ ...order, playerId: contentType.slice(0, 40) }), contentType)).toBe(expected)
})

test('bytes that are no UTF-8 are no JSON', async () => {
  const bytes = new Uint8Array([...Buffer.from('{"playerId":"'), 0xc3, 0x28, ...Buffer.from('"}')])
  expect(await post(bytes)).toBe('400 MALFORMED_JSON')
})
