import { defineConfig } from 'vitest/config'

/** Journeys share one running shop, so files run one after the other. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    name: 'e2e',
    include: ['*.test.ts'],
    globalSetup: './running-shop.ts',
    fileParallelism: false,
    testTimeout: 90_000,
    hookTimeout: 120_000,
  },
})
