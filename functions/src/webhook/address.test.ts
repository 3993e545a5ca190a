import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOST, RECEIVER_ADDRESS, type Receiver, startReceiver, webhooksTo } from '../testing/webhook.ts'
import { isPublic, resolveHost } from './address.ts'
import { createWebhooks } from './post.ts'

/** A machine of our own network, which would answer whoever came. */
let inside: Receiver
let port: number
beforeAll(async () => {
  inside = await startReceiver({ address: '0.0.0.0', tls: null })
  port = inside.port
})
afterAll(() => inside.stop())

const post = (url: string) => ({ url, headers: {}, body: '{}' })

const PRIVATE = [
  ['0.0.0.0', 'this network'],
  ['0.1.2.3', 'this network'],
  ['10.0.0.1', 'private'],
  ['10.255.255.255', 'private'],
  ['100.64.0.1', 'carrier-grade NAT'],
  ['100.127.255.254', 'carrier-grade NAT'],
  ['127.0.0.1', 'loopback'],
  ['127.9.9.9', 'loopback'],
  ['169.254.169.254', 'metadata of clouds'],
  ['169.254.0.1', 'link-local'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.0.0.1', 'reserved'],
  ['192.0.2.1', 'documentation'],
  ['192.88.99.1', '6to4 relays'],
  ['192.168.1.1', 'private'],
  ['198.18.0.1', 'benchmarks'],
  ['198.51.100.1', 'documentation'],
  ['203.0.113.1', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.250', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::7f00:1', 'IPv4 in the old form'],
  ['::ffff:127.0.0.1', 'mapped'],
  ['::ffff:8.8.8.8', 'mapped, though public'],
  ['::ffff:a9fe:a9fe', 'mapped metadata'],
  ['::ffff:0:127.0.0.1', 'translated'],
  ['64:ff9b::7f00:1', 'NAT64'],
  ['64:ff9b::808:808', 'NAT64, though public'],
  ['64:ff9b:1::a00:1', 'NAT64 of one network'],
  ['100::1', 'discarded'],
  ['2001::1', 'Teredo'],
  ['2001:2::1', 'benchmarks'],
  ['2001:20::1', 'ORCHID'],
  ['2001:db8::1', 'documentation'],
  ['2002:7f00:1::', '6to4'],
  ['2002:808:808::', '6to4, though public'],
  ['3fff::1', 'documentation'],
  ['5f00::1', 'segment routing'],
  ['fc00::1', 'unique local'],
  ['fd00:ec2::254', 'metadata of a cloud'],
  ['fe80::1', 'link-local'],
  ['fec0::1', 'site-local'],
  ['ff02::1', 'multicast'],
] as const

test.each(PRIVATE)('%s (%s) is nobody’s machine, by its address and behind a name', async (address, _) => {
  expect(isPublic(address)).toBe(false)
  const literal = address.includes(':') ? `[${address}]` : address
  const { check, send } = createWebhooks({ resolve: async () => [address], port })
  for (const url of [`https://${literal}/hook`, 'https://hook.example/hook']) {
    expect(await check(url)).toBe('not_public')
    expect(await send(post(url))).toEqual({ error: 'not_public' })
  }
  expect(inside.connections).toBe(0)
})

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '172.15.0.1',
  '172.32.0.1',
  '100.63.0.1',
  '100.128.0.1',
  '2606:4700::1111',
  '2a00:1450::1',
])('%s is public', async address => {
  expect(isPublic(address)).toBe(true)
  expect(await createWebhooks({ resolve: async () => [address] }).check('https://hook.example/hook')).toBeNull()
})

test.each([
  ['decimal', 'https://2130706433/'],
  ['octal', 'https://0177.0.0.1/'],
  ['hex', 'https://0x7f.0.0.1/'],
  ['hex in one', 'https://0x7f000001/'],
  ['short', 'https://127.1/'],
  ['with a full stop behind it', 'https://127.0.0.1./'],
  ['in full-width digits', 'https://１２７.０.０.１/'],
  ['encoded', 'https://%31%32%37.0.0.1/'],
  ['metadata, decimal', 'https://2852039166/latest/meta-data'],
  ['metadata, octal and short', 'https://0251.254.43518/'],
  ['mapped, in hex', 'https://[::ffff:7f00:1]/'],
  ['written out', 'https://[0:0:0:0:0:0:0:1]/'],
])('an address that is written otherwise (%s) is what it means', async (_, url) => {
  const { check, send } = createWebhooks({ resolve: async () => ['8.8.8.8'], port })
  expect(await check(url)).toBe('not_public')
  expect(await send(post(url))).toEqual({ error: 'not_public' })
  expect(inside.connections).toBe(0)
})

test.each([
  ['http://hook.example/', 'not_https'],
  ['ftp://hook.example/', 'not_https'],
  ['file:///etc/passwd', 'not_https'],
  ['gopher://hook.example:6379/_x', 'not_https'],
  ['https://hook.example:8443/', 'has_port'],
  ['https://hook.example:80/', 'has_port'],
  ['https://hook.example:22/', 'has_port'],
  ['https://user@hook.example/', 'has_login'],
  ['https://user:secret@hook.example/', 'has_login'],
  ['https://hook.example@127.0.0.1/', 'has_login'],
  ['https://hook.example/#end', 'has_fragment'],
  ['https://', 'not_an_address'],
  ['hook.example', 'not_an_address'],
  ['https://[::1', 'not_an_address'],
  ['https://127.0.0.1:99999/', 'not_an_address'],
])('%s is refused: %s', async (url, error) => {
  const { check, send } = createWebhooks({ resolve: async () => ['8.8.8.8'], port })
  expect(await check(url)).toBe(error)
  expect(await send(post(url))).toEqual({ error })
  expect(inside.connections).toBe(0)
})

test('a name with one private address among public ones is refused, and so is a name of nobody', async () => {
  const resolve = async (host: string) => (host === 'mixed.example' ? ['8.8.8.8', '10.0.0.1', '2606:4700::1111'] : [])
  const { check, send } = createWebhooks({ resolve, port })
  expect(await check('https://mixed.example/')).toBe('not_public')
  expect(await send(post('https://mixed.example/'))).toEqual({ error: 'not_public' })
  expect(await check('https://nobody.example/')).toBe('not_found')
  expect(await send(post('https://nobody.example/'))).toEqual({ error: 'not_found' })
})

test.each(['localhost', 'printer.local', 'metadata.google.internal', 'db'])(
  '%s leads nowhere that may be used, asked as the shop asks',
  async host => {
    const addresses = await resolveHost(host)
    expect(addresses.filter(isPublic)).toEqual([])
    expect(await createWebhooks({ port }).check(`https://${host}/`)).toMatch(/^not_(found|public)$/)
    expect(inside.connections).toBe(0)
  },
)

test('a name that moves into our network after it was added is refused at its next delivery', async () => {
  const receiver = await startReceiver()
  let address: string = RECEIVER_ADDRESS
  const { check, send } = webhooksTo(receiver, { resolve: async () => [address] })
  expect(await check(`https://${HOST}/`)).toBeNull()
  expect(await send(post(`https://${HOST}/`))).toMatchObject({ status: 204 })
  address = '127.0.0.1'
  expect(await send(post(`https://${HOST}/`))).toEqual({ error: 'not_public' })
  expect([receiver.connections, inside.connections]).toEqual([1, 0])
  await receiver.stop()
})

test('a name that moves between two questions is asked about once: the connection goes where it was looked', async () => {
  const receiver = await startReceiver()
  const asked: string[] = []
  const resolve = async (host: string) => [asked.push(host) % 2 ? RECEIVER_ADDRESS : '127.0.0.1']
  const { send } = webhooksTo(receiver, { resolve })
  expect(await send(post(`https://${HOST}/`))).toMatchObject({ status: 204 })
  expect([asked, receiver.connections]).toEqual([[HOST], 1])
  expect(await send(post(`https://${HOST}/`))).toEqual({ error: 'not_public' })
  expect([asked.length, receiver.connections, inside.connections]).toEqual([2, 1, 0])
  await receiver.stop()
})

test('in development one origin is exempt from all of this, and no other', async () => {
  const localOrigin = `http://127.0.0.1:${port}`
  const { check, send } = createWebhooks({ localOrigin })
  expect(await check(`${localOrigin}/hook`)).toBeNull()
  expect(await send(post(`${localOrigin}/hook`))).toMatchObject({ status: 204 })
  expect(inside.received.map(({ path }) => path)).toEqual(['/hook'])
  for (const url of ['http://127.0.0.1:1/', `https://127.0.0.1:${port}/`, `http://127.0.0.2:${port}/`])
    expect(await check(url)).toMatch(/^(not_https|has_port)$/)
})
