import { expect, test } from 'vitest'
import { holdFile, isTooSlow, watchArriving } from './intake.ts'

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'OK',
    (error: { code: string }) => error.code,
  )

test('an address holds four files at a time and all together twelve; the next is refused before it is read', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let isRead = false
  const next = (address: string) =>
    codeOf(
      holdFile(address, async () => {
        isRead = true
      }),
    )
  const held = Array.from({ length: 4 }, () => holdFile('a', () => promise))
  expect([await next('a'), isRead]).toEqual(['UNAVAILABLE', false])
  expect([await next('b'), isRead]).toEqual(['OK', true])
  for (const address of ['b', 'c']) for (let n = 0; n < 4; n++) held.push(holdFile(address, () => promise))
  expect(await next('d')).toBe('UNAVAILABLE')
  resolve()
  await Promise.all(held)
  expect([await next('a'), await next('d')]).toEqual(['OK', 'OK'])
})

test('a file that fails leaves its place', async () => {
  for (let n = 0; n < 20; n++) await holdFile('a', () => Promise.reject(new Error('no'))).catch(() => {})
  expect(await codeOf(holdFile('a', async () => {}))).toBe('OK')
})

test.each([
  ['nothing in the first seconds', 0, 3000, false],
  ['nothing after them', 0, 3001, true],
  ['a little more than the least', 40_001, 8000, false],
  ['a little less', 39_999, 8000, true],
  ['ever so much, for too long', 10_000_000, 40_001, true],
])('%s', (_, bytes, elapsedMs, expected) => {
  expect(isTooSlow(bytes, elapsedMs)).toBe(expected)
})

test('where files on their way need too much room, those of the address that takes most make it', async () => {
  const MB = 1024 * 1024
  const ended: string[] = []
  const begin = (address: string, megabytes: number) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const done = watchArriving(address, async ({ arrived, ended: end }) => {
      arrived(megabytes * MB)
      await Promise.race([promise, end])
    }).catch((error: { code: string }) => ended.push(`${address} ${error.code}`))
    return { resolve, done }
  }
  const hoarders = [1, 2, 3, 4, 5].map(() => begin('hoarder', 20))
  const honest = [begin('a', 9), begin('b', 9)]
  expect(ended).toEqual([])
  honest.push(begin('c', 9))
  await new Promise(resolve => setImmediate(resolve))
  expect(ended).toEqual(['hoarder UNAVAILABLE'])
  for (const { resolve } of [...hoarders, ...honest]) resolve()
  await Promise.all([...hoarders, ...honest].map(({ done }) => done))
  expect(ended).toHaveLength(1)
})
