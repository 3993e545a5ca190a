import { AppError } from '@shop/shared/errors.ts'
import { expect, test } from 'vitest'
import { rememberPlayers } from './player-lookup.ts'

/** A lookup over a provider that knows every player but "nobody", with a clock to turn; `asked` counts its calls. */
function makeLookup() {
  const clock = { now: Date.parse('2026-11-20T05:00:00Z') }
  const asked: string[] = []
  const provider = {
    async findPlayer(gameCode: string, playerId: string) {
      asked.push(`${gameCode} ${playerId}`)
      if (playerId === 'nobody') throw new AppError('PLAYER_NOT_FOUND')
      return { uid: playerId, name: `${gameCode} ${playerId}` }
    },
  }
  return { lookup: rememberPlayers(provider, () => new Date(clock.now)), clock, asked }
}
const TEN_MINUTES_MS = 10 * 60_000

test('a found player is remembered for ten minutes and then asked for again', async () => {
  const { lookup, clock, asked } = makeLookup()
  expect(lookup.recall('pubg', '51')).toBeNull()
  const found = await lookup.findPlayer('pubg', '51')
  clock.now += TEN_MINUTES_MS - 1
  expect(lookup.recall('pubg', '51')).toEqual(found)
  expect(await lookup.findPlayer('pubg', '51')).toEqual(found)
  expect(asked).toHaveLength(1)
  clock.now += 1
  expect(lookup.recall('pubg', '51')).toBeNull()
  await lookup.findPlayer('pubg', '51')
  expect(asked).toHaveLength(2)
  expect(lookup.recall('pubg', '51')).toEqual(found)
})

test('looking again does not make a name live longer', async () => {
  const { lookup, clock } = makeLookup()
  await lookup.findPlayer('pubg', '51')
  clock.now += TEN_MINUTES_MS - 1
  await lookup.findPlayer('pubg', '51')
  clock.now += 1
  expect(lookup.recall('pubg', '51')).toBeNull()
})

test('a player who was not found is asked for every time', async () => {
  const { lookup, asked } = makeLookup()
  for (const _ of [1, 2]) await expect(lookup.findPlayer('pubg', 'nobody')).rejects.toThrow(AppError)
  expect(lookup.recall('pubg', 'nobody')).toBeNull()
  expect(asked).toHaveLength(2)
})

test('the same id in another game is another player', async () => {
  const { lookup } = makeLookup()
  await lookup.findPlayer('a', 'b","c')
  expect(lookup.recall('b', 'b","c')).toBeNull()
  expect(lookup.recall('a","b', 'c')).toBeNull()
})

test('however many players are looked up, at most ten thousand are kept', async () => {
  const { lookup } = makeLookup()
  const ids = Array.from({ length: 10_001 }, (_, id) => String(id))
  for (const id of ids.slice(0, 10_000)) await lookup.findPlayer('pubg', id)
  expect(lookup.recall('pubg', '0')).not.toBeNull()
  await lookup.findPlayer('pubg', '10000')
  expect(lookup.recall('pubg', '10000')).not.toBeNull()
  expect(ids.filter(id => lookup.recall('pubg', id)).length).toBeLessThanOrEqual(10_000)
})
