import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@shop/shared/client.ts'
import type { EndpointInput, EndpointShape, Reply } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import type { Role } from '@shop/shared/permissions.ts'
import pg from 'pg'
import { inject } from 'vitest'
import { openKeyRing } from '../account/key-ring.ts'
import { createPins } from '../account/pins.ts'
import { createTokenVerifier } from '../account/token.ts'
import { errorsOf } from '../call/endpoint-errors.ts'
import { openCatalogue } from '../catalogue/catalogue-source.ts'
import { openPlayerLookup, type PlayerSource } from '../catalogue/player-lookup.ts'
import { findUnheard } from '../chat/listeners.ts'
import { type Config, readConfig } from '../config/config.ts'
import { openServices } from '../config/outside.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { asApplication } from '../database/migrate.ts'
import { openReports } from '../database/reports.ts'
import { openAnswers } from '../health/answers.ts'
import { openPatroni } from '../health/patroni.ts'
import { createRateLimits, RATE_LIMIT } from '../http/rate-limit.ts'
import { unmeasured } from '../metrics/metrics.ts'
import { openFacts } from '../order/placing/facts-store.ts'
import { openOrderStore } from '../order/placing/placing-store.ts'
import { openPulse } from '../pulse/pulse.ts'
import { openKeyUse } from '../reseller/key-use.ts'
import type { Shop } from '../shop/shop.ts'
import { createApp } from '../start/app.ts'
import { openRates } from '../supplier/rates.ts'
import { openFiles } from '../upload/files.ts'
import { openVouchers } from '../voucher/store.ts'
import { seedFixture } from './fixture.ts'
import { createMemoryIdentity } from './memory-identity.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the migrated, empty template database. */
    postgresUrl: string
  }
}

const PROJECT = 'demo-shop'

/** Every limit far above what a test asks for. */
export const UNLIMITED: Record<string, string> = Object.fromEntries(
  Object.values(RATE_LIMIT).map(({ variable }) => [variable, '1000000']),
)

/** Copies the migrated template; the copy goes with the server after the run. Returns the owner's address. */
export const createTestDatabase = (): Promise<string> => copyOf(inject('postgresUrl'))

async function copyOf(template: string): Promise<string> {
  const url = new URL(template)
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // With fsync off, copying files takes half the time of logging their pages.
  await administer(`CREATE DATABASE ${name} TEMPLATE ${url.pathname.slice(1)} STRATEGY FILE_COPY`)
  url.pathname = `/${name}`
  return url.href
}

/** The moment at which a test's clock stands first. */
const FIRST_MOMENT = '2026-11-20T05:00:00.000Z'
let fixtureTemplate: Promise<string> | undefined

/** A copy with the fixture shop in it, which is put there once for all tests of this process. */
async function createFixtureDatabase(): Promise<string> {
  fixtureTemplate ??= createTestDatabase().then(async template => {
    const owner = openDatabase(template, { connections: 1 })
    await seedFixture(owner, new Date(FIRST_MOMENT))
    await owner.close()
    return template
  })
  return copyOf(await fixtureTemplate)
}

/** Databases of shops that are closed, the oldest first: a test may open the one again that it has just closed. */
const closed: string[] = []
const KEPT = 8

/** Those of a whole run would fill the disk, or the memory that they are in. */
async function dropLater(ownerUrl: string): Promise<void> {
  if (closed.push(ownerUrl) <= KEPT) return
  await administer(`DROP DATABASE IF EXISTS ${new URL(closed.shift()!).pathname.slice(1)} (FORCE)`)
}

async function administer(text: string): Promise<void> {
  const admin = new URL(inject('postgresUrl'))
  admin.pathname = '/postgres'
  const client = new pg.Client({ connectionString: admin.href })
  await client.connect()
  await client.query(text)
  await client.end()
}

/** A token as the Auth emulator issues it; `change` overrides claims. */
export function tokenFor(uid: string, issuedAt: Date, change: Record<string, unknown> = {}): string {
  const seconds = Math.floor(issuedAt.getTime() / 1000)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = {
    iss: `https://securetoken.google.com/${PROJECT}`,
    aud: PROJECT,
    sub: uid,
    iat: seconds,
    auth_time: seconds,
    exp: seconds + 3600,
    email: `${uid}@test.shop`,
    email_verified: true,
    firebase: { sign_in_provider: uid.startsWith('line:') ? 'custom' : 'password' },
    ...change,
  }
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`
}

/** Knows one player, and does not answer for another. */
const players: PlayerSource = async ({ fields: [playerId] }) => {
  if (playerId === '5000000000') return { kind: 'unavailable' }
  return playerId === '5123456789' ? { kind: 'found', uid: playerId, name: 'Namkhao_TH' } : { kind: 'wrong' }
}

/** A mail server that takes everything. By it the shop's people hear, or nothing large could be done in a test. */
const HEARS_ALL: Shop['mail'] = { send: async () => ({ kind: 'accepted' }), greet: async () => ({ kind: 'accepted' }) }

export interface TestShop {
  shop: Shop & { config: Config }
  /** The owner's connection, for what only a test may do; the API itself works as the server's role. */
  db: Database
  /** For the server's role. */
  databaseUrl: string
  /** Sends a request to the API, as `fetch` would. */
  request: (path: string, init?: RequestInit) => Promise<Response>
  /** The clock stands still until it is moved. */
  clock: { now: Date; advance: (seconds: number) => void }
  /** A client of one browser: signed in as `uid`, or a guest with its own key. */
  as: (uid: string | null, headers?: Record<string, string>) => TestCaller
}

export interface TestCaller {
  /** With the id by which it can be taken back. */
  change: Client['change']
  call: <E extends EndpointShape>(endpoint: E, input: EndpointInput<E>) => Promise<Reply<E>>
  /** The error code a call fails with; 'OK' when it succeeds. */
  codeOf: <E extends EndpointShape>(endpoint: E, input: EndpointInput<E>) => Promise<string>
  headers: Record<string, string>
}

/**
 * A whole API over a database of its own with the fixture shop in it. @param givenUrl the owner's address of another,
 * migrated database, empty unless `isFilled`
 */
export async function createTestShop(
  env: Record<string, string> = {},
  givenUrl?: string,
  isFilled = false,
): Promise<TestShop> {
  const ownerUrl = givenUrl ?? (await createFixtureDatabase())
  const databaseUrl = asApplication(ownerUrl)
  const clock = {
    now: new Date(FIRST_MOMENT),
    advance(seconds: number) {
      clock.now = new Date(clock.now.getTime() + seconds * 1000)
    },
  }
  const now = () => clock.now
  const config = readConfig({
    NODE_ENV: 'test',
    DATABASE_URL: databaseUrl,
    FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1',
    // What a test writes, the next call sees.
    CATALOGUE_CHECK_MS: '0',
    ...UNLIMITED,
    ...env,
  })
  const ownFolder = await mkdtemp(join(tmpdir(), 'shop-files-'))
  const owner = openDatabase(ownerUrl, { connections: 5 })
  const served = openDatabase(databaseUrl, { connections: 10, checksRows: true })
  if (givenUrl && !isFilled) await seedFixture(owner, clock.now)
  const beat = openPulse(served, now)
  const services = openServices(config, now, beat, openRates(served, 0))
  const shop: TestShop['shop'] = {
    config,
    db: served,
    reports: openReports(served),
    now,
    catalogue: openCatalogue(served, { checkMs: config.CATALOGUE_CHECK_MS }),
    verifyToken: createTokenVerifier({ projectId: PROJECT, keys: null, now }),
    signingKeys: null,
    identityProvider: createMemoryIdentity(),
    pins: createPins(config.PIN_KEYS),
    findFacts: openFacts(served),
    storeOrder: openOrderStore(served),
    ...services,
    playerLookup: openPlayerLookup({ midasbuy: players }, { timeoutMs: 5000, now, beat }),
    qmsGames: { list: async () => [{ game_id: 'Q1', game_sdesc: 'PUBG' }] },
    files: await openFiles({ folder: env.FILES_DIR ?? ownFolder }),
    vouchers: openVouchers(config),
    mail: services.mail ?? HEARS_ALL,
    limits: createRateLimits(config.limits, served),
    machineKeys: openKeyRing(served),
    keyUse: openKeyUse(served),
    metrics: unmeasured,
    answers: openAnswers(now),
    // Those of whoever runs the tests are none of the shop's.
    disks: async () => [],
    patroni: openPatroni(config.PATRONI_URLS),
    beat,
    findUnheard: sql => findUnheard(sql, shop),
  }
  const app = createApp(shop)
  const close = async () => {
    await Promise.all([owner.close(), served.close(), rm(ownFolder, { recursive: true, force: true })])
    if (!givenUrl) await dropLater(ownerUrl)
  }
  const db = { ...owner, close }
  const request = async (path: string, init?: RequestInit) => app.request(path, init)
  return { shop, db, databaseUrl, request, clock, as: (uid, headers) => callerOf(request, clock, uid, headers) }
}

/** @param uid the account whose token is sent; null for a guest */
export function callerOf(
  request: TestShop['request'],
  clock: Pick<TestShop['clock'], 'now'>,
  uid: string | null,
  extra: Record<string, string> = {},
): TestCaller {
  const guestKey = randomBytes(16).toString('base64url')
  const headers = (): Record<string, string> => ({
    'guest-key': guestKey,
    ...(uid && { authorization: `Bearer ${tokenFor(uid, clock.now)}` }),
    ...extra,
  })
  const client = createClient({
    baseUrl: '',
    headers,
    fetch: (path, init) => request(String(path), init),
  })
  const call: TestCaller['call'] = (endpoint, input) =>
    (client.call as TestCaller['call'])(endpoint, input).catch((error: unknown) => {
      if (error instanceof AppError && !errorsOf(endpoint).has(error.code))
        throw new Error(`${endpoint.path} answered ${error.code}, which is none of its errors`)
      throw error
    })
  return {
    call,
    change: client.change,
    codeOf: (endpoint, input) =>
      call(endpoint, input).then(
        () => 'OK',
        (error: AppError) => error.code,
      ),
    get headers() {
      return headers()
    },
  }
}

/** A fresh idempotency key. */
export const onceKey = (): string => randomUUID()

/** Inserts an account with a role; the uid is its own name. */
export async function addAccount(
  { db, clock }: TestShop,
  uid: string,
  role: Role,
  change: { status?: string; mustChangePassword?: boolean; mustChangePin?: boolean; emailVerified?: boolean } = {},
): Promise<void> {
  await db.query({
    text: `INSERT INTO account (uid, username, providers, given_name, email, status, role, must_change_password, must_change_pin, created_at,
        email_verified)
      VALUES ($1, $1, '{password}', $1, $1 || '@test.shop', $3, $2, $4, $5, $6, $7)`,
    values: [
      uid,
      role,
      change.status ?? 'active',
      change.mustChangePassword ?? false,
      change.mustChangePin ?? false,
      clock.now,
      change.emailVerified ?? true,
    ],
  })
}
