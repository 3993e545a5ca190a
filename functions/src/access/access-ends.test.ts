import { hash } from '@node-rs/argon2'
import { type Access, ALL_ACCESS, endsWith, isAskedOf, SECRETS, type Secret } from '@shop/shared/account/access.ts'
import { type KeptAccess, listAccess } from '@shop/shared/account/access-endpoints.ts'
import * as contract from '@shop/shared/account/endpoints.ts'
import { changePin, resetPin } from '@shop/shared/account/pin-endpoints.ts'
import { SESSION_KEY } from '@shop/shared/account/totp.ts'
import { makeKey } from '@shop/shared/reseller/key-endpoints.ts'
import { getApiWallet } from '@shop/shared/reseller/v1-endpoints.ts'
import { addWebhook } from '@shop/shared/webhook/endpoints.ts'
import { type TOTP, URI } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { identifyAsker } from '../account/caller.ts'
import { insertLineLink } from '../account/line-store.ts'
import { findAccount, saveAccount } from '../account/store.ts'
import { lockTotp, saveTotp } from '../account/totp-store.ts'
import { addKey, machineOf } from '../testing/machine.ts'
import type { createMemoryIdentity } from '../testing/memory-identity.ts'
import { addAccount, createTestShop, type TestShop, tokenFor } from '../testing/shop.ts'
import { addWallet } from '../testing/wallet.ts'
import { addEndpoint, scriptWebhooks } from '../testing/webhook.ts'
import { findPin } from './pin.ts'

let it: TestShop
let uid: string
let subject: string
/** When the owner signed in, before anything was made. */
let signedInAt: Date
let accounts = 0
beforeAll(async () => {
  it = await createTestShop({ VOUCHER_KEYS: 'v'.repeat(40) })
})
afterAll(() => it.db.close())
beforeEach(() => {
  uid = `owner-${++accounts}`
  subject = `U${String(accounts).padStart(32, '0')}`
  scriptWebhooks(it, 200)
})

type Users = ReturnType<typeof createMemoryIdentity>['users']
const people = () => (it.shop.identityProvider as unknown as { users: Users }).users

/** Somebody who signs in with a password and has a PIN. */
async function addOwner(role: 'agent' | 'staff' = 'agent', providers = ['password']): Promise<void> {
  await addAccount(it, uid, role)
  await it.shop.identityProvider.updateUser(uid, { password: 'known-to-2' })
  people().get(uid)!.providers = providers
  await saveAccount(it.db, uid, { providers })
  await addWallet(it.db, { uid, balanceSatang: 0, pin: '1234', now: it.clock.now })
  signedInAt = it.clock.now
  it.clock.advance(60)
}

const signedIn = (at: Date, claims: object = {}) => ({
  authorization: `Bearer ${tokenFor(uid, it.clock.now, { auth_time: at.getTime() / 1000, ...claims })}`,
})
const has = async (text: string) => (await it.db.query({ text, values: [uid] })).length > 0

interface Thing {
  /** Its tables, where they have the account. */
  tables: string[]
  make(): Promise<unknown>
  lives(): Promise<boolean>
}

const session = (change: string) =>
  it.db.query({
    text: `INSERT INTO totp_session (key_hash, uid, signed_in_at, ${change}) VALUES ('of-' || $1, $1, $2, $3)`,
    values: [uid, signedInAt, it.clock.now],
  })
let madeHash: string

/** Each of what is made in an account: how, and how it is seen that it goes on. */
const THING: Record<Access, Thing> = {
  session: {
    tables: [],
    make: async () => {},
    lives: async () => (await it.as(uid, signedIn(signedInAt)).codeOf(contract.getMe, {})) === 'OK',
  },
  confirmation: {
    tables: ['totp_session'],
    make: () => session('confirmed_at'),
    lives: () => has(`SELECT FROM totp_session WHERE key_hash = 'of-' || $1 AND confirmed_at IS NOT NULL`),
  },
  waitingApp: {
    tables: ['totp_session'],
    make: async () => {
      await session('pending_until')
      await it.db.query({ text: `UPDATE totp_session SET pending_secret = 'x' WHERE uid = $1`, values: [uid] })
    },
    lives: () => has(`SELECT FROM totp_session WHERE key_hash = 'of-' || $1 AND pending_secret IS NOT NULL`),
  },
  askedWord: {
    tables: ['second_word'],
    make: async () => {},
    lives: () =>
      identifyAsker(it.shop, { uid, guestHash: null, since: signedInAt }).then(
        () => true,
        () => false,
      ),
  },
  apiKey: {
    tables: ['reseller_key'],
    make: () => addKey(it, uid),
    lives: () => has('SELECT FROM reseller_key WHERE uid = $1 AND ended_at IS NULL'),
  },
  webhook: {
    tables: ['webhook_endpoint'],
    make: () => addEndpoint(it, uid),
    lives: () => has('SELECT FROM webhook_endpoint WHERE uid = $1 AND is_on'),
  },
  link: {
    tables: ['linked_identity'],
    make: () => insertLineLink(it.db, { sub: subject, uid, now: it.clock.now }),
    lives: () => has('SELECT FROM linked_identity WHERE uid = $1'),
  },
  waitingLink: {
    tables: ['chat_code'],
    make: async () => {
      const text = `INSERT INTO chat_code (code_hash, purpose, uid, expires_at) VALUES ('of-' || $1, 'person', $1, $2)`
      const later = new Date(it.clock.now.getTime() + 600_000)
      await it.db.query({ text, values: [uid, later] })
      await saveAccount(it.db, uid, { addingProvider: 'facebook.com', addingUntil: later })
    },
    lives: async () => {
      const isAdding = (await findAccount(it.db, uid))!.addingProvider !== null
      const hasCode = await has('SELECT FROM chat_code WHERE uid = $1')
      expect(isAdding).toBe(hasCode)
      return hasCode
    },
  },
  ownerCode: {
    tables: ['owner_code'],
    make: () =>
      it.db.query({
        text: `INSERT INTO owner_code (uid, hash, sent_at) VALUES ($1, 'of-a-code', $2)`,
        values: [uid, it.clock.now],
      }),
    lives: () => has('SELECT FROM owner_code WHERE uid = $1'),
  },
  oneTimePassword: {
    tables: [],
    make: async () => {
      madeHash = await hash('given-by-the-shop')
      await saveAccount(it.db, uid, { mustChangePassword: true, oneTimePasswordHash: madeHash })
    },
    lives: async () => {
      const text = 'SELECT FROM account WHERE uid = $1 AND one_time_password_hash = $2'
      return (await it.db.query({ text, values: [uid, madeHash] })).length > 0
    },
  },
  oneTimePin: {
    tables: ['pin'],
    make: async () => {
      madeHash = (await findPin(it.db, uid))!.hash
      await saveAccount(it.db, uid, { mustChangePin: true })
    },
    lives: async () => (await findPin(it.db, uid))!.hash === madeHash,
  },
}

const own = () => it.as(uid, signedIn(it.clock.now))

async function enrolAnother(): Promise<string> {
  const { otpauthUri, sessionKey } = await own().call(contract.enrolTotp, { body: {} })
  const code = (URI.parse(otpauthUri) as TOTP).generate({ timestamp: it.clock.now.getTime() })
  const headers = { ...signedIn(it.clock.now), [SESSION_KEY]: sessionKey }
  return it.as(uid, headers).codeOf(contract.confirmTotp, { body: { code } })
}

/** The owner's address is changed at the identity provider, which ends its sessions; the next sign-in shows it. */
async function changeAddress(): Promise<string> {
  await it.as(uid, signedIn(signedInAt)).call(contract.syncAccount, { body: {} })
  people().get(uid)!.tokensValidAfter = it.clock.now
  it.clock.advance(5)
  const headers = signedIn(it.clock.now, { email: `new-${uid}@test.shop`, email_verified: false })
  return it.as(uid, headers).codeOf(contract.syncAccount, { body: {} })
}

/** How each secret is changed; the address is its owner's alone. */
const CHANGE: Record<
  Secret,
  { byShop: (() => Promise<string>) | null; byOwner: (keep?: KeptAccess) => Promise<string> }
> = {
  password: {
    byShop: () =>
      it
        .as('manager')
        // What the shop keeps is what it knows to be the owner's.
        .codeOf(contract.updateUserAuthentication, { body: { uid, password: 'first-Pass-1' } }),
    byOwner: keep => own().codeOf(contract.changePassword, { body: { password: 'my-Own-Pass-2', keep } }),
  },
  pin: {
    byShop: () => it.as('manager').codeOf(resetPin, { params: { uid } }),
    byOwner: keep => own().codeOf(changePin, { body: { oldPin: '1234', pin: '4321', keep } }),
  },
  app: {
    byShop: async () => {
      await it.db.transaction(async tx => {
        await lockTotp(tx, uid)
        await saveTotp(tx, uid, { secret: 'sealed' })
      })
      return it.as('admin').codeOf(contract.resetTotp, { params: { uid } })
    },
    byOwner: enrolAnother,
  },
  link: {
    byShop: () => it.as('manager').codeOf(contract.removeLink, { params: { uid, provider: 'google.com' } }),
    byOwner: () => own().codeOf(contract.unlinkProvider, { params: { provider: 'google.com' } }),
  },
  email: { byShop: null, byOwner: changeAddress },
}

/** Who must choose their own first takes no way to sign in away. */
const FORCED = { oneTimePassword: 'PASSWORD_CHANGE_REQUIRED', oneTimePin: 'PIN_CHANGE_REQUIRED' } as const

const NOTHING: KeptAccess = { keys: [], webhooks: [], links: [] }
const pairs = SECRETS.flatMap(secret => ALL_ACCESS.map(access => [secret, access] as const))

describe('what hangs on a secret ends with it', () => {
  const start = async (secret: Secret, access: Access) => {
    await addOwner(secret === 'app' ? 'staff' : 'agent', secret === 'link' ? ['password', 'google.com'] : undefined)
    await THING[access].make()
    expect(await THING[access].lives()).toBe(true)
    it.clock.advance(60)
  }

  test.each(pairs.filter(([secret]) => CHANGE[secret].byShop))('the shop sets the %s: %s', async (secret, access) => {
    await start(secret, access)
    expect(await CHANGE[secret].byShop!()).toBe('OK')
    it.clock.advance(1)
    expect(await THING[access].lives()).toBe(!endsWith(access, secret, true))
  })

  test.each(pairs.filter(pair => !isAskedOf(pair[1], pair[0])))(
    'its owner changes the %s: %s',
    async (secret, access) => {
      await start(secret, access)
      const isForced = secret === 'link' && access.startsWith('oneTime')
      expect(await CHANGE[secret].byOwner()).toBe(isForced ? FORCED[access as keyof typeof FORCED] : 'OK')
      it.clock.advance(1)
      expect(await THING[access].lives()).toBe(!endsWith(access, secret, false))
    },
  )

  test.each(pairs.filter(pair => isAskedOf(pair[1], pair[0])))(
    'its owner changes the %s and is asked about the %s',
    async (secret, access) => {
      await start(secret, access)
      const read = () => own().call(listAccess, { params: { secret: secret as 'password' | 'pin' } })
      const { keys, webhooks, links } = await read()
      const all: KeptAccess = {
        keys: keys.map(k => k.id),
        webhooks: webhooks.map(w => w.id),
        links: links.map(l => l.id),
      }
      expect(await CHANGE[secret].byOwner()).toBe('ACCESS_UNDECIDED')
      expect(await CHANGE[secret].byOwner(all)).toBe('OK')
      expect(await THING[access].lives()).toBe(true)
      it.clock.advance(60)
      await CHANGE[secret].byShop!()
      expect(await THING[access].lives()).toBe(false)
    },
  )

  test.each(pairs.filter(pair => isAskedOf(pair[1], pair[0])))(
    'its owner changes the %s and does not keep the %s',
    async (secret, access) => {
      await start(secret, access)
      expect(await CHANGE[secret].byOwner(NOTHING)).toBe('OK')
      it.clock.advance(1)
      expect(await THING[access].lives()).toBe(false)
    },
  )
})

test('a password that was reset by mail ends keys and endpoints, since nobody can be asked', async () => {
  await addOwner()
  const sync = () => own().codeOf(contract.syncAccount, { body: {} })
  people().get(uid)!.tokensValidAfter = signedInAt
  expect(await sync()).toBe('OK')
  await addKey(it, uid)
  await addEndpoint(it, uid)
  expect(await sync()).toBe('OK')
  expect([await THING.apiKey.lives(), await THING.webhook.lives()]).toEqual([true, true])
  people().get(uid)!.tokensValidAfter = it.clock.now
  it.clock.advance(5)
  expect(await sync()).toBe('OK')
  expect([await THING.apiKey.lives(), await THING.webhook.lives()]).toEqual([false, false])
  const told = await it.db.query<{ kind: string }>({
    text: 'SELECT kind FROM owner_news WHERE uid = $1 ORDER BY id',
    values: [uid],
  })
  expect(told.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['passwordChanged', 'apiKeyEnded', 'webhookEnded']),
  )
})

test('whoever was given an account by the shop makes a key and an endpoint; its owner changes the secrets and both are over', async () => {
  await addOwner()
  const manager = it.as('manager')
  await manager.call(contract.updateUserAuthentication, { body: { uid, password: 'the-Thiefs-1' } })
  const { pin } = await manager.call(resetPin, { params: { uid } })
  it.clock.advance(5)
  await own().call(contract.changePassword, { body: { password: 'the-Thiefs-2' } })
  it.clock.advance(5)
  const next = pin === '1111' ? '2222' : '1111'
  await own().call(changePin, { body: { oldPin: pin, pin: next } })
  it.clock.advance(5)
  const scopes = ['read' as const, 'order' as const]
  const key = { name: 'bot', mode: 'live' as const, scopes, addresses: [], dailyLimitSatang: null, pin: next }
  const { token } = await own().call(makeKey, { body: { ...key, scopes: [...scopes] } })
  await own().call(addWebhook, { body: { mode: 'live', url: 'https://thief.example/', pin: next } })
  const machine = machineOf(it.request, token)
  expect((await machine(getApiWallet)).status).toBe(200)

  it.clock.advance(3600)
  const found = await own().call(listAccess, { params: { secret: 'password' } })
  expect(found.keys).toMatchObject([{ name: 'bot', isDoubtful: true, isTest: false }])
  expect(found.webhooks).toMatchObject([{ url: 'https://thief.example/', isDoubtful: true, usedAt: null }])
  // The page suggests to keep what is in no doubt: nothing here.
  await own().call(contract.changePassword, { body: { password: 'the-Owners-3', keep: NOTHING } })
  it.clock.advance(5)
  await own().call(changePin, { body: { oldPin: next, pin: '8642' } })
  expect((await machine(getApiWallet)).body.code).toBe('KEY_ENDED')
  expect(await THING.webhook.lives()).toBe(false)
})

test('what its owner made in peace is in no doubt, nor what they kept before; what was made after the shop set a secret is', async () => {
  await addOwner()
  const { id: old } = await addKey(it, uid)
  const doubts = async () =>
    (await own().call(listAccess, { params: { secret: 'pin' } })).keys.map(({ id, isDoubtful }) => [id, isDoubtful])
  expect(await doubts()).toEqual([[old, false]])
  await it.as('manager').call(resetPin, { params: { uid } })
  await saveAccount(it.db, uid, { mustChangePin: false })
  it.clock.advance(30 * 24 * 3600)
  const { id } = await addKey(it, uid)
  expect(await doubts()).toEqual([[id, true]])
  it.clock.advance(60)
  const keep = { ...NOTHING, keys: [id], links: ['google.com' as const] }
  await own().call(contract.changePassword, { body: { password: 'my-Own-Pass-2', keep } })
  it.clock.advance(60)
  expect(await doubts()).toEqual([[id, false]])
})

/** Tables of an account that open nothing by themselves. */
const OPEN_NOTHING = {
  account_totp: 'the secret itself',
  totp_browser: 'tells only by what wrong codes are counted',
  totp_try: 'counts wrong codes',
  owner_news: 'tells its owner',
  chat_room: "a group of the shop's own people",
  agent_bank: 'typed by staff, and pays the account only',
  wallet: 'money, which moves by what is above',
  credit: 'money, which moves by what is above',
  top_up: 'money that comes',
  play_wallet: 'play money',
  play_order: 'play money',
  play_entry: 'play money',
}

test('every table of an account is in the table of what hangs on its secrets, or opens nothing', async () => {
  const rows = await it.db.query<{ name: string }>({
    text: `SELECT DISTINCT conrelid::regclass::text AS name FROM pg_constraint
      WHERE contype = 'f' AND confrelid = 'account'::regclass`,
  })
  const known = [...Object.values(THING).flatMap(({ tables }) => tables), ...Object.keys(OPEN_NOTHING)]
  expect(rows.map(({ name }) => name).filter(name => !known.includes(name))).toEqual([])
})
