// Counts what was done, and ends at what fails: the next step would only fail for want of it.
export interface Steps {
  passed: number
  failed: number
  take<T>(name: string, work: () => Promise<T> | T): Promise<T>
}

export function countSteps(): Steps {
  const steps: Steps = {
    passed: 0,
    failed: 0,
    async take(name, work) {
      const began = performance.now()
      try {
        const result = await work()
        steps.passed++
        console.log(`✓ ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`)
        return result
      } catch (error) {
        steps.failed++
        console.log(`✗ ${name}: ${error instanceof Error ? error.message : error}`)
        throw error
      }
    },
  }
  return steps
}

/**
 * Does a whole rehearsal, undoes what it made, says how many steps passed, and ends the program.
 * @param tell what is told of one that failed
 */
export async function endWith(
  { steps, undo, tell }: { steps: Steps; undo: readonly (() => Promise<void>)[]; tell: () => Promise<void> },
  rehearse: () => Promise<void>,
): Promise<never> {
  const interrupt = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => reject(new Error('interrupted')))
  })
  await Promise.race([rehearse(), interrupt]).catch(async (error: unknown) => {
    if (steps.failed === 0) steps.failed = 1
    console.log(error instanceof Error ? error.stack : error)
    await tell()
  })
  for (const each of undo.toReversed()) await each().catch(error => console.log(error))
  console.log(`${steps.passed} passed, ${steps.failed} failed`)
  process.exit(steps.failed === 0 ? 0 : 1)
}
