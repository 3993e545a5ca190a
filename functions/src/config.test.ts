import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const production = { NODE_ENV: 'production', DATABASE_URL: 'postgres://localhost:1/none' }

test('production refuses the Auth emulator, whatever the variable holds', () => {
  for (const host of ['127.0.0.1:9099', ' ', 'false']) {
    expect(() => readConfig({ ...production, FIREBASE_AUTH_EMULATOR_HOST: host })).toThrow(
      /FIREBASE_AUTH_EMULATOR_HOST/,
    )
  }
  expect(() => readConfig(production)).not.toThrow()
})

test('production refuses stand-ins for LINE', () => {
  expect(() => readConfig({ ...production, LINE_API_BASE_URL: 'http://localhost:9797' })).toThrow(/LINE itself/)
  expect(() => readConfig({ ...production, LINE_ACCESS_BASE_URL: 'https://access.line.me.example' })).toThrow(
    /LINE itself/,
  )
  const { LINE_API_BASE_URL, LINE_ACCESS_BASE_URL } = readConfig(production)
  expect([LINE_API_BASE_URL, LINE_ACCESS_BASE_URL]).toEqual(['https://api.line.me', 'https://access.line.me'])
})

test('elsewhere the authorize page follows the stand-in', () => {
  const config = readConfig({ DATABASE_URL: 'x', LINE_API_BASE_URL: 'http://localhost:9797' })
  expect(config.LINE_ACCESS_BASE_URL).toBe('http://localhost:9797')
})

test('the server process ends at once, with the reason, when production has the emulator variable', async () => {
  const started = promisify(execFile)(process.execPath, [fileURLToPath(new URL('server.ts', import.meta.url))], {
    env: { ...process.env, ...production, PORT: '0', FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9099' },
    timeout: 20_000,
  })
  await expect(started).rejects.toMatchObject({ code: 1, killed: false })
  await expect(started).rejects.toThrow(/FIREBASE_AUTH_EMULATOR_HOST must not be set in production/)
})
