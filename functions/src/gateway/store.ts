import type { GatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import { type Charge, type ChargeState, type ToldCharge, UNKNOWN_AFTER_SECONDS } from '@shop/shared/gateway/gateway.ts'
import type { Satang } from '@shop/shared/money.ts'
import { GATEWAY_NAMES, type GatewayName } from '@shop/shared/provider-names.ts'
import type { LineTarget } from '@shop/shared/statement/statement.ts'
import { addSeconds, startOfBangkokDay } from '@shop/shared/time.ts'
import type { HeardCharge } from '@shop/shared/wallet/hearing.ts'
import { getTableColumns } from 'drizzle-orm'
import type { Queries, Sql } from '../database/database.ts'
import { columns, jsonObject, selectList, sqlOf } from '../database/listing.ts'
import { currentRequestId } from '../http/request-id.ts'
import type { Pay } from './provider.ts'
import { gatewayHeld, IS_OPEN_CHARGE, charge as table } from './tables.ts'

/** A charge with how its buyer pays it. */
export interface ChargeRow extends Charge {
  /** Asked for by a tracking link; it lives beside what the buyer pays by. */
  byLink: boolean
  pay: Pay | null
  contradiction: string | null
  /** Since when the gateway gives no answer about it; null while it does. */
  silentSince: Date | null
}

/** What a charge pays. */
export type ChargeOwner = { orderId: string } | { topUpId: string }

/**
 * Locks what a charge pays. Returns what decides about the gateway's word: for the charge itself, and `save`, which stores
 * what the money leads to, after the charge.
 */
export type LockOwner = (
  tx: Sql,
  id: string,
) => Promise<(charge: Charge, told: ToldCharge, now: Date) => { heard: HeardCharge; save(): Promise<void> }>

/** How each of what a charge may pay is locked; each part of the server knows its own. */
export interface ChargeOwners {
  order: LockOwner
  topUp: LockOwner
}

/** Returns the SQL condition that a charge `c` pays this, whose id is the first value of the statement. */
const isOf = (owner: ChargeOwner) =>
  'orderId' in owner
    ? ({ where: 'c.order_id = $1', id: owner.orderId } as const)
    : ({ where: 'c.top_up_id = $1', id: owner.topUpId } as const)

/** The part of a charge that its pages show, as JSON. */
export interface StoredCharge {
  id: string
  method: GatewayMethod
  state: ChargeState
  amountSatang: number
  surchargeSatang: number
  expiresAt: string
  silentSince: string | null
}

/** SQL of the newest charge of an order or a top-up that its buyer asked for. */
export const chargeJson = (owner: 'order_id' | 'top_up_id', id: string): string =>
  `(SELECT ${jsonObject<StoredCharge>({
    id: 'c.id',
    method: 'c.method',
    state: 'c.state',
    amountSatang: 'c.amount_satang',
    surchargeSatang: 'c.surcharge_satang',
    expiresAt: 'c.expires_at',
    silentSince: 'c.silent_since',
  })} FROM charge c WHERE c.${owner} = ${id} AND NOT c.by_link ORDER BY c.id DESC LIMIT 1)`

const COLUMNS = selectList(getTableColumns(table), 'c')

const bare = async (rows: Promise<ChargeRow[]>): Promise<ChargeRow | null> => (await rows)[0] ?? null

export const findCharge = (db: Sql, id: string): Promise<ChargeRow | null> =>
  bare(db.query({ text: `SELECT ${COLUMNS} FROM charge c WHERE c.id = $1`, values: [id] }))

export const findChargeOf = (db: Sql, gateway: GatewayName, reference: string): Promise<ChargeRow | null> =>
  bare(
    db.query({
      text: `SELECT ${COLUMNS} FROM charge c WHERE c.gateway = $1 AND c.reference = $2`,
      values: [gateway, reference],
    }),
  )

/** Returns the charges that were made in a period. */
export const findChargesBetween = (db: Sql, gateway: GatewayName, { from, to }: { from: Date; to: Date }) =>
  db.query<ChargeRow>({
    text: `SELECT ${COLUMNS} FROM charge c WHERE c.gateway = $1 AND c.created_at BETWEEN $2 AND $3 ORDER BY c.created_at`,
    values: [gateway, from, to],
  })

/**
 * Returns the newest charge of an order or a top-up that its buyer asked for; by a tracking link the newest of all.
 * @param method the only one to find by
 */
export function findNewestCharge(
  db: Sql,
  owner: ChargeOwner,
  { byLink, method = null }: { byLink: boolean; method?: GatewayMethod | null },
): Promise<ChargeRow | null> {
  const { where, id } = isOf(owner)
  return bare(
    db.query({
      text: `SELECT ${COLUMNS} FROM charge c WHERE ${where} AND ($2 OR NOT c.by_link) AND ($3::text IS NULL OR c.method = $3)
        ORDER BY c.id DESC LIMIT 1`,
      values: [id, byLink, method],
    }),
  )
}

/** Returns the charge that paid a top-up; of one that is not paid, the newest. */
export const findChargeOfTopUp = (db: Sql, topUpId: string): Promise<ChargeRow | null> =>
  bare(
    db.query({
      text: `SELECT ${COLUMNS} FROM charge c WHERE c.top_up_id = $1 ORDER BY c.state = 'paid' DESC, c.id DESC LIMIT 1`,
      values: [topUpId],
    }),
  )

/** A charge that was paid, as the details of its order show it. */
interface PaidCharge extends Pick<Charge, 'method' | 'amountSatang' | 'surchargeSatang' | 'feeSatang'> {
  paidAt: Date
  isOwed: boolean
}

/** Returns what a gateway collected for an order, the oldest first. */
export function findPaidCharges(db: Sql, orderId: string): Promise<PaidCharge[]> {
  const row = columns<PaidCharge>({
    ...sqlOf(table, 'c', 'method', 'amountSatang', 'surchargeSatang', 'feeSatang'),
    paidAt: 'c.paid_at',
    isOwed: 'EXISTS (SELECT 1 FROM owed_refund f WHERE f.charge_id = c.id)',
  })
  return db.query<PaidCharge>({
    text: `SELECT ${row} FROM charge c WHERE c.order_id = $1 AND c.state = 'paid' ORDER BY c.paid_at, c.id`,
    values: [orderId],
  })
}

/** Locks a charge for a decision; its order or top-up must be locked before. */
export const lockCharge = (tx: Sql, id: string): Promise<ChargeRow | null> =>
  bare(tx.query({ text: `SELECT ${COLUMNS} FROM charge c WHERE c.id = $1 FOR UPDATE`, values: [id] }))

export async function insertCharge(tx: Sql, charge: Charge & Pick<ChargeRow, 'byLink'>): Promise<void> {
  await tx.orm.insert(table).values(charge)
}

/**
 * Stores what became of a charge, which is locked. A contradiction that is new, and silence that begins, bring back what a
 * person had closed. @param pay how it is paid, where the gateway has just said so
 */
export async function saveCharge(
  tx: Sql,
  { id, state, reference, paidAt, feeSatang, silentSince }: Charge & Pick<ChargeRow, 'silentSince'>,
  { pay, contradiction }: { pay?: Pay | null; contradiction?: string | null } = {},
): Promise<void> {
  await tx.query({
    text: `UPDATE charge SET state = $2, reference = $3, paid_at = $4, fee_satang = $5, pay = coalesce($6::jsonb, pay),
        contradiction = coalesce($7::text, contradiction), silent_since = $8::timestamptz,
        closed_at = CASE WHEN $7::text <> coalesce(contradiction, '') OR ($8::timestamptz IS NOT NULL AND silent_since IS NULL)
          THEN NULL ELSE closed_at END WHERE id = $1`,
    values: [
      id,
      state,
      reference,
      paidAt,
      feeSatang,
      pay ? JSON.stringify(pay) : null,
      contradiction ?? null,
      silentSince,
    ],
  })
}

/**
 * Stores that a gateway made no charge: it refused, or was too busy, or said nothing, so that nobody is sure. A charge that
 * was found meanwhile stays as it is.
 */
export async function saveUnmade(
  tx: Sql,
  id: string,
  { isSure, isBusy }: { isSure: boolean; isBusy: boolean },
  now: Date,
): Promise<void> {
  await tx.query({
    text: `UPDATE charge SET is_wanted = false, state = CASE WHEN $2 THEN 'failed' ELSE state END,
        silent_since = CASE WHEN $2 THEN NULL WHEN $3 THEN coalesce(silent_since, $4) ELSE silent_since END
      WHERE id = $1 AND state = 'asking' AND reference IS NULL`,
    values: [id, isSure, isBusy, now],
  })
}

/** A charge has paid another top-up than the one that it was made for. */
export async function moveCharge(tx: Sql, id: string, topUpId: string): Promise<void> {
  await tx.query({ text: 'UPDATE charge SET top_up_id = $2 WHERE id = $1', values: [id, topUpId] })
}

/** Keeps which of the gateway's charges one is whose answer was lost. */
export async function learnReference(db: Sql, id: string, reference: string): Promise<void> {
  await db.query({
    text: 'UPDATE charge SET reference = $2 WHERE id = $1 AND reference IS NULL',
    values: [id, reference],
  })
}

/** What is not paid yet is paid by another method of the gateway. */
export async function savePayment(tx: Sql, owner: ChargeOwner, method: GatewayMethod): Promise<void> {
  const table = 'orderId' in owner ? 'orders' : 'top_up'
  await tx.query({ text: `UPDATE ${table} SET payment = $2 WHERE id = $1`, values: [isOf(owner).id, method] })
}

/**
 * Gives up the open charges of an order or a top-up: the gateway is asked to end each of them. A payment that is faster
 * still counts. @param which whether those that a tracking link asked for end, too
 */
export async function endCharges(
  tx: Sql,
  owner: ChargeOwner,
  now: Date,
  which: 'all' | "the buyer's" = 'all',
): Promise<void> {
  const { where, id } = isOf(owner)
  await tx.query({
    text: `WITH given_up AS (
        UPDATE charge c SET is_wanted = false WHERE ${where} AND is_wanted AND ($4 OR NOT by_link)
          AND ${IS_OPEN_CHARGE} RETURNING id
      ) INSERT INTO outbox (id, kind, key, payload, due_at, created_at, request_id)
      SELECT gen_random_uuid(), 'charge.end', id, jsonb_build_object('chargeId', id), $2, $2, $3 FROM given_up
      ON CONFLICT ON CONSTRAINT outbox_once DO NOTHING`,
    values: [id, now, currentRequestId(), which === 'all'],
  })
}

/**
 * SQL of the charges `c` of which nobody knows whether their money came, or of which the gateway said what can't be, until a
 * person closes them. @param now the placeholder of the moment
 */
export const unknownCharges = (now: string): string => `(c.silent_since IS NOT NULL OR c.contradiction IS NOT NULL
  OR (c.${IS_OPEN_CHARGE} AND c.expires_at < ${now}::timestamptz - interval '${UNKNOWN_AFTER_SECONDS} seconds')) AND c.closed_at IS NULL`
/** SQL of the moment since when it is so. */
export const UNKNOWN_SINCE = `coalesce(c.silent_since, c.expires_at)`

export interface UnknownChargeRow extends ChargeRow {
  target: LineTarget | null
  since: Date
}

/** SQL of the order `o` or the top-up `t` that something is about, as JSON; null for neither. */
export const TARGET = `CASE WHEN o.id IS NOT NULL THEN json_build_object('kind', 'order', 'id', o.id, 'no', o.order_no)
  WHEN t.id IS NOT NULL THEN json_build_object('kind', 'topUp', 'id', t.id, 'no', t.no) END`

/** Returns charges that people must look at, the oldest first. */
export const findUnknownCharges = (db: Sql, now: Date, limit: number): Promise<UnknownChargeRow[]> =>
  db.query<UnknownChargeRow>({
    text: `SELECT ${COLUMNS}, ${TARGET} AS target, ${UNKNOWN_SINCE} AS since
      FROM charge c LEFT JOIN orders o ON o.id = c.order_id LEFT JOIN top_up t ON t.id = c.top_up_id
      WHERE ${unknownCharges('$1')} ORDER BY since, c.id LIMIT $2`,
    values: [now, limit],
  })

/** Returns how many charges people must look at, and since when the gateway has been silent about the oldest. */
export async function countUnknownCharges(db: Sql, now: Date): Promise<{ count: number; silentSince: Date | null }> {
  const [row] = await db.query<{ count: number; silentSince: Date | null }>({
    text: `SELECT count(*)::int AS count, min(c.silent_since) AS "silentSince" FROM charge c WHERE ${unknownCharges('$1')}`,
    values: [now],
  })
  return row!
}

/**
 * Closes a charge on a person's word: nobody asks about it any more. What the gateway says of itself later is heard all the
 * same, and so is the answer that a job is just getting. Returns false for one that needs nobody.
 */
export async function closeCharge(tx: Sql, id: string, now: Date): Promise<boolean> {
  const closed = await tx.query({
    text: `UPDATE charge c SET closed_at = $2, silent_since = NULL, is_wanted = false,
        state = CASE WHEN ${IS_OPEN_CHARGE} THEN 'failed' ELSE state END
      WHERE c.id = $1 AND ${unknownCharges('$2')} RETURNING c.id`,
    values: [id, now],
  })
  await tx.query({
    text: `UPDATE outbox SET state = 'closed', settled_at = $2, locked_until = NULL
      WHERE kind IN ('charge.ask', 'charge.end') AND state = 'waiting' AND payload->>'chargeId' = $1::text
        AND (locked_until IS NULL OR locked_until <= $2)`,
    values: [id, now],
  })
  return closed.length > 0
}

/** SQL condition that the index over what stands at gateways needs beside the name of the account. */
export const AT_GATEWAY = `account LIKE 'gateway:%'`

/** Returns the gateways that have ever collected money for the shop, also those that it no longer uses. */
export async function findCollectors(db: Queries): Promise<GatewayName[]> {
  const rows = await db.query<{ name: GatewayName }>({
    text: `SELECT name FROM unnest($1::text[]) AS name
      WHERE EXISTS (SELECT 1 FROM ledger_entry WHERE account = 'gateway:' || name AND ${AT_GATEWAY})`,
    values: [GATEWAY_NAMES],
  })
  return rows.map(({ name }) => name)
}

/** The moment at which the day of a row of `gateway_held` ends. */
const DAY_END = `(day + 1)::timestamp AT TIME ZONE 'Asia/Bangkok'`

/** Returns what a gateway has collected before a moment and had not paid out then, less its fees, by the books. */
export async function findHeldAt(db: Queries, gateway: GatewayName, before: Date | null = null): Promise<Satang> {
  const [row] = await db.query<{ held: Satang }>({
    text: `WITH closed AS (
        SELECT held_satang, ${DAY_END} AS until FROM gateway_held
        WHERE gateway = $1 AND ${DAY_END} <= coalesce($2::timestamptz, 'infinity') ORDER BY day DESC LIMIT 1
      )
      SELECT (coalesce((SELECT held_satang FROM closed), 0) - coalesce(sum(amount_satang), 0))::bigint AS held FROM ledger_entry
      WHERE account = 'gateway:' || $1::text AND ${AT_GATEWAY}
        AND at >= coalesce((SELECT until FROM closed), '-infinity') AND at < coalesce($2::timestamptz, 'infinity')`,
    values: [gateway, before],
  })
  return row!.held
}

/** Keeps what each gateway held when a Bangkok day ended; once. Nothing may still be posted for that day. */
export async function closeDay(db: Sql, day: string): Promise<void> {
  for (const gateway of await findCollectors(db)) {
    const heldSatang = await findHeldAt(db, gateway, addSeconds(startOfBangkokDay(day), 24 * 3600))
    await db.orm.insert(gatewayHeld).values({ gateway, day, heldSatang }).onConflictDoNothing()
  }
}

/** Returns what a gateway holds. Other payouts of it wait until this transaction ends. */
export async function lockHeldAt(tx: Sql, gateway: GatewayName): Promise<Satang> {
  await tx.query({ text: `SELECT pg_advisory_xact_lock(hashtextextended('payout ' || $1, 0))`, values: [gateway] })
  return findHeldAt(tx, gateway)
}
