import { createHash } from 'node:crypto'
import type { Satang } from '@shop/shared/money.ts'
import { AMOUNT_REST_SECONDS, dueOf } from '@shop/shared/order/order.ts'
import { uuidv7 } from 'uuidv7'
import { receivingAccount, type StoredAccount } from '../../catalogue/tables.ts'
import { batched } from '../../database/batching.ts'
import type { Sql } from '../../database/database.ts'
import { as, locked, orNull, outer, pick, row, sql, type Text, under } from '../../database/sql.ts'
import { type Placeholders, recordOf, recordSql, Values } from '../../database/values.ts'
import { resellerDay } from '../../reseller/tables.ts'
import { ORDER_FIELDS } from '../columns.ts'
import { queueNoSql } from '../store.ts'
import { orderEvent, orders, reservedAmount } from '../tables.ts'
import { amountsSql, PARTS, type Part, type PartName, type PlacedOrder } from './placing-parts.ts'

const [o, bare, made] = [outer(orders, 'o'), under(orders), under(orders, 'made')]
const [a, reserved, r] = [under(receivingAccount, 'a'), under(reservedAmount), outer(reservedAmount, 'r')]
const [event, keyDay] = [under(orderEvent), under(resellerDay)]

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

/** Ends a buyer's hold; their next hold waits until this transaction is over. */
export async function releaseHold(tx: Sql, buyerKey: string): Promise<void> {
  await tx.query({ text: sql`SELECT ${locked('$1')}`, values: [buyerKey] })
  await tx.query({
    text: sql`DELETE FROM ${reserved} WHERE ${reserved.buyerKey} = $1 AND ${reserved.orderId} IS NULL`,
    values: [buyerKey],
  })
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
    text: sql`UPDATE ${bare} SET ${bare.snapshot} = jsonb_set(${bare.snapshot}, '{receivingAccount}', $2::jsonb) WHERE ${bare.id} = $1`,
    values: [orderId, JSON.stringify(account)],
  })
}

/** An order that was stored. */
export interface MadeOrder {
  queueNo: number | null
}

/** The columns of a new order's row. */
const INSERTED = { ...pick(bare, ...ORDER_FIELDS), ...pick(bare, 'guestSlot', 'trackToken', 'buyerKey', 'snapshot') }
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
function sentOf({ outcome, reservation, once, isTold: _, ...rest }: PlacedOrder): SentOrder {
  const { order, event } = outcome
  const happened = { kind: event.kind, actorUid: event.actor.uid, actorRole: event.actor.role, at: event.at }
  const { amount } = reservation
  const holdId = amount !== null && amount !== 'new' ? amount.holdId : null
  return { ...order, ...rest, amountId: uuidv7(), holdId, ...happened, ...once }
}

const RECORD = `${recordOf(INSERTED)}, ${recordSql(SENT_ALONG)}`

/** PostgreSQL tells the names of statements apart by so many characters. */
const LONGEST_NAME = 63

/** Returns a name that says the parts of a statement; of a long one the rest as a digest. */
export function nameOf(parts: readonly string[]): string {
  const name = ['order_insert', ...parts].join('_')
  if (name.length <= LONGEST_NAME) return name
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `${name.slice(0, LONGEST_NAME - digest.length - 1)}_${digest}`
}

const FIRST_EVENT = pick(event, 'orderId', 'version', 'kind', 'toStatus', 'actorUid', 'actorRole', 'at')
type StoredOrder = MadeOrder & { id: string }
const STORED = row<StoredOrder>(pick(made, 'id', 'queueNo'))

/** A part with the placeholders of its values. */
type SentPart = [Part, Placeholders<object>]

/**
 * Returns the statement that stores new orders, each with its first event and what its parts write. $1 is a JSON array of
 * records; those that were decided on an outdated catalogue are not stored. Each row that is needed is locked only where
 * the one before it was found.
 */
function storingSql(parts: readonly SentPart[]): Text<StoredOrder> {
  const needs = parts.flatMap(([part, sent]) => Object.entries(part.needs?.(sent) ?? {}))
  const joined = ['', ...needs.map(([name]) => `JOIN ${name} ON true`)]
  const locks = needs.map(
    ([name, { row, returns = '', where, lock }], at) =>
      `${name} AS MATERIALIZED (SELECT ${returns} FROM ${row} ${joined[at]} WHERE ${where} FOR ${lock} OF ${row.split(' ').at(-1)})`,
  )
  const takes = parts.map(([part, sent]) => part.takes?.(sent) ?? {})
  const waits = parts.flatMap(([part]) => part.waits ?? [])
  const ctes = [
    ...locks,
    `placed AS MATERIALIZED (SELECT p.* FROM json_to_recordset($1) AS p (${RECORD})
      JOIN catalogue_version v ON v.version = p."catalogueVersion" ${joined.at(-1)})`,
    ...takes.flatMap(({ ctes = [] }) => ctes),
    `made AS (INSERT INTO ${bare} (${bare.queueNo}, ${Object.values(INSERTED)})
      SELECT ${queueNoSql('NULL::int', '"paidAt"')}, ${Object.keys(INSERTED).map(key => `"${key}"`)}
      FROM placed ${takes.map(({ join = '' }) => join).join(' ')} RETURNING ${Object.values(pick(bare, 'id', 'packageId', 'version', 'queueNo'))})`,
    `happened AS (INSERT INTO ${event} (${Object.values(FIRST_EVENT)})
      SELECT id, p.version, kind, status, "actorUid", "actorRole", at FROM made JOIN placed p USING (id))`,
    ...parts.flatMap(([part, sent]) => part.writes?.(sent, waits) ?? []),
  ]
  return sql`WITH ${ctes.join(',\n  ')} SELECT ${STORED} FROM made`
}

/** The text of each statement by its name: the same parts number their values alike. */
const texts = new Map<string, Text<StoredOrder>>()

type PlacingParts = Readonly<Record<string, Part>>

/** Returns the parts that an order has, with their values, in the order of the table. */
function partsOf(placed: PlacedOrder, parts: PlacingParts): { name: string; part: Part; values: object }[] {
  return Object.entries(parts).flatMap(([name, part]) => {
    const values = part.values(placed)
    return values ? { name, part, values } : []
  })
}

/**
 * Stores orders that have the same parts, all or none of them; the result is null for each that did not get what it needs.
 */
async function insertOrders(
  db: Sql,
  placed: readonly PlacedOrder[],
  parts: PlacingParts,
): Promise<(MadeOrder | null)[]> {
  // An amount that is free at the earliest moment is free for all of them.
  const earliest = placed.reduce((a, b) => (a.outcome.event.at <= b.outcome.event.at ? a : b))
  const had = partsOf(earliest, parts)
  const values = new Values()
  values.add(JSON.stringify(placed.map(sentOf)))
  const sent = had.map(({ part, values: given }): SentPart => [part, values.addAll(given)])
  const name = nameOf(had.map(({ name }) => name))
  const text = texts.get(name) ?? storingSql(sent)
  texts.set(name, text)
  const stored = await db.query({ name, text, values: values.all })
  return placed.map(({ outcome }) => stored.find(({ id }) => id === outcome.order.id) ?? null)
}

/** Makes the row that counts what a key spends in a Bangkok day, where there is none yet. */
export async function beginKeyDay(db: Sql, { keyId, day }: { keyId: string; day: string }): Promise<void> {
  await db.query({
    text: sql`INSERT INTO ${keyDay} (${keyDay.keyId}, ${keyDay.day}) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
    values: [keyId, day],
  })
}

/**
 * Stores a new order and all that belongs to it in one statement. Returns null when somebody else took what it reserves
 * or the catalogue was changed. Nothing is stored then, nor when a unique key or check is violated.
 */
export async function insertOrder(
  db: Sql,
  placed: PlacedOrder,
  parts: PlacingParts = PARTS,
): Promise<MadeOrder | null> {
  const [made] = await insertOrders(db, [placed], parts)
  return made!
}

export type StoreOrder = (placed: PlacedOrder) => Promise<MadeOrder | null>

/** The parts of a plain transfer. */
const TRANSFER: readonly PartName[] = ['reply', 'amount']

/**
 * Stores orders like `insertOrder`; plain transfers of the same moment share one statement. Those that take money are
 * stored one by one, because a wallet must not stay locked while others wait, those of codes because two of one statement
 * would pick the same, and those through a gateway because they wait for the gateway anyway.
 */
export function openOrderStore(db: Sql): StoreOrder {
  const storeTransfer = batched<PlacedOrder, MadeOrder | null>({
    send: placed => insertOrders(db, placed, PARTS),
    keysOf: ({ outcome: { order }, buyerKey, guestSlot }) => [
      `buyer ${buyerKey}`,
      `amount ${order.receivingAccountId} ${dueOf(order)}`,
      `slot ${guestSlot} ${order.gameId} ${order.playerId}`,
    ],
  })
  const isTransfer = (placed: PlacedOrder) =>
    partsOf(placed, PARTS)
      .map(({ name }) => name)
      .join() === TRANSFER.join()
  return placed => (isTransfer(placed) ? storeTransfer(placed) : insertOrder(db, placed))
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
    text: sql`SELECT ${row({
      id: a.id,
      taken: as.int(`count(${r.id})`),
      nextFreeAt: orNull(
        as.instant(`min(coalesce(${r.reusableAt}, ${o.expireAfter} + interval '${AMOUNT_REST_SECONDS} seconds'))`),
      ),
    })}
      FROM ${a}
      LEFT JOIN ${r} ON ${r.receivingAccountId} = ${a.id} AND ${r.amountSatang} > $1 AND ${r.amountSatang} <= $1 + $3
        AND (${r.reusableAt} IS NULL OR ${r.reusableAt} > $2)
      LEFT JOIN ${o} ON ${o.id} = ${r.orderId}
      WHERE ${a.isActive} GROUP BY ${a.id}`,
    values: [priceSatang, now, tails],
  })
}
