/**
 * Resolves or rejects as `work` does, or as `late` says once `ms` have passed. What comes of `work` after that is dropped;
 * who must stop it does so in `late`.
 */
export async function within<T, Late>(ms: number, work: Promise<T>, late: () => Late): Promise<T | Awaited<Late>> {
  let timer: NodeJS.Timeout | undefined
  const ended = new Promise<void>(resolve => {
    timer = setTimeout(resolve, ms)
  })
  work.catch(() => {})
  return Promise.race([work, ended.then(late)]).finally(() => clearTimeout(timer))
}
