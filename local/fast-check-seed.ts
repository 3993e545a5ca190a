// Vitest's setup for tests that draw by fast-check: SEED repeats a run, SEEDS draws so many where a test names no number.
import fc from 'fast-check'

const { SEED, SEEDS } = process.env
fc.configureGlobal({ ...(SEED && { seed: Number(SEED) }), ...(SEEDS && { numRuns: Number(SEEDS) }) })
