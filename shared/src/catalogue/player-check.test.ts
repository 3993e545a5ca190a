import { expect, test } from 'vitest'
import { isLastWord, PLAYER_CHECKS, type PlayerWord, playerCheckLabel, playerVerdictOf } from './player-check.ts'

const found = (name: string | null): PlayerWord => ({ kind: 'found', uid: '51', name })
const [wrong, unknown, unavailable] = (['wrong', 'unknown', 'unavailable'] as const).map(kind => ({ kind }))

test.each<[string, PlayerWord[], object]>([
  ['nobody was asked', [], { kind: 'unknown' }],
  ['nobody answers', [unavailable!, unknown!], { kind: 'unavailable' }],
  ['nobody knows the game', [unknown!], { kind: 'unknown' }],
  ['one is sure and the other is silent', [wrong!, unavailable!], { kind: 'wrong' }],
  ['one is silent and the other is sure', [unavailable!, wrong!], { kind: 'wrong' }],
  ['one is sure and the other can not say', [wrong!, unknown!], { kind: 'wrong' }],
  ['a later one finds the player', [wrong!, unavailable!, found('Nam')], found('Nam')],
  ['one that tells no name finds the player, against another', [found(null), wrong!], found(null)],
  ['the name comes from the second that finds the player', [found(null), found('Nam')], found('Nam')],
])('%s', (_, words, verdict) => {
  expect(playerVerdictOf(words)).toEqual(verdict)
})

test('only a name ends the questions', () => {
  const last = [found('Nam'), found(null), wrong!, unknown!, unavailable!].filter(isLastWord)
  expect(last).toEqual([found('Nam')])
})

test('everybody who can be asked has a name for people', () => {
  expect(PLAYER_CHECKS.map(playerCheckLabel)).toEqual(expect.arrayContaining(['Midasbuy', 'G2Bulk']))
})
