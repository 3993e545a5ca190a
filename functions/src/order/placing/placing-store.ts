import { PAYMENT_METHOD } from '@shop/shared/catalogue/payment-method.ts'
import type { Satang } from '@shop/shared/money.ts'
import { AMOUNT_REST_SECONDS, dueOf, type OrderOutcome } from '@shop/shared/order/order.ts'
import type { MachineOrder } from '@shop/shared/reseller/reseller.ts'
import { getTableColumns } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { CREDIT_SINCE_PIN, type PinTry, rightPinSql } from '../../access/pin.ts'
import type { StoredAccount } from '../../catalogue/tables.ts'
import { saleCtes, saleValues } from '../../dashboard/sale-day.ts'
import { batched } from '../../database/batching.ts'
import type { Sql } from '../../database/database.ts'
import { recordSql, Values } from '../../database/values.ts'
import type { Once } from '../../http/idempotency.ts'
import { jobSql } from '../../outbox/outbox.ts'
import { pickedForStrangerSql, pickedSql } from '../../voucher/store.ts'
import { ledgerCtes, ledgerValues } from '../../wallet/store.ts'
import { ORDER_COLUMNS } from '../columns.ts'
import { deliverySql, type Kept, queueNoSql, tellSql } from '../store.ts'
import { orders } from '../tables.ts'

interface TakenAmount {
  id: string
  receivingAccountId: number
  priceSatang: Satang
  tailSatang: Satang
  buyerKey: string
  /** The order that it is for; null for a hold. */
  orderId: string | null
  /** The end of a hold; null while an order can be paid. */
  reusableAt: Date | null
  now: Date
}

/** Takes amounts that are free, or free again. The table's primary key decides who gets one. */
const amountsSql = (wanted: string, now: string): string => `
  INSERT INTO reserved_amount AS r (id, receiving_account_id, amount_satang, price_satang, buyer_key, order_id, reusable_at)
  ${wanted} ON CONFLICT (receiving_account_id, amount_satang) DO UPDATE SET id = excluded.id,
    price_satang = excluded.price_satang, buyer_key = excluded.buyer_key, order_id = excluded.order_id,
    reusable_at = excluded.reusable_at
  WHERE r.reusable_at <= ${now} RETURNING r.order_id`

/** Ends a buyer's hold; their next hold waits until this transaction is over. */
export async function releaseHold(tx: Sql, buyerKey: string): Promise<void> {
  await tx.query({ text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', values: [buyerKey] })
  await tx.query({ text: 'DELETE FROM reserved_amount WHERE buyer_key = $1 AND order_id IS NULL', values: [buyerKey] })
}

/** Takes an amount, for an order that is there or for a while; returns false when somebody else has just taken it. */
export async function takeAmount(tx: Sql, want: TakenAmount): Promise<boolean> {
  const { id, receivingAccountId, priceSatang, tailSatang, buyerKey, orderId, reusableAt, now } = want
  const taken = await tx.query({
    name: 'amount_take',
    text: amountsSql('VALUES ($1::uuid, $2::int, $3::bigint, $4::bigint, $5, $6::uuid, $7::timestamptz)', '$8'),
    values: [id, receivingAccountId, priceSatang + tailSatang, priceSatang, buyerKey, orderId, reusableAt, now],
  })
  return taken.length === 1
}

/** Keeps the account that an order's transfer goes to, as it is now. */
export async function saveReceivingAccount(tx: Sql, orderId: string, account: StoredAccount): Promise<void> {
  await tx.query({
    text: `UPDATE orders SET snapshot = jsonb_set(snapshot, '{receivingAccount}', $2::jsonb) WHERE id = $1`,
    values: [orderId, JSON.stringify(account)],
  })
}

/** What must still hold when the order is stored. */
export interface Reservation {
  /** For a transfer: that its new amount is free, or that its hold has not changed. */
  amount: 'new' | { holdId: string } | null
  /** That the PIN has not changed since it was tried. */
  tried: PinTry | null
  /**
   * For what shop credit pays: that no more than this has left it since its PIN was typed, this order's part with it; null
   * where the PIN was typed for it.
   */
  credit: { usedSatang: Satang; mostSatang: Satang | null } | null
  /** The codes that it takes from stock; all of them where no supplier is asked for the rest. */
  codes: { pieces: number; isAll: boolean; day: string } | null
  /** That the key of a machine works, and what it may still spend in that Bangkok day. */
  key: (MachineOrder & { day: string }) | null
}

export interface PlacedOrder extends Kept {
  outcome: OrderOutcome
  /** Version of the catalogue that the decision was based on. */
  catalogueVersion: number
  guestSlot: number | null
  reservation: Reservation
  once: Once
  /** Whether the shop sends messages in LINE; if not, no job is stored. */
  isTold: boolean
}

/** An order that was stored. */
export interface MadeOrder {
  queueNo: number | null
}

const { guestSlot, trackToken, buyerKey, snapshot } = getTableColumns(orders)
/** The columns of a new order's row. */
const INSERTED = { ...ORDER_COLUMNS, guestSlot, trackToken, buyerKey, snapshot }
/** Further values in a record for the other rows, with SQL types. */
const SENT_ALONG = {
  catalogueVersion: 'int',
  amountId: 'uuid',
  holdId: 'uuid',
  kind: 'text',
  actorUid: 'text',
  actorRole: 'text',
  at: 'timestamptz',
  scope: 'text',
  key: 'text',
  requestHash: 'text',
}

type SentOrder = Record<keyof typeof INSERTED | keyof typeof SENT_ALONG, unknown>

/** Returns everything that is stored for an order, under the names of `RECORD`. */
function recordOf({ outcome, reservation, once, isTold: _, ...rest }: PlacedOrder): SentOrder {
  const { order, event } = outcome
  const happened = { kind: event.kind, actorUid: event.actor.uid, actorRole: event.actor.role, at: event.at }
  const { amount } = reservation
  const holdId = amount !== null && amount !== 'new' ? amount.holdId : null
  return { ...order, ...rest, amountId: uuidv7(), holdId, ...happened, ...once }
}

const types = Object.entries(INSERTED).map(([key, column]) => [key, column.getSQLType()])
const RECORD = recordSql({ ...Object.fromEntries(types), ...SENT_ALONG })

const KEPT_REPLY = `INSERT INTO idempotency_key (scope, key, request_hash, reply, created_at)
    SELECT scope, key, "requestHash", jsonb_build_object('orderNo', "orderNo"), at FROM made JOIN placed USING (id) RETURNING key`
/** A machine's reference names its order for ever. */
const keptRef = (
  keyId: string,
): string => `INSERT INTO reseller_order (order_id, uid, key_id, ref, request_hash, quantity, price_satang)
    SELECT id, "buyerUid", ${keyId}, key, "requestHash", quantity, "priceSatang" FROM made JOIN placed USING (id) RETURNING ref`

/**
 * Returns the statement that stores new orders, each with its first event and the reply for its idempotency key. $1 is a
 * JSON array of records; those that were decided on an outdated catalogue are not stored.
 * @param reserved CTEs that reserve what the orders `placed` need; the last, `reserved`, has the `order_id` of each that got it
 * @param more CTEs that store what else belongs to the orders `made`
 * @param only what else must still hold, to be joined
 * @param also what else must have been reserved, to be joined
 * @param kept the CTE that keeps the reply, or how the order was asked for
 * @param first CTEs that lock what `only` joins, each with a comma behind it
 */
const storingSql = (
  reserved: string,
  more: string[] = [],
  only = '',
  also = '',
  kept = KEPT_REPLY,
  first = '',
): string => `
  WITH ${first}placed AS MATERIALIZED (SELECT p.* FROM json_to_recordset($1) AS p (${RECORD})
    JOIN catalogue_version v ON v.version = p."catalogueVersion" ${only}), ${reserved},
  made AS (INSERT INTO orders (queue_no, ${Object.values(INSERTED).map(column => column.name)})
    SELECT ${queueNoSql('NULL::int', '"paidAt"')}, ${Object.keys(INSERTED).map(key => `"${key}"`)}
    FROM placed JOIN reserved ON order_id = id ${also} RETURNING id, package_id, version, queue_no),
  happened AS (INSERT INTO order_event (order_id, version, kind, to_status, actor_uid, actor_role, at)
    SELECT id, p.version, kind, status, "actorUid", "actorRole", at FROM made JOIN placed p USING (id)),
  kept AS (${kept})
  ${more.map(cte => `, ${cte}`).join('')} SELECT id, queue_no AS "queueNo" FROM made`

/** Takes the amounts of transfers, in a fixed order, so that two batches never wait for each other. */
const amountsOf = (now: string): string => `
  taken AS (${amountsSql(
    `SELECT "amountId", "receivingAccountId", "priceSatang" + "tailSatang" - "creditSatang" AS amount,
       "priceSatang" - "creditSatang", "buyerKey", id, NULL::timestamptz
     FROM placed WHERE "holdId" IS NULL ORDER BY "receivingAccountId", amount`,
    now,
  )}),
  adopted AS (UPDATE reserved_amount r SET order_id = p.id, reusable_at = NULL FROM placed p
    WHERE r.id = "holdId" AND r.buyer_key = "buyerKey" AND r.order_id IS NULL AND r.reusable_at > at RETURNING r.order_id),
  reserved AS (SELECT order_id FROM taken UNION ALL SELECT order_id FROM adopted)`
/** Other orders ask for no amount of their own. */
const NO_AMOUNT = 'reserved AS (SELECT id AS order_id FROM placed)'

const TRANSFERS = storingSql(amountsOf('$2'))
const CHARGED = storingSql(NO_AMOUNT)

async function insertCharged(db: Sql, placed: PlacedOrder): Promise<MadeOrder | null> {
  const values = [JSON.stringify([recordOf(placed)])]
  const [made] = await db.query<MadeOrder>({ name: 'order_insert_gateway', text: CHARGED, values })
  return made ?? null
}

/** Stores orders by transfer, all or none of them; the result is null for each whose amount somebody else took. */
async function insertTransfers(db: Sql, placed: PlacedOrder[]): Promise<(MadeOrder | null)[]> {
  const records = placed.map(recordOf)
  // An amount that is free at the earliest moment is free for all of them.
  const now = placed.map(({ outcome }) => outcome.event.at).reduce((a, b) => (a < b ? a : b))
  const made = await db.query<MadeOrder & { id: string }>({
    name: 'order_insert_bank',
    text: TRANSFERS,
    values: [JSON.stringify(records), now],
  })
  return placed.map(({ outcome }) => made.find(({ id }) => id === outcome.order.id) ?? null)
}

/**
 * Returns what a purchase with a PIN, or with shop credit, locks and changes of those beside its own rows. The PIN is locked
 * before the credit.
 */
function guardOf({ outcome: { order }, reservation: { tried, credit } }: PlacedOrder, add: Values['add']) {
  const { from, to } = tried ?? {}
  const names: string[] = []
  let [first, only] = ['', '']
  if (from) {
    // The order is stored only if the PIN's row is still the one that was tried.
    first = `pinned AS MATERIALIZED (SELECT uid FROM pin WHERE uid = ${add(order.buyerUid)} AND version = ${add(from.version)} FOR UPDATE), `
    only = 'JOIN pinned ON true'
    names.push('pin')
  }
  if (credit) {
    const { usedSatang, mostSatang } = credit
    // Orders of the same moment wait for each other here, and each sees what left with the ones before.
    const within =
      mostSatang === null ? '' : `AND ${CREDIT_SINCE_PIN} + ${add(usedSatang)}::bigint <= ${add(mostSatang)}::bigint`
    first += `purse AS MATERIALIZED (SELECT c.left_satang FROM credit c ${only} WHERE c.id = ${add(order.creditId)} ${within} FOR UPDATE OF c), `
    only = 'JOIN purse ON true'
    names.push(mostSatang === null ? 'credit_pin' : 'credit')
  }
  const changes = [
    ...(from && to && (from.wrongTries > 0 || from.hash !== to.hash) ? [rightPinSql(add(to.hash))] : []),
    ...(to && credit ? [`credit_left_satang = purse.left_satang + ${add(credit.usedSatang)}::bigint`] : []),
  ]
  if (changes.length === 0) return { first, only, names, more: [] }
  names.push(changes.length > 1 || !credit ? 'cleared' : 'marked')
  const beside = credit ? ', purse' : ''
  const cleared = `cleared AS (UPDATE pin SET ${changes.join(', ')} FROM made${beside} WHERE pin.uid = ${add(order.buyerUid)})`
  return { first, only, names, more: [cleared] }
}

/**
 * Stores an order that takes money at once, for the order or to be put aside for it. Returns null when its amount was
 * taken, or the PIN tried, in the meantime.
 */
async function insertPurchase(db: Sql, placed: PlacedOrder): Promise<MadeOrder | null> {
  const { outcome, reservation, isTold } = placed
  const { order, event } = outcome
  const { codes, key } = reservation
  const money = outcome.ledger ?? outcome.credit
  const values = new Values()
  const { add } = values
  add(JSON.stringify([recordOf(placed)]))
  // A statement must use each of its values.
  const at = order.paidAt || reservation.amount ? add(event.at) : ''
  const name = ['order_insert', PAYMENT_METHOD[order.payment].kind]
  const more: string[] = []
  let [reserved, also] = ['', '']
  const { first, ...guard } = guardOf(placed, add)
  let { only } = guard
  name.push(...guard.names)
  more.push(...guard.more)
  let kept = KEPT_REPLY
  if (key) {
    const [keyId, day] = [add(key.keyId), add(key.day, '::date')]
    kept = keptRef(keyId)
    // The rows stay locked, so a key that is ended meanwhile waits, and so does its next order of the day.
    const most = `coalesce(${add(key.dailyLimitSatang)}::bigint, spent_satang + p."priceSatang")`
    only = `JOIN (SELECT FROM reseller_key WHERE id = ${keyId} AND ended_at IS NULL FOR SHARE) AS working ON true
      JOIN LATERAL (SELECT FROM reseller_day WHERE key_id = ${keyId} AND day = ${day}
        AND spent_satang + p."priceSatang" <= ${most} FOR UPDATE) AS within ON true`
    more.push(
      `spent AS (UPDATE reseller_day d SET orders = d.orders + 1, spent_satang = d.spent_satang + placed."priceSatang"
        FROM made JOIN placed USING (id) WHERE d.key_id = ${keyId} AND d.day = ${day})`,
    )
    name.push('key')
  }
  if (order.paidAt) {
    more.push(`delivering AS (${deliverySql('made', 'true', jobSql(add, at))})`)
    name.push('paid')
  }
  if (order.paidAt && isTold) {
    more.push(`telling AS (${tellSql('made', add('orderPaid'), add('1'), jobSql(add, at))})`)
    name.push('told')
  }
  if (money) {
    more.push(ledgerCtes(values.all.length + 1, 'made'))
    values.all.push(...ledgerValues({ ...money, id: uuidv7(), subjectId: order.id }))
    name.push('posted')
  }
  if (order.paidAt) {
    const moved = order.walletId ? 'moved' : 'moved_credit'
    more.push(saleCtes(values.all.length + 1, money ? ['kept', moved] : ['kept']))
    values.all.push(...saleValues(order, order.paidAt))
  }
  if (codes) {
    const [pieces, day] = [add(codes.pieces), add(codes.day)]
    const isStranger = placed.guestSlot !== null
    const picked = isStranger ? pickedForStrangerSql : pickedSql
    reserved = `picked AS MATERIALIZED (${picked(add(order.packageId), pieces, day)}), `
    if (isStranger) name.push('stranger')
    if (codes.isAll) also = `JOIN (SELECT count(*) AS pieces FROM picked) AS stock ON stock.pieces = ${pieces}::int`
    more.push(
      `taken_codes AS (UPDATE voucher SET state = 'reserved', order_id = made.id, reserved_at = ${add(event.at)}
        FROM made, picked WHERE voucher.id = picked.id)`,
    )
    name.push('codes', codes.isAll ? 'all' : 'some')
  }
  const text = storingSql(reserved + (reservation.amount ? amountsOf(at) : NO_AMOUNT), more, only, also, kept, first)
  const [made] = await db.query<MadeOrder>({ name: name.join('_'), text, values: values.all })
  return made ?? null
}

/** Makes the row that counts what a key spends in a Bangkok day, where there is none yet. */
export async function beginKeyDay(db: Sql, { keyId, day }: { keyId: string; day: string }): Promise<void> {
  await db.query({
    text: 'INSERT INTO reseller_day (key_id, day) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    values: [keyId, day],
  })
}

/** Tells whether placing the order takes money at once. */
const takesMoney = ({ outcome: { order }, reservation: { tried } }: PlacedOrder): boolean =>
  tried !== null || order.walletId !== null || order.creditId !== null

/**
 * Stores a new order and all that belongs to it in one statement. Returns null when somebody else took what it reserves
 * or the catalogue was changed. Nothing is stored then, nor when a unique key or check is violated.
 */
export async function insertOrder(db: Sql, placed: PlacedOrder): Promise<MadeOrder | null> {
  if (takesMoney(placed) || placed.reservation.codes) return insertPurchase(db, placed)
  if (placed.reservation.amount === null) return insertCharged(db, placed)
  const [made] = await insertTransfers(db, [placed])
  return made!
}

export type StoreOrder = (placed: PlacedOrder) => Promise<MadeOrder | null>

/**
 * Stores orders like `insertOrder`; transfers of the same moment share one statement. Those that take money are stored
 * one by one, because a wallet must not stay locked while others wait, those of codes because two of one statement would
 * pick the same, and those through a gateway because they wait for
 * the gateway anyway.
 */
export function openOrderStore(db: Sql): StoreOrder {
  const storeTransfer = batched<PlacedOrder, MadeOrder | null>({
    send: placed => insertTransfers(db, placed),
    keysOf: ({ outcome: { order }, buyerKey, guestSlot }) => [
      `buyer ${buyerKey}`,
      `amount ${order.receivingAccountId} ${dueOf(order)}`,
      `slot ${guestSlot} ${order.gameId} ${order.playerId}`,
    ],
  })
  const isAlone = (placed: PlacedOrder) =>
    takesMoney(placed) || placed.reservation.codes !== null || placed.reservation.amount === null
  return placed => (isAlone(placed) ? insertOrder(db, placed) : storeTransfer(placed))
}

/**
 * Counts, for each account, how many of the first `tails` amounts at a price are taken, and when one becomes free
 * again.
 */
export async function findTakenAmounts(
  db: Sql,
  { priceSatang, tails }: { priceSatang: number; tails: number },
  now: Date,
): Promise<{ id: number; taken: number; nextFreeAt: Date | null }[]> {
  return db.query({
    text: `SELECT a.id, count(r.id)::int AS taken, min(coalesce(r.reusable_at, o.expire_after + interval '${AMOUNT_REST_SECONDS} seconds')) AS "nextFreeAt"
      FROM receiving_account a
      LEFT JOIN reserved_amount r ON r.receiving_account_id = a.id AND r.amount_satang > $1 AND r.amount_satang <= $1 + $3
        AND (r.reusable_at IS NULL OR r.reusable_at > $2)
      LEFT JOIN orders o ON o.id = r.order_id
      WHERE a.is_active GROUP BY a.id`,
    values: [priceSatang, now, tails],
  })
}
