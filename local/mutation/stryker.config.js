/** Small faults are put into the pure core one by one; each that no test notices is printed. */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', import.meta.resolve('./ignore-texts.js')],
  vitest: { configFile: 'local/mutation/vitest.config.ts' },
  coverageAnalysis: 'perTest',
  mutate: ['shared/src/**/*.ts', '!**/*.test.ts', '!**/endpoints.ts'],
  ignorers: ['texts'],
  ignorePatterns: [
    '/*',
    '!/shared',
    '!/local',
    '/local/*',
    '!/local/mutation',
    '!/package.json',
    '!/tsconfig.base.json',
  ],
  // Stryker reads tsconfig.json with the API of TypeScript 6; the tests need none.
  tsconfigFile: 'none',
  checkers: [],
  tempDirName: '.local/mutation',
  concurrency: 2,
  reporters: ['clear-text'],
  warnings: { slow: false },
  clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
}
