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
