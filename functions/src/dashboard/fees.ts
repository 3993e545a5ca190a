import type { Days } from '@shop/shared/dashboard/dashboard.ts'
import type { Queries } from '../database/database.ts'
import { dayOf, duringDays } from '../database/days.ts'
import { as, outer, row, sql, under } from '../database/sql.ts'
import { charge } from '../gateway/tables.ts'
import { orders } from '../order/tables.ts'
import { owedRefund } from '../statement/tables.ts'
import { ledgerEntry, ledgerTransaction, topUp } from '../wallet/tables.ts'
import { channelSql } from './sale-day.ts'
import type { SaleQuery, Span } from './span.ts'

const [c, o, f] = [under(charge, 'c'), under(orders, 'o'), outer(owedRefund, 'f')]
const [t, e, x] = [under(topUp, 't'), under(ledgerEntry, 'e'), under(ledgerTransaction, 't')]

/**
 * What gateways kept of charges, less what buyers paid for the method. A charge is a cost also where its order was
 * refunded, or did not wait for it; then all of it goes back, with what the buyer paid for the method.
 */
const CHARGES = `FROM ${c} JOIN ${o} ON ${o.id} = ${c.orderId} LEFT JOIN ${f} ON ${f.chargeId} = ${c.id}`
const KEPT = `coalesce(${c.feeSatang}, 0) - CASE WHEN ${f.id} IS NULL THEN ${c.surchargeSatang} ELSE 0 END`

/** The fees of a package, and where that is asked for of a day or month and a channel; else those are empty. */
export interface FeeRow {
  packageId: number
  period: string
  channel: string
  feeSatang: number
}

const PERIOD = { day: `${dayOf(c.paidAt.sql)}::text`, month: `left(${dayOf(c.paidAt.sql)}::text, 7)` }

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
  const fee = row<FeeRow>({
    packageId: o.packageId,
    period: as.text(by.step ? PERIOD[step] : `''`),
    channel: by.buyer ? channelSql('o') : as.text(`''`),
    feeSatang: as.satang(`sum(${KEPT})`),
  })
  const found: FeeRow[] = []
  for (const { from, to } of monthsOf(days))
    found.push(
      ...(await db.query({
        text: sql`SELECT ${fee} ${CHARGES} WHERE ${c.state} = 'paid' AND ${duringDays(c.paidAt.sql, '$1', '$2')}
          AND ($3::int IS NULL OR ${o.gameId} = $3) AND ($4::text IS NULL OR ${c.method} = $4)
          GROUP BY "packageId", "period", "channel"`,
        values: [from, to, gameId, payment],
      })),
    )
  return found
}

/** The same of top-ups, which no dashboard tells: what did not come onto the wallet was paid for the method. */
const OF_TOP_UPS = `SELECT ${c.id} AS subject_id, coalesce(${c.feeSatang}, 0) - (${c.amountSatang} - ${t.amountSatang}) AS sum
  FROM ${c} JOIN ${t} ON ${t.id} = ${c.topUpId} WHERE ${c.state} = 'paid'`

const BREACH = `format('fee of charge %s: %s satang, %s in the books', subject_id, coalesce(k.sum, 0), coalesce(b.sum, 0))`

/** Finds charges whose fee is told otherwise than by the books: one row with the text `what` for each. */
export const FEE_BREACHES = sql`SELECT ${row({ what: as.text(BREACH) })}
  FROM (SELECT ${c.id} AS subject_id, ${KEPT} AS sum ${CHARGES} WHERE ${c.state} = 'paid' UNION ALL ${OF_TOP_UPS}) k FULL JOIN (
    SELECT ${x.subjectId}, -sum(${e.amountSatang}) AS sum FROM ${e} JOIN ${x} ON ${x.id} = ${e.transactionId}
    -- What a gateway keeps of its payouts is of no order.
    WHERE ${e.account} = 'fees' AND ${x.kind} NOT IN ('line_booked', 'line_undone') GROUP BY ${x.subjectId}
  ) b USING (subject_id) WHERE coalesce(k.sum, 0) <> coalesce(b.sum, 0)`
