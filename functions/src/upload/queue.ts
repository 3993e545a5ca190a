import { AppError } from '@shop/shared/errors.ts'

/**
 * Runs jobs in the order of their arrival, `atOnce` of them at a time. @throws UNAVAILABLE when a job waits too long
 */
export type Queue = <T>(job: () => Promise<T>) => Promise<T>

export function createQueue({ atOnce, waitSeconds }: { atOnce: number; waitSeconds: number }): Queue {
  const waiting = new Set<() => void>()
  let running = 0

  function turn(): Promise<void> {
    if (running < atOnce) {
      running++
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.delete(start)
        reject(new AppError('UNAVAILABLE', { retryAfterSeconds: waitSeconds }))
      }, waitSeconds * 1000)
      waiting.add(start)
    })
  }

  /** Gives the free place to the job that has waited longest. */
  function passOn(): void {
    const [next] = waiting
    if (!next) running--
    else {
      waiting.delete(next)
      next()
    }
  }

  return async job => {
    await turn()
    try {
      return await job()
    } finally {
      passOn()
    }
  }
}
