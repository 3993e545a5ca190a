import type { OrderStatus } from '@shop/shared/order/status.ts'
import type { UndoFacts } from '@shop/shared/statement/undo-barrier.ts'
import type { Sql } from '../database/database.ts'
import { columns } from '../database/listing.ts'
import { DUE } from '../transfer/order-money.ts'

interface UndoRow {
  id: string
  orderStatus: OrderStatus | null
  orderAmountSatang: number | null
  creditedSatang: number | null
  balanceSatang: number | null
  isRefundSent: boolean
  isTopUpOnWallet: boolean
}

/** Returns by line id how far the effects of each line have gone; read without a lock. */
export async function findUndoFacts(db: Sql, lineIds: readonly string[]): Promise<Map<string, UndoFacts>> {
  const row = columns<UndoRow>({
    id: 'l.id',
    orderStatus: 'o.status',
    orderAmountSatang: DUE,
    creditedSatang: 'c.credited::bigint',
    balanceSatang: 'c.balance',
    isRefundSent:
      'EXISTS (SELECT 1 FROM owed_refund f WHERE f.line_id = l.id AND f.undone_at IS NULL AND f.sent_at IS NOT NULL)',
    isTopUpOnWallet: `u.status IS NOT DISTINCT FROM 'approve' AND u.corrected_at IS NULL`,
  })
  const rows = await db.query<UndoRow>({
    text: `SELECT ${row}
      FROM statement_line l LEFT JOIN orders o ON o.id = l.order_id LEFT JOIN top_up u ON u.id = l.top_up_id
      LEFT JOIN LATERAL (
        SELECT sum(e.amount_satang) AS credited, w.balance_satang AS balance FROM ledger_transaction t
          JOIN ledger_entry e ON e.transaction_id = t.id AND e.account LIKE 'wallet:%'
          JOIN wallet w ON w.id = substr(e.account, 8)::uuid
        WHERE t.subject_id = l.id AND t.kind = 'line_booked'
          AND NOT EXISTS (SELECT 1 FROM ledger_transaction r WHERE r.reverses_id = t.id)
        GROUP BY w.id
      ) c ON true
      WHERE l.id = ANY($1::uuid[])`,
    values: [lineIds],
  })
  return new Map(
    rows.map(({ id, orderStatus, orderAmountSatang, creditedSatang, balanceSatang, ...facts }) => [
      id,
      {
        order: orderStatus && { status: orderStatus, amountSatang: orderAmountSatang! },
        wallet: creditedSatang === null ? null : { creditedSatang, balanceSatang: balanceSatang! },
        ...facts,
      },
    ]),
  )
}
