import type { Payee } from '@shop/shared/order/payee.ts'
import type { Sql } from '../database/database.ts'
import { jsonObject } from '../database/listing.ts'

/** Money that is or was owed to the buyer of an order. */
export interface StoredRefund {
  id: string
  amountSatang: number
  payee: Payee | null
  payeeAt: string | null
  asCredit: boolean
  sentAt: string | null
  slipId: string | null
}

/**
 * What the shop owes or has sent to the buyer of an order `o`, oldest first, as JSON. What was shop credit in between is
 * the account's, and not of whoever may look at the order.
 */
export const REFUNDS = `(SELECT coalesce(json_agg(${jsonObject<StoredRefund>({
  id: 'f.id',
  amountSatang: 'f.amount_satang',
  payee: 'f.payee',
  payeeAt: 'f.payee_at',
  asCredit: 'f.credit_id IS NOT NULL',
  sentAt: 'f.sent_at',
  slipId: 'f.sent_slip_id',
})} ORDER BY f.created_at, f.id), '[]') FROM owed_refund f
  WHERE f.order_id = o.id AND f.from_credit_id IS NULL AND f.undone_at IS NULL)`

/** What the buyer of a failed order asked for. Moments are as the database writes them in JSON. */
export interface RefundRequest {
  askedAt: string
  payee: Payee | null
  payeeAt: string | null
}

/** The SQL of it for an order `o`; null where there is none. */
export const REFUND_REQUEST = `(SELECT ${jsonObject<RefundRequest>({
  askedAt: 'r.asked_at',
  payee: 'r.payee',
  payeeAt: 'r.payee_at',
})} FROM refund_request r WHERE r.order_id = o.id AND o.status = 'failed')`

export const IS_REFUND_ASKED = `(o.status = 'failed' AND EXISTS (SELECT FROM refund_request r WHERE r.order_id = o.id))`

/** What came back of an order `o` as shop credit: what credit had paid of it, and owed money that its buyer took so. */
export const CREDIT_BACK = `(CASE WHEN o.status IN ('refunding', 'refunded') THEN
    CASE WHEN o.payment = 'credit' THEN o.price_satang ELSE o.credit_satang END
      + (SELECT coalesce(sum(f.amount_satang), 0)::bigint FROM owed_refund f
        WHERE f.order_id = o.id AND f.credit_id IS NOT NULL AND f.from_credit_id IS NULL AND f.sent_at IS NOT NULL)
  ELSE 0 END)`

/** Keeps that the buyer of an order wants its money; false when they had asked before. */
export async function saveRequest(tx: Sql, orderId: string, now: Date): Promise<boolean> {
  const rows = await tx.query({
    text: 'INSERT INTO refund_request (order_id, asked_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING order_id',
    values: [orderId, now],
  })
  return rows.length > 0
}

/** Tells whether the buyer of an order, which must be locked before, has asked for its money. */
export async function isRequested(tx: Sql, orderId: string): Promise<boolean> {
  const rows = await tx.query({ text: 'SELECT 1 FROM refund_request WHERE order_id = $1', values: [orderId] })
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
    text: `UPDATE refund_request SET payee = $2::jsonb, payee_at = $3, payee_hash = $4, payee_reason = $5,
        paid_slip_id = coalesce($6, paid_slip_id) WHERE order_id = $1`,
    values: [orderId, JSON.stringify(payee), now, payeeHash, payeeReason, paidSlipId],
  })
}

/**
 * Ends the request of an order that is not failed any more, or whose buyer wants another try instead. @param refundId
 * what is owed for it now: the account that its buyer named goes there
 */
export async function endRequest(tx: Sql, orderId: string, refundId: string | null): Promise<void> {
  await tx.query({
    text: `WITH gone AS (DELETE FROM refund_request WHERE order_id = $1 RETURNING *)
      UPDATE owed_refund f SET payee = gone.payee, payee_at = gone.payee_at, payee_hash = gone.payee_hash,
        payee_reason = gone.payee_reason, paid_slip_id = gone.paid_slip_id, payee_version = f.payee_version + 1
      FROM gone WHERE f.id = $2 AND gone.payee IS NOT NULL`,
    values: [orderId, refundId],
  })
}
