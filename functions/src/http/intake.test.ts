import { expect, test } from 'vitest'
import { holdFile } from './intake.ts'

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
