import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { createCertificate } from 'local/x509.ts'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HOST, RECEIVER_ADDRESS, type Receiver, startReceiver, webhooksTo } from '../testing/webhook.ts'
import { createWebhooks } from './post.ts'
import { newSecret, signedHeaders } from './sign.ts'

let receiver: Receiver
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.stop())

const url = `https://${HOST}/hook?shop=1`
const post = { url, headers: {}, body: '{"a":"ก"}' }

test('what arrives is what was signed: the library of Standard Webhooks accepts it, under its name', async () => {
  const secrets = [newSecret(), newSecret()]
  const body = JSON.stringify({ type: 'order.completed', data: { ref: 'ใบสั่ง 1' } })
  const headers = signedHeaders(secrets, { webhookId: 'msg_1', at: new Date(), body })
  expect(await webhooksTo(receiver).send({ url, headers, body })).toEqual({ status: 204, retryAfter: null })
  const [got] = receiver.received
  expect(got).toMatchObject({ method: 'POST', path: '/hook?shop=1', body })
  expect(got!.headers).toMatchObject({
    host: HOST,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'topup-shop-webhooks/1.0',
  })
  for (const secret of secrets)
    expect(new Webhook(secret).verify(got!.body, got!.headers as Record<string, string>)).toEqual(JSON.parse(body))
  expect(() => new Webhook(newSecret()).verify(got!.body, got!.headers as Record<string, string>)).toThrow('signature')
  expect(() => new Webhook(secrets[0]!).verify(`${got!.body} `, got!.headers as Record<string, string>)).toThrow()
})

test.each([200, 201, 302, 307, 404, 410, 429, 500])('an answer %i is told as it is', async status => {
  receiver.answer = (_, response) => void response.writeHead(status, { 'retry-after': '7' }).end('ok')
  expect(await webhooksTo(receiver).send(post)).toEqual({ status, retryAfter: '7' })
})

test('nobody is followed, wherever an answer points', async () => {
  const inside = await startReceiver({ address: '127.0.0.1', tls: null })
  for (const location of [`http://127.0.0.1:${inside.port}/`, `https://${HOST}/elsewhere`, '//169.254.169.254/']) {
    receiver.answer = (_, response) => void response.writeHead(301, { location }).end()
    expect(await webhooksTo(receiver).send(post)).toMatchObject({ status: 301 })
  }
  expect([receiver.received.length, inside.connections]).toEqual([3, 0])
  await inside.stop()
})

test('each delivery has a connection of its own', async () => {
  const { send } = webhooksTo(receiver)
  await send(post)
  await send(post)
  expect(receiver.connections).toBe(2)
})

test.each([
  ['says nothing', () => {}],
  ['begins an answer', (_: unknown, response: NodeJS.WritableStream) => void response.write('a')],
])('a receiver that %s is left after the time for everything', async (_, answer) => {
  receiver.answer = answer as Receiver['answer']
  expect(await webhooksTo(receiver, { timeoutMs: 300 }).send(post)).toEqual({ error: 'too_slow' })
})

test('a receiver that trickles is left in time, however often it sends something', async () => {
  receiver.answer = (_, response) => {
    const timer = setInterval(() => response.write('a'), 50)
    response.on('close', () => clearInterval(timer))
  }
  expect(await webhooksTo(receiver, { timeoutMs: 400 }).send(post)).toEqual({ error: 'too_slow' })
})

test('a name server that is silent costs no more time than the rest', async () => {
  const { send, check } = webhooksTo(receiver, { timeoutMs: 200, resolve: () => new Promise(() => {}) })
  expect(await send(post)).toEqual({ error: 'too_slow' })
  expect(await check(url)).toBe('too_slow')
  expect(receiver.connections).toBe(0)
})

test('of a huge answer only the beginning is read; its status counts', async () => {
  let sent = 0
  let isOpen = true
  receiver.answer = (_, response) => {
    response.on('close', () => {
      isOpen = false
    })
    response.writeHead(200)
    const more = () => {
      for (; isOpen && sent < 1e9; sent += 65_536) if (!response.write(Buffer.alloc(65_536))) break
      if (isOpen && sent < 1e9) response.once('drain', more)
    }
    more()
  }
  expect(await webhooksTo(receiver).send(post)).toEqual({ status: 200, retryAfter: null })
  await expect.poll(() => isOpen).toBe(false)
  expect(sent).toBeLessThan(50_000_000)
})

test('an answer that breaks off is none', async () => {
  receiver.answer = (_, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('half', () => response.destroy())
  }
  expect(await webhooksTo(receiver).send(post)).toEqual({ error: 'broken' })
})

test('headers without end are none, either', async () => {
  receiver.answer = (_, response) => void response.writeHead(200, { 'x-long': 'a'.repeat(100_000) }).end()
  expect(await webhooksTo(receiver).send(post)).toEqual({ error: 'broken' })
})

test.each([
  ['signed by itself', { tls: createCertificate(HOST, [HOST]) }],
  ['that speaks http', { tls: null }],
])('a receiver %s gets nothing', async (_, options) => {
  const other = await startReceiver(options)
  expect(await webhooksTo(other).send(post)).toEqual({ error: 'no_tls' })
  expect(other.received).toEqual([])
  await other.stop()
})

test("another's certificate is refused, and so is a good one without its authority", async () => {
  expect(await webhooksTo(receiver).send({ ...post, url: 'https://other.example/' })).toEqual({ error: 'no_tls' })
  expect(await webhooksTo(receiver, { ca: undefined }).send(post)).toEqual({ error: 'no_tls' })
  expect(receiver.received).toEqual([])
})

test('nobody there, and somebody who hangs up', async () => {
  const gone = await startReceiver()
  await gone.stop()
  expect(await webhooksTo(gone).send(post)).toEqual({ error: 'unreachable' })
  const hangsUp = createServer((socket: Socket) => socket.destroy()).listen(0, RECEIVER_ADDRESS)
  await once(hangsUp, 'listening')
  expect(await webhooksTo(hangsUp.address() as { port: number }).send(post)).toEqual({ error: 'no_tls' })
  hangsUp.close()
})

test('of several addresses that were judged the next is tried, and none that was not', async () => {
  const { send } = webhooksTo(receiver, {
    resolve: async () => ['127.0.0.3', RECEIVER_ADDRESS],
    isPublic: address => ['127.0.0.3', RECEIVER_ADDRESS].includes(address),
  })
  expect(await send(post)).toMatchObject({ status: 204 })
})

test('an address by number is called by number, with a certificate for it', async () => {
  const { port } = receiver
  const { send } = webhooksTo({ port }, { isPublic: () => true })
  expect(await send({ ...post, url: `https://${RECEIVER_ADDRESS}/` })).toEqual({ error: 'no_tls' })
  expect(receiver.connections).toBe(1)
  expect(await createWebhooks({ port }).send({ ...post, url: `https://${RECEIVER_ADDRESS}/` })).toEqual({
    error: 'not_public',
  })
  expect(receiver.connections).toBe(1)
})
