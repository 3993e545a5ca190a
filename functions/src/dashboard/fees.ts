import type { Days } from '@shop/shared/dashboard/dashboard.ts'
import type { Queries } from '../database/database.ts'
import { dayOf, duringDays } from '../database/days.ts'
import { columns } from '../database/listing.ts'
import { channelSql } from './sale-day.ts'
import type { SaleQuery, Span } from './span.ts'

/**
 * What gateways kept of charges, less what buyers paid for the method. A charge is a cost also where its order was
 * refunded, or did not wait for it; then all of it goes back, with what the buyer paid for the method.
 */
const CHARGES = `FROM charge c JOIN orders o ON o.id = c.order_id LEFT JOIN owed_refund f ON f.charge_id = c.id`
const KEPT = `coalesce(c.fee_satang, 0) - CASE WHEN f.id IS NULL THEN c.surcharge_satang ELSE 0 END`

/** The fees of a package, and where that is asked for of a day or month and a channel; else those are empty. */
export interface FeeRow {
  packageId: number
  period: string
  channel: string
  feeSatang: number
}

const PERIOD = { day: `${dayOf('c.paid_at')}::text`, month: `left(${dayOf('c.paid_at')}::text, 7)` }

/** Returns the parts of a period that one statement each adds up: its months. */
function monthsOf({ from, to }: Days): Days[] {
  const [year, month] = from.split('-').map(Number) as [number, number]
  const next = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)
  if (next > to) return [{ from, to }]
  const last = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
  return [{ from, to: last }, ...monthsOf({ from: next, to })]
}

/** Returns the fees of the charges that were paid in a period, whenever they were told. */
export async function findFees(
  db: Queries,
  { days, step }: Span,
  { gameId, payment }: SaleQuery,
  by: { step?: boolean; buyer?: boolean } = {},
): Promise<FeeRow[]> {
  const row = columns<FeeRow>({
    packageId: 'o.package_id',
    period: by.step ? PERIOD[step] : `''`,
    channel: by.buyer ? channelSql('o') : `''`,
    feeSatang: `sum(${KEPT})::bigint`,
  })
  const found: FeeRow[] = []
  for (const { from, to } of monthsOf(days))
    found.push(
      ...(await db.query<FeeRow>({
        text: `SELECT ${row} ${CHARGES} WHERE c.state = 'paid' AND ${duringDays('c.paid_at', '$1', '$2')}
          AND ($3::int IS NULL OR o.game_id = $3) AND ($4::text IS NULL OR c.method = $4)
          GROUP BY "packageId", "period", "channel"`,
        values: [from, to, gameId, payment],
      })),
    )
  return found
}

/** The same of top-ups, which no dashboard tells: what did not come onto the wallet was paid for the method. */
const OF_TOP_UPS = `SELECT c.id AS subject_id, coalesce(c.fee_satang, 0) - (c.amount_satang - t.amount_satang) AS sum
  FROM charge c JOIN top_up t ON t.id = c.top_up_id WHERE c.state = 'paid'`

/** Finds charges whose fee is told otherwise than by the books: one row with the text `what` for each. */
export const FEE_BREACHES = `SELECT format('fee of charge %s: %s satang, %s in the books', subject_id, coalesce(k.sum, 0), coalesce(b.sum, 0)) AS what
  FROM (SELECT c.id AS subject_id, ${KEPT} AS sum ${CHARGES} WHERE c.state = 'paid' UNION ALL ${OF_TOP_UPS}) k FULL JOIN (
    SELECT t.subject_id, -sum(e.amount_satang) AS sum FROM ledger_entry e JOIN ledger_transaction t ON t.id = e.transaction_id
    -- What a gateway keeps of its payouts is of no order.
    WHERE e.account = 'fees' AND t.kind NOT IN ('line_booked', 'line_undone') GROUP BY t.subject_id
  ) b USING (subject_id) WHERE coalesce(k.sum, 0) <> coalesce(b.sum, 0)`
