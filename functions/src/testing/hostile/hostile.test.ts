import * as orders from '@shop/shared/order/endpoints.ts'
import { ROLES } from '@shop/shared/permissions.ts'
import { KEY_MODES } from '@shop/shared/reseller/reseller.ts'
import { createFeedKey, readStatementFile } from '@shop/shared/statement/import-endpoints.ts'
import { addSeconds, bangkokDay } from '@shop/shared/time.ts'
import { addTopUp, saveTopUp } from '@shop/shared/wallet/endpoints.ts'
import { demoLine } from 'local/line-emulator/demo.ts'
import { startLineEmulator } from 'local/line-emulator/server.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { routes } from '../../start/app.ts'
import { checkLedger } from '../../wallet/ledger-check.ts'
import { fixture } from '../fixture.ts'
import { addKey } from '../machine.ts'
import { testAtRandom } from '../random.ts'
import { type ServerProcess, startServerProcess } from '../server-process.ts'
import { findAuthEmulator } from '../share-auth-emulator.ts'
import { addAccount, createTestShop, onceKey, type TestShop, tokenFor } from '../shop.ts'
import { addLines, lineOf, scbFile } from '../statement.ts'
import { addSlip, addWallet, TIER } from '../wallet.ts'
import type { Pool } from './contract-values.ts'
import { faultOf, type Secrets } from './judge.ts'
import { type Answer, type HostileRequest, hostileRequests, send, type Visitor } from './requests.ts'

/** Of one run; `npm run fuzz -- 100000` asks for more. */
const REQUESTS = 1500
const SECONDS = 20
const AT_ONCE = 8
/** After so many the shop's people are put right again: staff among the callers block and rename each other. */
const ROUND = 500
const SHOWN = 20
/** Ids of a kind that are asked for. */
const MOST_KNOWN = 60
/** Node closes the connection of whom it refuses while they still send so much. */
const UNREAD_BYTES = 60_000

const SECRET = {
  phone: '811234567',
  email: 'victim-secret@somewhere.example',
  familyName: 'Zsecretfamily',
  bankAccount: '7788990011',
  player: 'SECRETPLAYER77',
  line: demoLine.loginChannel.secret,
}

let it: TestShop
let server: ServerProcess
let line: Awaited<ReturnType<typeof startLineEmulator>>
let secrets: Secrets
let pool: Pool
let feedKey: string
let machines: Visitor[] = []
beforeAll(async () => {
  it = await createTestShop()
  it.clock.now = new Date()
  line = await startLineEmulator({ port: 0 })
  server = await startServerProcess(it.databaseUrl, {
    NODE_ENV: 'development',
    FIREBASE_AUTH_EMULATOR_HOST: await findAuthEmulator(),
    LINE_API_BASE_URL: line.origin,
    LINE_LOGIN_CHANNEL_ID: demoLine.loginChannel.id,
    LINE_LOGIN_CHANNEL_SECRET: SECRET.line,
  })
  await fillShop()
})
afterAll(async () => {
  await Promise.all([server?.kill(), line?.stop()])
  await it?.db.close()
})

/** Objects of everybody, and a victim whose data only staff may see. */
async function fillShop() {
  for (const role of ['agent', 'staff', 'manager']) {
    await addWallet(it.db, { uid: role, balanceSatang: 1_000_000, pin: '1234', now: it.clock.now })
  }
  await addAccount(it, 'inactive', 'customer', { status: 'inactive' })
  await addAccount(it, 'victim', 'agent')
  const { phone, email, familyName, bankAccount } = SECRET
  await it.db.query({
    text: `UPDATE account SET phone = $1, email = $2, family_name = $3 WHERE uid = 'victim'`,
    values: [`+66${phone}`, email, familyName],
  })
  await it.db.query({
    text: `INSERT INTO agent_bank (uid, bank_code, bank_account) VALUES ('victim', '004', $1)`,
    values: [bankAccount],
  })
  const walletId = await addWallet(it.db, { uid: 'victim', balanceSatang: 500_000, pin: '9876', now: it.clock.now })
  const slipId = await addSlip(it, 'u:victim')
  const victim = it.as('victim')
  const asked = await victim.call(saveTopUp, { body: { amountSatang: 20_000, slipId }, idempotencyKey: onceKey() })
  const entered = await it.as('staff').call(addTopUp, {
    body: { walletId, amountSatang: 30_000, slipId: null },
    idempotencyKey: onceKey(),
  })
  const sold = { gameId: fixture.pubg.id, packageId: fixture.pubg.package, playerId: SECRET.player, termsVersion: '1' }
  const bought = await victim.call(orders.confirmOrder, { body: { ...sold, pin: '9876' }, idempotencyKey: onceKey() })
  const body = { ...sold, receivingAccountId: fixture.accounts.promptPay }
  const placed = await it.as(null).call(orders.confirmPrice, { body, idempotencyKey: onceKey() })
  await addLines(it, [
    lineOf({ amountSatang: 12_345, at: it.clock.now }),
    lineOf({ amountSatang: 20_000, at: it.clock.now }),
    lineOf({ amountSatang: placed.amountSatang, at: it.clock.now }),
  ])
  const { fileId } = await it.as('manager').call(readStatementFile, {
    params: { receivingAccountId: fixture.accounts.second },
    file: scbFile([{ at: addSeconds(it.clock.now, -60), amountSatang: 100 }]),
  })
  feedKey = (
    await it.as('admin').call(createFeedKey, {
      body: { name: 'fuzz', receivingAccountId: fixture.accounts.second },
    })
  ).key
  machines = await Promise.all(
    KEY_MODES.map(async mode => ({
      name: `an agent's machine, ${mode}`,
      caller: 'agent',
      headers: { authorization: `Bearer ${(await addKey(it, 'agent', { mode })).token}` },
    })),
  )
  const today = bangkokDay(it.clock.now)
  const { DATABASE_URL } = it.shop.config
  secrets = {
    always: [SECRET.line, DATABASE_URL, feedKey, '9876'.padEnd(10, '!')],
    ofOthers: [phone, email, bankAccount, SECRET.player, bought.trackToken, placed.trackToken],
    names: [familyName],
  }
  pool = {
    gameId: [1, 1, 1, 1, 2, 3, 99],
    packageId: [1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 99],
    receivingAccountId: [1, 1, 2, 2, 3, 99],
    playerId: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
    amountSatang: [10_000, 20_000],
    quantity: [1, 1, 2],
    oldPin: ['1234'],
    tierId: [TIER.id, 1],
    gameCode: ['pubg', 'mlbb', 'closed', 'none'],
    uid: [...ROLES, 'victim', 'inactive', 'nobody'],
    orderNo: [bought.orderNo, placed.orderNo],
    walletId: [walletId],
    slipId: [slipId],
    id: [asked.id, entered.id, slipId, walletId, TIER.id],
    pin: ['1234', '0000'],
    termsVersion: ['1'],
    from: [today],
    to: [today],
    day: [today],
    fileId: [fileId],
    accountNo: ['0123456789', '987-6-54321-0', '1'],
    at: [it.clock.now.toISOString(), '2026-11-20T12:00:00+07:00'],
    version: [1, 2],
  }
}

const FORGED: Record<string, () => string> = {
  'with a broken token': () => 'Bearer a.b.c',
  'with a token of another project': () => `Bearer ${tokenFor('admin', new Date(), { aud: 'other' })}`,
  'with a token of another issuer': () => `Bearer ${tokenFor('admin', new Date(), { iss: 'https://evil.example' })}`,
  'with an expired token': () => `Bearer ${tokenFor('admin', new Date(Date.now() - 7_200_000))}`,
  'with a token of nobody': () => `Bearer ${tokenFor('', new Date())}`,
  'with a token of a wrong shape': () => `Bearer ${tokenFor('admin', new Date(), { sub: 7, exp: 'never' })}`,
  'with another scheme': () => 'Basic YWRtaW46YWRtaW4=',
  'who is blocked': () => `Bearer ${tokenFor('inactive', new Date())}`,
}

function visitorsNow(): Visitor[] {
  const guest = (n: number): Visitor => ({
    name: `guest ${n}`,
    caller: 'guest',
    headers: { 'guest-key': `fuzz-guest-key-number-${n}` },
  })
  const signedIn = ROLES.map(role => ({
    name: role,
    caller: role,
    headers: { authorization: `Bearer ${tokenFor(role, new Date())}` },
  }))
  const feed = { name: 'a feed', caller: 'guest', headers: { 'x-feed-key': feedKey } }
  const forged = Object.entries(FORGED).map(([name, header]) => ({
    name: `somebody ${name}`,
    caller: null,
    headers: { authorization: header() },
  }))
  const anybody = [
    guest(1),
    guest(2),
    guest(3),
    { name: 'guest without a key', caller: 'guest', headers: {} },
    feed,
    feed,
    ...machines,
    ...machines,
  ]
  // Forged ones are turned away early; the others go further and come more often.
  return [...anybody, ...signedIn, ...signedIn, ...signedIn, ...forged]
}

/** What staff did to people in the last round is undone, so that every role stays what it is called. */
async function putPeopleRight() {
  await it.db.query({
    text: `UPDATE account SET status = 'active', role = uid, must_change_password = false, must_change_pin = false,
      tokens_valid_after = NULL WHERE uid = ANY($1)`,
    values: [ROLES],
  })
  await it.db.query({ text: `UPDATE account SET status = 'inactive' WHERE uid = 'inactive'` })
  await it.db.query({ text: `UPDATE account SET status = 'active', role = 'agent' WHERE uid = 'victim'` })
  await it.db.query({
    text: `UPDATE pin SET wrong_tries = 0, day_tries = 0, locks = 0, locked_at = NULL, locked_until = NULL`,
  })
}

/** Whether a manager's or admin's request of this round made somebody of another role of them: then they may do more. */
async function isPromoted({ name, caller }: Visitor): Promise<boolean> {
  const uid = name === 'somebody who is blocked' ? 'inactive' : caller
  const wanted = uid === 'inactive' ? `status <> 'inactive'` : 'role <> uid'
  const rows = await it.db.query({ text: `SELECT 1 FROM account WHERE uid = $1 AND ${wanted}`, values: [uid] })
  return rows.length > 0
}

/** Ids that replies name are asked for by the next requests, whosever they are. */
function remember({ text }: Answer): void {
  for (const [, name, value] of text.matchAll(/"(orderNo|id|trackToken)":"([\w-]+)"/g)) {
    const key = name === 'trackToken' ? 'token' : name!
    const values = pool[key] ?? []
    if (values.length < MOST_KNOWN && !secrets.ofOthers.includes(value!)) pool[key] = [...values, value]
  }
}

const isCutOff = (error: Error, { path, body }: HostileRequest) =>
  /ECONNRESET|EPIPE/.test(error.message) && path.length + (body?.byteLength ?? 0) > UNREAD_BYTES

const shown = ({ method, path, visitor, headers, body }: HostileRequest) =>
  `${visitor.name}: ${method} ${path.slice(0, 300)} ${JSON.stringify({ ...headers, authorization: undefined }).slice(0, 300)} ${
    body?.toString().slice(0, 300) ?? ''
  }`

const NAME =
  'hostile requests of every role: none fails the server, hangs, leaks or goes past a permission; the books are right'

testAtRandom(NAME, { size: REQUESTS, seeds: [1], timeout: 120_000 }, async ({ seed, size, tell }) => {
  const endpoints = routes.map(each => each.endpoint)
  const faults: string[] = []
  const statuses = new Map<number, number>()
  for (let round = 0; round * ROUND < size; round++) {
    await putPeopleRight()
    const of = { seed: seed + round, count: Math.min(ROUND, size - round * ROUND) }
    const requests = hostileRequests(endpoints, visitorsNow(), pool, of)
    const work = async () => {
      for (const request of requests) {
        const answer = await send(server.url, request, SECONDS).catch((error: Error) => error)
        if (answer instanceof Error) {
          if (!isCutOff(answer, request)) faults.push(`no answer: ${answer.message}\n    ${shown(request)}`)
          continue
        }
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        const fault = faultOf(request, answer, secrets)
        if (fault && !(await isPromoted(request.visitor)))
          faults.push(`${fault}\n    ${shown(request)}\n    ${answer.text.slice(0, 200)}`)
        remember(answer)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }
  const report = [...statuses]
    .sort()
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ')
  tell(`${size} requests were answered: ${report}`)
  console.log(`${size} requests, seed ${seed}: ${report}`)
  expect(faults.length, `${faults.length} faults\n${faults.slice(0, SHOWN).join('\n')}`).toBe(0)
  expect(statuses.get(200), 'requests that did something').toBeGreaterThan(size / 20)
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  expect((await checkLedger(it.db)).breaches).toEqual([])
  await expectWholeShop()
  const log = server.output()
  for (const secret of [...secrets.always, ...secrets.ofOthers, ...secrets.names]) expect(log).not.toContain(secret)
  expect(log).not.toMatch(/Bearer|eyJ|fuzz-guest-key/)
})

/** What holds beside the ledger, whatever was sent. */
async function expectWholeShop() {
  const breaches = await it.db.query<{ what: string }>({
    text: `SELECT 'guest orders beyond three for player ' || player_id AS what FROM orders
        WHERE guest_slot IS NOT NULL AND status = 'waiting_payment' GROUP BY game_id, player_id HAVING count(*) > 3
      UNION ALL SELECT 'two unpaid orders of ' || buyer_key FROM orders
        WHERE payment = 'bank' AND status = 'waiting_payment' AND transfer_reported_at IS NULL GROUP BY buyer_key HAVING count(*) > 1
      UNION ALL SELECT 'a statement line without its events: ' || no FROM statement_line l
        WHERE l.version - 1 <> (SELECT count(*) FROM statement_event e WHERE e.line_id = l.id)
      UNION ALL SELECT 'an order without its events: ' || order_no FROM orders o
        WHERE o.version <> (SELECT count(*) FROM order_event e WHERE e.order_id = o.id)`,
  })
  expect(breaches).toEqual([])
}
