import { defineConfig } from 'vitest/config'

const server = { globalSetup: './local/test-database.ts', testTimeout: 30_000, hookTimeout: 60_000 }
/** firebase-admin keeps the emulator that it met first for the whole process: each of these gets one of its own. */
const firebase = ['functions/src/account/firebase-*.test.ts']

export default defineConfig({
  test: {
    // Half of the time goes into waiting for PostgreSQL, timers and emulators: no core is kept free.
    maxWorkers: '100%',
    projects: [
      // These keep no state of their own, so their test files can share what one of them has loaded.
      { test: { name: 'shared', include: ['shared/src/**/*.test.ts'], isolate: false } },
      {
        test: {
          ...server,
          name: 'functions',
          include: ['functions/src/**/*.test.ts'],
          exclude: firebase,
          isolate: false,
        },
      },
      { test: { ...server, name: 'firebase', include: firebase } },
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
