import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { G2BULK_FAULTS, startPlayerLookup } from 'local/player-lookup.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createG2BulkPlayers, createMidasbuyPlayers } from './player-sources.ts'

describe('Midasbuy', () => {
  const server = createServer((request, response) => {
    if (request.url === '/players/pubg/5123456789') return response.end('{"uid":"5123456789","name":"Namkhao_TH"}')
    if (request.url === '/players/pubg/silent') return undefined
    if (request.url === '/players/pubg/broken') return response.end('<html>')
    response.statusCode = request.url === '/players/pubg/down' ? 500 : 404
    return response.end()
  })
  beforeAll(() => new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  test.each([
    ['unknown', 'wrong'],
    ['silent', 'unavailable'],
    ['broken', 'unavailable'],
    ['down', 'unavailable'],
  ])('id "%s" is %s', async (id, kind) => {
    const { port } = server.address() as AddressInfo
    const ask = createMidasbuyPlayers({
      baseUrl: `http://127.0.0.1:${port}`,
      timeoutMs: id === 'silent' ? 150 : 30_000,
    })
    const known = { kind: 'found', uid: '5123456789', name: 'Namkhao_TH' }
    if (id !== 'silent') expect(await ask({ gameCode: 'pubg', fields: ['5123456789'] })).toEqual(known)
    expect(await ask({ gameCode: 'pubg', fields: [id] })).toEqual({ kind })
  })
})

describe('G2Bulk', () => {
  let stop: () => Promise<void>
  let baseUrl: string
  beforeAll(async () => {
    const standIn = await startPlayerLookup({ port: 0 })
    stop = standIn.stop
    baseUrl = `${standIn.origin}/v1`
  })
  afterAll(() => stop())
  const askWithin = (timeoutMs: number, gameCode: string, ...fields: string[]) =>
    createG2BulkPlayers({ baseUrl, timeoutMs })({ gameCode, fields })
  const ask = (gameCode: string, ...fields: string[]) => askWithin(30_000, gameCode, ...fields)

  test('tells the name, with a server where the game has one', async () => {
    expect(await ask('pubgm', '5222222222')).toEqual({ kind: 'found', uid: '5222222222', name: 'Mali_TH' })
    expect(await ask('mlbb', '12345678', '2001')).toMatchObject({ name: 'Layla' })
    expect(await ask('freefire', '51234')).toMatchObject({ name: 'Tonkla7' })
  })

  test.each([
    ['a player it does not know', 'pubgm', ['1'], 'wrong'],
    ["an id of Free Fire that is nobody's", 'freefire', ['01234'], 'wrong'],
    ['a player on another server', 'mlbb', ['12345678', '2002'], 'wrong'],
    ['a game it does not know', 'rov', ['5222222222'], 'unknown'],
  ])('%s', async (_, game, fields, kind) => {
    expect(await ask(game, ...fields)).toEqual({ kind })
  })

  test.each(Object.keys(G2BULK_FAULTS))('whatever goes wrong for %s, no player is called wrong', async id => {
    const { kind } = await askWithin(150, 'pubgm', id)
    expect(['unknown', 'unavailable']).toContain(kind)
  })
})
