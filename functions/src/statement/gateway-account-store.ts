import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import { GATEWAY_NAMES, type GatewayName } from '@shop/shared/provider-names.ts'
import type { GatewayDay } from '@shop/shared/statement/gateway-account-endpoints.ts'
import type { GatewayMove } from '@shop/shared/statement/gateway-move.ts'
import type { Queries } from '../database/database.ts'
import { dayOf, duringDays } from '../database/days.ts'
import { columns, jsonObject } from '../database/listing.ts'
import { AT_GATEWAY } from '../gateway/store.ts'
import { partsOf } from './reconciliation-store.ts'

/**
 * The entries of a gateway's account on Bangkok days; $1 is its name, $2 and $3 are the first and the last day. What
 * moved the money is told by the account at the other end of the posting, whose entry stands beside it.
 */
const MOVED = `SELECT e.transaction_id, e.line, e.at, -e.amount_satang AS amount, t.kind, t.subject_id,
    CASE WHEN o.account = 'sales' THEN 'charge'
      WHEN o.account = 'refunds' THEN 'owed'
      WHEN o.account LIKE 'bank:%' THEN 'payout'
      WHEN o.account = 'fees' AND (e.amount_satang > 0 OR t.kind = 'line_undone') THEN 'fee'
      WHEN o.account = 'fees' THEN 'surcharge' ELSE 'other' END AS move
  FROM ledger_entry e
    JOIN ledger_entry o ON o.transaction_id = e.transaction_id AND o.line = CASE WHEN e.line % 2 = 1 THEN e.line + 1 ELSE e.line - 1 END
    JOIN ledger_transaction t ON t.id = e.transaction_id
  WHERE e.account = 'gateway:' || $1::text AND e.${AT_GATEWAY} AND ${duringDays('e.at', '$2', '$3')}`

const sumOf = (move: GatewayMove, sign: '' | '-' = '') =>
  `coalesce(${sign}sum(m.amount) FILTER (WHERE m.move = '${move}'), 0)::bigint`
const countOf = (...moves: GatewayMove[]) =>
  `count(*) FILTER (WHERE m.move IN (${moves.map(move => `'${move}'`).join(', ')}))::int`

const DAY = columns<GatewayDay>({
  day: `${dayOf('m.at')}::text`,
  charges: countOf('charge', 'owed'),
  chargeSatang: sumOf('charge'),
  surchargeSatang: sumOf('surcharge'),
  owed: countOf('owed'),
  owedSatang: sumOf('owed'),
  feeSatang: sumOf('fee', '-'),
  // One that was taken back is one less.
  payouts: `coalesce(-sum(sign(m.amount)) FILTER (WHERE m.move = 'payout'), 0)::int`,
  payoutSatang: sumOf('payout', '-'),
  otherSatang: sumOf('other'),
})

interface Days {
  /** Bangkok days, both included. */
  from: string
  to: string
}

/** Returns the days on which money moved at a gateway, latest first. */
export async function findGatewayDays(db: Queries, gateway: GatewayName, period: Days): Promise<GatewayDay[]> {
  const days: GatewayDay[] = []
  for (const { from, to } of partsOf(period))
    days.push(
      ...(await db.query<GatewayDay>({
        text: `SELECT ${DAY} FROM (${MOVED}) m GROUP BY ${dayOf('m.at')} ORDER BY day DESC`,
        values: [gateway, from, to],
      })),
    )
  return days
}

export interface MoveRow {
  at: Date
  move: GatewayMove
  amountSatang: number
  orderNo: string | null
  line: { id: string; no: number } | null
}

/** Returns a page of what moved at a gateway on a Bangkok day, oldest first. */
export async function findGatewayMoves(
  db: Queries,
  { gateway, day, page, pageSize }: { gateway: GatewayName; day: string; page: number; pageSize: number },
): Promise<{ rows: MoveRow[]; total: number }> {
  const values = [gateway, day, day]
  const row = columns<MoveRow>({
    at: 'm.at',
    move: 'm.move',
    amountSatang: 'm.amount',
    orderNo: `(SELECT o.order_no FROM orders o WHERE o.id = coalesce((SELECT c.order_id FROM charge c WHERE c.id = m.subject_id), m.subject_id))`,
    line: `(SELECT ${jsonObject<NonNullable<MoveRow['line']>>({ id: 'l.id', no: 'l.no' })} FROM statement_line l WHERE l.id = m.subject_id)`,
  })
  const place = `ORDER BY m.at, m.transaction_id, m.line`
  const [rows, [count]] = await Promise.all([
    db.query<MoveRow>({
      text: `SELECT ${row} FROM (SELECT m.* FROM (${MOVED}) m ${place} LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}) m ${place}`,
      values,
    }),
    db.query<{ total: number }>({
      text: `SELECT count(*)::int AS total FROM (SELECT 1 FROM (${MOVED}) m LIMIT ${MOST_COUNTED + 1}) AS counted`,
      values,
    }),
  ])
  return { rows, total: count!.total }
}

/** Returns the numbers of the orders that charges are of, by the gateway's ids of the charges. */
export async function findOrdersOf(db: Queries, references: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ reference: string; orderNo: string }>({
    text: `SELECT c.reference, o.order_no AS "orderNo" FROM charge c JOIN orders o ON o.id = c.order_id
      WHERE c.gateway = ANY($1::text[]) AND c.reference = ANY($2::text[])`,
    values: [GATEWAY_NAMES, references],
  })
  return new Map(rows.map(({ reference, orderNo }) => [reference, orderNo]))
}

interface CheckRow {
  at: Date
  differences: number
  /** The first of them, in words for staff that begin with the gateway's id of the charge. */
  what: string[]
}

/** Returns what the last comparison with a gateway's own list found; null before the first one. */
export async function findLastCheck(db: Queries): Promise<CheckRow | null> {
  const [row] = await db.query<CheckRow>({
    text: `SELECT at, differences, what FROM check_run WHERE name = 'gateway' ORDER BY at DESC LIMIT 1`,
  })
  return row ?? null
}
