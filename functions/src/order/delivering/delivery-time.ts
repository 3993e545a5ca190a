import { isDeepStrictEqual } from 'node:util'
import { DELIVERY_SAMPLES, usualMinutesOf } from '@shop/shared/order/queue.ts'
import { DAY_MS } from '@shop/shared/time.ts'
import { deliveryTime, game } from '../../catalogue/tables.ts'
import type { Sql } from '../../database/database.ts'
import { as, pick, row, sql, under } from '../../database/sql.ts'
import { excludedSql } from '../../database/values.ts'
import type { Shop } from '../../shop/shop.ts'
import { orders } from '../tables.ts'

const [g, d, o] = [under(game, 'g'), under(orders, 'd'), under(orders, 'o')]
const t = under(deliveryTime)

/** Returns how long each game's latest deliveries took, in seconds from the payment. */
async function findSamples(db: Sql, since: Date): Promise<{ gameId: number; seconds: number[] }[]> {
  return db.query({
    text: sql`SELECT ${row({ gameId: g.id, seconds: as.shape<number[]>('s.seconds') })} FROM ${g} CROSS JOIN LATERAL (
        SELECT coalesce(array_agg(extract(epoch FROM ${d.endedAt} - ${d.paidAt})::int), '{}') AS seconds FROM (
          SELECT ${o.endedAt}, ${o.paidAt} FROM ${o} WHERE ${o.gameId} = ${g.id} AND ${o.status} = 'success' AND ${o.endedAt} >= $1
          ORDER BY ${o.endedAt} DESC LIMIT ${DELIVERY_SAMPLES.latest}) d) s ORDER BY ${g.id}`,
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
  const known = await db.query({
    text: sql`SELECT ${row<Measured>({ gameId: t.gameId, from: t.minutesFrom, to: t.minutesTo })} FROM ${t} ORDER BY ${t.gameId}`,
  })
  // Any write, even without a change, would make every process read the catalogue again.
  if (!isDeepStrictEqual(measured, known)) await saveDeliveryTimes(db, measured, measuredAt)
}

async function saveDeliveryTimes(db: Sql, measured: Measured[], measuredAt: Date): Promise<void> {
  await db.query({
    text: sql`WITH given AS (SELECT * FROM unnest($1::int[], $2::int[], $3::int[]) AS g (game_id, minutes_from, minutes_to)),
        gone AS (DELETE FROM ${t} WHERE ${t.gameId} <> ALL($1::int[]))
      INSERT INTO ${t} (${t.gameId}, ${t.minutesFrom}, ${t.minutesTo}, ${t.measuredAt}) SELECT g.*, $4 FROM given g
      ON CONFLICT (${t.gameId}) DO UPDATE SET ${excludedSql(pick(t, 'minutesFrom', 'minutesTo', 'measuredAt'))}`,
    values: [
      measured.map(({ gameId }) => gameId),
      measured.map(({ from }) => from),
      measured.map(({ to }) => to),
      measuredAt,
    ],
  })
}
