import { afterEach, expect, test, vi } from 'vitest'
import { createQueue } from './queue.ts'

afterEach(() => void vi.useRealTimers())

/** A job that runs until it is told to end. */
function slowJob() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const job = { isStarted: false, end: resolve, run: () => promise }
  job.run = () => {
    job.isStarted = true
    return promise
  }
  return job
}

test('two jobs run at a time, the others in the order they came', async () => {
  const inTurn = createQueue({ atOnce: 2, waitSeconds: 5 })
  const jobs = Array.from({ length: 5 }, slowJob)
  const done = jobs.map(job => inTurn(job.run))
  const started = () => jobs.map(job => job.isStarted)
  await Promise.resolve()
  expect(started()).toEqual([true, true, false, false, false])
  jobs[1]!.end()
  await done[1]
  expect(started()).toEqual([true, true, true, false, false])
  for (const job of jobs) job.end()
  await Promise.all(done)
})

test('a job that fails gives its place to the next', async () => {
  const inTurn = createQueue({ atOnce: 1, waitSeconds: 5 })
  const failed = inTurn(() => Promise.reject(new Error('no')))
  const next = inTurn(async () => 'done')
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('done')
})

test('who waits too long is told to come back, and nobody waits for them', async () => {
  vi.useFakeTimers()
  const inTurn = createQueue({ atOnce: 1, waitSeconds: 5 })
  const [first, late, next] = [slowJob(), slowJob(), slowJob()]
  const running = inTurn(first.run)
  const refused = expect(inTurn(late.run)).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 })
  await vi.advanceTimersByTimeAsync(5000)
  await refused
  const waiting = inTurn(next.run)
  first.end()
  next.end()
  await Promise.all([running, waiting])
  expect(late.isStarted).toBe(false)
})
