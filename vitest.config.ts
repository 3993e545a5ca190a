import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Far above what a test takes on a quiet machine: the limits end what hangs, and judge nobody's speed. */
const limits = { testTimeout: 180_000, hookTimeout: 180_000, expect: { poll: { timeout: 60_000 } } }
const database = './local/test-database.ts'
const packedServer = './functions/src/testing/pack-server.ts'
const setupFiles = './local/fast-check-seed.ts'
/** These share an Auth emulator, each from a process of its own: firebase-admin keeps what it met first in a process. */
const firebase = ['functions/src/account/firebase-*.test.ts', 'functions/src/testing/hostile/*.test.ts']
/** Others that share modules with these would meet what they put in a module's place. */
const withOwnModules = globSync('liff-app/src/**/*.test.{ts,tsx}', { cwd: import.meta.dirname })
  .filter(file => readFileSync(`${import.meta.dirname}/${file}`, 'utf8').match(/vi\.(mock|resetModules)\(/))
  .map(file => file.replace('liff-app/', ''))
/** It sees a page whose code nobody has loaded yet. */
const first = ['src/frame/access.test.tsx']
/** Half of the time goes into waiting for PostgreSQL, timers and emulators: two cores have three to work for. */
const maxWorkers = Math.ceil(1.5 * availableParallelism())
const include = ['src/**/*.test.{ts,tsx}']
const adminWeb = { extends: './admin-web/vitest.config.ts', root: './admin-web' }
const liffApp = { extends: './liff-app/vitest.config.ts', root: './liff-app' }

export default defineConfig({
  test: {
    maxWorkers,
    // happy-dom ends the body of an answer once more when its request was given up meanwhile; browsers don't.
    onUnhandledError: ({ stack }) => !/ReadableStreamDefaultController\.close[\s\S]*happy-dom/.test(stack ?? ''),
    projects: [
      // These keep no state of their own, so their test files can share what one of them has loaded.
      { test: { ...limits, name: 'shared', include: ['shared/src/**/*.test.ts'], isolate: false, setupFiles } },
      {
        test: {
          ...limits,
          name: 'functions',
          globalSetup: [database, packedServer],
          include: ['functions/src/**/*.test.ts'],
          exclude: firebase,
          isolate: false,
          setupFiles,
        },
      },
      {
        test: {
          ...limits,
          name: 'firebase',
          globalSetup: [database, packedServer, './functions/src/testing/share-auth-emulator.ts'],
          include: firebase,
        },
      },
      { test: { ...limits, name: 'local', include: ['local/**/*.test.ts'] } },
      {
        test: {
          ...limits,
          name: 'web',
          environment: 'happy-dom',
          environmentOptions: { happyDOM: { url: 'http://site.test' } },
          include: ['web/src/**/*.test.{ts,tsx}'],
        },
      },
      // What extends a file has nothing from here.
      {
        ...liffApp,
        test: { ...limits, name: 'liff-app', include, exclude: withOwnModules, isolate: false, maxWorkers },
      },
      { ...liffApp, test: { ...limits, name: 'liff-app-isolated', include: withOwnModules, maxWorkers } },
      { ...adminWeb, test: { ...limits, name: 'admin-web', include, exclude: first, isolate: false, maxWorkers } },
      { ...adminWeb, test: { ...limits, name: 'admin-web-isolated', include: first, maxWorkers } },
    ],
  },
})
