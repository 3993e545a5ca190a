import { defineConfig } from 'vitest/config'

/** These change what everybody sees, fill the shop with orders that nobody paid for, or measure: they come after the others. */
const LAST = [
  'statement.test.ts',
  'one-transfer.test.ts',
  'queue.test.ts',
  'office.test.ts',
  'second-factor.test.ts',
  'second-person.test.ts',
  'first-visit.test.ts',
  'budgets.test.ts',
  'chat.test.ts',
]

const limits = { testTimeout: 180_000, hookTimeout: 120_000, expect: { poll: { timeout: 60_000 } } }

/** Two at a time, as browsers keep two cores busy, each worker in a shop of its own: nobody else changes what a journey sees. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    globalSetup: './running-shop.ts',
    maxWorkers: 2,
    projects: [
      { test: { ...limits, name: 'e2e', include: ['*.test.ts'], exclude: LAST, sequence: { groupOrder: 0 } } },
      { test: { ...limits, name: 'last', include: LAST, sequence: { groupOrder: 1 } } },
    ],
  },
})
