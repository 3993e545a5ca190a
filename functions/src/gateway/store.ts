import type { GatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import { type Charge, type ChargeState, type ToldCharge, UNKNOWN_AFTER_SECONDS } from '@shop/shared/gateway/gateway.ts'
import type { Satang } from '@shop/shared/money.ts'
import { GATEWAY_NAMES, type GatewayName } from '@shop/shared/provider-names.ts'
import type { LineTarget } from '@shop/shared/statement/statement.ts'
import { addSeconds, startOfBangkokDay } from '@shop/shared/time.ts'
import type { HeardCharge } from '@shop/shared/wallet/hearing.ts'
import type { Queries, Sql } from '../database/database.ts'
import { as, type Expr, json, locked, notNull, orNull, outer, pick, row, sql, under } from '../database/sql.ts'
import { currentRequestId } from '../http/request-id.ts'
import { orders } from '../order/tables.ts'
import { outbox } from '../outbox/tables.ts'
import { owedRefund } from '../statement/tables.ts'
import { ledgerEntry, topUp } from '../wallet/tables.ts'
import type { Pay } from './provider.ts'
import { gatewayHeld, IS_OPEN_CHARGE, charge as table } from './tables.ts'

const [c, f] = [under(table, 'c'), under(owedRefund, 'f')]
/** What a charge may be of. */
const [o, t] = [outer(orders, 'o'), outer(topUp, 't')]
/** Where names stand alone. */
const [stored, job, entry, held] = [under(table), under(outbox), under(ledgerEntry), under(gatewayHeld)]

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
    ? ({ where: `${c.orderId} = $1`, id: owner.orderId } as const)
    : ({ where: `${c.topUpId} = $1`, id: owner.topUpId } as const)

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

const SHOWN: Expr<StoredCharge> = json(
  pick(c, 'id', 'method', 'state', 'amountSatang', 'surchargeSatang', 'expiresAt', 'silentSince'),
)

/** SQL of the newest charge of an order or a top-up that its buyer asked for. */
export const chargeJson = (owner: 'order_id' | 'top_up_id', id: string): string =>
  `(SELECT ${SHOWN} FROM ${c} WHERE c.${owner} = ${id} AND NOT ${c.byLink} ORDER BY ${c.id} DESC LIMIT 1)`

const CHARGES = sql`SELECT ${row(c)} FROM ${c}`

const bare = async (rows: Promise<ChargeRow[]>): Promise<ChargeRow | null> => (await rows)[0] ?? null

export const findCharge = (db: Sql, id: string): Promise<ChargeRow | null> =>
  bare(db.query({ text: sql`${CHARGES} WHERE ${c.id} = $1`, values: [id] }))

export const findChargeOf = (db: Sql, gateway: GatewayName, reference: string): Promise<ChargeRow | null> =>
  bare(
    db.query({
      text: sql`${CHARGES} WHERE ${c.gateway} = $1 AND ${c.reference} = $2`,
      values: [gateway, reference],
    }),
  )

/** Returns the charges that were made in a period. */
export const findChargesBetween = (db: Sql, gateway: GatewayName, { from, to }: { from: Date; to: Date }) =>
  db.query({
    text: sql`${CHARGES} WHERE ${c.gateway} = $1 AND ${c.createdAt} BETWEEN $2 AND $3 ORDER BY ${c.createdAt}`,
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
      text: sql`${CHARGES} WHERE ${where} AND ($2 OR NOT ${c.byLink}) AND ($3::text IS NULL OR ${c.method} = $3)
        ORDER BY ${c.id} DESC LIMIT 1`,
      values: [id, byLink, method],
    }),
  )
}

/** Returns the charge that paid a top-up; of one that is not paid, the newest. */
export const findChargeOfTopUp = (db: Sql, topUpId: string): Promise<ChargeRow | null> =>
  bare(
    db.query({
      text: sql`${CHARGES} WHERE ${c.topUpId} = $1 ORDER BY ${c.state} = 'paid' DESC, ${c.id} DESC LIMIT 1`,
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
  const paid = row<PaidCharge>({
    ...pick(c, 'method', 'amountSatang', 'surchargeSatang', 'feeSatang'),
    paidAt: notNull(c.paidAt),
    isOwed: as.bool(`EXISTS (SELECT 1 FROM ${f} WHERE ${f.chargeId} = ${c.id})`),
  })
  return db.query({
    text: sql`SELECT ${paid} FROM ${c} WHERE ${c.orderId} = $1 AND ${c.state} = 'paid' ORDER BY ${c.paidAt}, ${c.id}`,
    values: [orderId],
  })
}

/** Locks a charge for a decision; its order or top-up must be locked before. */
export const lockCharge = (tx: Sql, id: string): Promise<ChargeRow | null> =>
  bare(tx.query({ text: sql`${CHARGES} WHERE ${c.id} = $1 FOR UPDATE`, values: [id] }))

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
    text: sql`UPDATE ${stored} SET ${stored.state} = $2, ${stored.reference} = $3, ${stored.paidAt} = $4,
        ${stored.feeSatang} = $5, ${stored.pay} = coalesce($6::jsonb, ${stored.pay}),
        ${stored.contradiction} = coalesce($7::text, ${stored.contradiction}), ${stored.silentSince} = $8::timestamptz,
        ${stored.closedAt} = CASE WHEN $7::text <> coalesce(${stored.contradiction}, '')
          OR ($8::timestamptz IS NOT NULL AND ${stored.silentSince} IS NULL) THEN NULL ELSE ${stored.closedAt} END WHERE ${stored.id} = $1`,
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
    text: sql`UPDATE ${stored} SET ${stored.isWanted} = false,
        ${stored.state} = CASE WHEN $2 THEN 'failed' ELSE ${stored.state} END,
        ${stored.silentSince} = CASE WHEN $2 THEN NULL WHEN $3 THEN coalesce(${stored.silentSince}, $4)
          ELSE ${stored.silentSince} END
      WHERE ${stored.id} = $1 AND ${stored.state} = 'asking' AND ${stored.reference} IS NULL`,
    values: [id, isSure, isBusy, now],
  })
}

/** A charge has paid another top-up than the one that it was made for. */
export async function moveCharge(tx: Sql, id: string, topUpId: string): Promise<void> {
  await tx.query({
    text: sql`UPDATE ${stored} SET ${stored.topUpId} = $2 WHERE ${stored.id} = $1`,
    values: [id, topUpId],
  })
}

/** Keeps which of the gateway's charges one is whose answer was lost. */
export async function learnReference(db: Sql, id: string, reference: string): Promise<void> {
  await db.query({
    text: sql`UPDATE ${stored} SET ${stored.reference} = $2 WHERE ${stored.id} = $1 AND ${stored.reference} IS NULL`,
    values: [id, reference],
  })
}

/** What is not paid yet is paid by another method of the gateway. */
export async function savePayment(tx: Sql, owner: ChargeOwner, method: GatewayMethod): Promise<void> {
  const paid = 'orderId' in owner ? under(orders) : under(topUp)
  await tx.query({
    text: sql`UPDATE ${paid} SET ${paid.payment} = $2 WHERE ${paid.id} = $1`,
    values: [isOf(owner).id, method],
  })
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
    text: sql`WITH given_up AS (
        UPDATE ${c} SET ${stored.isWanted} = false WHERE ${where} AND ${stored.isWanted} AND ($4 OR NOT ${stored.byLink})
          AND ${IS_OPEN_CHARGE} RETURNING ${stored.id}
      ) INSERT INTO ${job} (${job.id}, ${job.kind}, ${job.key}, ${job.payload}, ${job.dueAt}, ${job.createdAt}, ${job.requestId})
      SELECT gen_random_uuid(), 'charge.end', id, jsonb_build_object('chargeId', id), $2, $2, $3 FROM given_up
      ON CONFLICT ON CONSTRAINT outbox_once DO NOTHING`,
    values: [id, now, currentRequestId(), which === 'all'],
  })
}

/**
 * SQL of the charges `c` of which nobody knows whether their money came, or of which the gateway said what can't be, until a
 * person closes them. @param now the placeholder of the moment
 */
export const unknownCharges = (now: string): string => `(${c.silentSince} IS NOT NULL OR ${c.contradiction} IS NOT NULL
  OR (c.${IS_OPEN_CHARGE} AND ${c.expiresAt} < ${now}::timestamptz - interval '${UNKNOWN_AFTER_SECONDS} seconds')) AND ${c.closedAt} IS NULL`
/** SQL of the moment since when it is so. */
export const UNKNOWN_SINCE = `coalesce(${c.silentSince}, ${c.expiresAt})`

export interface UnknownChargeRow extends ChargeRow {
  target: LineTarget | null
  since: Date
}

/** SQL of the order `o` or the top-up `t` that something is about, as JSON; null for neither. */
export const TARGET = `CASE WHEN ${o.id} IS NOT NULL THEN json_build_object('kind', 'order', 'id', ${o.id}, 'no', ${o.orderNo})
  WHEN ${t.id} IS NOT NULL THEN json_build_object('kind', 'topUp', 'id', ${t.id}, 'no', ${t.no}) END`

/** Returns charges that people must look at, the oldest first. */
export const findUnknownCharges = (db: Sql, now: Date, limit: number): Promise<UnknownChargeRow[]> =>
  db.query({
    text: sql`SELECT ${row({ ...c, target: orNull(as.shape<LineTarget>(TARGET)), since: as.instant(UNKNOWN_SINCE) })}
      FROM ${c} LEFT JOIN ${o} ON ${o.id} = ${c.orderId} LEFT JOIN ${t} ON ${t.id} = ${c.topUpId}
      WHERE ${unknownCharges('$1')} ORDER BY since, ${c.id} LIMIT $2`,
    values: [now, limit],
  })

/** Returns how many charges people must look at, and since when the gateway has been silent about the oldest. */
export async function countUnknownCharges(db: Sql, now: Date): Promise<{ count: number; silentSince: Date | null }> {
  const counted = row({ count: as.int('count(*)'), silentSince: orNull(as.instant(`min(${c.silentSince})`)) })
  const [found] = await db.query({
    text: sql`SELECT ${counted} FROM ${c} WHERE ${unknownCharges('$1')}`,
    values: [now],
  })
  return found!
}

/**
 * Closes a charge on a person's word: nobody asks about it any more. What the gateway says of itself later is heard all the
 * same, and so is the answer that a job is just getting. Returns false for one that needs nobody.
 */
export async function closeCharge(tx: Sql, id: string, now: Date): Promise<boolean> {
  const closed = await tx.query({
    text: sql`UPDATE ${c} SET ${stored.closedAt} = $2, ${stored.silentSince} = NULL, ${stored.isWanted} = false,
        ${stored.state} = CASE WHEN ${IS_OPEN_CHARGE} THEN 'failed' ELSE ${stored.state} END
      WHERE ${c.id} = $1 AND ${unknownCharges('$2')} RETURNING ${row(pick(c, 'id'))}`,
    values: [id, now],
  })
  await tx.query({
    text: sql`UPDATE ${job} SET ${job.state} = 'closed', ${job.settledAt} = $2, ${job.lockedUntil} = NULL
      WHERE ${job.kind} IN ('charge.ask', 'charge.end') AND ${job.state} = 'waiting' AND ${job.payload}->>'chargeId' = $1::text
        AND (${job.lockedUntil} IS NULL OR ${job.lockedUntil} <= $2)`,
    values: [id, now],
  })
  return closed.length > 0
}

/** SQL condition that the index over what stands at gateways needs beside the name of the account. */
export const AT_GATEWAY = `account LIKE 'gateway:%'`

/** Returns the gateways that have ever collected money for the shop, also those that it no longer uses. */
export async function findCollectors(db: Queries): Promise<GatewayName[]> {
  const rows = await db.query({
    text: sql`SELECT ${row({ name: as.text<GatewayName>('name') })} FROM unnest($1::text[]) AS name
      WHERE EXISTS (SELECT 1 FROM ${entry} WHERE ${entry.account} = 'gateway:' || name AND ${AT_GATEWAY})`,
    values: [GATEWAY_NAMES],
  })
  return rows.map(({ name }) => name)
}

/** The moment at which the day of a row of `gateway_held` ends. */
const DAY_END = `(${held.day} + 1)::timestamp AT TIME ZONE 'Asia/Bangkok'`

/** Returns what a gateway has collected before a moment and had not paid out then, less its fees, by the books. */
export async function findHeldAt(db: Queries, gateway: GatewayName, before: Date | null = null): Promise<Satang> {
  const stays = as.satang(`coalesce((SELECT held_satang FROM closed), 0) - coalesce(sum(${entry.amountSatang}), 0)`)
  const [found] = await db.query({
    text: sql`WITH closed AS (
        SELECT ${held.heldSatang}, ${DAY_END} AS until FROM ${held}
        WHERE ${held.gateway} = $1 AND ${DAY_END} <= coalesce($2::timestamptz, 'infinity') ORDER BY ${held.day} DESC LIMIT 1
      )
      SELECT ${row({ held: stays })} FROM ${entry}
      WHERE ${entry.account} = 'gateway:' || $1::text AND ${AT_GATEWAY}
        AND ${entry.at} >= coalesce((SELECT until FROM closed), '-infinity')
        AND ${entry.at} < coalesce($2::timestamptz, 'infinity')`,
    values: [gateway, before],
  })
  return found!.held
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
  await tx.query({ text: sql`SELECT ${locked(`'payout ' || $1`)}`, values: [gateway] })
  return findHeldAt(tx, gateway)
}
