import type { GameCheck, PlayerCheck, PlayerWord } from '@shop/shared/catalogue/player-check.ts'
import { expect, test } from 'vitest'
import { openPlayerLookup, type PlayerSource, pulseOfCheck } from './player-lookup.ts'

const [wrong, unknown, unavailable] = (['wrong', 'unknown', 'unavailable'] as const).map(
  kind => (): PlayerWord => ({
    kind,
  }),
)
const silent = () => new Promise<PlayerWord>(() => {})
const broken = () => Promise.reject(new Error('down'))
const named: PlayerSource = async ({ gameCode, fields }) => ({
  kind: 'found',
  uid: fields[0]!,
  name: `${gameCode} ${fields.join(' ')}`,
})

type Said = () => PlayerWord | Promise<PlayerWord>

/** A lookup with its own clock and people to ask; `asked` tells who was asked for whom, `beats` how they did. */
function makeLookup(midasbuy: PlayerSource | Said = named, g2bulk: PlayerSource | Said = named) {
  const clock = { now: Date.parse('2026-11-20T05:00:00Z') }
  const asked: string[] = []
  const beats: string[] = []
  const watched =
    (by: PlayerCheck, source: PlayerSource | Said): PlayerSource =>
    async question => {
      asked.push([by, question.gameCode, ...question.fields].join(' '))
      return source(question)
    }
  const lookup = openPlayerLookup(
    { midasbuy: watched('midasbuy', midasbuy), g2bulk: watched('g2bulk', g2bulk) },
    {
      timeoutMs: 50,
      now: () => new Date(clock.now),
      beat: (name, work) =>
        work().then(
          () => beats.push(name),
          (error: unknown) => {
            beats.push(`${name} fails`)
            throw error
          },
        ),
    },
  )
  const checks: GameCheck[] = [
    { by: 'midasbuy', gameCode: '' },
    { by: 'g2bulk', gameCode: 'pubgm' },
  ]
  const find = (id: string, gameCode = 'pubg', ...more: string[]) =>
    lookup.find({ gameCode, fields: [id, ...more], checks })
  return { lookup, checks, find, clock, asked, beats }
}
const TEN_MINUTES_MS = 10 * 60_000

test('they are asked in order, each by its own code of the game, until one tells the name', async () => {
  const { find, asked } = makeLookup(unknown)
  expect(await find('51', 'pubg', '2001')).toEqual({ kind: 'found', uid: '51', name: 'pubgm 51 2001' })
  expect(asked).toEqual(['midasbuy pubg 51 2001', 'g2bulk pubgm 51 2001'])
  const first = makeLookup()
  expect(await first.find('51')).toMatchObject({ name: 'pubg 51' })
  expect(first.asked).toHaveLength(1)
})

test.each<[string, Said, Said, object]>([
  ['one is silent', silent, named as Said, { kind: 'found' }],
  ['one breaks', broken, named as Said, { kind: 'found' }],
  ['one knows no such player, the next does', wrong!, named as Said, { kind: 'found' }],
  ['one knows no such player, the next is silent', wrong!, silent, { kind: 'wrong' }],
  ['all are silent', silent, silent, { kind: 'unavailable' }],
])('%s', async (_, midasbuy, g2bulk, verdict) => {
  expect(await makeLookup(midasbuy, g2bulk).find('51')).toMatchObject(verdict)
})

test('who is not configured is not asked, and suppliers are asked where the game names them', async () => {
  const supplier: PlayerSource = async () => ({ kind: 'found', uid: '51', name: 'Nam' })
  const { lookup, asked } = makeLookup()
  const question = { gameCode: 'pubg', fields: ['51'] }
  const none = openPlayerLookup({}, { timeoutMs: 50, now: () => new Date(), beat: (_, work) => work() })
  expect(await none.find({ ...question, checks: [{ by: 'midasbuy', gameCode: '' }] })).toEqual({ kind: 'unknown' })
  const bySupplier = { ...question, checks: [{ by: 'seagm' as const, gameCode: '' }] }
  expect(await lookup.find(bySupplier, { seagm: supplier })).toMatchObject({ name: 'Nam' })
  expect(asked).toEqual([])
})

test('the pulse of each is kept: silence is a fault, not knowing a player is none', async () => {
  const { find, beats } = makeLookup(silent, wrong)
  await find('51')
  expect(beats).toEqual([`${pulseOfCheck('midasbuy')} fails`, pulseOfCheck('g2bulk')])
})

test('a found player is remembered for ten minutes from the first answer, and then asked for again', async () => {
  const { find, clock, asked } = makeLookup()
  const found = await find('51')
  clock.now += TEN_MINUTES_MS - 1
  expect(await find('51')).toEqual(found)
  expect(asked).toHaveLength(1)
  clock.now += 1
  await find('51')
  expect(asked).toHaveLength(2)
})

test('one that nobody knows is remembered for half a minute, and that nobody answered not at all', async () => {
  const { find, clock, asked } = makeLookup(wrong, wrong)
  await find('51')
  clock.now += 29_999
  await find('51')
  expect(asked).toHaveLength(2)
  clock.now += 1
  await find('51')
  expect(asked).toHaveLength(4)
  const away = makeLookup(unavailable, unavailable)
  await away.find('51')
  await away.find('51')
  expect(away.asked).toHaveLength(4)
})

test('the same id in another game or on another server is another player', async () => {
  const { find, asked } = makeLookup()
  await find('b","c', 'a')
  await find('c', 'a","b')
  await find('b', 'a', 'c')
  await find('b', 'a', 'd')
  expect(asked).toHaveLength(4)
})

test('however many players are looked up, at most ten thousand are kept', async () => {
  const { find, asked } = makeLookup()
  for (let id = 0; id <= 10_000; id++) await find(String(id))
  await find('10000')
  expect(asked).toHaveLength(10_001)
  await find('0')
  expect(asked).toHaveLength(10_002)
})
