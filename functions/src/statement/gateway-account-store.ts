import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import { GATEWAY_NAMES, type GatewayName } from '@shop/shared/provider-names.ts'
import type { GatewayDay } from '@shop/shared/statement/gateway-account-endpoints.ts'
import type { GatewayMove } from '@shop/shared/statement/gateway-move.ts'
import type { Queries } from '../database/database.ts'
import { dayOf, duringDays } from '../database/days.ts'
import { as, json, notNull, orNull, pick, row, sql, under } from '../database/sql.ts'
import { AT_GATEWAY } from '../gateway/store.ts'
import { charge } from '../gateway/tables.ts'
import { orders } from '../order/tables.ts'
import { checkRun } from '../pulse/tables.ts'
import { ledgerEntry, ledgerTransaction } from '../wallet/tables.ts'
import { partsOf } from './reconciliation-store.ts'
import { statementLine } from './tables.ts'

const [e, other, t] = [under(ledgerEntry, 'e'), under(ledgerEntry, 'o'), under(ledgerTransaction, 't')]
const [c, bought, l] = [under(charge, 'c'), under(orders, 'o'), under(statementLine, 'l')]
const run = under(checkRun)

/**
 * The entries of a gateway's account on Bangkok days; $1 is its name, $2 and $3 are the first and the last day. What
 * moved the money is told by the account at the other end of the posting, whose entry stands beside it.
 */
const MOVED = `SELECT ${e.transactionId}, ${e.line}, ${e.at}, -${e.amountSatang} AS amount, ${t.kind}, ${t.subjectId},
    CASE WHEN ${other.account} = 'sales' THEN 'charge'
      WHEN ${other.account} = 'refunds' THEN 'owed'
      WHEN ${other.account} LIKE 'bank:%' THEN 'payout'
      WHEN ${other.account} = 'fees' AND (${e.amountSatang} > 0 OR ${t.kind} = 'line_undone') THEN 'fee'
      WHEN ${other.account} = 'fees' THEN 'surcharge' ELSE 'other' END AS move
  FROM ${e}
    JOIN ${other} ON ${other.transactionId} = ${e.transactionId}
      AND ${other.line} = CASE WHEN ${e.line} % 2 = 1 THEN ${e.line} + 1 ELSE ${e.line} - 1 END
    JOIN ${t} ON ${t.id} = ${e.transactionId}
  WHERE ${e.account} = 'gateway:' || $1::text AND e.${AT_GATEWAY} AND ${duringDays(`${e.at}`, '$2', '$3')}`

const sumOf = (move: GatewayMove, sign: '' | '-' = '') =>
  as.satang(`coalesce(${sign}sum(m.amount) FILTER (WHERE m.move = '${move}'), 0)`)
const countOf = (...moves: GatewayMove[]) =>
  as.int(`count(*) FILTER (WHERE m.move IN (${moves.map(move => `'${move}'`).join(', ')}))`)

const DAY = row<GatewayDay>({
  day: as.text(dayOf('m.at')),
  charges: countOf('charge', 'owed'),
  chargeSatang: sumOf('charge'),
  surchargeSatang: sumOf('surcharge'),
  owed: countOf('owed'),
  owedSatang: sumOf('owed'),
  feeSatang: sumOf('fee', '-'),
  // One that was taken back is one less.
  payouts: as.int(`coalesce(-sum(sign(m.amount)) FILTER (WHERE m.move = 'payout'), 0)`),
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
      ...(await db.query({
        text: sql`SELECT ${DAY} FROM (${MOVED}) m GROUP BY ${dayOf('m.at')} ORDER BY day DESC`,
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
  const line = json(pick(l, 'id', 'no'))
  const moved = row<MoveRow>({
    at: as.instant('m.at'),
    move: as.text<GatewayMove>('m.move'),
    amountSatang: as.satang('m.amount'),
    orderNo: orNull(
      as.text(
        `(SELECT ${bought.orderNo} FROM ${bought} WHERE ${bought.id} =
          coalesce((SELECT ${c.orderId} FROM ${c} WHERE ${c.id} = m.subject_id), m.subject_id))`,
      ),
    ),
    line: orNull(as.shape<NonNullable<MoveRow['line']>>(`(SELECT ${line} FROM ${l} WHERE ${l.id} = m.subject_id)`)),
  })
  const place = `ORDER BY m.at, m.transaction_id, m.line`
  const [rows, [count]] = await Promise.all([
    db.query({
      text: sql`SELECT ${moved} FROM (SELECT m.* FROM (${MOVED}) m ${place} LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}) m ${place}`,
      values,
    }),
    db.query({
      text: sql`SELECT ${row({ total: as.int('count(*)') })} FROM (SELECT 1 FROM (${MOVED}) m LIMIT ${MOST_COUNTED + 1}) AS counted`,
      values,
    }),
  ])
  return { rows, total: count!.total }
}

/** Returns the numbers of the orders that charges are of, by the gateway's ids of the charges. */
export async function findOrdersOf(db: Queries, references: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query({
    text: sql`SELECT ${row({ reference: notNull(c.reference), ...pick(bought, 'orderNo') })}
      FROM ${c} JOIN ${bought} ON ${bought.id} = ${c.orderId}
      WHERE ${c.gateway} = ANY($1::text[]) AND ${c.reference} = ANY($2::text[])`,
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
  const [found] = await db.query({
    text: sql`SELECT ${row<CheckRow>(pick(run, 'at', 'differences', 'what'))} FROM ${run}
      WHERE ${run.name} = 'gateway' ORDER BY ${run.at} DESC LIMIT 1`,
  })
  return found ?? null
}
