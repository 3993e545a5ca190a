import type { PaymentCode, PlayerCheck, PlayerInputs, PriceRow } from '@shop/shared/catalogue/catalogue.ts'
import type { OrderOutcome } from '@shop/shared/order/order.ts'
import type { Offer, PlacingFacts, PlacingRequest } from '@shop/shared/order/purchase.ts'
import { type Options, optionsFrom } from '@shop/shared/settings/option.ts'
import type { PublishedTerms } from '@shop/shared/settings/terms.ts'
import { uuidv7 } from 'uuidv7'
import { type PinJson, type PinTry, pinJson, pinOf, rightPinSql, type StoredPin } from '../account/pin.ts'
import { listPriceSql, usualMinutesSql } from '../catalogue/store.ts'
import type { StoredAccount } from '../catalogue/tables.ts'
import { saleCtes, saleValues } from '../dashboard/sale-day.ts'
import type { Sql } from '../database/database.ts'
import type { Once } from '../http/idempotency.ts'
import { ledgerCtes, ledgerValues } from '../wallet/store.ts'
import { deliverySql, type Kept, ORDER_COLUMNS, queueNoSql, tellSql } from './store.ts'
import type { OrderSnapshot } from './tables.ts'

/** A game as placing an order must know it. */
interface StoredGame extends PlayerInputs {
  id: number
  code: string
  name: string
  picture: string
  playerCheck: PlayerCheck | null
  usualMinutes: OrderSnapshot['usualMinutes']
}

/** All that deciding about a new order needs, read in one round trip. */
export interface StoredFacts extends Omit<PlacingFacts<StoredGame>, 'allowsGuests'> {
  /** The answer this request's key was given before. */
  kept: { requestHash: string; reply: { orderNo: string } } | null
  options: Options
  receivingAccount: StoredAccount | null
  terms: PublishedTerms[]
  pin: StoredPin | null
}

type FactsRow = Omit<StoredFacts, 'options' | 'terms' | 'pin'> & {
  options: Record<string, string> | null
  terms: { version: string; publishedAt: string }[]
  pin: PinJson | null
}

/** What is offered: a game, a package of it, its price for a payment method ($2) and the discount of a tier. */
const offer = (game: string, tier: string) => `
  (SELECT json_build_object('id', g.id, 'code', g.code, 'name', g.name, 'picture', g.picture, 'fieldLabels', g.field_labels,
      'fieldFormats', g.field_formats, 'playerCheck', g.player_check,
      'usualMinutes', ${usualMinutesSql('g', 't')})
    FROM game g LEFT JOIN delivery_time t ON t.game_id = g.id WHERE g.${game} AND g.is_active) AS game,
  (SELECT json_build_object('id', id, 'gameId', game_id, 'name', name, 'costSatang', cost_satang) FROM package WHERE id = $1 AND is_active) AS package,
  (SELECT json_build_object('priceSatang', price_satang, 'startDay', start_day, 'endDay', end_day, 'isActive', is_active,
      'nextPriceSatang', next_price_satang, 'nextDay', next_day)
    FROM package_price WHERE package_id = $1 AND payment = $2) AS price,
  coalesce((SELECT discount_satang FROM discount
    WHERE $2 = 'wallet' AND package_id = $1 AND tier_id = ${tier} AND is_active), 0) AS "discountSatang"`

/** What a tier's owner would pay for a package, by the game's code. */
export async function findOffer(
  db: Sql,
  ask: { gameCode: string; packageId: number; paymentCode: PaymentCode; tierId: number | null },
): Promise<Offer> {
  const [row] = await db.query<Offer & { price: PriceRow | null }>({
    name: 'order_offer',
    text: `SELECT ${offer('code = $3', '$4')}`,
    values: [ask.packageId, ask.paymentCode, ask.gameCode, ask.tierId],
  })
  return row!
}

/** The tails of a price that are taken on an account; what is past its time is free. */
const takenTails = (
  account: string,
  price: string,
  now: string,
) => `SELECT coalesce(json_agg(amount_satang - ${price}), '[]') AS tails
  FROM reserved_amount WHERE receiving_account_id = ${account} AND amount_satang > ${price}
    AND amount_satang < ${price} + 100 AND (reusable_at IS NULL OR reusable_at > ${now})`

export async function findTakenTails(
  tx: Sql,
  of: { receivingAccountId: number; priceSatang: number; now: Date },
): Promise<number[]> {
  const [row] = await tx.query<{ tails: number[] }>({
    text: takenTails('$1', '$2::bigint', '$3'),
    values: [of.receivingAccountId, of.priceSatang, of.now],
  })
  return row!.tails
}

const FACTS_SQL = `WITH purse AS (
    SELECT w.id, w.balance_satang, w.tier_id, t.max_amount_per_order_satang, t.max_item_per_order
    FROM wallet w JOIN agent_tier t ON t.id = w.tier_id WHERE $2 = 'wallet' AND w.uid = $11
  )
  SELECT ${offer('id = $3', '(SELECT tier_id FROM purse)')},
    (SELECT json_build_object('requestHash', request_hash, 'reply', reply)
      FROM idempotency_key WHERE scope = $4 AND key = $5) AS kept,
    (SELECT json_object_agg(name, value) FROM option) AS options,
    (SELECT json_build_object('id', id, 'balanceSatang', balance_satang, 'maxItemPerOrder', max_item_per_order,
      'maxAmountPerOrderSatang', max_amount_per_order_satang) FROM purse) AS wallet,
    CASE WHEN $2 = 'wallet' THEN ${pinJson('$11')} END AS pin,
    (SELECT json_agg(json_build_object('version', version, 'publishedAt', published_at)) FROM terms) AS terms,
    (SELECT json_build_object('id', a.id, 'code', a.bank_code, 'logo', a.logo, 'accountName', a.account_name,
        'accountNo', a.account_no, 'branch', a.branch, 'promptPayId', a.prompt_pay_id)
      FROM receiving_account a WHERE a.id = $6 AND a.is_active) AS "receivingAccount",
    (SELECT (${takenTails('$6', `(${listPriceSql('p', '$10')})`, '$10')}) FROM package_price p
      WHERE p.package_id = $1 AND p.payment = $2) AS "takenTails",
    (SELECT json_build_object('priceSatang', price_satang, 'tailSatang', amount_satang - price_satang)
      FROM reserved_amount WHERE id = $9 AND receiving_account_id = $6 AND buyer_key = $7
        AND order_id IS NULL AND reusable_at > $10) AS hold,
    (SELECT coalesce(json_agg(order_no), '[]') FROM orders WHERE $2 = 'bank'
      AND buyer_key = $7 AND status = 'waiting_payment' AND transfer_reported_at IS NULL) AS "unpaidOrderNos",
    (SELECT count(*)::int FROM orders WHERE $2 = 'bank'
      AND buyer_key = $7 AND status = 'waiting_payment' AND transfer_reported_at IS NOT NULL) AS "reportedCount",
    (SELECT coalesce(json_agg(guest_slot), '[]') FROM orders WHERE $2 = 'bank'
      AND game_id = $3 AND player_id = $8 AND guest_slot IS NOT NULL
      AND status = 'waiting_payment' AND transfer_reported_at IS NULL) AS "guestSlots"`

export async function findPlacingFacts(
  db: Sql,
  { request, buyer, once, now }: { request: PlacingRequest; buyer: Buyer; once: Once; now: Date },
): Promise<StoredFacts> {
  const { packageId, payment, gameId, receivingAccountId, playerId, holdId } = request
  const [row] = await db.query<FactsRow>({
    name: 'order_placing_facts',
    text: FACTS_SQL,
    values: [
      ...[packageId, payment, gameId, once.scope, once.key, receivingAccountId],
      ...[buyer.key, playerId, holdId, now, buyer.uid],
    ],
  })
  const { options, terms, pin, ...facts } = row!
  return {
    ...facts,
    terms: terms.map(({ version, publishedAt }) => ({ version, publishedAt: new Date(publishedAt) })),
    options: optionsFrom(options ?? {}),
    pin: pin && pinOf(pin),
  }
}

/** Who buys. */
export interface Buyer {
  uid: string | null
  /** `u:<uid>` or `g:<hash of the guest key>`. */
  key: string
}

/** What must still hold when the order is stored: nobody took the amount, the hold or the PIN was not changed. */
export type Claim = { on: 'amount' } | { on: 'hold'; holdId: string } | { on: 'pin'; tried: PinTry }

export interface PlacedOrder extends Kept {
  outcome: OrderOutcome
  guestSlot: number | null
  claim: Claim
  once: Once
}

/** Numbers the placeholders of a statement whose parts are put together. */
class Values {
  readonly all: unknown[] = []
  add = (value: unknown, type = ''): string => `$${this.all.push(value)}${type}`
  list = (values: unknown[]): string => values.map(value => this.add(value)).join(', ')
}

/** The part that claims what the order needs: one row, or none when somebody else was faster. */
function claimCte({ outcome: { order }, buyerKey, claim }: PlacedOrder, values: Values): string {
  const { add } = values
  if (claim.on === 'pin') {
    return `SELECT uid FROM pin WHERE uid = ${add(order.buyerUid)} AND version = ${add(claim.tried.from.version)} FOR UPDATE`
  }
  if (claim.on === 'hold') {
    return `UPDATE reserved_amount SET order_id = ${add(order.id)}, reusable_at = NULL
      WHERE id = ${add(claim.holdId)} AND order_id IS NULL AND reusable_at > ${add(order.createdAt)} RETURNING id`
  }
  return amountCte({ ...order, id: uuidv7(), orderId: order.id, buyerKey, reusableAt: null, now: order.createdAt }, add)
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
function amountCte(want: Reservation, add: Values['add']): string {
  return `INSERT INTO reserved_amount AS r (id, receiving_account_id, amount_satang, price_satang, buyer_key, order_id, reusable_at)
    VALUES (${add(want.id)}, ${add(want.receivingAccountId)}, ${add(want.priceSatang + want.tailSatang)},
      ${add(want.priceSatang)}, ${add(want.buyerKey)}, ${add(want.orderId)}, ${add(want.reusableAt)})
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
 * the sale it is, in one statement. Null when the claim was lost; a unique key or check that is violated leaves nothing behind either.
 */
export async function insertOrder(db: Sql, placed: PlacedOrder): Promise<{ queueNo: number | null } | null> {
  const { outcome, once, claim } = placed
  const { order, event, ledger } = outcome
  const values = new Values()
  const columns = { ...order, guestSlot: placed.guestSlot, trackToken: placed.trackToken }
  const names = Object.keys(INSERTED) as (keyof typeof INSERTED)[]
  const ctes = [
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
    ctes.push(`telling AS (${tellSql('made', values.add('orderPaid'), values.add('1'), values.add(uuidv7()), at)})`)
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
