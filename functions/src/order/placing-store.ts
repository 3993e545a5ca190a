import type { PaymentCode } from '@shop/shared/catalogue/catalogue.ts'
import type { Satang } from '@shop/shared/money.ts'
import type { OrderOutcome } from '@shop/shared/order/order.ts'
import type { PlacingFacts, PlacingRequest } from '@shop/shared/order/purchase.ts'
import { uuidv7 } from 'uuidv7'
import { type PinJson, type PinTry, pinJson, pinOf, rightPinSql, type StoredPin } from '../account/pin.ts'
import { revocableFrom } from '../account/session.ts'
import { type Account, accountSql } from '../account/store.ts'
import type { TokenIdentity } from '../account/token.ts'
import { saleCtes, saleValues } from '../dashboard/sale-day.ts'
import type { Sql } from '../database/database.ts'
import { Values } from '../database/values.ts'
import type { Once } from '../http/idempotency.ts'
import type { Counting, Counts } from '../http/rate-limit.ts'
import { ledgerCtes, ledgerValues } from '../wallet/store.ts'
import { deliverySql, type Kept, ORDER_COLUMNS, queueNoSql, tellSql } from './store.ts'

/** Who buys. */
export interface Buyer {
  uid: string | null
  /** `u:<uid>` or `g:<hash of the guest key>`. */
  key: string
}

/** All of a purchase that the catalogue does not say, read in one round trip. */
export interface StoredFacts {
  /** Of the catalogue in the same moment. */
  version: number
  account: Account | null
  /** The answer this request's key was given before. */
  kept: { requestHash: string; reply: { orderNo: string } } | null
  /** Of the calls that were counted along. */
  counts: Counts
  wallet: PlacingFacts['wallet']
  pin: StoredPin | null
  takenTails: number[]
  hold: PlacingFacts['hold']
  /** The buyer's unpaid orders: their numbers, null for one that was reported. */
  waiting: (string | null)[]
  guestSlots: number[]
}

export interface FactsAsk {
  request: PlacingRequest
  buyer: Buyer
  /** The session; null of a guest. */
  token: TokenIdentity | null
  once: Once
  /** What a transfer's tail is added to; null where there is no such price. */
  bankPriceSatang: Satang | null
  counting: Counting
  /** Whether this try is counted; a repeat of an answered request and an ended session never are. */
  isCounted: boolean
  now: Date
}

/** The tails of a price that are taken on an account; what is past its time is free. */
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

type Part = (ask: FactsAsk, values: Values) => { columns: string; from?: string }

/** What only one way to pay asks for. */
const PAYING: Record<PaymentCode, Part> = {
  bank({ request, buyer, bankPriceSatang, now }, { add }) {
    const [account, buyerKey, at] = [add(request.receivingAccountId), add(buyer.key), add(now)]
    return {
      columns: `${takenTails(account, add(bankPriceSatang, '::bigint'), at)} AS "takenTails",
        (SELECT json_build_object('priceSatang', price_satang, 'tailSatang', amount_satang - price_satang)
          FROM reserved_amount WHERE id = ${add(request.holdId)} AND receiving_account_id = ${account}
            AND buyer_key = ${buyerKey} AND order_id IS NULL AND reusable_at > ${at}) AS hold,
        ARRAY(SELECT CASE WHEN transfer_reported_at IS NULL THEN order_no END FROM orders
          WHERE buyer_key = ${buyerKey} AND status = 'waiting_payment') AS waiting`,
    }
  },
  wallet({ buyer }, { add }) {
    const uid = add(buyer.uid)
    return {
      columns: `purse.*, ${pinJson(uid)} AS pin`,
      from: `LEFT JOIN (SELECT w.balance_satang AS "balanceSatang", t.max_item_per_order AS "maxItemPerOrder",
          t.max_amount_per_order_satang AS "maxAmountPerOrderSatang"
        FROM wallet w JOIN agent_tier t ON t.id = w.tier_id WHERE w.uid = ${uid}) AS purse ON true`,
    }
  },
}

/** What only guests or only people with an account are asked about. */
const BUYERS: Record<'guest' | 'account', Part> = {
  guest: ({ request }, { add }) => ({
    columns: `ARRAY(SELECT guest_slot::int FROM orders WHERE game_id = ${add(request.gameId)}
      AND player_id = ${add(request.playerId)} AND guest_slot IS NOT NULL
      AND status = 'waiting_payment' AND transfer_reported_at IS NULL) AS "guestSlots"`,
  }),
  account: ({ buyer }, { add }) => ({
    columns: 'account.*',
    from: `LEFT JOIN ${accountSql(add(buyer.uid))} AS account ON true`,
  }),
}

type Purse = Omit<NonNullable<StoredFacts['wallet']>, 'id'>
type FactsRow = Pick<StoredFacts, 'version' | 'kept' | 'counts'> &
  Partial<Pick<StoredFacts, 'takenTails' | 'hold' | 'waiting' | 'guestSlots'>> &
  Partial<Purse> & { pin?: PinJson | null }

export async function findPlacingFacts(db: Sql, ask: FactsAsk): Promise<StoredFacts> {
  const { request, token, once, counting, isCounted } = ask
  const who = token ? 'account' : 'guest'
  const values = new Values()
  const { add } = values
  const answered = `FROM idempotency_key WHERE scope = ${add(once.scope)} AND key = ${add(once.key)}`
  const isOver = token
    ? `AND NOT EXISTS (SELECT FROM account WHERE uid = ${add(token.uid)} AND tokens_valid_after >= ${add(revocableFrom(token))})`
    : ''
  const counts = counting.parts(values, `${add(isCounted)}::boolean AND NOT EXISTS (SELECT ${answered}) ${isOver}`)
  const parts = [PAYING[request.payment](ask, values), BUYERS[who](ask, values)]
  const [row] = await db.query<FactsRow & (Account | Record<keyof Account, null>)>({
    name: `order_facts_${request.payment}_${who}`,
    text: `WITH ${counts.ctes} SELECT ${parts.map(({ columns }) => columns).join(', ')}, v.version,
        (SELECT json_build_object('requestHash', request_hash, 'reply', reply) ${answered}) AS kept,
        ${counts.result} AS counts
      FROM catalogue_version v ${parts.map(({ from = '' }) => from).join(' ')}`,
    values: values.all,
  })
  const { version, kept, counts: counted, takenTails: tails = [], hold = null, waiting = [], ...rest } = row!
  const { guestSlots = [], pin = null, balanceSatang, maxItemPerOrder, maxAmountPerOrderSatang, ...account } = rest
  const purse = { balanceSatang, maxItemPerOrder, maxAmountPerOrderSatang } as Purse
  return {
    ...{ version, kept, counts: counted, takenTails: tails, hold, waiting, guestSlots },
    account: account.uid ? (account as Account) : null,
    wallet: request.payment === 'wallet' && account.walletId ? { id: account.walletId, ...purse } : null,
    pin: pin && pinOf(pin),
  }
}

/** What must still hold when the order is stored: nobody took the amount, the hold or the PIN was not changed. */
export type Claim = { on: 'amount' } | { on: 'hold'; holdId: string } | { on: 'pin'; tried: PinTry }

export interface PlacedOrder extends Kept {
  outcome: OrderOutcome
  /** Of the catalogue it was decided on. */
  catalogueVersion: number
  guestSlot: number | null
  claim: Claim
  once: Once
  /** Whether the shop says anything in LINE: without it no job is left that would find nothing to do. */
  isTold: boolean
}

/** The part that claims what the order needs: one row, or none when somebody else was faster or the catalogue was changed. */
function claimCte({ outcome: { order }, buyerKey, claim }: PlacedOrder, values: Values): string {
  const { add } = values
  if (claim.on === 'pin') {
    return `SELECT uid FROM pin, unchanged WHERE uid = ${add(order.buyerUid)}
      AND pin.version = ${add(claim.tried.from.version)} FOR UPDATE OF pin`
  }
  if (claim.on === 'hold') {
    return `UPDATE reserved_amount SET order_id = ${add(order.id)}, reusable_at = NULL FROM unchanged
      WHERE id = ${add(claim.holdId)} AND buyer_key = ${add(buyerKey)} AND order_id IS NULL AND reusable_at > ${add(order.createdAt)} RETURNING id`
  }
  const amount = { ...order, id: uuidv7(), orderId: order.id, buyerKey, reusableAt: null, now: order.createdAt }
  return amountCte(amount, add, 'FROM unchanged')
}

interface Reservation {
  id: string
  receivingAccountId: number | null
  priceSatang: number
  tailSatang: number
  buyerKey: string
  orderId: string | null
  reusableAt: Date | null
  now: Date
}

/** Takes an amount that is free, or free again; the table's primary key decides who gets it. */
function amountCte(want: Reservation, add: Values['add'], from = ''): string {
  return `INSERT INTO reserved_amount AS r (id, receiving_account_id, amount_satang, price_satang, buyer_key, order_id, reusable_at)
    SELECT ${add(want.id)}, ${add(want.receivingAccountId)}, ${add(want.priceSatang + want.tailSatang)},
      ${add(want.priceSatang)}, ${add(want.buyerKey)}, ${add(want.orderId)}, ${add(want.reusableAt)} ${from}
    ON CONFLICT (receiving_account_id, amount_satang) DO UPDATE SET id = excluded.id,
      price_satang = excluded.price_satang, buyer_key = excluded.buyer_key, order_id = excluded.order_id,
      reusable_at = excluded.reusable_at
    WHERE r.reusable_at <= ${add(want.now)} RETURNING id`
}

/** Ends the hold a buyer has, and lets their next one wait until this transaction is over. */
export async function releaseHold(tx: Sql, buyerKey: string): Promise<void> {
  await tx.query({ text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', values: [buyerKey] })
  await tx.query({
    text: 'DELETE FROM reserved_amount WHERE buyer_key = $1 AND order_id IS NULL',
    values: [buyerKey],
  })
}

/** Holds an amount for a while without an order; false when somebody else has just taken it. */
export async function holdAmount(tx: Sql, want: Reservation): Promise<boolean> {
  const values = new Values()
  const text = amountCte(want, values.add)
  return (await tx.query({ name: 'amount_hold', text, values: values.all })).length === 1
}

const INSERTED = { ...ORDER_COLUMNS, guestSlot: { name: 'guest_slot' }, trackToken: { name: 'track_token' } }

/**
 * Stores a new order with what it claims, its first event, the reply its idempotency key keeps, the money it moves and
 * the sale it is, in one statement. Null when the claim was lost or the catalogue was changed; a unique key or check that is
 * violated leaves nothing behind either.
 */
export async function insertOrder(db: Sql, placed: PlacedOrder): Promise<{ queueNo: number | null } | null> {
  const { outcome, once, claim } = placed
  const { order, event, ledger } = outcome
  const values = new Values()
  const columns = { ...order, guestSlot: placed.guestSlot, trackToken: placed.trackToken }
  const names = Object.keys(INSERTED) as (keyof typeof INSERTED)[]
  const ctes = [
    `unchanged AS (SELECT FROM catalogue_version WHERE version = ${values.add(placed.catalogueVersion)})`,
    `claimed AS (${claimCte(placed, values)})`,
    `made AS (INSERT INTO orders (queue_no, buyer_key, snapshot, ${names.map(name => INSERTED[name].name).join(', ')})
      SELECT ${queueNoSql('NULL::int', values.add(order.paidAt))}, ${values.list([placed.buyerKey, JSON.stringify(placed.snapshot), ...names.map(name => columns[name])])}
      FROM claimed RETURNING id, package_id, version, queue_no)`,
    `happened AS (INSERT INTO order_event (order_id, version, kind, to_status, actor_uid, actor_role, at)
      SELECT id, ${values.list([order.version, event.kind, event.to, event.actor.uid, event.actor.role, event.at])} FROM made)`,
    `kept AS (INSERT INTO idempotency_key (scope, key, request_hash, reply, created_at)
      SELECT ${values.list([once.scope, once.key, once.requestHash, JSON.stringify({ orderNo: order.orderNo }), event.at])} FROM made RETURNING key)`,
  ]
  if (claim.on === 'pin') {
    const [uid, hash] = [values.add(order.buyerUid), values.add(claim.tried.to.hash)]
    ctes.push(
      `cleared AS (UPDATE pin SET ${rightPinSql(hash)} FROM made WHERE uid = ${uid} AND (wrong_tries > 0 OR hash <> ${hash}))`,
    )
  }
  const isPaid = order.status === 'paid'
  if (isPaid) {
    const at = values.add(event.at)
    ctes.push(`delivering AS (${deliverySql('made', 'true', values.add(uuidv7()), at)})`)
    ctes.push(
      `telling AS (${tellSql('made', values.add(placed.isTold ? 'orderPaid' : null), values.add('1'), values.add(uuidv7()), at)})`,
    )
  }
  if (ledger) {
    const transaction = { ...ledger, id: uuidv7(), subjectId: order.id }
    ctes.push(ledgerCtes(values.all.length + 1, 'made'))
    values.all.push(...ledgerValues(transaction))
  }
  if (order.paidAt) {
    ctes.push(saleCtes(values.all.length + 1, ledger ? ['kept', 'moved'] : ['kept']))
    values.all.push(...saleValues(order, order.paidAt))
  }
  const [made] = await db.query<{ queueNo: number | null }>({
    name: `order_insert_${claim.on}${ledger ? '_posted' : ''}${order.paidAt ? '_sold' : ''}`,
    text: `WITH ${ctes.join(', ')} SELECT queue_no AS "queueNo" FROM made`,
    values: values.all,
  })
  return made ?? null
}

/** How many of the first `tails` amounts at a price are taken on each account, and when it first has one again. */
export async function findTakenAmounts(
  db: Sql,
  { priceSatang, tails }: { priceSatang: number; tails: number },
  now: Date,
): Promise<{ id: number; taken: number; nextFreeAt: Date | null }[]> {
  return db.query({
    text: `SELECT a.id, count(r.id)::int AS taken, min(coalesce(r.reusable_at, o.expire_after + interval '300 seconds')) AS "nextFreeAt"
      FROM receiving_account a
      LEFT JOIN reserved_amount r ON r.receiving_account_id = a.id AND r.amount_satang > $1 AND r.amount_satang <= $1 + $3
        AND (r.reusable_at IS NULL OR r.reusable_at > $2)
      LEFT JOIN orders o ON o.id = r.order_id
      WHERE a.is_active GROUP BY a.id`,
    values: [priceSatang, now, tails],
  })
}
