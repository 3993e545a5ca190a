import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { DEVELOPMENT_PIN_KEYS } from '../account/pins.ts'
import { factsOf } from '../http/log.ts'
import { RATE_LIMIT } from '../http/rate-limit.ts'
import { startServerProcess } from '../testing/server-process.ts'
import { createTestShop, tokenFor } from '../testing/shop.ts'
import { readConfig } from './config.ts'

const LIMITS = Object.values(RATE_LIMIT).map(({ variable }) => variable)

const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://localhost:1/none',
  GCLOUD_PROJECT: 'the-shop',
  PROXIES_IN_FRONT: '1',
  STOREFRONT_URL: 'https://shop.example',
  ADMIN_URL: 'https://office.example',
  FILES_DIR: '/var/lib/shop',
  LINE_LOGIN_CHANNEL_ID: '1',
  LINE_LOGIN_CHANNEL_SECRET: 'secret',
  TOTP_KEY: 'a key of thirty-two characters..',
  PIN_KEYS: `v1:${'s'.repeat(32)}`,
}

test('production refuses the Auth emulator, whatever the variable holds', () => {
  for (const host of ['127.0.0.1:9099', '0', 'false']) {
    expect(() => readConfig({ ...production, FIREBASE_AUTH_EMULATOR_HOST: host })).toThrow(
      /FIREBASE_AUTH_EMULATOR_HOST/,
    )
  }
  expect(() => readConfig(production)).not.toThrow()
})

test.each(['pa/ss', 'pa#ss', '1234/5', 'pa?ss', '12?4'])(
  'a password %s in an address is explained where it is read',
  password => {
    const DATABASE_URL = `postgresql://shop_app:${password}@db:5432/shop`
    expect(() => readConfig({ ...production, DATABASE_URL })).toThrow(/DATABASE_URL: .*%40 %2F %23/)
    const written = `postgresql://shop_app:${encodeURIComponent(password)}@db:5432/shop`
    expect(() => readConfig({ ...production, DATABASE_URL: written })).not.toThrow()
  },
)

test('production believes more than one proxy only from a front that proves itself', () => {
  const behindTwo = { ...production, PROXIES_IN_FRONT: '2' }
  expect(() => readConfig(behindTwo)).toThrow(/PROXIES_IN_FRONT above 1 needs FRONT_SECRET/)
  expect(() => readConfig({ ...behindTwo, FRONT_SECRET: 'short' })).toThrow(/FRONT_SECRET/)
  expect(readConfig({ ...behindTwo, FRONT_SECRET: `${'a'.repeat(32)},${'b'.repeat(32)}` }).FRONT_SECRET).toHaveLength(2)
})

test('a blank variable is an absent one, for every variable', () => {
  for (const blank of ['', ' ', '\t\n']) {
    const blanks = Object.fromEntries(
      [
        'NODE_ENV',
        'FIREBASE_AUTH_EMULATOR_HOST',
        'PLAYER_LOOKUP_URL',
        'PORT',
        'FILES_BUCKET',
        'LINE_API_BASE_URL',
        ...LIMITS,
      ].map(name => [name, blank]),
    )
    expect(readConfig({ ...production, ...blanks })).toEqual(readConfig(production))
    for (const name of Object.keys(production).filter(key => key !== 'NODE_ENV')) {
      expect(() => readConfig({ ...production, [name]: blank })).toThrow(new RegExp(name))
    }
  }
})

test('production refuses what is not chosen: project, proxies, secrets, addresses; and names all of it at once', () => {
  const { NODE_ENV, DATABASE_URL, ...chosen } = production
  for (const name of Object.keys(chosen)) {
    expect(() => readConfig({ ...production, [name]: undefined })).toThrow(new RegExp(`configuration: .*${name}`))
  }
  expect(() => readConfig({ NODE_ENV, DATABASE_URL })).toThrow(
    new RegExp(
      Object.keys(chosen)
        .map(name => `(?=.*${name})`)
        .join(''),
    ),
  )
  expect(() => readConfig({ ...production, GCLOUD_PROJECT: 'demo-shop' })).toThrow(/GCLOUD_PROJECT/)
  expect(() => readConfig({ ...production, TOTP_KEY: 'short' })).toThrow(/TOTP_KEY/)
  for (const name of ['PLAYER_LOOKUP_URL', 'STOREFRONT_URL', 'ADMIN_URL', 'QMS_URL', 'SEAGM_BASE_URL']) {
    expect(() => readConfig({ ...production, [name]: 'http://somewhere.example' })).toThrow(`${name} must be https`)
    expect(() => readConfig({ ...production, [name]: 'https://somewhere.example' })).not.toThrow()
  }
})

test('without NODE_ENV it is production, unless the Auth emulator or the demo project is named', () => {
  const { NODE_ENV, ...unsaid } = production
  expect(readConfig(unsaid).NODE_ENV).toBe('production')
  expect(() => readConfig({ ...unsaid, TOTP_KEY: undefined })).toThrow(/TOTP_KEY/)
  expect(() => readConfig({ DATABASE_URL: 'x' })).toThrow(/GCLOUD_PROJECT/)
  expect(readConfig({ DATABASE_URL: 'x', GCLOUD_PROJECT: 'demo-shop' }).NODE_ENV).toBe('development')
  expect(readConfig({ DATABASE_URL: 'x', FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1' }).NODE_ENV).toBe('development')
})

test.each([
  ['the key of development', { TOTP_KEY: 'only for development, not a secret' }, /TOTP_KEY/],
  ['PIN keys where the TOTP key belongs', { TOTP_KEY: production.PIN_KEYS }, /TOTP_KEY/],
  ['a TOTP key where PIN keys belong', { PIN_KEYS: production.TOTP_KEY }, /PIN_KEYS/],
  ['one secret in two places', { LINE_CHANNEL_ACCESS_TOKEN: 't', LINE_CHANNEL_SECRET: 't' }, /must not hold the same/],
  [
    'a receiver of webhooks in its own network',
    { WEBHOOK_LOCAL_ORIGIN: 'http://127.0.0.1:4801' },
    /WEBHOOK_LOCAL_ORIGIN/,
  ],
  ['a token without its secret', { LINE_CHANNEL_ACCESS_TOKEN: 't' }, /chat needs LINE_CHANNEL_SECRET/],
  ['a secret without its token', { LINE_CHANNEL_SECRET: 's' }, /chat needs LINE_CHANNEL_ACCESS_TOKEN/],
  ['no place for files', { FILES_DIR: undefined }, /FILES_BUCKET .*FILES_DIR/],
  ['a folder beside the program', { FILES_DIR: 'files' }, /FILES_BUCKET .*FILES_DIR/],
  ["a function's own disk", { K_SERVICE: 'api' }, /FILES_BUCKET/],
  ['sites of another project', { VITE_FIREBASE_PROJECT_ID: 'other' }, /VITE_FIREBASE_PROJECT_ID .*GCLOUD_PROJECT/],
  ['sites of another LIFF app', { LINE_LIFF_ID: '1-a', VITE_LIFF_ID: '1-b' }, /VITE_LIFF_ID .*LINE_LIFF_ID/],
  ['a limit that is no number', { RATE_LIMIT_LOOKUPS_PER_CALLER: 'many' }, /RATE_LIMIT_LOOKUPS_PER_CALLER/],
])('production refuses %s', (_, given, why) => {
  expect(() => readConfig({ ...production, ...given })).toThrow(why)
})

test('PINs are hashed with named keys, newest first', () => {
  const [secret, other] = ['s'.repeat(32), 'a:colon/and=signs+are-part-of-a-secret']
  expect(readConfig({ ...production, PIN_KEYS: `v2:${other}, v1:${secret}` }).PIN_KEYS).toEqual([
    { name: 'v2', secret: other },
    { name: 'v1', secret },
  ])
})

test.each([
  ['too short', `v1:${'s'.repeat(31)}`, 'key v1 needs a secret'],
  ['without a name', 's'.repeat(40), 'key 1 needs a name'],
  ['with a name that is none', `V 1:${'s'.repeat(40)}`, 'key 1 needs a name'],
  ['with a blank in it', `v1:${'s'.repeat(20)} ${'s'.repeat(20)}`, 'key v1 needs a secret'],
  ['with an end that is none', `v1:${'s'.repeat(40)},`, 'key 2 needs a name'],
  ['named like another', `v1:${'s'.repeat(40)},v1:${'t'.repeat(40)}`, 'two keys have the same name'],
  ['that is another one again', `v2:${'s'.repeat(40)},v1:${'s'.repeat(40)}`, 'two keys have the same secret'],
  ['of development', DEVELOPMENT_PIN_KEYS, 'the secret of development'],
  ['of development behind another', `v2:${'s'.repeat(40)},${DEVELOPMENT_PIN_KEYS}`, 'the secret of development'],
])('production refuses a PIN key %s, without telling it', (_, keys, why) => {
  const start = () => readConfig({ ...production, PIN_KEYS: keys })
  expect(start).toThrow(/PIN_KEYS/)
  expect(start).toThrow(why)
  expect(start).not.toThrow(/ssss|tttt|only-for/)
})

test('production refuses stand-ins for LINE', () => {
  expect(() => readConfig({ ...production, LINE_API_BASE_URL: 'http://localhost:9797' })).toThrow(/LINE itself/)
  expect(() => readConfig({ ...production, LINE_ACCESS_BASE_URL: 'https://access.line.me.example' })).toThrow(
    /LINE itself/,
  )
  const { LINE_API_BASE_URL, LINE_ACCESS_BASE_URL } = readConfig(production)
  expect([LINE_API_BASE_URL, LINE_ACCESS_BASE_URL]).toEqual(['https://api.line.me', 'https://access.line.me'])
})

test('production is no demo shop', () => {
  expect(() => readConfig({ ...production, DEMO_BANK_URL: 'https://bank.example' })).toThrow(/DEMO_BANK_URL/)
})

test('elsewhere the authorize page follows the stand-in', () => {
  const config = readConfig({ NODE_ENV: 'test', DATABASE_URL: 'x', LINE_API_BASE_URL: 'http://localhost:9797' })
  expect(config.LINE_ACCESS_BASE_URL).toBe('http://localhost:9797')
})

test('the server process ends at once, with the reason, when production has the emulator variable', async () => {
  const started = promisify(execFile)(
    process.execPath,
    [fileURLToPath(new URL('../start/server.ts', import.meta.url))],
    {
      env: { ...process.env, ...production, PORT: '0', FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9099' },
      timeout: 20_000,
    },
  )
  await expect(started).rejects.toMatchObject({ code: 1, killed: false })
  await expect(started).rejects.toThrow(/FIREBASE_AUTH_EMULATOR_HOST must not be set in production/)
})

test('a production server with the emulator variable blank, as env files write it, lets no forged token in', async () => {
  const { db, databaseUrl } = await createTestShop()
  await db.close()
  const { DATABASE_URL: _, ...env } = production
  // Whoever runs the checks may have set what the sites are built with.
  const sites = { VITE_FIREBASE_PROJECT_ID: '', VITE_STOREFRONT_URL: '', VITE_ADMIN_URL: '', VITE_LIFF_ID: '' }
  const server = await startServerProcess(databaseUrl, { ...env, ...sites, FIREBASE_AUTH_EMULATOR_HOST: '' })
  const issued = { iss: 'https://securetoken.google.com/the-shop', aud: 'the-shop' }
  const headers = { authorization: `Bearer ${tokenFor('admin', new Date(), issued)}` }
  try {
    const reply = await fetch(`${server.url}/romons.users/api/user/me`, { headers })
    expect([reply.status, await reply.json()]).toMatchObject([401, { code: 'UNAUTHENTICATED' }])
  } finally {
    await server.kill()
  }
})

test('whoever checks slips needs the key, in production over https; without a choice nobody checks', () => {
  expect(readConfig(production)).toMatchObject({ SLIP_PROVIDER: 'off', SLIP_SHADOW: false })
  const slipok = { ...production, SLIP_PROVIDER: 'slipok', SLIPOK_BRANCH_ID: '1', SLIPOK_API_KEY: 'key' }
  const easyslip = { ...production, SLIP_PROVIDER: 'easyslip', EASYSLIP_API_KEY: 'key', SLIP_SHADOW: 'true' }
  expect(readConfig(slipok).slipProvider?.baseUrl).toBe('https://api.slipok.com/api/line/apikey')
  expect(readConfig(easyslip).SLIP_SHADOW).toBe(true)
  for (const name of ['SLIPOK_BRANCH_ID', 'SLIPOK_API_KEY']) {
    expect(() => readConfig({ ...slipok, [name]: ' ' })).toThrow(new RegExp(name))
  }
  expect(() => readConfig({ ...easyslip, EASYSLIP_API_KEY: undefined })).toThrow(/EASYSLIP_API_KEY/)
  expect(() => readConfig({ ...slipok, SLIPOK_BASE_URL: 'http://127.0.0.1:1' })).toThrow(/SLIPOK_BASE_URL/)
  expect(() => readConfig({ ...easyslip, EASYSLIP_BASE_URL: 'http://127.0.0.1:1' })).toThrow(/EASYSLIP_BASE_URL/)
  expect(() => readConfig({ ...slipok, SLIPOK_BASE_URL: 'slips' })).toThrow(/SLIPOK_BASE_URL must be a URL/)
  expect(() => readConfig({ ...production, SLIP_PROVIDER: 'maybe' })).toThrow(/SLIP_PROVIDER/)
})

test('a gateway needs its keys, live ones in production and test ones elsewhere; without a choice nobody collects', () => {
  expect(readConfig(production)).toMatchObject({ GATEWAY: 'off', GATEWAY_TIMEOUT_MS: 8000, gateway: null })
  const opn = {
    ...production,
    GATEWAY: 'opn',
    OPN_SECRET_KEY: 'skey_2,skey_1',
    OPN_WEBHOOK_SECRET: Buffer.from('a secret of thirty-two characters').toString('base64'),
  }
  const stripe = {
    ...production,
    GATEWAY: 'stripe',
    STRIPE_SECRET_KEY: 'sk_live_1',
    STRIPE_WEBHOOK_SECRET: `whsec_${'w'.repeat(32)}`,
  }
  expect(readConfig(opn).gateway).toMatchObject({ name: 'opn', baseUrl: 'https://api.omise.co' })
  expect(readConfig(opn).gateway?.keys.map(({ OPN_SECRET_KEY: key }) => key)).toEqual(['skey_2', 'skey_1'])
  expect(readConfig(stripe).gateway).toMatchObject({ name: 'stripe', baseUrl: 'https://api.stripe.com' })
  const development = { NODE_ENV: 'development', GCLOUD_PROJECT: 'demo-shop' }
  const [testOpn, testStripe] = [{ OPN_SECRET_KEY: 'skey_test_1' }, { STRIPE_SECRET_KEY: 'sk_test_1' }]
  expect(readConfig({ ...opn, ...development, ...testOpn }).gateway).not.toBeNull()
  expect(readConfig({ ...stripe, ...development, ...testStripe }).gateway).not.toBeNull()
  for (const [given, flaw] of [
    [{ ...opn, ...testOpn }, /OPN_SECRET_KEY must be a live key/],
    [{ ...opn, OPN_SECRET_KEY: 'skey_1,skey_test_1' }, /OPN_SECRET_KEY must be a live key/],
    [{ ...opn, OPN_SECRET_KEY: 'pkey_1' }, /OPN_SECRET_KEY must be a live key/],
    [{ ...stripe, ...testStripe }, /STRIPE_SECRET_KEY must be a live key/],
    [{ ...opn, ...development }, /OPN_SECRET_KEY must be a key of the test mode/],
    [{ ...stripe, ...development }, /STRIPE_SECRET_KEY must be a key of the test mode/],
    [{ ...opn, OPN_SECRET_KEY: ' ' }, /GATEWAY needs OPN_SECRET_KEY/],
    [{ ...stripe, STRIPE_WEBHOOK_SECRET: undefined }, /GATEWAY needs STRIPE_WEBHOOK_SECRET/],
    // An empty key would let anybody sign.
    [{ ...opn, OPN_WEBHOOK_SECRET: '====' }, /OPN_WEBHOOK_SECRET must be the secret/],
    [{ ...stripe, STRIPE_WEBHOOK_SECRET: 'sk_live_2' }, /STRIPE_WEBHOOK_SECRET must be the secret/],
    [{ ...opn, OPN_BASE_URL: 'http://127.0.0.1:1' }, /OPN_BASE_URL must be https/],
    [{ ...stripe, STRIPE_BASE_URL: 'pay' }, /STRIPE_BASE_URL must be a URL/],
    [{ ...production, GATEWAY: 'maybe' }, /GATEWAY/],
  ] as const)
    expect(() => readConfig(given)).toThrow(flaw)
})

test('mail takes a server and a sender, or is off', () => {
  expect(readConfig(production)).toMatchObject({ SMTP_TIMEOUT_MS: 20_000 })
  const mail = { ...production, ADMIN_URL: 'https://admin.example', SMTP_URL: 'smtps://user:p%40ss@smtp.example.com' }
  const read = (from: string) => readConfig({ ...mail, MAIL_FROM: from }).MAIL_FROM
  expect(read('no-reply@shop.example')).toEqual({ name: '', address: 'no-reply@shop.example' })
  expect(read('คราม เติมเกม <no-reply@shop.example>')).toEqual({ name: 'คราม เติมเกม', address: 'no-reply@shop.example' })
  for (const bad of ['shop', 'a@b.cc, d@e.ff', 'x <a@b.cc> y', 'a\r\nb <a@b.cc>'])
    expect(() => read(bad)).toThrow(/MAIL_FROM/)
  expect(() => readConfig(mail)).toThrow(/mail needs MAIL_FROM/)
  expect(() => readConfig({ ...production, MAIL_FROM: 'a@b.cc' })).toThrow(/mail needs SMTP_URL/)
  expect(() => readConfig({ ...mail, MAIL_FROM: 'a@b.cc', SMTP_URL: 'https://smtp.example.com' })).toThrow(/SMTP_URL/)
})

test("Functions' log names what is wrong, and never with a value", () => {
  const given = { ...production, TOTP_KEY: 'my secret that is too short', SLIP_PROVIDER: 'sk-123' }
  let error: unknown
  try {
    readConfig(given)
  } catch (thrown) {
    error = thrown
  }
  const { message } = factsOf(error)
  expect(message).toMatch(/^configuration: .*TOTP_KEY.*SLIP_PROVIDER/)
  expect(message).not.toMatch(/my secret|sk-123/)
})
