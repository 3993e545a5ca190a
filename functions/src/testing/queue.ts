import type { Sql } from '../database/database.ts'

/** Paid orders of guests, the first paid longest ago. Returns their numbers. */
export async function addPaidOrders(db: Sql, of: { count: number; paidAt: Date; status?: string }): Promise<string[]> {
  const rows = await db.query<{ orderNo: string }>({
    text: `WITH made AS (
        INSERT INTO orders (id, order_no, track_token, status, version, buyer_key, game_id, package_id, player_id, snapshot,
          payment, quantity, price_satang, tail_satang, receiving_account_id, created_at, paid_at, queue_no, ended_at)
        SELECT gen_random_uuid(), 'KT2611-' || lpad((had.before + n)::text, 8, '0'), 'queued ' || (had.before + n), $3, 1, 'g:queued ' || n % 5000, p.game_id, p.id,
          'player ' || n, json_build_object('gameName', g.name, 'gamePicture', '', 'packageName', p.name, 'receivingAccount', null,
            'fields', '[]'::json, 'termsVersion', '1', 'usualMinutes', json_build_object('from', 5, 'to', 15)),
          'bank', 1, 14900, 1 + n % 99, 1, $2::timestamptz, $2::timestamptz + n * interval '10 milliseconds',
          nextval('order_queue_no'), CASE WHEN $3 = 'success' THEN $2::timestamptz END
        FROM (SELECT count(*) AS before FROM orders) had, generate_series(1, $1::int) n,
          (SELECT id, game_id, name FROM package ORDER BY id LIMIT 1) p JOIN game g ON g.id = p.game_id
        RETURNING id, order_no, queue_no
      ), began AS (
        INSERT INTO order_event (order_id, version, kind, to_status, actor_role, at) SELECT id, 1, 'created', $3, 'system', $2 FROM made
      )
      SELECT order_no AS "orderNo" FROM made ORDER BY queue_no`,
    values: [of.count, of.paidAt, of.status ?? 'paid'],
  })
  return rows.map(({ orderNo }) => orderNo)
}
