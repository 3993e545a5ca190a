import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { demoLine } from 'local/line-emulator/demo.ts'
import { type RunningLineEmulator, startLineEmulator } from 'local/line-emulator/server.ts'
import { type RunningMailInbox, startMailInbox } from 'local/mail-inbox/server.ts'
import { isWithoutPgbouncer, startPooler } from 'local/pooler.ts'
import { type RunningSlipProvider, startSlipProvider } from 'local/slip-provider/server.ts'
import { demoSuppliers } from 'local/supplier/demo.ts'
import { type RunningSupplier, startSupplier } from 'local/supplier/server.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Config } from '../../config/config.ts'
import { openServices } from '../../config/outside.ts'
import { type Database, openDatabase } from '../../database/database.ts'
import { createApp } from '../../start/app.ts'
import { createTestShop, type TestShop } from '../../testing/shop.ts'
import type { Files } from '../../upload/files.ts'
import { judgeClock } from './database-checks.ts'
import { doctor, examine } from './doctor.ts'
import { judgeCaller } from './outside-checks.ts'
import type { Patient } from './patient.ts'

let it: TestShop
let line: RunningLineEmulator
let slips: RunningSlipProvider
let supplier: RunningSupplier
let inbox: RunningMailInbox
let server: Server
let storefront = ''

beforeAll(async () => {
  line = await startLineEmulator({ port: 0 })
  slips = await startSlipProvider({ port: 0 })
  supplier = await startSupplier({
    ...demoSuppliers[0],
    port: 0,
    tell: async () => undefined,
    // Calls are signed with the shop's time.
    now: () => it.clock.now,
  })
  inbox = await startMailInbox({ port: 0 })
  const { loginChannel, messagingChannel, liffId } = demoLine
  it = await createTestShop({
    ...slips.environment,
    ...supplier.environment,
    ...inbox.environment,
    SMTP_TIMEOUT_MS: '2000',
    SLIP_PROVIDER: 'slipok',
    SUPPLIER: 'seagm',
    // Not by the name localhost, at whose other address a stranger may listen on the same port.
    LINE_API_BASE_URL: `http://127.0.0.1:${new URL(line.origin).port}`,
    LINE_LOGIN_CHANNEL_ID: loginChannel.id,
    LINE_LOGIN_CHANNEL_SECRET: loginChannel.secret,
    LINE_CHANNEL_ACCESS_TOKEN: messagingChannel.accessToken,
    LINE_CHANNEL_SECRET: messagingChannel.secret,
    LINE_LIFF_ID: liffId,
  })
  server = serve({ fetch: createApp(it.shop).fetch, port: 0, hostname: '127.0.0.1' }) as Server
  await new Promise(resolve => server.once('listening', resolve))
  storefront = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  line.state.webhookUrl = `${storefront}/line/webhook`
})
afterAll(async () => {
  server?.close()
  await Promise.all([line?.stop(), slips?.stop(), supplier?.stop(), inbox?.stop(), it?.db.close()])
})

/** The shop as `doctor` meets it, with something else than it should be. */
async function look(
  change: Partial<Omit<Patient, 'config'>> & { config?: Partial<Config> } = {},
  limitMs?: number,
): Promise<{ isWell: boolean; lines: string[] }> {
  const { config: other, ...parts } = change
  const config: Config = { ...it.shop.config, STOREFRONT_URL: storefront, ...other }
  const patient: Patient = {
    db: it.shop.db,
    limits: [],
    identityProvider: it.shop.identityProvider,
    services: openServices(config, it.shop.now),
    openFiles: async () => it.shop.files,
    now: it.shop.now,
    config,
    ...parts,
  }
  const lines: string[] = []
  const isWell = await examine(patient, line => lines.push(line), limitMs)
  return { isWell, lines }
}
const wrongOf = ({ lines }: { lines: string[] }) => lines.filter(line => line.startsWith('WRONG'))

/** Looks while the owner has done something to the database, which is taken back afterwards. */
async function lookAfter(done: string, undone: string) {
  await it.db.query({ text: done })
  const fresh = openDatabase(it.databaseUrl, { connections: 1 })
  try {
    return await look({ db: fresh })
  } finally {
    await fresh.close()
    await it.db.query({ text: undone })
  }
}

async function lookAt(databaseUrl: string) {
  const db: Database = openDatabase(databaseUrl, { connections: 1, timeoutMs: { connect: 5000 } })
  try {
    return await look({ db })
  } finally {
    await db.close()
  }
}

const failing = (step: 'write' | 'read' | 'remove', message: string): (() => Promise<Files>) => {
  const fail = () => Promise.reject(new Error(message))
  return async () => ({ ...it.shop.files, [step]: fail })
}

test('nothing is wrong with a shop that has all it needs, and every check says what it saw', async () => {
  const { isWell, lines } = await look()
  expect(wrongOf({ lines })).toEqual([])
  expect(isWell).toBe(true)
  expect(lines).toContainEqual(expect.stringMatching(/^ok +LINE messages +คราม เติมเกม @kraam$/))
  expect(lines).toContainEqual(expect.stringMatching(/^ok +slip provider +slipok, 100 questions left$/))
  expect(lines).toContainEqual(expect.stringContaining('the server sees this machine as 127.0.0.1'))
})

test('a newer schema is told and nothing wrong: the way back to the version before leads over it', async () => {
  const { isWell, lines } = await lookAfter(
    `INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('later', 99999999999999)`,
    `DELETE FROM drizzle.__drizzle_migrations WHERE hash = 'later'`,
  )
  expect(isWell).toBe(true)
  expect(lines).toContainEqual(expect.stringContaining('was migrated by a newer version'))
})

describe('each fault is named', () => {
  const url = (change: (url: URL) => void) => {
    const changed = new URL(it.databaseUrl)
    change(changed)
    return changed.href
  }
  const { id, secret } = demoLine.loginChannel
  const FAULTS: Record<string, [fault: () => ReturnType<typeof look>, words: string]> = {
    'nothing listens': [() => lookAt('postgresql://shop_app@127.0.0.1:1/shop'), 'DATABASE_URL: nothing listens there.'],
    'no such database': [
      () => lookAt(url(it => (it.pathname = '/nowhere'))),
      'DATABASE_URL: there is no such database.',
    ],
    'a storefront that nobody knows': [
      () => look({ config: { STOREFRONT_URL: 'https://shop.invalid' } }),
      'STOREFRONT_URL: nothing answers at https://shop.invalid/ready.',
    ],
    'LINE under a name that nobody knows': [
      () => look({ config: { LINE_API_BASE_URL: 'http://line.invalid' } }),
      'LINE does not answer: does this machine reach',
    ],
    "the owner's address": [() => lookAt(url(it => (it.username = 'postgres'))), 'The role postgres is SUPERUSER'],
    'an own table': [
      () =>
        lookAfter(
          'ALTER TABLE banner OWNER TO shop_app',
          'ALTER TABLE banner OWNER TO postgres; GRANT SELECT, INSERT, UPDATE, DELETE ON banner TO shop_app',
        ),
      'The role shop_app owns banner',
    ],
    'books that can be changed': [
      () => lookAfter('GRANT UPDATE ON ledger_entry TO shop_app', 'REVOKE UPDATE ON ledger_entry FROM shop_app'),
      'The role shop_app may UPDATE ledger_entry, which is written once',
    ],
    'too few rights': [
      () => lookAfter('REVOKE SELECT ON option FROM shop_app', 'GRANT SELECT ON option TO shop_app'),
      'The role shop_app may not SELECT option: run `migrate`',
    ],
    'tables that anybody makes': [
      () => lookAfter('GRANT CREATE ON SCHEMA public TO PUBLIC', 'REVOKE CREATE ON SCHEMA public FROM PUBLIC'),
      'The role shop_app may make tables',
    ],
    'pending migrations': [
      () =>
        lookAfter(
          `UPDATE drizzle.__drizzle_migrations SET created_at = -created_at
            WHERE created_at = (SELECT max(created_at) FROM drizzle.__drizzle_migrations)`,
          'UPDATE drizzle.__drizzle_migrations SET created_at = abs(created_at)',
        ),
      'The database lacks 1 migrations of this version',
    ],
    'settings of a turning disk': [
      () =>
        lookAfter(
          `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET random_page_cost = 4', current_database()); END $$`,
          `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I RESET random_page_cost', current_database()); END $$`,
        ),
      'random_page_cost is 4: run `migrate`',
    ],
    'a pooler without limits': [
      () => look({ limits: ['Let it connect anew after: ALTER ROLE shop_app'] }),
      'after: ALTER ROLE',
    ],
    'no payment method': [
      () =>
        lookAfter(
          `UPDATE payment_method SET code = 'gone' WHERE code = 'bank'`,
          `UPDATE payment_method SET code = 'bank' WHERE code = 'gone'`,
        ),
      'Without payment method bank nothing can be sold: run `first-data`.',
    ],
    'no admin': [
      () =>
        lookAfter(
          `UPDATE account SET status = 'inactive' WHERE role = 'admin'`,
          `UPDATE account SET status = 'active' WHERE role = 'admin'`,
        ),
      'Nobody is an admin: run `first-admin <email>`.',
    ],
    'a bucket that takes nothing': [
      () => look({ config: { FILES_BUCKET: 'slips' }, openFiles: failing('write', 'does not have access') }),
      'FILES_BUCKET slips: a file can not be written. The service account needs storage.objects.create',
    ],
    'a bucket that gives nothing': [
      () => look({ config: { FILES_BUCKET: 'slips' }, openFiles: failing('read', 'does not have access') }),
      'needs storage.objects.get there',
    ],
    'a bucket that keeps all': [
      () => look({ config: { FILES_BUCKET: 'slips' }, openFiles: failing('remove', 'does not have access') }),
      'needs storage.objects.delete there',
    ],
    'tokens that can not be signed': [
      () =>
        look({
          identityProvider: {
            ...it.shop.identityProvider,
            createCustomToken: () => Promise.reject(new Error("Permission 'iam.serviceAccounts.signBlob' denied")),
          },
        }),
      'The service account needs iam.serviceAccounts.signBlob on itself',
    ],
    'accounts that can not be read': [
      () =>
        look({
          identityProvider: {
            ...it.shop.identityProvider,
            findUserByEmail: () => Promise.reject(new Error('CONFIGURATION_NOT_FOUND')),
          },
        }),
      'The accounts of GCLOUD_PROJECT demo-shop can not be read.',
    ],
    'a wrong access token': [
      () => look({ config: { LINE_CHANNEL_ACCESS_TOKEN: ['wrong'] } }),
      'LINE_CHANNEL_ACCESS_TOKEN is refused (401)',
    ],
    "another channel's secret": [
      () => lookServed({ LINE_CHANNEL_SECRET: [secret] }),
      "LINE_CHANNEL_SECRET is not the Messaging channel's.",
    ],
    'a webhook of nobody': [
      () => {
        line.state.webhookUrl = `${storefront}/elsewhere`
        return look().finally(() => {
          line.state.webhookUrl = `${storefront}/line/webhook`
        })
      },
      "The Messaging channel's webhook URL is not set to",
    ],
    'a wrong secret of the Login channel': [
      () => look({ config: { LINE_LOGIN_CHANNEL_SECRET: [demoLine.messagingChannel.secret] } }),
      "LINE_LOGIN_CHANNEL_SECRET is not the Login channel's",
    ],
    "the Messaging channel's id for signing in": [
      () => look({ config: { LINE_LOGIN_CHANNEL_ID: demoLine.messagingChannel.id } }),
      `LINE_LOGIN_CHANNEL_ID ${demoLine.messagingChannel.id} is no Login channel`,
    ],
    "another channel's LIFF app": [
      () => look({ config: { LINE_LIFF_ID: '1999999999-AbcdEfgh' } }),
      `LINE_LIFF_ID is an app of channel 1999999999, LINE_LOGIN_CHANNEL_ID names ${id}`,
    ],
    'no LIFF id': [() => look({ config: { LINE_LIFF_ID: 'https://liff.line.me/x' } }), 'is no LIFF id'],
    'a wrong key of the slip provider': [
      () =>
        look({
          config: {
            slipProvider: { ...it.shop.config.slipProvider!, keys: [{ SLIPOK_BRANCH_ID: '1', SLIPOK_API_KEY: 'x' }] },
          },
        }),
      'SLIP_PROVIDER slipok refuses SLIPOK_BRANCH_ID and SLIPOK_API_KEY (400).',
    ],
    'a slip provider that is away': [
      () => look({ config: { slipProvider: { ...it.shop.config.slipProvider!, baseUrl: 'http://127.0.0.1:1' } } }),
      'SLIP_PROVIDER slipok does not answer.',
    ],
    'a wrong key of the supplier': [
      () =>
        look({
          config: {
            suppliers: [{ ...it.shop.config.suppliers[0]!, keys: [{ SEAGM_UID: 'x', SEAGM_SECRET_KEY: 'y' }] }],
          },
        }),
      'SUPPLIER seagm tells no balance. Are SEAGM_UID, SEAGM_SECRET_KEY right',
    ],
    'a mail server that greets nobody': [
      () => {
        inbox.faults.push('silent')
        return look()
      },
      'SMTP_URL: the mail server does not let the shop in.',
    ],
    'a front that does not prove itself': [
      () => lookServed({ FRONT_SECRET: ['a secret of thirty-two characters and more'] }),
      'FRONT_SECRET: the server refuses what comes through STOREFRONT_URL (403).',
    ],
    'no server': [() => look({ config: { STOREFRONT_URL: 'http://127.0.0.1:1' } }), 'STOREFRONT_URL: nothing answers'],
    'something else than the server': [
      () => look({ config: { STOREFRONT_URL: line.origin } }),
      'is answered by something else than the server',
    ],
    'callers who choose their address': [() => lookServed({ PROXIES_IN_FRONT: 1 }), 'PROXIES_IN_FRONT 1 is too high'],
    "another server's secrets": [
      () => look({ config: { TOTP_KEY: ['the key of some other installation'] } }),
      'The server has another TOTP_KEY than this command was given',
    ],
  }

  /** Looks while both have another configuration: the server, and the command that is given the same variables. */
  async function lookServed(other: Partial<Config>) {
    const own = { ...it.shop.config }
    Object.assign(it.shop.config, other)
    try {
      return await look()
    } finally {
      Object.assign(it.shop.config, own)
    }
  }

  test.each(Object.keys(FAULTS))('%s', async name => {
    const [fault, words] = FAULTS[name]!
    const found = await fault()
    expect(wrongOf(found).join('\n')).toContain(words)
    expect(found.isWell).toBe(false)
  })

  test('nothing of it stays', async () => {
    expect(wrongOf(await look())).toEqual([])
  })
})

test.skipIf(isWithoutPgbouncer())('a pooler is told of, with what becomes of named statements', async () => {
  const pooler = await startPooler(it.databaseUrl)
  try {
    const found = await look({ config: { DATABASE_URL: pooler.url } })
    expect(found.lines).toContainEqual(expect.stringContaining('a pooler; statements go without names'))
  } finally {
    await pooler.stop()
  }
})

test('what does not answer in time is named, and the others are told all the same', async () => {
  const { lines } = await look(
    { identityProvider: { ...it.shop.identityProvider, createCustomToken: () => new Promise(() => undefined) } },
    5000,
  )
  expect(lines).toContainEqual(expect.stringMatching(/^WRONG +signing tokens +There was no answer within 5 s\.$/))
  expect(lines).toContainEqual(expect.stringMatching(/^ok +LINE messages/))
})

test('every flaw of the configuration is a line of its own, and nothing is asked before it can be read', async () => {
  const lines: string[] = []
  const say = (line: string) => lines.push(line)
  const isWell = await doctor.run({
    args: [],
    say,
    variables: { NODE_ENV: 'production', DATABASE_URL: 'postgresql://127.0.0.1:1/shop', TOTP_KEY: ' ' },
  })
  expect(isWell).toBe(false)
  for (const name of ['TOTP_KEY', 'PIN_KEYS', 'LINE_LOGIN_CHANNEL_SECRET', 'STOREFRONT_URL'])
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^WRONG +configuration +.*${name}`)))
  expect(lines.filter(line => !line.includes('configuration'))).toEqual([])
})

test('a clock that is off is told by how much', () => {
  const now = Date.now()
  expect(judgeClock('the database', now, now).kind).toBe('ok')
  expect(judgeClock('the database', now - 60_000, now).words).toMatch(
    /clock is (60|61) s ahead of that of the database/,
  )
  expect(judgeClock('the storefront', now + 3_600_000, now).words).toContain('behind that of the storefront')
})

test('a shop on the internet that takes callers for its own proxy has counted too few of them', () => {
  const tooFew = expect.stringContaining('PROXIES_IN_FRONT 1 is too low')
  expect(judgeCaller('10.1.2.3', 1, '198.51.100.7')).toEqual({ kind: 'wrong', words: tooFew })
  expect(judgeCaller('fd00:1:2:3::/64', 1, '198.51.100.7')).toEqual({ kind: 'wrong', words: tooFew })
  expect(judgeCaller('192.0.2.9', 1, '198.51.100.7').kind).toBe('ok')
  // A shop of one network sees its callers' own addresses.
  expect(judgeCaller('192.168.1.20', 0, '192.168.1.2').kind).toBe('ok')
})

test('whom the server sees is told to nobody who does not have its secrets', async () => {
  const reply = await fetch(`${storefront}/ready`, { headers: { 'x-doctor': '1.00' } })
  expect(await reply.json()).toEqual({ ok: true, schema: expect.stringMatching(/^\d{4}_/) })
  expect(reply.headers.get('cache-control')).toBe('no-store')
})
