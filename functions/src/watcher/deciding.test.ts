import { expect, test } from 'vitest'
import { type News, openDecider, type Trouble } from './deciding.ts'

const MINUTE = 60_000
const of = (key: string): Trouble => ({ key, what: key, first: '' })

/** Looks once a minute; each look is the keys that are seen, after a stroke those that can't be known. */
function told(looks: string[], rules = { failures: 2, remindMs: 60 * MINUTE }) {
  const decide = openDecider(rules)
  const keys = (part: { key: string }[]) => part.map(({ key }) => key).join()
  const wordsOf = (news: News | null) =>
    news && `+${keys(news.began)} -${keys(news.ended)} =${keys(news.open)}`.replaceAll(/[+-] |[+-]$/g, '')
  return looks.map((look, n) => {
    const [seen = '', unknown = ''] = look.split('|')
    const troubles = seen.split(' ').filter(Boolean).map(of)
    return wordsOf(decide({ troubles, unknown: unknown.split(' ').filter(Boolean) }, n * MINUTE))
  })
}

test('what is seen once is not told; what stays is told once, and once more when it is over', () => {
  const news = told(['', 'a', '', 'a', 'a', 'a', 'a', '', 'a', '', '', ''])
  expect(news).toEqual([null, null, null, null, '+a =a', null, null, null, null, null, '-a =', null])
})

test('several that begin together are one message, and another one later is told beside them', () => {
  expect(told(['a b', 'a b', 'a b c', 'a b c', 'b c', 'b c'])).toEqual([
    null,
    '+a,b =a,b',
    null,
    '+c =a,b,c',
    null,
    '-a =b,c',
  ])
})

test('what can not be known is neither begun nor over', () => {
  const silent = 'silent|check:'
  expect(told(['check:a', 'check:a', silent, silent, 'check:a', 'check:a', '', ''])).toEqual([
    null,
    '+check:a =check:a',
    null,
    '+silent =check:a,silent',
    null,
    '-silent =check:a',
    null,
    '-check:a =',
  ])
})

test('what lasts is told again after an hour, and every hour', () => {
  const news = told(Array.from({ length: 130 }, () => 'a'))
  expect(news.flatMap((words, minute) => (words ? [minute] : []))).toEqual([1, 61, 121])
  expect(news[61]).toBe('=a')
})

test('what comes and goes is no storm, and keeps nothing else from being told', () => {
  const flapping = Array.from({ length: 60 }, (_, n) => (n % 4 < 2 ? 'a' : ''))
  const news = told(flapping)
  expect(news.filter(Boolean)).toHaveLength(6)
  const more = told([...flapping.slice(0, 40), 'b', 'b'])
  expect(more.at(-1)).toBe('+b =b')
  // Once it stays, it is told.
  expect(told([...flapping, ...Array.from({ length: 10 }, () => 'a')]).slice(60)).toContain('+a =a')
})
