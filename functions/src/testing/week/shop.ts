import { createHmac } from 'node:crypto'
import { bangkokDay, formatDateTimeSeconds } from '@shop/shared/time.ts'
import { demoLine } from 'local/line-emulator/demo.ts'
import { startLineEmulator } from 'local/line-emulator/server.ts'
import type { Product } from 'local/supplier/register.ts'
import { uuidv7 } from 'uuidv7'
import { hashSecret } from '../../account/caller.ts'
import { watchTroubles, watchUnclaimed } from '../../chat/watch.ts'
import { expireOrders, releaseLapsedClaims } from '../../order/paying/expiry.ts'
import { tellDailySpending, tellSpends } from '../../order/placing/spend-news.ts'
import { insertFeedKey } from '../../statement/feed-store.ts'
import { matchLines, matchStatements } from '../../statement/matching.ts'
import { addNew } from '../../statement/take-in.ts'
import { watchSuppliers } from '../../supplier/watch.ts'
import { openAccountHash } from '../../transfer/account-hash.ts'
import { linkLine } from '../chat.ts'
import { fixture } from '../fixture.ts'
import { addAccount } from '../shop.ts'
import { createSupplierShop, type SupplierShop } from '../supplier.ts'
import { addWallet, TIER } from '../wallet.ts'

const BAHT = 100
/** What is worth stealing: two pieces in a day are below the two-person amount, three above it. */
export const DEAR = { costSatang: 9000 * BAHT, priceSatang: 9900 * BAHT, sku: 'dear' } as const
/** How many of it a day's sum has room for, and one more. */
export const TOO_MANY = 3
const dear: Product = {
  id: DEAR.sku,
  category: { id: '7', name: 'PUBG Mobile' },
  name: '8100 UC',
  fields: ['user_id'],
  priceSatang: DEAR.costSatang,
}
/** What the bank shows on an account before the week. */
const OPENING_SATANG = 1_000_000 * BAHT

const lineId = (kind: 'U' | 'C', no: number) => `${kind}${String(no).padStart(32, '0')}`
const ROOMS = { staff: lineId('C', 1), managers: lineId('C', 2) } as const
const OWNERS = [lineId('U', 1), lineId('U', 2)] as const
export const VICTIM = { uid: 'victim', lineId: lineId('U', 3), pin: '1234' } as const

/** Who hears of something. */
export type Listener = 'managers' | 'admins' | 'owner'
const LISTENER: Record<string, Listener> = {
  [ROOMS.managers]: 'managers',
  [OWNERS[0]]: 'admins',
  [VICTIM.lineId]: 'owner',
}

/** A message that LINE took. */
interface Told {
  to: Listener
  at: Date
  kind: string
  words: string
}

export interface WeekShop extends SupplierShop {
  /** Runs what the shop does by itself within a minute. */
  work(): Promise<void>
  /** Lets time pass and does that. */
  pass(minutes: number): Promise<void>
  /** Runs what the shop looks after from time to time. */
  watch(): Promise<void>
  /** The bank tells of money through its feed. Returns the line's id. */
  bankTells(receivingAccountId: number, amountSatang: number): Promise<string>
  /** What the bank shows on an account. */
  balanceOf(receivingAccountId: number): number
  /** An account of the shop that nothing else happens on; its id. */
  addReceivingAccount(accountNo: string): Promise<number>
  /** A package that the supplier delivers; its id. */
  addPackage(name: string, sold?: { costSatang: number; priceSatang: number; sku: string }): Promise<number>
  /** Says something to the shop in LINE, or presses a button there. */
  hear(lineId: string, what: { say: string } | { press: string }): Promise<void>
  /** What was told since the last time it was asked. */
  takeTold(): Promise<Told[]>
  keyId: string
  close(): Promise<void>
}

/** A shop with honest people in every role who never confirm anything, its rooms in LINE, and a bank that tells the truth. */
export async function createWeekShop(): Promise<WeekShop> {
  const parts: { it?: SupplierShop } = {}
  const now = () => parts.it?.clock.now.getTime() ?? 0
  const line = await startLineEmulator({ port: 0, seed: lineWorld(), now })
  const env = {
    LINE_API_BASE_URL: line.origin,
    LINE_LIFF_ID: demoLine.liffId,
    LINE_TIMEOUT_MS: '20000',
    LINE_CHANNEL_ACCESS_TOKEN: demoLine.messagingChannel.accessToken,
    SUPPLIER_TIMEOUT_MS: '20000',
    LINE_CHANNEL_SECRET: demoLine.messagingChannel.secret,
  }
  const it = await createSupplierShop(env, [dear])
  // All that is told is measured in LINE.
  it.shop.mail = null
  parts.it = it
  it.supplier.register.balanceSatang = 100_000_000 * BAHT
  // A Monday, nine in the morning in Bangkok.
  it.clock.now = new Date('2026-11-23T02:00:00.000Z')
  await addHonestPeople(it)
  await giveCredit(it)
  const bank = await openBank(it)
  const work = () => workOff(it)
  return {
    ...it,
    ...bank,
    work,
    watch: () => watch(it),
    async pass(minutes) {
      it.clock.advance(minutes * 60)
      await work()
    },
    addReceivingAccount: accountNo => addReceivingAccount(it, accountNo),
    addPackage: (name, sold) => addPackage(it, name, sold),
    hear: (from, what) => hear(it, from, what),
    takeTold: toldBy(it),
    async close() {
      await Promise.all([it.stop(), line.stop()])
    },
  }
}

const lineWorld = () => ({
  quota: { type: 'none' } as const,
  webhookUrl: 'http://127.0.0.1:1/',
  users: [...OWNERS, VICTIM.lineId].map(userId => ({ userId, displayName: userId, friendship: 'friend' as const })),
  groups: Object.entries(ROOMS).map(([groupName, groupId]) => ({
    groupId,
    groupName,
    memberIds: [...OWNERS],
    botJoined: true,
  })),
})

async function addHonestPeople(it: SupplierShop): Promise<void> {
  const { db, clock } = it
  for (const role of ['staff', 'manager', 'admin'] as const) await addAccount(it, `${role}-2`, role)
  await addAccount(it, VICTIM.uid, 'agent')
  await linkLine(it, 'admin', OWNERS[0])
  await linkLine(it, 'admin-2', OWNERS[1])
  await linkLine(it, VICTIM.uid, VICTIM.lineId)
  await addWallet(db, { uid: VICTIM.uid, balanceSatang: 1_000_000 * BAHT, pin: VICTIM.pin, now: clock.now })
  await db.query({
    text: 'UPDATE agent_tier SET max_amount_satang = $1, max_amount_per_order_satang = $1 WHERE id = $2',
    values: [1_000_000 * BAHT, TIER.id],
  })
  for (const [room, groupId] of Object.entries(ROOMS))
    await db.query({
      text: `INSERT INTO chat_room (room, group_id, group_name, member_count, bound_by, bound_at) VALUES ($1, $2, $1, 2, 'admin', $3)`,
      values: [room, groupId, clock.now],
    })
}

/** Refunds become shop credit, which is spent without a PIN. */
async function giveCredit({ db }: SupplierShop): Promise<void> {
  await db.query({
    text: `INSERT INTO option (name, value) VALUES ('SHOP_CREDIT', 'true'), ('CREDIT_PIN_ABOVE', '999999')
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  })
  await db.query({ text: 'UPDATE catalogue_version SET version = version + 1' })
}

async function workOff({ shop, drain, supplier }: SupplierShop): Promise<void> {
  await expireOrders(shop)
  await matchStatements(shop)
  await drain()
  await supplier.tellDue()
  await tellSpends(shop)
  await drain()
}

async function watch({ shop, drain }: SupplierShop): Promise<void> {
  await releaseLapsedClaims(shop)
  await watchSuppliers(shop)
  await watchUnclaimed(shop)
  await tellDailySpending(shop)
  await watchTroubles(shop)
  await drain()
}

async function openBank(it: SupplierShop) {
  const { db, clock, shop } = it
  const balances = new Map<number, number>()
  const balanceOf = (account: number) => balances.get(account) ?? OPENING_SATANG
  const keyId = uuidv7()
  const made = { id: keyId, name: 'bank', prefix: 'bank', keyHash: hashSecret('the feed of the bank') }
  const of = { receivingAccountId: fixture.accounts.promptPay, createdBy: 'admin', expiresAt: null, now: clock.now }
  await insertFeedKey(db, { ...made, ...of })
  let told = 0
  async function bankTells(receivingAccountId: number, amountSatang: number): Promise<string> {
    const balanceSatang = balanceOf(receivingAccountId) + amountSatang
    balances.set(receivingAccountId, balanceSatang)
    const key = `ref:bank ${++told}`
    const movement = {
      day: bangkokDay(clock.now),
      time: formatDateTimeSeconds(clock.now).slice(-8),
      amountSatang,
      balanceSatang,
      key,
      reference: `bank ${told}`,
      detail: '',
      fromBank: null,
      fromAccount: null,
      channel: null,
    }
    const source = { fileId: null, feedKeyId: keyId }
    const of = { receivingAccountId, source, hashAccount: openAccountHash(shop.config), now: clock.now }
    await db.transaction(tx => addNew(tx, [movement], of))
    await matchLines(shop, receivingAccountId)
    const [row] = await db.query<{ id: string }>({
      text: 'SELECT id FROM statement_line WHERE receiving_account_id = $1 AND key = $2',
      values: [receivingAccountId, key],
    })
    return row!.id
  }
  return { bankTells, balanceOf, keyId }
}

async function addReceivingAccount({ db }: SupplierShop, accountNo: string): Promise<number> {
  const [row] = await db.query<{ id: number }>({
    text: `INSERT INTO receiving_account (bank_code, account_no, account_name, branch, position)
      VALUES ('014', $1, 'บจก. คราม เติมเกม', '', 10) RETURNING id`,
    values: [accountNo],
  })
  return row!.id
}

async function addPackage(
  { db }: SupplierShop,
  name: string,
  sold: { costSatang: number; priceSatang: number; sku: string } = DEAR,
) {
  const [row] = await db.query<{ id: number }>({
    text: `WITH made AS (INSERT INTO package (game_id, name, position, cost_satang, sources, is_automatic)
        VALUES ($1, $2, 50, $3, jsonb_build_array(jsonb_build_object('supplier', 'seagm', 'sku', $4::text, 'costSatang', NULL)), true) RETURNING id)
      INSERT INTO package_price (package_id, payment, price_satang, start_day, is_active)
      SELECT id, payment, $5, '2026-01-01', true FROM made, (VALUES ('bank'), ('wallet')) AS p (payment)
      RETURNING package_id AS id`,
    values: [fixture.pubg.id, name, sold.costSatang, sold.sku, sold.priceSatang],
  })
  return row!.id
}

let heard = 0

async function hear({ request, clock }: SupplierShop, from: string, what: { say: string } | { press: string }) {
  const said =
    'say' in what
      ? { type: 'message', message: { type: 'text', text: what.say } }
      : { type: 'postback', postback: { data: what.press } }
  const source = { type: 'user', userId: from }
  const event = { ...said, source, timestamp: clock.now.getTime(), webhookEventId: `event ${++heard}` }
  const body = JSON.stringify({ events: [event] })
  const signature = createHmac('sha256', demoLine.messagingChannel.secret).update(body).digest('base64')
  await request('/line/webhook', { method: 'POST', body, headers: { 'x-line-signature': signature } })
}

/** What LINE took of what the shop says to its own people, and to the agent whose account is taken. */
function toldBy({ db }: SupplierShop) {
  const seen = new Set<string>()
  return async (): Promise<Told[]> => {
    const rows = await db.query<{ id: string; recipient: string; at: Date; kind: string; words: string }>({
      text: `SELECT id, recipient, settled_at AS at, kind, messages::text AS words FROM chat_message
        WHERE state = 'sent' AND reply_token IS NULL AND recipient = ANY($1) ORDER BY settled_at, id`,
      values: [Object.keys(LISTENER)],
    })
    const fresh = rows.filter(({ id }) => !seen.has(id))
    for (const { id } of fresh) seen.add(id)
    return fresh.map(({ recipient, id: _, ...each }) => ({ ...each, to: LISTENER[recipient]! }))
  }
}
