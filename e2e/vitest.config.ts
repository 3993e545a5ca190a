import { defineConfig } from 'vitest/config'

/**
 * These change what everybody sees, count all that is there, fill the shop with orders that nobody paid for, or measure:
 * nothing else may happen in the shop, or in LINE, meanwhile, and the others come first.
 */
const ALONE = [
  'statement.test.ts',
  'one-transfer.test.ts',
  'queue.test.ts',
  'office.test.ts',
  'second-factor.test.ts',
  'second-person.test.ts',
  'first-visit.test.ts',
  'chat.test.ts',
]

const limits = { testTimeout: 180_000, hookTimeout: 120_000 }

/** Journeys share one running shop, each with people and orders of its own; two at a time, as most of a journey is waiting. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    globalSetup: './running-shop.ts',
    projects: [
      {
        test: {
          ...limits,
          name: 'e2e',
          include: ['*.test.ts'],
          exclude: ALONE,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      { test: { ...limits, name: 'alone', include: ALONE, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
})
