import { bangkokMonthOf, DAY_MS } from '@shop/shared/time.ts'
import { worthSql } from 'functions/src/transfer/order-money.ts'
import { runSql } from './sql.ts'

/** A call by one person. With a body it is a POST. */
export interface ListCall {
  name: string
  uid: string
  /** Includes the query. */
  path: string
  body?: unknown
  /** It adds up all orders of the days asked for, so it takes longer the more orders there are. */
  isSum?: true
}

type Asked = Record<string, string | number | boolean>
/** Makes calls of one endpoint by one person. */
export type Make = (name: string, query?: Asked) => ListCall

/** What the calls search for: an order and a top-up of an old month, and such ones of the agent AGENT. */
export interface Sought {
  orderNo: string
  playerId: string
  gameId: number
  amount: string
  topUpNo: string
  ownOrderNo: string
  ownTopUpNo: string
  /** "2026-11" */
  month: string
  oldMonth: string
}

export const AGENT = 'many-agent-7'
const OLD_MS = 300 * DAY_MS

export function as(uid: string, { path }: { path: string }, label: string): Make {
  return (name, query = {}) => {
    const asked = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))
    return { name: `${label} ${name}`.trim(), uid, path: asked.size > 0 ? `${path}?${asked}` : path }
  }
}

/** Picks them from a database that `seedOrders` has filled. */
export async function findSought(databaseUrl: string): Promise<Sought> {
  const since = `created_at > now() - interval '${OLD_MS} milliseconds' ORDER BY created_at, id LIMIT 1`
  const own = `wallet_id = (SELECT id FROM wallet WHERE uid = '${AGENT}')`
  const [old] = await runSql<Omit<Sought, 'month' | 'oldMonth'>>(
    databaseUrl,
    `SELECT order_no AS "orderNo", player_id AS "playerId", game_id AS "gameId",
      (${worthSql('orders')} / 100.0)::numeric(12, 2)::text AS amount,
      (SELECT no FROM top_up WHERE ${since}) AS "topUpNo", (SELECT no FROM top_up WHERE ${own} AND ${since}) AS "ownTopUpNo",
      (SELECT order_no FROM orders WHERE ${own} AND ${since}) AS "ownOrderNo"
    FROM orders WHERE status = 'success' AND payment = 'bank' AND ${since}`,
  )
  if (!old) throw new Error('There is no old order to search for.')
  const now = new Date()
  return { ...old, month: bangkokMonthOf(now), oldMonth: bangkokMonthOf(new Date(now.getTime() - OLD_MS)) }
}
