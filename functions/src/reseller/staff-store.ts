import type { ListedAgentApi, ToldEndpoint } from '@shop/shared/reseller/key-endpoints.ts'
import { bangkokDay, DAY_MS } from '@shop/shared/time.ts'
import type { Sql } from '../database/database.ts'
import { columns, Filter, findPage, likePart, personWords } from '../database/listing.ts'
import { inJson } from '../http/in-json.ts'
import { MONTH_DAYS, useJson } from './key-store.ts'

/** Nothing arrives at an endpoint `e`, or the shop switched it off for that. */
const FAILS = `CASE WHEN e.is_on THEN e.failing_since IS NOT NULL ELSE coalesce(e.off_for <> 'owner', false) END`

const TOLD = columns<Omit<ToldEndpoint, 'failingSince'> & { failingSince: Date | null }>({
  id: 'e.id',
  mode: 'e.mode',
  url: 'e.url',
  isOn: 'e.is_on',
  isFailing: FAILS,
  failingSince: 'e.failing_since',
  lastError: `CASE WHEN (${FAILS}) THEN (SELECT m.last_error FROM webhook_message m
    WHERE m.endpoint_id = e.id AND m.last_error IS NOT NULL ORDER BY m.created_at DESC, m.id DESC LIMIT 1) END`,
  waiting: `(SELECT count(*)::int FROM webhook_message m WHERE m.endpoint_id = e.id AND m.state = 'waiting')`,
})

/** Where an agent's machines are told about events, oldest first. */
export async function findTold(db: Sql, uid: string): Promise<ToldEndpoint[]> {
  const rows = await db.query<ToldEndpoint>({
    text: `SELECT ${TOLD} FROM webhook_endpoint e WHERE e.uid = $1 ORDER BY e.created_at, e.id`,
    values: [uid],
  })
  return rows.map(inJson)
}

/** The live keys `k` of an agent `a`; play money is no sale. */
const LIVE = `k.uid = a.uid AND k.mode = 'live'`
const useOf = (days: string): string =>
  useJson(`d.key_id IN (SELECT k.id FROM reseller_key k WHERE ${LIVE}) AND ${days}`)

/** @param today a Bangkok day of this server's, so that it may stand in SQL */
const listed = (today: string): string =>
  columns<Omit<ListedAgentApi, 'lastUsedAt'> & { lastUsedAt: Date | null }>({
    uid: 'a.uid',
    name: 'a.username',
    keys: `(SELECT count(*)::int FROM reseller_key k WHERE ${LIVE} AND k.ended_at IS NULL)`,
    today: useOf(`d.day = '${today}'`),
    month: 'm.use',
    lastUsedAt: `(SELECT max(u.last_used_at) FROM reseller_key k CROSS JOIN LATERAL (
        SELECT d.last_used_at FROM reseller_day d WHERE d.key_id = k.id AND d.last_used_at IS NOT NULL
        ORDER BY d.day DESC LIMIT 1) u WHERE ${LIVE})`,
    failingWebhooks: `(SELECT count(*)::int FROM webhook_endpoint e WHERE e.uid = a.uid AND (${FAILS}))`,
    webhooks: '(SELECT count(*)::int FROM webhook_endpoint e WHERE e.uid = a.uid)',
  })

/** A page of the agents who have or had keys: those whose machines spent most in the last 30 Bangkok days first. */
export async function findAgentApis(
  db: Sql,
  query: { name?: string | undefined; isFailing?: 'true' | undefined; page: number; pageSize: number },
  now: Date,
): Promise<{ rows: ListedAgentApi[]; total: number }> {
  const filter = new Filter('EXISTS (SELECT FROM reseller_key k WHERE k.uid = a.uid)')
  filter.where(
    query.name || null,
    name => {
      const isOwnKey = `EXISTS (SELECT FROM reseller_key k WHERE k.uid = a.uid AND k.id = ${filter.bind(query.name)})`
      return `(${personWords('a')} ILIKE ${name} OR ${isOwnKey})`
    },
    likePart,
  )
  if (query.isFailing) filter.must(`EXISTS (SELECT FROM webhook_endpoint e WHERE e.uid = a.uid AND (${FAILS}))`)
  const since = bangkokDay(new Date(now.getTime() - MONTH_DAYS * DAY_MS))
  const month = `CROSS JOIN LATERAL (SELECT ${useOf(`d.day > '${since}'`)} AS use) m`
  const { rows, total } = await findPage<ListedAgentApi>(
    db,
    {
      from: `account a ${month}`,
      filter,
      order: `(m.use->>'spentSatang')::bigint DESC, a.username, a.uid`,
      select: `SELECT ${listed(bangkokDay(now))} FROM page a ${month}`,
    },
    query,
  )
  return { rows: rows.map(inJson), total }
}
