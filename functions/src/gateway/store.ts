import type { GatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import type { Charge, ChargeState } from '@shop/shared/gateway/gateway.ts'
import type { GatewayName } from '@shop/shared/provider-names.ts'
import { getTableColumns } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import { jsonObject, selectList } from '../database/listing.ts'
import { currentRequestId } from '../http/request-id.ts'
import type { Pay } from './provider.ts'
import { IS_OPEN_CHARGE, charge as table } from './tables.ts'

/** A charge with how its buyer pays it. */
export interface ChargeRow extends Charge {
  pay: Pay | null
  contradiction: string | null
}

/** The part of a charge that its order's pages show, as JSON. */
export interface StoredCharge {
  id: string
  method: GatewayMethod
  state: ChargeState
  amountSatang: number
  surchargeSatang: number
  expiresAt: string
}

/** SQL of the newest charge of an order. */
export const chargeJson = (orderId: string): string =>
  `(SELECT ${jsonObject<StoredCharge>({
    id: 'c.id',
    method: 'c.method',
    state: 'c.state',
    amountSatang: 'c.amount_satang',
    surchargeSatang: 'c.surcharge_satang',
    expiresAt: 'c.expires_at',
  })} FROM charge c WHERE c.order_id = ${orderId} ORDER BY c.id DESC LIMIT 1)`

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

/** Returns an order's newest charge. */
export const findNewestCharge = (db: Sql, orderId: string): Promise<ChargeRow | null> =>
  bare(
    db.query({
      text: `SELECT ${COLUMNS} FROM charge c WHERE c.order_id = $1 ORDER BY c.id DESC LIMIT 1`,
      values: [orderId],
    }),
  )

/** Locks a charge for a decision; its order must be locked before. */
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

/** An order that is not paid yet is paid by another method of the gateway. */
export async function savePayment(tx: Sql, orderId: string, method: GatewayMethod): Promise<void> {
  await tx.query({ text: 'UPDATE orders SET payment = $2 WHERE id = $1', values: [orderId, method] })
}

/** Gives up an order's open charges: the gateway is asked to end each of them. A payment that is faster still counts. */
export async function endCharges(tx: Sql, orderId: string, now: Date): Promise<void> {
  await tx.query({
    text: `WITH given_up AS (
        UPDATE charge SET is_wanted = false WHERE order_id = $1 AND is_wanted AND ${IS_OPEN_CHARGE} RETURNING id
      ) INSERT INTO outbox (id, kind, key, payload, due_at, created_at, request_id)
      SELECT gen_random_uuid(), 'charge.end', id, jsonb_build_object('chargeId', id), $2, $2, $3 FROM given_up
      ON CONFLICT ON CONSTRAINT outbox_once DO NOTHING`,
    values: [orderId, now, currentRequestId()],
  })
}
