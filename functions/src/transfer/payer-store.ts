import { type Payer, payerOf } from '@shop/shared/order/payer.ts'
import { senderNameIn } from '@shop/shared/statement/counterparty.ts'
import type { Queries } from '../database/database.ts'
import { as, orNull, type RowOf, row, sql } from '../database/sql.ts'

const told = (column: string) => orNull(as.text(`t.${column}`))
const TOLD_ROW = row({
  refundId: as.text('g.refund_id'),
  originId: as.text('g.id'),
  bankCode: told('bank'),
  account: told('account'),
  name: told('name'),
  detail: told('detail'),
})
type ToldRow = RowOf<typeof TOLD_ROW>

/**
 * What tells of the payer of a refund `g`, the surest first: the bank's line, the slip that its bank confirmed, and of a
 * slip that nobody checked only its bank. Money of a line or a charge is nobody else's, and a gateway tells no payer.
 */
const TOLD = `SELECT 0 AS rank, l.from_bank AS bank, l.from_account AS account, NULL AS name, l.detail FROM statement_line l
    WHERE l.id = coalesce(g.line_id, CASE WHEN g.charge_id IS NULL THEN (SELECT p.id FROM statement_line p WHERE p.order_id = g.order_id) END)
  UNION ALL SELECT 1, a.sending_bank, a.payer_mask, a.payer_name, NULL FROM slip_check c JOIN slip_ask a ON a.check_id = c.id
    WHERE c.subject_id = g.order_id AND c.state = 'confirmed' AND a.answer = 'slip' AND g.line_id IS NULL AND g.charge_id IS NULL
  UNION ALL SELECT 2, s.sending_bank, NULL, NULL, NULL FROM slip s
    WHERE s.id = coalesce(g.paid_slip_id, CASE WHEN g.line_id IS NULL AND g.charge_id IS NULL THEN
      (SELECT o.slip_id FROM orders o WHERE o.id = g.order_id) END)`

/**
 * Returns who paid the money of each refund: one payer, null where nobody tells one; of shop credit that becomes a transfer
 * those of all refunds that it came from. A refund that is only asked for has the id of its order.
 */
export async function findPayers(db: Queries, refundIds: readonly string[]): Promise<Map<string, (Payer | null)[]>> {
  const rows = await db.query({
    text: sql`WITH origin AS (
        SELECT f.id AS refund_id, f.id, f.order_id, f.line_id, f.charge_id, f.paid_slip_id FROM owed_refund f
          WHERE f.id = ANY($1) AND f.from_credit_id IS NULL
        UNION ALL SELECT f.id, g.id, g.order_id, g.line_id, g.charge_id, g.paid_slip_id FROM owed_refund f
          JOIN owed_refund g ON g.credit_id = f.from_credit_id AND g.sent_at IS NOT NULL
          WHERE f.id = ANY($1) AND f.from_credit_id IS NOT NULL
        UNION ALL SELECT r.order_id, r.order_id, r.order_id, NULL, NULL, r.paid_slip_id FROM refund_request r
          WHERE r.order_id = ANY($1)
      )
      SELECT ${TOLD_ROW}
      FROM origin g LEFT JOIN LATERAL (${TOLD}) t ON true ORDER BY g.refund_id, g.id, t.rank`,
    values: [refundIds],
  })
  const payersOf = (told: ToldRow[]) =>
    [...Map.groupBy(told, ({ originId }) => originId).values()].map(origin =>
      payerOf(origin.map(({ detail, name, ...row }) => ({ ...row, name: name ?? senderNameIn(detail ?? '') }))),
    )
  const found = Map.groupBy(rows, ({ refundId }) => refundId)
  return new Map(refundIds.map(id => [id, payersOf(found.get(id) ?? [])]))
}
