import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Half of the time goes into waiting for PostgreSQL, timers and emulators: no core is kept free.
    maxWorkers: '100%',
    projects: [
      // Modules keep no state of their own, so the test files of these can share them: loading is a fifth of the time.
      { test: { name: 'shared', include: ['shared/src/**/*.test.ts'], isolate: false } },
      {
        test: {
          name: 'functions',
          include: ['functions/src/**/*.test.ts'],
          isolate: false,
          globalSetup: './local/test-database.ts',
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      { test: { name: 'local', include: ['local/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 } },
      {
        test: {
          name: 'web',
          environment: 'happy-dom',
          environmentOptions: { happyDOM: { url: 'http://site.test' } },
          include: ['web/src/**/*.test.{ts,tsx}'],
        },
      },
      './liff-app/vitest.config.ts',
      './admin-web/vitest.config.ts',
    ],
  },
})
