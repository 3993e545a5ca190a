import type { ListedAgentApi, ToldEndpoint } from '@shop/shared/reseller/key-endpoints.ts'
import { bangkokDay, DAY_MS } from '@shop/shared/time.ts'
import { account, resellerKey } from '../account/tables.ts'
import type { Sql } from '../database/database.ts'
import { Filter, findPage, likePart, personWords } from '../database/listing.ts'
import { as, orNull, pick, row, sql, under } from '../database/sql.ts'
import { inJson } from '../http/in-json.ts'
import { WAITING_FOR } from '../webhook/store.ts'
import { webhookEndpoint, webhookMessage } from '../webhook/tables.ts'
import { MONTH_DAYS, useJson } from './key-store.ts'
import { resellerDay } from './tables.ts'

const [a, k] = [under(account, 'a'), under(resellerKey, 'k')]
const [e, m] = [under(webhookEndpoint, 'e'), under(webhookMessage, 'm')]
const [d, u] = [under(resellerDay, 'd'), under(resellerDay, 'u')]

/** Nothing arrives at an endpoint `e`, or the shop switched it off for that. */
const FAILS = `CASE WHEN ${e.isOn} THEN ${e.failingSince} IS NOT NULL ELSE coalesce(${e.offFor} <> 'owner', false) END`

const TOLD = row({
  ...pick(e, 'id', 'mode', 'url', 'isOn', 'failingSince'),
  isFailing: as.bool(FAILS),
  lastError: orNull(
    as.text(`CASE WHEN (${FAILS}) THEN (SELECT ${m.lastError} FROM ${m}
    WHERE ${m.endpointId} = ${e.id} AND ${m.lastError} IS NOT NULL ORDER BY ${m.createdAt} DESC, ${m.id} DESC LIMIT 1) END`),
  ),
  waiting: WAITING_FOR,
})

/** Where an agent's machines are told about events, oldest first. */
export async function findTold(db: Sql, uid: string): Promise<ToldEndpoint[]> {
  const rows = await db.query({
    text: sql`SELECT ${TOLD} FROM ${e} WHERE ${e.uid} = $1 ORDER BY ${e.createdAt}, ${e.id}`,
    values: [uid],
  })
  return rows.map(inJson)
}

/** The live keys `k` of an agent `a`; play money is no sale. */
const LIVE = `${k.uid} = ${a.uid} AND ${k.mode} = 'live'`
const useOf = (days: string) => useJson(`${d.keyId} IN (SELECT ${k.id} FROM ${k} WHERE ${LIVE}) AND ${days}`)

/** @param today a Bangkok day of this server's, so that it may stand in SQL */
const listed = (today: string) =>
  row({
    uid: a.uid,
    name: a.username,
    keys: as.int(`(SELECT count(*) FROM ${k} WHERE ${LIVE} AND ${k.endedAt} IS NULL)`),
    today: useOf(`${d.day} = '${today}'`),
    month: as.shape<ListedAgentApi['month']>('m.use'),
    lastUsedAt: orNull(
      as.instant(`(SELECT max(${u.lastUsedAt}) FROM ${k} CROSS JOIN LATERAL (
        SELECT ${d.lastUsedAt} FROM ${d} WHERE ${d.keyId} = ${k.id} AND ${d.lastUsedAt} IS NOT NULL
        ORDER BY ${d.day} DESC LIMIT 1) u WHERE ${LIVE})`),
    ),
    failingWebhooks: as.int(`(SELECT count(*) FROM ${e} WHERE ${e.uid} = ${a.uid} AND (${FAILS}))`),
    webhooks: as.int(`(SELECT count(*) FROM ${e} WHERE ${e.uid} = ${a.uid})`),
  })

/** A page of the agents who have or had keys: those whose machines spent most in the last 30 Bangkok days first. */
export async function findAgentApis(
  db: Sql,
  query: { name?: string | undefined; isFailing?: 'true' | undefined; page: number; pageSize: number },
  now: Date,
): Promise<{ rows: ListedAgentApi[]; total: number }> {
  const filter = new Filter(`EXISTS (SELECT FROM ${k} WHERE ${k.uid} = ${a.uid})`)
  filter.where(
    query.name || null,
    name => {
      const isOwnKey = `EXISTS (SELECT FROM ${k} WHERE ${k.uid} = ${a.uid} AND ${k.id} = ${filter.bind(query.name)})`
      return `(${personWords('a')} ILIKE ${name} OR ${isOwnKey})`
    },
    likePart,
  )
  if (query.isFailing) filter.must(`EXISTS (SELECT FROM ${e} WHERE ${e.uid} = ${a.uid} AND (${FAILS}))`)
  const since = bangkokDay(new Date(now.getTime() - MONTH_DAYS * DAY_MS))
  const month = `CROSS JOIN LATERAL (SELECT ${useOf(`${d.day} > '${since}'`)} AS use) m`
  const { rows, total } = await findPage(
    db,
    {
      from: sql`${a} ${month}`,
      filter,
      order: `(m.use->>'spentSatang')::bigint DESC, ${a.username}, ${a.uid}`,
      select: sql`SELECT ${listed(bangkokDay(now))} FROM page a ${month}`,
    },
    query,
  )
  return { rows: rows.map(inJson), total }
}
