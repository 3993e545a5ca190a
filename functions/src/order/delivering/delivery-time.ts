import { isDeepStrictEqual } from 'node:util'
import { DELIVERY_SAMPLES, usualMinutesOf } from '@shop/shared/order/queue.ts'
import { DAY_MS } from '@shop/shared/time.ts'
import type { Sql } from '../../database/database.ts'
import type { Shop } from '../../shop/shop.ts'

/** Returns how long each game's latest deliveries took, in seconds from the payment. */
async function findSamples(db: Sql, since: Date): Promise<{ gameId: number; seconds: number[] }[]> {
  return db.query({
    text: `SELECT g.id AS "gameId", s.seconds FROM game g CROSS JOIN LATERAL (
        SELECT coalesce(array_agg(extract(epoch FROM d.ended_at - d.paid_at)::int), '{}') AS seconds FROM (
          SELECT o.ended_at, o.paid_at FROM orders o WHERE o.game_id = g.id AND o.status = 'success' AND o.ended_at >= $1
          ORDER BY o.ended_at DESC LIMIT ${DELIVERY_SAMPLES.latest}) d) s ORDER BY g.id`,
    values: [since],
  })
}

interface Measured {
  gameId: number
  from: number
  to: number
}

/** Measures how long deliveries take. Games with too few deliveries show the time that staff set. */
export async function measureDeliveryTimes({ db, now }: Pick<Shop, 'db' | 'now'>): Promise<void> {
  const measuredAt = now()
  const samples = await findSamples(db, new Date(measuredAt.getTime() - DELIVERY_SAMPLES.days * DAY_MS))
  const measured = samples.flatMap(({ gameId, seconds }) => {
    const usual = usualMinutesOf(seconds)
    return usual ? [{ gameId, ...usual }] : []
  })
  const known = await db.query<Measured>({
    text: 'SELECT game_id AS "gameId", minutes_from AS "from", minutes_to AS "to" FROM delivery_time ORDER BY game_id',
  })
  // Any write, even without a change, would make every process read the catalogue again.
  if (!isDeepStrictEqual(measured, known)) await saveDeliveryTimes(db, measured, measuredAt)
}

async function saveDeliveryTimes(db: Sql, measured: Measured[], measuredAt: Date): Promise<void> {
  await db.query({
    text: `WITH given AS (SELECT * FROM unnest($1::int[], $2::int[], $3::int[]) AS g (game_id, minutes_from, minutes_to)),
        gone AS (DELETE FROM delivery_time WHERE game_id <> ALL($1::int[]))
      INSERT INTO delivery_time (game_id, minutes_from, minutes_to, measured_at) SELECT g.*, $4 FROM given g
      ON CONFLICT (game_id) DO UPDATE SET minutes_from = excluded.minutes_from, minutes_to = excluded.minutes_to,
        measured_at = excluded.measured_at`,
    values: [
      measured.map(({ gameId }) => gameId),
      measured.map(({ from }) => from),
      measured.map(({ to }) => to),
      measuredAt,
    ],
  })
}
