import { PAYMENT_METHOD, type PaymentKind } from '@shop/shared/catalogue/payment-method.ts'
import type { Satang } from '@shop/shared/money.ts'
import type { PlacingFacts, PlacingRequest } from '@shop/shared/order/purchase.ts'
import type { MachineOrder } from '@shop/shared/reseller/reseller.ts'
import { bangkokDay } from '@shop/shared/time.ts'
import { CREDIT_SINCE_PIN, type PinJson, pinJson, pinOf, type StoredPin } from '../../access/pin.ts'
import { isProven, revocableFrom } from '../../account/session.ts'
import { type Account, accountFields, accountSql } from '../../account/store.ts'
import { account, resellerKey } from '../../account/tables.ts'
import type { TokenIdentity } from '../../account/token.ts'
import { agentTier } from '../../catalogue/tables.ts'
import { batched } from '../../database/batching.ts'
import type { Sql } from '../../database/database.ts'
import { as, type Fields, json, orNull, pick, row, sql, type Text, under, type ValueOf } from '../../database/sql.ts'
import { recordSql } from '../../database/values.ts'
import type { Once } from '../../http/idempotency.ts'
import { COUNTED_TRY, type Counting, type Counts, countingCtes } from '../../http/rate-limit.ts'
import { idempotencyKey } from '../../http/tables.ts'
import { HOLDING, type Holding } from '../../outbox/safe-mode.ts'
import { resellerDay, resellerOrder } from '../../reseller/tables.ts'
import { credit, wallet } from '../../wallet/tables.ts'
import { orders, playerOfGame, reservedAmount, slottedPlayer, waitingBuyer } from '../tables.ts'

const [o, bare, reserved] = [under(orders, 'o'), under(orders), under(reservedAmount)]
const [c, w, t] = [under(credit, 'c'), under(wallet, 'w'), under(agentTier, 't')]
const [k, d] = [under(resellerKey, 'k'), under(resellerDay, 'd')]

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
const takenTails = (account: string, price: string, now: string) =>
  as.shape<number[]>(`ARRAY(SELECT (${reserved.amountSatang} - ${price})::int
  FROM ${reserved} WHERE ${reserved.receivingAccountId} = ${account} AND ${reserved.amountSatang} > ${price}
    AND ${reserved.amountSatang} < ${price} + 100 AND (${reserved.reusableAt} IS NULL OR ${reserved.reusableAt} > ${now}))`)

export async function findTakenTails(
  tx: Sql,
  of: { receivingAccountId: number; priceSatang: number; now: Date },
): Promise<number[]> {
  const [found] = await tx.query({
    text: sql`SELECT ${row({ tails: takenTails('$1', '$2::bigint', '$3') })}`,
    values: [of.receivingAccountId, of.priceSatang, of.now],
  })
  return found!.tails
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

/** A wallet's; null where the buyer has none. */
type Purse = { [Name in keyof Omit<NonNullable<StoredFacts['wallet']>, 'id'>]: number | null }

/** What the parts read. */
type PartFacts = Pick<StoredFacts, 'takenTails' | 'hold' | 'waiting' | 'guestSlots' | 'credit' | 'spentSatang'> &
  Purse & { pin: PinJson | null; keyEndedAt: Date | null } & {
    [Name in keyof Omit<Account, 'keyEndedAt'>]: Account[Name] | null
  }

interface Part {
  fields: Partial<Fields<PartFacts>>
  from?: string
}

const PIN = orNull(as.shape<PinJson>(pinJson('ask.uid')))
/** The buyer's orders that wait for their payment; null for those that were reported. */
const WAITING = as.shape<
  StoredFacts['waiting']
>(`ARRAY(SELECT CASE WHEN ${bare.transferReportedAt} IS NULL THEN ${bare.orderNo} END FROM ${bare}
        WHERE ${waitingBuyer('orders')} = ask."buyerKey")`)
const CREDIT_FACTS = json({ ...pick(c, 'id', 'balanceSatang'), sincePinSatang: as.satang(CREDIT_SINCE_PIN) })
/** The buyer's shop credit, and the PIN that guards it. */
const CREDIT: Part = {
  fields: {
    credit: orNull(
      as.shape<ValueOf<typeof CREDIT_FACTS>>(`(SELECT ${CREDIT_FACTS} FROM ${c} WHERE ${c.uid} = ask.uid)`),
    ),
    pin: PIN,
  },
}
const HOLD = json({
  priceSatang: reserved.priceSatang,
  tailSatang: as.satang(`${reserved.amountSatang} - ${reserved.priceSatang}`),
})
const PURSE = row<{ [Name in keyof Purse]: number }>({
  balanceSatang: w.balanceSatang,
  ...pick(t, 'maxItemPerOrder', 'maxAmountPerOrderSatang'),
})

/** Facts that only one kind of payment needs. */
const PAYING: Record<PaymentKind, Part> = {
  credit: CREDIT,
  gateway: { fields: { waiting: WAITING } },
  bank: {
    fields: {
      takenTails: takenTails('ask."receivingAccountId"', 'ask."bankPriceSatang"', 'ask.now'),
      hold: orNull(
        as.shape<ValueOf<typeof HOLD>>(`(SELECT ${HOLD}
        FROM ${reserved} WHERE ${reserved.id} = ask."holdId" AND ${reserved.receivingAccountId} = ask."receivingAccountId"
          AND ${reserved.buyerKey} = ask."buyerKey" AND ${reserved.orderId} IS NULL AND ${reserved.reusableAt} > ask.now)`),
      ),
      waiting: WAITING,
    },
  },
  wallet: {
    fields: {
      balanceSatang: orNull(as.satang('purse."balanceSatang"')),
      maxItemPerOrder: orNull(as.int('purse."maxItemPerOrder"')),
      maxAmountPerOrderSatang: orNull(as.satang('purse."maxAmountPerOrderSatang"')),
      pin: PIN,
    },
    from: `LEFT JOIN LATERAL (SELECT ${PURSE}
      FROM ${w} JOIN ${t} ON ${t.id} = ${w.tierId} WHERE ${w.uid} = ask.uid) AS purse ON true`,
  },
}

/** The slots of a player that unpaid orders of guests have taken. */
const SLOTS: Part = {
  fields: {
    guestSlots: as.shape<number[]>(`ARRAY(SELECT ${bare.guestSlot}::int FROM ${bare}
    WHERE ${slottedPlayer('orders')} = ${playerOfGame('ask."gameId"', 'ask."playerId"')})`),
  },
}
const ACCOUNT: Part = {
  fields: accountFields('account'),
  from: `LEFT JOIN LATERAL ${accountSql('ask.uid')} AS account ON true`,
}

/** The key of a machine: when it ended, and what it has spent. */
const KEY: Part = {
  fields: {
    keyEndedAt: orNull(as.instant(`(SELECT ${k.endedAt} FROM ${k} WHERE ${k.id} = ask."machineKeyId")`)),
    spentSatang: orNull(
      as.satang(`(SELECT ${d.spentSatang} FROM ${d} WHERE ${d.keyId} = ask."machineKeyId" AND ${d.day} = ask.day)`),
    ),
  },
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

const [kept, byRef] = [under(idempotencyKey, 'k'), under(resellerOrder, 'k')]
/** The earlier answer to a request, by the key that a browser made for it. */
const BY_KEY = {
  from: `${kept} WHERE ${kept.scope} = ask.scope AND ${kept.key} = ask.key`,
  requestHash: kept.requestHash,
  reply: as.shape<{ orderNo: string }>(kept.reply.sql),
}
/** The same by a machine's own reference, which names its order for ever. */
const BY_REF: Answered = {
  from: `${byRef} WHERE ${byRef.uid} = ask.uid AND ${byRef.ref} = ask.key`,
  requestHash: byRef.requestHash,
  reply: json({ orderNo: as.text(`(SELECT ${o.orderNo} FROM ${o} WHERE ${o.id} = ${byRef.orderId})`) }),
}
type Answered = typeof BY_KEY
const owner = under(account, 'account')

/**
 * The condition for tries that the limits count: not a repeat of an answered request, and not a session that was ended.
 */
const counted = ({ from }: Answered): string => `NOT EXISTS (SELECT FROM ${from}) AND NOT EXISTS (
  SELECT FROM ${owner} WHERE ${owner.uid} = ask.uid AND ${owner.tokensValidAfter} >= ask."revocableFrom")`

/**
 * $1 is a JSON array of requests, $2 the time in ms since 1970, $3 the number of the last request. All requests meet the
 * condition with $3; it only lets the planner expect few rows.
 */
function factsSql(parts: Part[], limits: number, answered: Answered): Text<FactsRow> {
  const { from, ...answer } = answered
  // A statement reads those of its parts, and `FactsRow` takes none of them for granted.
  const fields = Object.assign({}, ...parts.map(({ fields }) => fields)) as Fields<PartFacts>
  return sql`
  WITH asked AS MATERIALIZED (SELECT * FROM json_to_recordset($1) AS a (${recordSql(ASKED)}) WHERE nth BETWEEN 0 AND $3),
  ${countingCtes(limits, counted(answered), '$2')}
  SELECT ${row<FactsRow>({
    ...fields,
    nth: as.int('nth'),
    version: as.big('v.version'),
    holding: orNull(as.text<Holding>(HOLDING)),
    counts: orNull(as.shape<Counts>('counts.counts')),
    kept: orNull(as.shape<NonNullable<StoredFacts['kept']>>(`(SELECT ${json(answer)} FROM ${from})`)),
  })}
  FROM asked ask CROSS JOIN catalogue_version v ${parts.map(({ from = '' }) => from).join(' ')}
    LEFT JOIN counts USING (nth)`
}

type FactsRow = Pick<StoredFacts, 'version' | 'holding' | 'kept' | 'counts'> & { nth: number } & Partial<PartFacts>

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
  const { nth: _, guestSlots = [], pin = null, balanceSatang, maxItemPerOrder, maxAmountPerOrderSatang, ...who } = rest
  const purse = { balanceSatang, maxItemPerOrder, maxAmountPerOrderSatang } as Omit<
    NonNullable<StoredFacts['wallet']>,
    'id'
  >
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
    account: who.uid ? (who as Account) : null,
    wallet: typeof balanceSatang === 'number' && who.walletId ? { id: who.walletId, ...purse } : null,
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
      const rows = await db.query({ name, text, values })
      const facts = new Map(rows.map(each => [each.nth, each]))
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
  const [found] = await db.query({
    text: sql`SELECT ${row(pick(c, 'balanceSatang'))} FROM ${c} WHERE ${c.uid} = $1`,
    values: [uid],
  })
  return found?.balanceSatang ?? 0
}
