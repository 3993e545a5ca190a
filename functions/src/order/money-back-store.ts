import type { Payee } from '@shop/shared/order/payee.ts'
import type { Sql } from '../database/database.ts'
import { as, json, orNull, pick, row, sql, under, type ValueOf } from '../database/sql.ts'
import { owedRefund } from '../statement/tables.ts'
import { orders, refundRequest } from './tables.ts'

const [f, r, o] = [under(owedRefund, 'f'), under(refundRequest, 'r'), under(orders, 'o')]
/** Where names stand alone, and what a DELETE returned. */
const [asked, owed, gone] = [under(refundRequest), under(owedRefund), under(refundRequest, 'gone')]

const REFUND = json({
  ...pick(f, 'id', 'amountSatang', 'payee', 'payeeAt', 'sentAt'),
  asCredit: as.bool(`${f.creditId} IS NOT NULL`),
  slipId: f.sentSlipId,
})

/** Money that is or was owed to the buyer of an order. Moments are as the database writes them in JSON. */
export type StoredRefund = ValueOf<typeof REFUND>

/**
 * What the shop owes or has sent to the buyer of an order `o`, oldest first, as JSON. What was shop credit in between is
 * the account's, and not of whoever may look at the order.
 */
export const REFUNDS = as.shape<
  StoredRefund[]
>(`(SELECT coalesce(json_agg(${REFUND} ORDER BY ${f.createdAt}, ${f.id}), '[]') FROM ${f}
  WHERE ${f.orderId} = ${o.id} AND ${f.fromCreditId} IS NULL AND ${f.undoneAt} IS NULL)`)

const REQUEST = json(pick(r, 'askedAt', 'payee', 'payeeAt'))

/** What the buyer of a failed order asked for. Moments are as the database writes them in JSON. */
export type RefundRequest = ValueOf<typeof REQUEST>

/** The SQL of it for an order `o`; null where there is none. */
export const REFUND_REQUEST = orNull(
  as.shape<RefundRequest>(`(SELECT ${REQUEST} FROM ${r} WHERE ${r.orderId} = ${o.id} AND ${o.status} = 'failed')`),
)

export const IS_REFUND_ASKED = as.bool(
  `(${o.status} = 'failed' AND EXISTS (SELECT FROM ${r} WHERE ${r.orderId} = ${o.id}))`,
)

/** What came back of an order `o` as shop credit: what credit had paid of it, and owed money that its buyer took so. */
export const CREDIT_BACK = as.satang(`(CASE WHEN ${o.status} IN ('refunding', 'refunded') THEN
    CASE WHEN ${o.payment} = 'credit' THEN ${o.priceSatang} ELSE ${o.creditSatang} END
      + (SELECT coalesce(sum(${f.amountSatang}), 0)::bigint FROM ${f}
        WHERE ${f.orderId} = ${o.id} AND ${f.creditId} IS NOT NULL AND ${f.fromCreditId} IS NULL AND ${f.sentAt} IS NOT NULL)
  ELSE 0 END)`)

/** Keeps that the buyer of an order wants its money; false when they had asked before. */
export async function saveRequest(tx: Sql, orderId: string, now: Date): Promise<boolean> {
  const rows = await tx.query({
    text: sql`INSERT INTO ${asked} (${asked.orderId}, ${asked.askedAt}) VALUES ($1, $2) ON CONFLICT DO NOTHING
      RETURNING ${row(pick(asked, 'orderId'))}`,
    values: [orderId, now],
  })
  return rows.length > 0
}

/** Tells whether the buyer of an order, which must be locked before, has asked for its money. */
export async function isRequested(tx: Sql, orderId: string): Promise<boolean> {
  const rows = await tx.query({ text: sql`SELECT FROM ${asked} WHERE ${asked.orderId} = $1`, values: [orderId] })
  return rows.length > 0
}

interface RequestedPayee {
  payee: Payee
  payeeHash: string
  payeeReason?: string | undefined | null
  paidSlipId?: string | undefined
}

/** Saves where the money that a buyer asks for is to be sent. */
export async function saveRequestedPayee(tx: Sql, orderId: string, named: RequestedPayee, now: Date): Promise<void> {
  const { payee, payeeHash, payeeReason = null, paidSlipId = null } = named
  await tx.query({
    text: sql`UPDATE ${asked} SET ${asked.payee} = $2::jsonb, ${asked.payeeAt} = $3, ${asked.payeeHash} = $4, ${asked.payeeReason} = $5,
        ${asked.paidSlipId} = coalesce($6, ${asked.paidSlipId}) WHERE ${asked.orderId} = $1`,
    values: [orderId, JSON.stringify(payee), now, payeeHash, payeeReason, paidSlipId],
  })
}

/**
 * Ends the request of an order that is not failed any more, or whose buyer wants another try instead. @param refundId
 * what is owed for it now: the account that its buyer named goes there
 */
export async function endRequest(tx: Sql, orderId: string, refundId: string | null): Promise<void> {
  await tx.query({
    text: sql`WITH gone AS (DELETE FROM ${asked} WHERE ${asked.orderId} = $1 RETURNING *)
      UPDATE ${f} SET ${owed.payee} = ${gone.payee}, ${owed.payeeAt} = ${gone.payeeAt}, ${owed.payeeHash} = ${gone.payeeHash},
        ${owed.payeeReason} = ${gone.payeeReason}, ${owed.paidSlipId} = ${gone.paidSlipId}, ${owed.payeeVersion} = ${f.payeeVersion} + 1
      FROM gone WHERE ${f.id} = $2 AND ${gone.payee} IS NOT NULL`,
    values: [orderId, refundId],
  })
}
