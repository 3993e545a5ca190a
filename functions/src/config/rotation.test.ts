import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as account from '@shop/shared/account/endpoints.ts'
import { changePin } from '@shop/shared/account/pin-endpoints.ts'
import { listGames } from '@shop/shared/catalogue/endpoints.ts'
import { demoLine } from 'local/line-emulator/demo.ts'
import { type RunningLineEmulator, startLineEmulator } from 'local/line-emulator/server.ts'
import { startMailInbox } from 'local/mail-inbox/server.ts'
import { type RunningSlipProvider, startSlipProvider } from 'local/slip-provider/server.ts'
import { type RunningSupplier, startSupplier } from 'local/supplier/server.ts'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setPin } from '../access/pin.ts'
import { createPins, pinKeys } from '../account/pins.ts'
import { findSealed, lockTotp, saveTotp } from '../account/totp-store.ts'
import { createVault } from '../account/vault.ts'
import { fingerprintOf } from '../asking/keys.ts'
import { runCommand } from '../operations/commands.ts'
import { SECRETS, type SecretName } from '../pulse/secret-names.ts'
import { signSeagm } from '../supplier/seagm.ts'
import { addAccount, createTestShop, type TestShop, UNLIMITED } from '../testing/shop.ts'
import { readConfig } from './config.ts'
import { openServices } from './outside.ts'
import { ROTATION, type Rotation } from './rotation.ts'

const [OLD, NEW] = ['o'.repeat(40), 'n'.repeat(40)] as const
const { loginChannel, messagingChannel, users } = demoLine
/** Each rotation in its steps: what a variable holds while one secret takes the place of another. */
const STEPS = [[OLD], [OLD, NEW], [NEW, OLD], [NEW]] as const

let it: TestShop
let line: RunningLineEmulator
let slips: RunningSlipProvider
let supplier: RunningSupplier
let base: Record<string, string>

beforeAll(async () => {
  const now = () => it?.clock.now ?? new Date()
  line = await startLineEmulator({ port: 0, now: () => now().getTime() })
  slips = await startSlipProvider({ port: 0, now })
  supplier = await startSupplier({ port: 0, products: [], balanceSatang: 4200, now, tell: async () => {} })
  const environment = {
    ...slips.environment,
    ...supplier.environment,
    LINE_API_BASE_URL: line.origin,
    LINE_LOGIN_CHANNEL_ID: loginChannel.id,
    LINE_LOGIN_CHANNEL_SECRET: loginChannel.secret,
    LINE_CHANNEL_ACCESS_TOKEN: messagingChannel.accessToken,
    LINE_CHANNEL_SECRET: messagingChannel.secret,
    SUPPLIER: 'seagm',
  }
  it = await createTestShop(environment)
  const test = { NODE_ENV: 'test', DATABASE_URL: it.databaseUrl, FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1' }
  base = { ...test, CATALOGUE_CHECK_MS: '0', ...UNLIMITED, ...environment }
})
afterAll(() => Promise.all([line?.stop(), slips?.stop(), supplier?.stop(), it?.db.close()]))

/** Gives the server another configuration, as a deployment does. */
function deploy(change: Record<string, string>): void {
  const config = readConfig({ ...base, ...change })
  const services = openServices(config, it.shop.now, it.shop.beat)
  Object.assign(it.shop, { config, ...services, pins: createPins(config.PIN_KEYS) })
}

/** What `npm run ops -- keys` says with this configuration. */
async function tellKeys(change: Record<string, string>, ...args: string[]) {
  const lines: string[] = []
  const variables = { ...base, ...change }
  const code = await runCommand(['keys', ...args], { variables, say: text => lines.push(text) })
  return { code, lines: lines.map(text => text.replaceAll(/ +/g, ' ')) }
}

test('a secret that nobody said how to change does not compile, and the page has a section for each', () => {
  const { PIN_KEYS: _, ...lacking } = ROTATION
  // @ts-expect-error one is missing
  const incomplete: Record<SecretName, Rotation> = lacking
  expect(Object.keys(incomplete)).not.toContain('PIN_KEYS')
  expect(Object.keys(ROTATION).sort()).toEqual([...SECRETS].sort())
  const page = readFileSync(join(import.meta.dirname, '../../../docs/operations/rotate.md'), 'utf8')
  const headings = [...page.matchAll(/^## (.+)$/gm)].flatMap(([, text]) => text!.match(/`[A-Z_]+`/g) ?? [])
  expect(
    headings
      .map(name => name.slice(1, -1))
      .filter(name => SECRETS.includes(name))
      .sort(),
  ).toEqual([...SECRETS].sort())
  for (const [name, { meanwhile }] of Object.entries(ROTATION)) expect(page, name).toContain(meanwhile)
})

/** The test that holds the rotation of each secret: a file, and how the name of the test begins. */
const HELD_BY: Record<SecretName, [file: string, test: string]> = {
  DATABASE_URL: ['start/takeover.test.ts', "the database's password changes while people buy"],
  DATABASE_READ_URL: ['database/reports.test.ts', 'one that is down is left'],
  LINE_LOGIN_CHANNEL_SECRET: ['config/rotation.test.ts', 'LINE_LOGIN_CHANNEL_SECRET: '],
  LINE_CHANNEL_ACCESS_TOKEN: ['config/rotation.test.ts', 'LINE_CHANNEL_ACCESS_TOKEN: '],
  LINE_CHANNEL_SECRET: ['config/rotation.test.ts', 'LINE_CHANNEL_SECRET: '],
  TOTP_KEY: ['config/rotation.test.ts', 'TOTP_KEY: codes are taken at every step'],
  VOUCHER_KEYS: ['voucher/stock.test.ts', 'a key of codes changes'],
  PIN_KEYS: ['config/rotation.test.ts', 'PIN_KEYS: a PIN is taken at every step'],
  FRONT_SECRET: ['config/rotation.test.ts', 'FRONT_SECRET and PULSE_KEYS: '],
  PULSE_KEYS: ['config/rotation.test.ts', 'FRONT_SECRET and PULSE_KEYS: '],
  SMTP_URL: ['config/rotation.test.ts', 'SMTP_URL: '],
  BOT_API_KEY: ['cost/rates.test.ts', 'the bank is asked with the next key'],
  SLIPOK_API_KEY: ['config/rotation.test.ts', '%s: a question that one key is refused for'],
  EASYSLIP_API_KEY: ['config/rotation.test.ts', '%s: a question that one key is refused for'],
  SLIPOK_BRANCH_ID: ['config/rotation.test.ts', 'keys that belong together'],
  SEAGM_UID: ['config/rotation.test.ts', 'keys that belong together'],
  SEAGM_SECRET_KEY: ['config/rotation.test.ts', 'SEAGM_SECRET_KEY: '],
  GAMESDROP_TOKEN: ['supplier/keys.test.ts', '%s: a call that one key is refused for'],
  KINGUIN_API_KEY: ['supplier/keys.test.ts', '%s: a call that one key is refused for'],
  KINGUIN_WEBHOOK_SECRET: ['supplier/keys.test.ts', 'KINGUIN_WEBHOOK_SECRET: '],
  OPN_SECRET_KEY: ['gateway/faults.test.ts', '%s: a call that one key is refused for'],
  STRIPE_SECRET_KEY: ['gateway/faults.test.ts', '%s: a call that one key is refused for'],
  OPN_WEBHOOK_SECRET: ['gateway/faults.test.ts', '%s: a webhook is heard by either secret'],
  STRIPE_WEBHOOK_SECRET: ['gateway/faults.test.ts', '%s: a webhook is heard by either secret'],
}

test.each(Object.entries(HELD_BY))('the rotation of %s is held by a test', (_, [file, name]) => {
  const text = readFileSync(join(import.meta.dirname, '..', file), 'utf8')
  const tests = text.matchAll(/^(?:test| {2}['"])(?:\(['"])?(.+)/gm)
  expect([...tests].some(([, begun]) => begun!.startsWith(name))).toBe(true)
})

/** The code that an app shows. A code works once, so time passes before the next. */
function codeOf(secret: Uint8Array): string {
  it.clock.advance(30)
  const app = new TOTP({ secret: new Secret({ buffer: new Uint8Array(secret).buffer }) })
  return app.generate({ timestamp: it.clock.now.getTime() })
}
const confirm = (uid: string, code: string) => it.as(uid).codeOf(account.confirmTotp, { body: { code } })

/** Somebody whose app was enrolled under a key. */
async function enrol(uid: string, key: string): Promise<Uint8Array> {
  const secret = new Uint8Array(randomBytes(20))
  await addAccount(it, uid, 'manager')
  const sealed = await createVault([key]).seal(uid, secret)
  await it.db.transaction(async tx => {
    await lockTotp(tx, uid)
    await saveTotp(tx, uid, { secret: sealed })
  })
  return secret
}
const keyOfApp = async (uid: string) => {
  const row = (await findSealed(it.db, it.clock.now)).find(each => each.uid === uid)!
  return [OLD, NEW][(await createVault([OLD, NEW]).open(uid, row.sealed))!.key]
}

test('TOTP_KEY: codes are taken at every step, by servers of either configuration, and move their app to the newest', async () => {
  const secret = await enrol('app-owner', OLD)
  const newest: string[] = []
  for (const [at, keys] of STEPS.entries()) {
    // While one step is deployed, servers of the step before still answer.
    for (const held of [STEPS[at - 1] ?? keys, keys, STEPS[at - 1] ?? keys, keys]) {
      deploy({ TOTP_KEY: held.join(',') })
      expect(await confirm('app-owner', codeOf(secret))).toBe('OK')
    }
    newest.push((await keyOfApp('app-owner'))!)
  }
  expect(newest).toEqual([OLD, OLD, NEW, NEW])
})

test('TOTP_KEY: one that went too early counts no wrong try, is told, and helps again once it is back', async () => {
  const secret = await enrol('away', OLD)
  deploy({ TOTP_KEY: NEW })
  for (let tries = 0; tries < 12; tries++) expect(await confirm('away', codeOf(secret))).toBe('TOTP_UNREADABLE')
  const told = await tellKeys({ TOTP_KEY: NEW })
  expect([told.code, told.lines.join('\n')]).toEqual([
    1,
    expect.stringContaining('TOTP_KEY unknown 1 authenticator apps that no key reads'),
  ])
  const both = { TOTP_KEY: `${NEW},${OLD}` }
  const before = (await tellKeys(both)).lines
  expect(before).toContain(`TOTP_KEY ${fingerprintOf(OLD)} 1 authenticator apps; it is needed`)
  expect(before.join('\n')).not.toMatch(/oooo|nnnn/)
  expect(before.filter(text => text.startsWith('TOTP_KEY'))).toHaveLength(2)
  const after = await tellKeys(both, '--renew')
  expect(after.lines).toContain('1 authenticator apps were moved to the newest key.')
  expect(after.lines).toContain(`TOTP_KEY ${fingerprintOf(OLD)} 0 authenticator apps; it may go`)
  expect(await confirm('away', codeOf(secret))).toBe('OK')
})

test('TOTP_KEY: a single key of before is read as it was, even one with commas in it', async () => {
  const withCommas = `${'a'.repeat(35)},${'b'.repeat(35)}`
  for (const key of ['a key, with commas, that is one key', withCommas]) {
    const uid = `of-before-${key.length}`
    const secret = await enrol(uid, key)
    deploy({ TOTP_KEY: key })
    expect(await confirm(uid, codeOf(secret))).toBe('OK')
  }
  await it.db.query({ text: 'DELETE FROM account_totp' })
})

test('PIN_KEYS: a PIN is taken at every step, and is kept anew with the newest', async () => {
  await addAccount(it, 'pin-owner', 'agent')
  const steps = STEPS.map(keys => keys.map(key => `${key === OLD ? 'v1' : 'v2'}:${key}`).join(','))
  await setPin(it.db, 'pin-owner', createPins(pinKeys.parse(steps[0]!)).hash('pin-owner', '1234'))
  let pin = '1234'
  for (const [at, keys] of steps.entries())
    for (const held of [steps[at - 1] ?? keys, keys]) {
      deploy({ PIN_KEYS: held })
      const next = pin === '1234' ? '9753' : '1234'
      expect(await it.as('pin-owner').codeOf(changePin, { body: { oldPin: pin, pin: next } })).toBe('OK')
      pin = next
    }
})

test('PIN_KEYS: how many PINs each key holds is told by its name', async () => {
  const both = `v2:${NEW},v1:${OLD}`
  await addAccount(it, 'agent-of-old', 'agent')
  await setPin(it.db, 'agent-of-old', createPins(pinKeys.parse(`v1:${OLD}`)).hash('agent-of-old', '1234'))
  expect((await tellKeys({ PIN_KEYS: both })).lines).toContain(
    `PIN_KEYS ${fingerprintOf(OLD)} v1: 1 PINs; it is needed`,
  )
  const lost = await tellKeys({ PIN_KEYS: `v2:${NEW}` })
  expect([lost.code, lost.lines.join('\n')]).toEqual([1, expect.stringContaining('v1: 1 PINs that no key reads')])
  deploy({ PIN_KEYS: both })
  const body = { oldPin: '1234', pin: '9753' }
  expect(await it.as('agent-of-old').codeOf(changePin, { body })).toBe('OK')
  expect((await tellKeys({ PIN_KEYS: both })).lines).toContain(`PIN_KEYS ${fingerprintOf(OLD)} v1: 0 PINs; it may go`)
})

test('LINE_CHANNEL_SECRET: what either secret signed is heard, and it is told which one was', async () => {
  const hear = async (secret: string) => {
    const body = JSON.stringify({ destination: 'U0', events: [] })
    const signature = createHmac('sha256', secret).update(body).digest('base64')
    const reply = await it.request('/line/webhook', {
      method: 'POST',
      body,
      headers: { 'x-line-signature': signature },
    })
    return reply.status
  }
  for (const [keys, heard] of [
    [[OLD], [200, 403]],
    [
      [NEW, OLD],
      [200, 200],
    ],
    [[NEW], [403, 200]],
  ] as const) {
    deploy({ LINE_CHANNEL_SECRET: keys.join(',') })
    expect([await hear(OLD), await hear(NEW)]).toEqual(heard)
  }
  const { lines } = await tellKeys({ LINE_CHANNEL_SECRET: `${NEW},${OLD}` })
  expect(lines).toContainEqual(
    expect.stringMatching(`LINE_CHANNEL_SECRET ${fingerprintOf(NEW)} last accepted 2026-11-20 .* UTC; the newest`),
  )
})

/** Signs in by LINE's page, as a browser does. */
async function signInWithLine(): Promise<string> {
  const { authorizeUrl, attempt } = await it.as(null).call(account.startLineSignIn, {})
  line.control.setAutoLogin({ userId: users.friend.userId, decision: 'allow' })
  const back = new URL((await fetch(authorizeUrl, { redirect: 'manual' })).headers.get('location')!)
  const body = { code: back.searchParams.get('code')!, state: back.searchParams.get('state')!, attempt }
  return it.as(null).codeOf(account.createCustomToken, { body })
}

test('LINE_LOGIN_CHANNEL_SECRET: who comes back from LINE is let in before, while and after LINE changes it', async () => {
  for (const [atLine, keys] of [
    [OLD, [OLD]],
    [OLD, [NEW, OLD]],
    [NEW, [NEW, OLD]],
    [NEW, [NEW]],
  ] as const) {
    line.state.loginChannel.secret = atLine
    deploy({ LINE_LOGIN_CHANNEL_SECRET: keys.join(',') })
    expect(await signInWithLine()).toBe('OK')
  }
  // LINE has changed it, and the shop does not know the new one yet.
  deploy({ LINE_LOGIN_CHANNEL_SECRET: OLD })
  expect(await signInWithLine()).toBe('LINE_UNAVAILABLE')
})

test('LINE_CHANNEL_ACCESS_TOKEN: messages go out with the one that LINE takes', async () => {
  for (const [atLine, tokens] of [
    [OLD, [OLD]],
    [OLD, [NEW, OLD]],
    [NEW, [NEW, OLD]],
    [NEW, [NEW]],
  ] as const) {
    line.state.messagingChannel.accessToken = atLine
    deploy({ LINE_CHANNEL_ACCESS_TOKEN: tokens.join(',') })
    const retryKey = crypto.randomUUID()
    const push = { to: users.friend.userId, retryKey, messages: [{ type: 'text', text: 'สวัสดี' }] } as const
    expect(await it.shop.chat!.push(push)).toMatchObject({ kind: 'accepted' })
    expect(await it.shop.chat!.quota()).not.toBeNull()
  }
})

test.each([
  ['slipok', 'SLIPOK_API_KEY'],
  ['easyslip', 'EASYSLIP_API_KEY'],
] as const)(
  '%s: a question that one key is refused for is asked with the other; only without any it stops',
  async (name, key) => {
    const right = slips.environment[key]!
    const verdicts = []
    for (const keys of [[right], ['not-yet', right], [right, 'gone'], [right], ['gone']]) {
      deploy({ SLIP_PROVIDER: name, [key]: keys.join(',') })
      const { answer } = await it.shop.slipProvider!.ask({ qrText: 'x'.repeat(50), amountSatang: 14_900 })
      verdicts.push(answer.kind === 'refused', (await it.shop.slipProvider!.standing()).kind)
    }
    expect(verdicts).toEqual([false, 'ok', false, 'ok', false, 'ok', false, 'ok', true, 'refused'])
  },
)

test('a refused key rests: the next question goes to the other one at once', async () => {
  const right = slips.environment.SLIPOK_API_KEY!
  deploy({ SLIP_PROVIDER: 'slipok', SLIPOK_API_KEY: `not-yet,${right}` })
  await it.shop.slipProvider!.ask({ qrText: 'x'.repeat(50), amountSatang: 14_900 })
  const before = slips.journal.length
  await it.shop.slipProvider!.ask({ qrText: 'y'.repeat(50), amountSatang: 14_900 })
  expect(slips.journal.length - before).toBe(1)
})

test('SEAGM_SECRET_KEY: calls are made with the key that is taken, callbacks by either are believed', async () => {
  const right = supplier.environment.SEAGM_SECRET_KEY!
  const report = (secretKey: string) => {
    const params = { mch_order_id: 'K1', status_code: '10003' }
    return new URLSearchParams({ ...params, signature: signSeagm(params, secretKey) }).toString()
  }
  for (const [keys, others] of [
    [[right], false],
    [['not-yet', right], true],
    [[right, 'not-yet'], true],
    [[right], false],
  ] as const) {
    deploy({ SEAGM_SECRET_KEY: keys.join(',') })
    expect(await it.shop.suppliers.seagm!.balance()).toBe(4200)
    const heard = [right, 'not-yet'].map(
      key => it.shop.suppliers.seagm!.readCallback(report(key), new Headers()) !== null,
    )
    expect(heard).toEqual([true, others])
  }
  deploy({ SEAGM_SECRET_KEY: 'gone' })
  expect(await it.shop.suppliers.seagm!.balance()).toBeNull()
})

test('SMTP_URL: mail goes by the address that lets the shop in, and never by two', async () => {
  const inbox = await startMailInbox({ port: 0 })
  const by = (password: string) =>
    Object.assign(new URL(inbox.environment.SMTP_URL), { username: 'shop', password }).href
  const letter = { to: 'a@test.shop', subject: 's', text: 't', html: 'h', date: it.clock.now }
  const send = async () => (await it.shop.mail!.send({ id: crypto.randomUUID(), ...letter })).kind
  for (const [atServer, addresses] of [
    [['old,1'], [by('old,1')]],
    [['old,1'], [by('new'), by('old,1')]],
    [['new'], [by('new'), by('old,1')]],
    [['new'], [by('new')]],
    // Another server that is not there yet.
    [['new'], ['smtp://127.0.0.1:1', by('new')]],
  ] as const) {
    inbox.passwords.splice(0, 9, ...atServer)
    deploy({ SMTP_URL: addresses.join(','), MAIL_FROM: 'a@test.shop', SMTP_TIMEOUT_MS: '5000' })
    const before = inbox.mails.length
    expect(await send()).toBe('accepted')
    expect((await it.shop.mail!.greet()).kind).toBe('accepted')
    expect(inbox.mails.length - before).toBe(1)
  }
  // What may have been handed over is not handed over again by the other address.
  deploy({ SMTP_URL: `${by('new')},${by('new')}/2`, MAIL_FROM: 'a@test.shop', SMTP_TIMEOUT_MS: '5000' })
  inbox.faults.push('dropAfter')
  const before = inbox.mails.length
  expect([await send(), inbox.mails.length - before]).toEqual(['unknown', 1])
  const both = { SMTP_URL: `${by('new')}, ${by('old,1')}`, MAIL_FROM: 'a@test.shop' }
  const told = (await tellKeys(both)).lines.filter(text => text.startsWith('SMTP_URL'))
  expect(told).toEqual([expect.stringContaining('last accepted'), expect.stringContaining('last accepted')])
  await inbox.stop()
})

test('keys that belong together come in pairs, or one goes with all', () => {
  const slipok = { ...base, SLIP_PROVIDER: 'slipok', SLIPOK_API_KEY: 'b,a' }
  expect(readConfig({ ...slipok, SLIPOK_BRANCH_ID: '1' }).slipProvider!.keys).toEqual([
    { SLIPOK_BRANCH_ID: '1', SLIPOK_API_KEY: 'b' },
    { SLIPOK_BRANCH_ID: '1', SLIPOK_API_KEY: 'a' },
  ])
  expect(readConfig({ ...slipok, SLIPOK_BRANCH_ID: '2,1' }).slipProvider!.keys[1]).toEqual({
    SLIPOK_BRANCH_ID: '1',
    SLIPOK_API_KEY: 'a',
  })
  expect(() => readConfig({ ...slipok, SLIPOK_BRANCH_ID: '3,2,1' })).toThrow('SLIPOK_API_KEY must hold one value, or 3')
})

test('FRONT_SECRET and PULSE_KEYS: either is taken, and it is told which one came', async () => {
  const both = `${NEW},${OLD}`
  deploy({ FRONT_SECRET: both, PULSE_KEYS: both })
  for (const secret of [OLD, NEW]) {
    expect((await it.request(listGames.path, { headers: { 'x-front-secret': secret } })).status).toBe(200)
    const pulse = await it.request('/pulse', { headers: { authorization: `Bearer ${secret}` } })
    expect(await pulse.json()).toHaveProperty('checks')
  }
  deploy({})
  await expect
    .poll(async () =>
      (await tellKeys({ FRONT_SECRET: both, PULSE_KEYS: both })).lines.filter(text => /^(FRONT|PULSE)/.test(text)),
    )
    .toEqual(Array.from({ length: 4 }, () => expect.stringContaining('last accepted')))
})
