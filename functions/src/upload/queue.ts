import { AppError } from '@shop/shared/errors.ts'

/** Runs jobs in the order they came, `atOnce` of them at one time. @throws UNAVAILABLE when the turn takes too long */
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

  /** Whoever waits longest takes over the place. */
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
