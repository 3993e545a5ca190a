import type { GatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import type { Charge, ChargeState, ToldCharge } from '@shop/shared/gateway/gateway.ts'
import type { Satang } from '@shop/shared/money.ts'
import { GATEWAY_NAMES, type GatewayName } from '@shop/shared/provider-names.ts'
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
  pay: Pay | null
  contradiction: string | null
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
}

/** SQL of the newest charge of an order or a top-up. */
export const chargeJson = (owner: 'order_id' | 'top_up_id', id: string): string =>
  `(SELECT ${jsonObject<StoredCharge>({
    id: 'c.id',
    method: 'c.method',
    state: 'c.state',
    amountSatang: 'c.amount_satang',
    surchargeSatang: 'c.surcharge_satang',
    expiresAt: 'c.expires_at',
  })} FROM charge c WHERE c.${owner} = ${id} ORDER BY c.id DESC LIMIT 1)`

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

/** Returns the newest charge of an order or a top-up. */
export function findNewestCharge(db: Sql, owner: ChargeOwner): Promise<ChargeRow | null> {
  const { where, id } = isOf(owner)
  return bare(
    db.query({ text: `SELECT ${COLUMNS} FROM charge c WHERE ${where} ORDER BY c.id DESC LIMIT 1`, values: [id] }),
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

export async function insertCharge(tx: Sql, charge: Charge): Promise<void> {
  await tx.orm.insert(table).values(charge)
}

/** Stores what became of a charge. @param pay how it is paid, where the gateway has just said so */
export async function saveCharge(
  tx: Sql,
  { id, state, reference, paidAt, feeSatang }: Charge,
  { pay, contradiction }: { pay?: Pay | null; contradiction?: string | null } = {},
): Promise<void> {
  await tx.query({
    text: `UPDATE charge SET state = $2, reference = $3, paid_at = $4, fee_satang = $5, pay = coalesce($6::jsonb, pay),
        contradiction = coalesce($7, contradiction) WHERE id = $1`,
    values: [id, state, reference, paidAt, feeSatang, pay ? JSON.stringify(pay) : null, contradiction ?? null],
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
 * still counts.
 */
export async function endCharges(tx: Sql, owner: ChargeOwner, now: Date): Promise<void> {
  const { where, id } = isOf(owner)
  await tx.query({
    text: `WITH given_up AS (
        UPDATE charge c SET is_wanted = false WHERE ${where} AND is_wanted AND ${IS_OPEN_CHARGE} RETURNING id
      ) INSERT INTO outbox (id, kind, key, payload, due_at, created_at, request_id)
      SELECT gen_random_uuid(), 'charge.end', id, jsonb_build_object('chargeId', id), $2, $2, $3 FROM given_up
      ON CONFLICT ON CONSTRAINT outbox_once DO NOTHING`,
    values: [id, now, currentRequestId()],
  })
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
