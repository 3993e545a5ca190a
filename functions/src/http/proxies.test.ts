import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { getRequestListener } from '@hono/node-server'
import { getApiWallet } from '@shop/shared/reseller/v1-endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../start/app.ts'
import { addKey, machineOf } from '../testing/machine.ts'
import { addAccount, createTestShop, type TestShop } from '../testing/shop.ts'
import { addWallet } from '../testing/wallet.ts'
import { FRONT_HEADER } from './front.ts'

const FRONT = 'f'.repeat(32)
const LOOKUPS = 2

let it: TestShop
beforeAll(async () => {
  it = await createTestShop({ RATE_LIMIT_LOOKUPS_PER_ADDRESS: String(LOOKUPS), PROXIES_IN_FRONT: '1' })
})
afterAll(() => it?.db.close())

const PATH = '/romons.gameservice/api/game/getpubgbyid/5123456789'

const servers: Server[] = []
afterAll(() => void servers.map(server => server.close()))

/** Lets a shop listen as in production. The returned function sends lines as they are, as no client would, and tells the status. */
async function listen(shop = it.shop): Promise<(...lines: string[]) => Promise<number>> {
  const server = createServer(getRequestListener(createApp(shop).fetch)).listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return async (...lines) => {
    const socket = connect(port, '127.0.0.1')
    socket.write([`GET ${PATH} HTTP/1.1`, 'host: shop', 'connection: close', ...lines, '', ''].join('\r\n'))
    return Number((await text(socket)).split(' ')[1])
  }
}

const heard = (...entries: string[]) => `x-forwarded-for: ${entries.join(', ')}`

test('behind one proxy a caller is whom it heard, in however many headers and whatever else they write', async () => {
  const send = await listen()
  const [attacker, victim] = ['203.0.113.7', '198.51.100.1']
  const forged = [
    [heard(attacker)],
    [heard(victim, attacker)],
    [heard(victim), heard(attacker)],
    ['X-FORWARDED-FOR: 10.0.0.1', heard(victim), heard(attacker)],
    [heard('', '', attacker)],
    [heard('"', '<script>', attacker)],
    [heard(`${attacker}:55123`)],
    [heard('[::ffff:cb00:7107]:443')],
    [heard(`::ffff:${attacker}`)],
    [heard(...Array.from({ length: 400 }, (_, n) => `10.1.${n % 250}.${n % 199}`), attacker)],
    [heard(attacker), `x-real-ip: ${victim}`, `forwarded: for=${victim}`, `true-client-ip: ${victim}`],
    [heard(attacker), `cf-connecting-ip: ${victim}`, `x-client-ip: ${victim}`, `x-cluster-client-ip: ${victim}`],
    [heard(attacker), `x-forwarded-host: ${victim}`, `${FRONT_HEADER}: ${FRONT}`],
  ]
  const codes: number[] = []
  for (const lines of forged) codes.push(await send(...lines))
  expect(codes).toEqual([...Array(LOOKUPS).fill(200), ...Array(forged.length - LOOKUPS).fill(429)])
  // Whose address they wrote has all tries left, and so has a neighbour.
  for (const other of [victim, '203.0.113.8']) expect([other, await send(heard(other))]).toEqual([other, 200])
})

test('behind two proxies the outer one is believed by its secret alone, and with too few entries the connection counts', async () => {
  const config = { ...it.shop.config, PROXIES_IN_FRONT: 2, FRONT_SECRET: [FRONT] }
  const send = await listen({ ...it.shop, config })
  const [attacker, victim, inner] = ['203.0.113.17', '198.51.100.11', '104.198.56.253']
  const front = `${FRONT_HEADER}: ${FRONT}`
  for (const lines of [
    [heard(victim, inner)],
    [heard(victim, inner), `${FRONT_HEADER}: ${FRONT.slice(1)}`],
    [heard(victim, inner), `${FRONT_HEADER}: guess`, front],
    [heard(victim, inner), front, front],
    [heard(victim, inner), `${FRONT_HEADER}: ${FRONT},${FRONT}`],
  ])
    expect([lines, await send(...lines)]).toEqual([lines, 403])
  const codes: number[] = []
  for (const lines of [
    [heard(attacker, inner)],
    [heard(victim, attacker, inner)],
    [heard(victim, victim), heard(attacker, inner)],
    [heard(victim), heard(attacker), heard(inner)],
  ])
    codes.push(await send(...lines, front))
  expect(codes).toEqual([200, 200, 429, 429])
  // Who reaches the inner one with fewer entries is counted together with all who do, and as nobody else.
  const few = [[], [heard(victim)], [heard('nonsense', victim)], [heard(victim, 'nonsense')]]
  const counted: number[] = []
  for (const lines of few) counted.push(await send(...lines, front))
  expect(counted).toEqual([200, 200, 429, 429])
  expect(await send(heard(victim, inner), front)).toBe(200)
})

test('a key is used from its networks alone, whatever its thief writes', async () => {
  await addAccount(it, 'agent-with-key', 'agent')
  await addWallet(it.db, { uid: 'agent-with-key', balanceSatang: 0, pin: '1234', now: it.clock.now })
  const addresses = ['203.0.113.7', '2001:db8:1:2::/64']
  const { token } = await addKey(it, 'agent-with-key', { addresses })
  const from = async (address: string) => (await machineOf(it.request, token, address)(getApiWallet)).status
  const own = [
    '203.0.113.7',
    '198.51.100.1, 203.0.113.7',
    '::ffff:cb00:7107',
    '2001:DB8:1:2::9',
    '[2001:db8:1:2:3::]:443',
  ]
  for (const address of own) expect([address, await from(address)]).toEqual([address, 200])
  const others = [
    '203.0.113.8',
    '203.0.113.7, 203.0.113.8',
    '203.0.113.7, nonsense',
    '203.0.113.7,',
    '203.0.113.7 203.0.113.8',
    '::203.0.113.7',
    '::ffff:0:cb00:7107',
    '64:ff9b::cb00:7107',
    '2001:db8:1:3::9',
    '',
  ]
  for (const address of others) expect([address, await from(address)]).toEqual([address, 403])
})
