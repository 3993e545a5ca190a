import { expect, test, vi } from 'vitest'
import * as z from 'zod'
import { type ClientOptions, createClient, urlOf } from './client.ts'
import { endpoint } from './endpoint.ts'
import { AppError } from './errors.ts'

const shape = { summary: '', allow: 'order.own', reply: z.any() } as const
const read = endpoint({ ...shape, method: 'GET', path: '/games', query: z.any() })
const show = endpoint({ ...shape, method: 'GET', path: '/games/:code/packages/:id', params: z.any(), query: z.any() })
const save = endpoint({ ...shape, method: 'POST', path: '/orders', body: z.any(), idempotent: true })
const callable = endpoint({ ...shape, method: 'POST', path: '/updateUser', body: z.any(), callable: true })
const upload = endpoint({ ...shape, method: 'POST', path: '/slip', bodyKind: 'file' })
const picture = endpoint({ ...shape, method: 'GET', path: '/slip/1', replyKind: 'binary' })

/** A client whose server answers with `answer`; the calls it got stand in `sent`. */
function makeClient(answer: () => Response | Promise<Response>, options: Partial<ClientOptions> = {}) {
  const sent: { url: string; init: RequestInit }[] = []
  const client = createClient({
    baseUrl: 'https://api.test',
    headers: () => ({}),
    fetch: async (url, init) => {
      sent.push({ url: String(url), init: init! })
      return answer()
    },
    ...options,
  })
  return { ...client, sent }
}
const json =
  (body: unknown, status = 200) =>
  () =>
    new Response(JSON.stringify(body), { status })
const refusal = (code: 'UNAUTHENTICATED' | 'FORBIDDEN' | 'NOT_FOUND') => {
  const error = new AppError(code)
  return json(error.toBody(), error.status)
}

test('a path is filled with escaped values, and a missing one is a bug that crashes', () => {
  expect(urlOf(show, { params: { code: 'a/b c', id: 0 } })).toBe('/games/a%2Fb%20c/packages/0')
  for (const params of [{ code: 'pubg' }, { code: 'pubg', id: '' }, undefined])
    expect(() => urlOf(show, { params })).toThrow('missing path parameter')
})

test('a query carries lists item by item and leaves out what was not chosen', () => {
  const query = { status: ['paid', 'success'], page: 2, zero: 0, off: false, text: 'ก ข', a: '', b: null, c: undefined }
  const [path, search] = urlOf(read, { query }).split('?')
  expect(path).toBe('/games')
  expect([...new URLSearchParams(search)]).toEqual([
    ['status', 'paid'],
    ['status', 'success'],
    ['page', '2'],
    ['zero', '0'],
    ['off', 'false'],
    ['text', 'ก ข'],
  ])
  expect(urlOf(read, { query: { a: '' } })).toBe('/games')
})

test('a call goes to the server with method, headers and JSON body, and gives the reply', async () => {
  const { call, sent } = makeClient(json({ orderNo: 'KT1' }), { headers: async () => ({ authorization: 'Bearer t' }) })
  const signal = new AbortController().signal
  expect(await call(save, { body: { quantity: 1 }, idempotencyKey: 'once' }, signal)).toEqual({ orderNo: 'KT1' })
  expect(sent).toEqual([
    {
      url: 'https://api.test/orders',
      init: {
        method: 'POST',
        headers: { authorization: 'Bearer t', 'idempotency-key': 'once', 'content-type': 'application/json' },
        body: '{"quantity":1}',
        signal,
      },
    },
  ])
})

test('a call without a body sends none', async () => {
  const { call, sent } = makeClient(json([]))
  await call(read)
  expect(sent[0]).toMatchObject({ url: 'https://api.test/games', init: { body: undefined } })
  expect(sent[0]?.init.headers).toStrictEqual({})
})

test("Firebase's callables wrap input, reply and failure", async () => {
  const good = makeClient(json({ result: { uid: 'u' } }))
  expect(await good.call(callable, { body: { uid: 'u' } })).toEqual({ uid: 'u' })
  expect(good.sent[0]?.init.body).toBe('{"data":{"uid":"u"}}')
  const details = new AppError('PHONE_INVALID').toBody()
  const bad = makeClient(json({ error: { message: 'x', details } }, 422))
  await expect(bad.call(callable, { body: {} })).rejects.toMatchObject({ code: 'PHONE_INVALID' })
  for (const body of [{}, null]) {
    await expect(makeClient(json(body, 500)).call(callable, { body: {} })).rejects.toMatchObject({ code: 'INTERNAL' })
  }
})

test('a file above the limit is refused in the endpoint’s own words before anything is sent', async () => {
  const { call, sent } = makeClient(json({}))
  const send = (endpoint: typeof upload, size: number) =>
    call(endpoint, { file: new Blob([new Uint8Array(size)]) }).catch((error: AppError) => error.code)
  const named = { ...upload, errors: ['SLIP_NOT_IMAGE', 'SLIP_TOO_LARGE'] } as const
  expect(await send(named, 10_000_001)).toBe('SLIP_TOO_LARGE')
  expect(await send(upload, 10_000_001)).toBe('PAYLOAD_TOO_LARGE')
  expect(sent).toEqual([])
  expect(await send(named, 10_000_000)).toEqual({})
})

test('a file is sent as a form, whose boundary the browser writes', async () => {
  const { call, sent } = makeClient(json({ id: '1' }))
  const file = new File(['slip'], 'slip.png', { type: 'image/png' })
  await call(upload, { file })
  const { body, headers } = sent[0]!.init
  expect((body as FormData).get('file')).toMatchObject({ name: 'slip.png', type: 'image/png', size: 4 })
  expect(headers).toEqual({})
})

test('a picture arrives as it is', async () => {
  const { call } = makeClient(() => new Response('bytes'))
  expect(await ((await call(picture)) as Blob).text()).toBe('bytes')
})

test('a refusal becomes the expected failure, an unreadable one the general failure', async () => {
  await expect(makeClient(refusal('NOT_FOUND')).call(read)).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 })
  const page = (status: number) => () => new Response('<html>', { status })
  await expect(makeClient(page(500)).call(read)).rejects.toMatchObject({ code: 'INTERNAL' })
  await expect(makeClient(page(502)).call(read)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})

test('a server out of reach is unavailable, but a call taken back is nobody’s failure', async () => {
  const cause = new TypeError('network')
  const away = () => Promise.reject(cause)
  await expect(makeClient(away).call(read)).rejects.toMatchObject({ code: 'UNAVAILABLE', cause })
  const takenBack = makeClient(away).call(read, {}, AbortSignal.abort())
  await expect(takenBack).rejects.toBe(cause)
  const running = makeClient(away).call(read, {}, new AbortController().signal)
  await expect(running).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})

test.each([
  ['UNAUTHENTICATED', 'onUnauthenticated', 'onForbidden'],
  ['FORBIDDEN', 'onForbidden', 'onUnauthenticated'],
] as const)('%s reaches its listener only when a token was sent', async (code, told, untold) => {
  const listeners = { onUnauthenticated: vi.fn(), onForbidden: vi.fn() }
  const headers = () => ({ authorization: 'Bearer t' })
  await expect(makeClient(refusal(code), { ...listeners, headers }).call(read)).rejects.toMatchObject({ code })
  expect(listeners[told]).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code }))
  expect(listeners[untold]).not.toHaveBeenCalled()
  listeners[told].mockClear()
  await expect(makeClient(refusal(code), listeners).call(read)).rejects.toMatchObject({ code })
  await expect(makeClient(refusal('NOT_FOUND'), { ...listeners, headers }).call(read)).rejects.toThrow()
  expect(listeners[told]).not.toHaveBeenCalled()
  await expect(makeClient(refusal(code), { headers }).call(read)).rejects.toMatchObject({ code })
})

test('the page’s own fetch is used when none is given', async () => {
  const own = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('[]'))
  expect(await createClient({ baseUrl: '', headers: () => ({}) }).call(read)).toEqual([])
  expect(own.mock.calls[0]?.[0]).toBe('/games')
  own.mockRestore()
})

test('a query is known by path and input, and stops with its signal', async () => {
  const { query, sent } = makeClient(json(['pubg']))
  expect(query(read).queryKey).toEqual(['/games', {}, {}])
  const wanted = query(show, { params: { code: 'pubg', id: 1 }, query: { page: 2 } })
  expect(wanted.queryKey).toEqual(['/games/:code/packages/:id', { code: 'pubg', id: 1 }, { page: 2 }])
  const { signal } = new AbortController()
  expect(await wanted.queryFn({ signal })).toEqual(['pubg'])
  expect(sent[0]).toMatchObject({ url: 'https://api.test/games/pubg/packages/1?page=2', init: { signal } })
})
