import { expect, test, vi } from 'vitest'
import { waitOn } from './os-process.ts'

test('what takes long is waited for, and told from time to time', async () => {
  let asked = 0
  const told = vi.fn()
  expect(await waitOn(() => (++asked > 4 ? 'here' : undefined), told, 60)).toBe('here')
  expect(told).toHaveBeenCalled()
})

test('what can never come ends the waiting with its reason', async () => {
  const told = vi.fn()
  const ended = () => {
    throw new Error('The API ended while it was starting.')
  }
  await expect(waitOn(ended, told, 60)).rejects.toThrow('ended while it was starting')
})
