import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { readConfig } from 'functions/src/config/config.ts'
import { expect, test } from 'vitest'
import { exampleFiles, siteVariables } from './installation.ts'
import { projectRoot } from './os-process.ts'

const given = {
  VITE_FIREBASE_PROJECT_ID: 'the-shop',
  VITE_FIREBASE_API_KEY: 'key',
  STOREFRONT_URL: 'https://shop.example',
  ADMIN_URL: 'https://office.example',
  LINE_LIFF_ID: '1-abc',
}

test('the example files name every variable, as the server reads them; WRITE_DOCS=1 writes them anew', () => {
  for (const [name, text] of Object.entries(exampleFiles())) {
    const file = join(projectRoot, 'deploy', name)
    if (process.env.WRITE_DOCS) writeFileSync(file, text)
    expect(readFileSync(file, 'utf8'), name).toBe(text)
  }
})

test('who copies the examples and fills in what is open has a configuration; left open, all of it is named', () => {
  const files = exampleFiles()
  const read = parseEnv(`${files['env.example']}\n${files['secrets.example']}`)
  const open = Object.keys(read).filter(name => read[name] === '')
  expect(() => readConfig(read)).toThrow(/DATABASE_URL/)
  const filled = {
    ...given,
    DATABASE_URL: 'postgresql://shop_app:pw@db/shop',
    LINE_LOGIN_CHANNEL_ID: '1',
    LINE_LOGIN_CHANNEL_SECRET: 'login',
    TOTP_KEY: 't'.repeat(32),
    PIN_KEYS: `v1:${'p'.repeat(32)}`,
    PROXIES_IN_FRONT: '1',
    FILES_BUCKET: 'bucket',
  }
  expect(open.filter(name => !(name in filled))).toEqual([])
  expect(readConfig({ ...read, ...filled }).NODE_ENV).toBe('production')
})

test('the sites are built with the names the server has', () => {
  expect(siteVariables(given)).toEqual({
    flaws: [],
    variables: {
      VITE_FIREBASE_PROJECT_ID: 'the-shop',
      VITE_FIREBASE_API_KEY: 'key',
      VITE_STOREFRONT_URL: 'https://shop.example',
      VITE_ADMIN_URL: 'https://office.example',
      VITE_LIFF_ID: '1-abc',
    },
  })
})

test.each([
  ['VITE_FIREBASE_PROJECT_ID', 'demo-shop'],
  ['VITE_FIREBASE_PROJECT_ID', ' '],
  ['VITE_FIREBASE_API_KEY', 'demo-key'],
  ['STOREFRONT_URL', 'http://localhost:5173'],
  ['STOREFRONT_URL', 'http://shop.example'],
  ['ADMIN_URL', 'office.example'],
  ['VITE_AUTH_EMULATOR_URL', 'http://localhost:9099'],
])('a site is not built for others with %s=%s', (name, value) => {
  expect(siteVariables({ ...given, [name]: value }).flaws).toEqual([expect.stringContaining(name)])
})
