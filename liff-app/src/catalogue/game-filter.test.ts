import type { Game } from '@shop/shared/catalogue/endpoints.ts'
import { expect, test } from 'vitest'
import { filterGames, readGameFilter, writeGameFilter } from './game-filter.ts'

const game = (name: string, more: Partial<Game> = {}): Game => ({
  id: 1,
  code: name,
  oldCodes: [],
  name,
  desc: '',
  picture: '',
  regions: ['th'],
  languages: ['th'],
  platforms: ['ios'],
  searchWords: [],
  fields: [],
  playerHint: '',
  playerHintPicture: '',
  isPlayerChecked: false,
  fromSatang: 35_00,
  usualMinutes: { from: 5, to: 15 },
  ...more,
})
const games = [
  game('PUBG Mobile', { searchWords: ['พับจี', 'พับจีโมบาย', 'UC'] }),
  game('RoV', { platforms: ['ios', 'android'] }),
  game('VALORANT', { platforms: ['pc'] }),
]
const find = (search: string) => filterGames(games, readGameFilter(new URLSearchParams(search))).map(({ name }) => name)

test('the search finds part of a name in any case', () => {
  expect(find('q=mobile')).toEqual(['PUBG Mobile'])
  expect(find('q=  ')).toHaveLength(3)
})

test.each([
  ['pubg  mobile'],
  ['Mobile PUBG'],
  ['pubgmobile'],
  ['พับจี'],
  ['พับจี โมบาย'],
  ['uc'],
  // As some keyboards write full width.
  ['ＰＵＢＧ'],
])('"%s" finds PUBG Mobile', q => {
  expect(find(`q=${q}`)).toEqual(['PUBG Mobile'])
})

test.each(['pubg rov', 'พับจี rov', 'xyz'])('"%s" finds nothing: every word must be of one game', q => {
  expect(find(`q=${q}`)).toEqual([])
})

test('choices of one kind widen, kinds narrow each other', () => {
  expect(find('platform=android&platform=pc')).toEqual(['RoV', 'VALORANT'])
  expect(find('platform=ios&region=global')).toEqual([])
})

test('the filter is the address and back', () => {
  const search = 'q=ro&platform=ios&region=th&region=global'
  expect(writeGameFilter(readGameFilter(new URLSearchParams(search))).toString()).toBe(search)
})
