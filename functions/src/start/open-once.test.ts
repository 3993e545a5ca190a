import { expect, test } from 'vitest'
import { openOnce } from './open-once.ts'

test('a failed start is tried again with the next call, a good one is kept', async () => {
  const outcomes = [() => Promise.reject(new Error('no database')), async () => 'open', async () => 'again']
  const opened = openOnce(() => outcomes.shift()!())
  await expect(opened()).rejects.toThrow('no database')
  expect([await opened(), await opened()]).toEqual(['open', 'open'])
})

test('calls at the same time open it once', async () => {
  let opens = 0
  const opened = openOnce(async () => ++opens)
  expect(await Promise.all([opened(), opened(), opened()])).toEqual([1, 1, 1])
})
