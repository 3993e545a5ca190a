import { PAYMENT_METHOD, type PaymentKind } from '@shop/shared/catalogue/payment-method.ts'
import type { Satang } from '@shop/shared/money.ts'
import type { PlacingFacts, PlacingRequest } from '@shop/shared/order/purchase.ts'
import type { MachineOrder } from '@shop/shared/reseller/reseller.ts'
import { bangkokDay } from '@shop/shared/time.ts'
import { CREDIT_SINCE_PIN, type PinJson, pinJson, pinOf, type StoredPin } from '../../access/pin.ts'
import { isProven, revocableFrom } from '../../account/session.ts'
import { type Account, accountSql } from '../../account/store.ts'
import type { TokenIdentity } from '../../account/token.ts'
import { batched } from '../../database/batching.ts'
import type { Sql } from '../../database/database.ts'
import { recordSql } from '../../database/values.ts'
import type { Once } from '../../http/idempotency.ts'
import { COUNTED_TRY, type Counting, type Counts, countingCtes } from '../../http/rate-limit.ts'
import { HOLDING, type Holding } from '../../outbox/safe-mode.ts'
import { playerOfGame, slottedPlayer, waitingBuyer } from '../tables.ts'

/** The buyer of an order. */
export interface Buyer {
  uid: string | null
  /** `u:<uid>` or `g:<hash of the guest key>`. */
  key: string
}

/** All facts of a purchase that the catalogue does not hold, read in one round trip. */
export interface StoredFacts {
  /** The catalogue's version at the same moment. */
  version: number
  /** Whether the shop is in safe mode. */
  holding: Holding | null
  account: Account | null
  /** The earlier answer to this request's key, if any. */
  kept: { requestHash: string; reply: { orderNo: string } } | null
  /** The counts of the rate limits that were counted by the same statement. */
  counts: Counts
  wallet: PlacingFacts['wallet']
  /** With what left it since its PIN was last typed. */
  credit: (NonNullable<PlacingFacts['credit']> & { sincePinSatang: Satang }) | null
  pin: StoredPin | null
  takenTails: number[]
  hold: PlacingFacts['hold']
  /** The numbers of the buyer's unpaid orders; null for one whose transfer was reported. */
  waiting: (string | null)[]
  guestSlots: number[]
  /** What the key of a machine has spent in this Bangkok day; null before its first order of the day. */
  spentSatang: Satang | null
}

interface FactsAsk {
  request: PlacingRequest & { byKey?: MachineOrder }
  buyer: Buyer
  /** The session's token; null for a guest. */
  token: TokenIdentity | null
  once: Once
  /** What a transfer's tail is added to: the price less the credit that is used; null when there is none. */
  bankPriceSatang: Satang | null
  counting: Counting
  /**
   * Whether the limits count this try; they never count a repeat of an answered request or a session that has ended.
   */
  isCounted: boolean
  now: Date
}

/** The tails of a price that are taken on an account. Tails whose time is over are free. */
const takenTails = (account: string, price: string, now: string) => `ARRAY(SELECT (amount_satang - ${price})::int
  FROM reserved_amount WHERE receiving_account_id = ${account} AND amount_satang > ${price}
    AND amount_satang < ${price} + 100 AND (reusable_at IS NULL OR reusable_at > ${now}))`

export async function findTakenTails(
  tx: Sql,
  of: { receivingAccountId: number; priceSatang: number; now: Date },
): Promise<number[]> {
  const [row] = await tx.query<{ tails: number[] }>({
    text: `SELECT ${takenTails('$1', '$2::bigint', '$3')} AS tails`,
    values: [of.receivingAccountId, of.priceSatang, of.now],
  })
  return row!.tails
}

/** The statement's input for each try, with SQL types. */
const ASKED = {
  nth: 'int',
  now: 'timestamptz',
  scope: 'text',
  key: 'text',
  buyerKey: 'text',
  uid: 'text',
  /** The first moment at which a revocation ends the session. */
  revocableFrom: 'timestamptz',
  receivingAccountId: 'int',
  bankPriceSatang: 'bigint',
  holdId: 'uuid',
  gameId: 'int',
  playerId: 'text',
  machineKeyId: 'text',
  day: 'date',
  ...COUNTED_TRY,
}

function askedOf({ request, buyer, token, once, bankPriceSatang, counting, isCounted, now }: FactsAsk, nth: number) {
  const { receivingAccountId, holdId, gameId, playerId, byKey } = request
  const { scope, key } = once
  return {
    nth,
    now,
    scope,
    key,
    buyerKey: buyer.key,
    uid: token || byKey ? buyer.uid : null,
    revocableFrom: token && revocableFrom(token),
    receivingAccountId,
    bankPriceSatang,
    holdId,
    gameId,
    playerId,
    machineKeyId: byKey?.keyId ?? null,
    day: byKey ? bangkokDay(now) : null,
    ...counting.record,
    isCounted: isCounted && counting.record.isCounted,
  } satisfies Record<keyof typeof ASKED, unknown>
}

interface Part {
  columns: string
  from?: string
}

/** The buyer's orders that wait for their payment; null for those that were reported. */
const WAITING = `ARRAY(SELECT CASE WHEN transfer_reported_at IS NULL THEN order_no END FROM orders
        WHERE ${waitingBuyer('orders')} = ask."buyerKey") AS waiting`
/** The buyer's shop credit, and the PIN that guards it. */
const CREDIT: Part = {
  columns: `(SELECT json_build_object('id', c.id, 'balanceSatang', c.balance_satang, 'sincePinSatang', ${CREDIT_SINCE_PIN}) FROM credit c WHERE c.uid = ask.uid) AS credit,
      ${pinJson('ask.uid')} AS pin`,
}

/** Facts that only one kind of payment needs. */
const PAYING: Record<PaymentKind, Part> = {
  credit: CREDIT,
  gateway: { columns: WAITING },
  bank: {
    columns: `${takenTails('ask."receivingAccountId"', 'ask."bankPriceSatang"', 'ask.now')} AS "takenTails",
      (SELECT json_build_object('priceSatang', price_satang, 'tailSatang', amount_satang - price_satang)
        FROM reserved_amount WHERE id = ask."holdId" AND receiving_account_id = ask."receivingAccountId"
          AND buyer_key = ask."buyerKey" AND order_id IS NULL AND reusable_at > ask.now) AS hold, ${WAITING}`,
  },
  wallet: {
    columns: `purse.*, ${pinJson('ask.uid')} AS pin`,
    from: `LEFT JOIN LATERAL (SELECT w.balance_satang AS "balanceSatang", t.max_item_per_order AS "maxItemPerOrder",
        t.max_amount_per_order_satang AS "maxAmountPerOrderSatang"
      FROM wallet w JOIN agent_tier t ON t.id = w.tier_id WHERE w.uid = ask.uid) AS purse ON true`,
  },
}

/** The slots of a player that unpaid orders of guests have taken. */
const SLOTS: Part = {
  columns: `ARRAY(SELECT guest_slot::int FROM orders
    WHERE ${slottedPlayer('orders')} = ${playerOfGame('ask."gameId"', 'ask."playerId"')}) AS "guestSlots"`,
}
const ACCOUNT: Part = { columns: 'account.*', from: `LEFT JOIN LATERAL ${accountSql('ask.uid')} AS account ON true` }

/** The key of a machine: when it ended, and what it has spent. */
const KEY: Part = {
  columns: `(SELECT k.ended_at FROM reseller_key k WHERE k.id = ask."machineKeyId") AS "keyEndedAt",
      (SELECT d.spent_satang FROM reseller_day d WHERE d.key_id = ask."machineKeyId" AND d.day = ask.day) AS "spentSatang"`,
}

/** Facts about a buyer, by kind of buyer. A stranger has signed in but not proven an address. */
const BUYERS = {
  guest: [SLOTS],
  stranger: [ACCOUNT, SLOTS],
  account: [ACCOUNT],
  machine: [ACCOUNT, KEY],
} satisfies Record<string, Part[]>

const buyerKindOf = ({ token, request }: FactsAsk): keyof typeof BUYERS =>
  request.byKey ? 'machine' : token === null ? 'guest' : isProven(token) ? 'account' : 'stranger'

/** The earlier answer to a request, by the key that a browser made for it. */
const BY_KEY = {
  from: 'idempotency_key k WHERE k.scope = ask.scope AND k.key = ask.key',
  reply: 'k.reply',
}
/** The same by a machine's own reference, which names its order for ever. */
const BY_REF = {
  from: 'reseller_order k WHERE k.uid = ask.uid AND k.ref = ask.key',
  reply: `json_build_object('orderNo', (SELECT o.order_no FROM orders o WHERE o.id = k.order_id))`,
}
type Answered = typeof BY_KEY

/**
 * The condition for tries that the limits count: not a repeat of an answered request, and not a session that was ended.
 */
const counted = ({ from }: Answered): string => `NOT EXISTS (SELECT FROM ${from}) AND NOT EXISTS (
  SELECT FROM account WHERE account.uid = ask.uid AND tokens_valid_after >= ask."revocableFrom")`

/**
 * $1 is a JSON array of requests, $2 the time in ms since 1970, $3 the number of the last request. All requests meet the
 * condition with $3; it only lets the planner expect few rows.
 */
const factsSql = (parts: Part[], limits: number, answered: Answered): string => `
  WITH asked AS MATERIALIZED (SELECT * FROM json_to_recordset($1) AS a (${recordSql(ASKED)}) WHERE nth BETWEEN 0 AND $3),
  ${countingCtes(limits, counted(answered), '$2')}
  SELECT nth, ${parts.map(({ columns }) => columns).join(', ')}, v.version, ${HOLDING} AS holding, counts.counts,
    (SELECT json_build_object('requestHash', k.request_hash, 'reply', ${answered.reply}) FROM ${answered.from}) AS kept
  FROM asked ask CROSS JOIN catalogue_version v ${parts.map(({ from = '' }) => from).join(' ')}
    LEFT JOIN counts USING (nth)`

type Purse = Omit<NonNullable<StoredFacts['wallet']>, 'id'>
type FactsRow = Pick<StoredFacts, 'version' | 'holding' | 'kept' | 'counts'> &
  Partial<Pick<StoredFacts, 'takenTails' | 'hold' | 'waiting' | 'guestSlots' | 'credit' | 'spentSatang'>> &
  Partial<Purse> & { nth: number; pin?: PinJson | null } & (Account | Record<keyof Account, null>)

function factsOf({
  version,
  holding,
  kept,
  counts,
  takenTails = [],
  hold = null,
  credit = null,
  waiting = [],
  spentSatang = null,
  ...rest
}: FactsRow): StoredFacts {
  const { nth: _, guestSlots = [], pin = null, balanceSatang, maxItemPerOrder, maxAmountPerOrderSatang, ...row } = rest
  const purse = { balanceSatang, maxItemPerOrder, maxAmountPerOrderSatang } as Purse
  return {
    version,
    holding,
    kept,
    counts,
    takenTails,
    hold,
    credit,
    waiting,
    guestSlots,
    spentSatang,
    account: row.uid ? (row as Account) : null,
    wallet: typeof balanceSatang === 'number' && row.walletId ? { id: row.walletId, ...purse } : null,
    pin: pin && pinOf(pin),
  }
}

export type FindFacts = (ask: FactsAsk) => Promise<StoredFacts>

/** Returns the reader of purchases of one kind; purchases of the same moment share one statement. */
function openKind(db: Sql, name: string, parts: Part[], limits: number, answered: Answered): FindFacts {
  const text = factsSql(parts, limits, answered)
  return batched({
    async send(asks) {
      const values = [JSON.stringify(asks.map(askedOf)), Date.now(), asks.length - 1]
      const rows = await db.query<FactsRow>({ name, text, values })
      const facts = new Map(rows.map(row => [row.nth, row]))
      return asks.map((_, nth) => factsOf(facts.get(nth)!))
    },
  })
}

/** Returns the reader of facts; each kind of payment and of buyer has a statement of its own, with credit another one. */
export function openFacts(db: Sql): FindFacts {
  const kinds = new Map<string, FindFacts>()
  return ask => {
    const { kind: payment } = PAYMENT_METHOD[ask.request.payment]
    const who = buyerKindOf(ask)
    const usesCredit = ask.request.creditSatang > 0
    const name = `order_facts_${payment}_${who}${usesCredit ? '_credit' : ''}`
    const parts = [PAYING[payment], ...(usesCredit ? [CREDIT] : []), ...BUYERS[who]]
    const kind =
      kinds.get(name) ??
      openKind(db, name, parts, ask.counting.record.countKeys.length, who === 'machine' ? BY_REF : BY_KEY)
    kinds.set(name, kind)
    return kind(ask)
  }
}

/** Returns somebody's shop credit; 0 without. */
export async function findCreditBalance(db: Sql, uid: string): Promise<Satang> {
  const [row] = await db.query<{ satang: Satang }>({
    text: 'SELECT balance_satang AS satang FROM credit WHERE uid = $1',
    values: [uid],
  })
  return row?.satang ?? 0
}
