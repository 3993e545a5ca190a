import pg from 'pg'
import { account as accounts } from '../../account/tables.ts'
import { findMissingData } from '../../catalogue/first-data.ts'
import { game as games, receivingAccount } from '../../catalogue/tables.ts'
import { PLANNER_SETTINGS } from '../../database/migrate.ts'
import { flawOf, readSchema } from '../../database/migrations.ts'
import {
  flawsOfPlace,
  flawsOfRole,
  readPlace,
  readRole,
  readWrittenOnce,
  THAI_UNKNOWN,
} from '../../database/owner-checks.ts'
import { provedBy } from '../../database/proved-by.ts'
import { as, row, sql, under } from '../../database/sql.ts'
import { APART_SECONDS } from '../../health/checks.ts'
import { askPatroni } from '../../health/patroni.ts'
import { allOf, type Finding, note, ok, type Patient, wrong } from './patient.ts'

const MIGRATE = 'run `migrate` as the owner'

export async function checkReach({ db }: Patient): Promise<Finding> {
  const [row] = await db.query<{ role: string; name: string; isStandby: boolean }>({
    text: 'SELECT current_user AS role, current_database() AS name, pg_is_in_recovery() AS "isStandby"',
  })
  if (row!.isStandby) return wrong('DATABASE_URL leads to a standby, where nothing can be written. Name the primary.')
  return ok(`${row!.name}, as ${row!.role}`)
}

export async function checkPlace({ db }: Patient): Promise<Finding[]> {
  const place = await readPlace(db)
  const flaws = flawsOfPlace(place)
  if (place.knowsThai === null) flaws.push(`The extension pg_trgm is missing: ${MIGRATE}.`)
  const found = allOf(flaws, `PostgreSQL ${place.version}, ${place.encoding}, ${place.collation}`)
  return place.knowsThai === false ? [...found, note(THAI_UNKNOWN)] : found
}

/** What the role of DATABASE_URL may not, and must, be able to do. */
export async function checkRole({ db }: Patient): Promise<Finding[]> {
  const [me] = await db.query<{ name: string; makesTables: boolean }>({
    text: `SELECT current_user AS name, has_schema_privilege('public', 'CREATE') AS "makesTables"`,
  })
  const { name, makesTables } = me!
  const role = (await readRole(db, name))!
  const flaws = flawsOfRole(role)
  if (flaws.length > 0) return allOf([...flaws, 'DATABASE_URL of the server names the role shop_app, not the owner.'])
  const once = await readWrittenOnce()
  const { tooMuch, tooLittle } = await findRights(db, once)
  return allOf(
    [
      ...(makesTables
        ? [`The role ${name} may make tables: REVOKE CREATE ON SCHEMA public FROM PUBLIC, ${name};`]
        : []),
      ...tooMuch.map(right => `The role ${name} may ${right}, which is written once: ${MIGRATE}.`),
      ...(tooLittle.length > 0 ? [`The role ${name} may not ${tooLittle.slice(0, 3).join(', ')}: ${MIGRATE}.`] : []),
    ],
    `${once.length} tables are written once`,
  )
}

async function findRights(db: Patient['db'], once: string[]): Promise<{ tooMuch: string[]; tooLittle: string[] }> {
  const rows = await db.query<{ what: string; isOnce: boolean; has: boolean }>({
    text: `SELECT needed.privilege || ' ' || c.relname AS what, has_table_privilege(c.oid, needed.privilege) AS has,
        c.relname = ANY($1) AND needed.privilege IN ('UPDATE', 'DELETE', 'TRUNCATE') AS "isOnce"
      FROM pg_class c, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) AS needed (privilege)
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
        AND (needed.privilege <> 'TRUNCATE' OR c.relname = ANY($1)) ORDER BY 1`,
    values: [once],
  })
  const named = (isOnce: boolean, has: boolean) =>
    rows.filter(row => row.isOnce === isOnce && row.has === has).map(({ what }) => what)
  return { tooMuch: named(true, true), tooLittle: named(false, false) }
}

export async function checkSchema({ db }: Patient): Promise<Finding> {
  const state = await readSchema(db)
  const flaw = flawOf(state)
  if (state.kind === 'newer') return note('The database was migrated by a newer version, which this one works with.')
  return flaw ? wrong(flaw) : ok(state.version ?? '')
}

/** What holds on each connection: limits of the role, and what the planner is told of the database. */
export async function checkSettings({ db, limits, config }: Patient): Promise<Finding[]> {
  const names = Object.keys(PLANNER_SETTINGS)
  const rows = await db.query<{ name: string; value: string }>({
    text: 'SELECT name, current_setting(name) AS value FROM unnest($1::text[]) AS asked (name)',
    values: [names],
  })
  const flaws = rows
    .filter(({ name, value }) => value !== PLANNER_SETTINGS[name as keyof typeof PLANNER_SETTINGS])
    .map(({ name, value }) => `${name} is ${value}: ${MIGRATE}.`)
  return allOf([...flaws, ...limits], `time limits hold; ${await findWay(config)}`)
}

/** Tells whether a pooler stands between, and what becomes of named statements then. */
async function findWay({ DATABASE_URL: url, DATABASE_CA: ca, ...config }: Patient['config']): Promise<string> {
  const client = new pg.Client({ connectionString: url, ...provedBy(ca, url) })
  await client.connect()
  try {
    const { rows } = await client.query<{ isDirect: boolean }>('SELECT pg_backend_pid() = $1 AS "isDirect"', [
      (client as unknown as { processID: number }).processID,
    ])
    if (rows[0]!.isDirect) return 'no pooler'
    return config.DATABASE_NAMED_STATEMENTS === 'on'
      ? 'a pooler, which must keep named statements (max_prepared_statements)'
      : 'a pooler; statements go without names'
  } finally {
    await client.end()
  }
}

export async function checkFirstData({ db }: Patient): Promise<Finding[]> {
  const missing = await findMissingData(db)
  const [a, r, g] = [under(accounts), under(receivingAccount), under(games)]
  const [there] = await db.query({
    text: sql`SELECT ${row({
      admin: as.bool(`EXISTS (SELECT 1 FROM ${a} WHERE ${a.role} = 'admin' AND ${a.status} = 'active')`),
      account: as.bool(`EXISTS (SELECT 1 FROM ${r} WHERE ${r.isActive})`),
      game: as.bool(`EXISTS (SELECT 1 FROM ${g} WHERE ${g.isActive})`),
    })}`,
  })
  const { admin, account, game } = there!
  return [
    ...(missing.length > 0 ? [wrong(`Without ${missing.join(', ')} nothing can be sold: run \`first-data\`.`)] : []),
    ...(admin ? [] : [wrong('Nobody is an admin: run `first-admin <email>`.')]),
    ...(account ? [] : [note('There is no bank account to pay to yet: the admin site, Settings, adds one.')]),
    ...(game ? [] : [note('There is no game yet: the admin site, Games, adds one.')]),
    ...(missing.length === 0 && admin ? [ok('payment methods, terms, an admin')] : []),
  ]
}

export async function checkClock({ db, config }: Patient): Promise<Finding[]> {
  const before = Date.now()
  const [row] = await db.query<{ ms: number }>({ text: 'SELECT extract(epoch FROM clock_timestamp()) * 1000.0 AS ms' })
  const ofDatabase = judgeClock('the database', Number(row!.ms), before)
  const members = await askPatroni(config.PATRONI_URLS)
  const ofMembers = members.flatMap(({ host, told }) =>
    told?.aheadMs == null ? [] : [judgeClock(host, Date.now() + told.aheadMs, Date.now())],
  )
  return [ofDatabase, ...ofMembers]
}

/** Compares another clock with this machine's, which was read before and after it was asked. */
export function judgeClock(whose: string, theirMs: number, beforeMs: number): Finding {
  const seconds = ((beforeMs + Date.now()) / 2 - theirMs) / 1000
  if (Math.abs(seconds) <= APART_SECONDS) return ok(`the clock of ${whose} agrees with this machine's`)
  const far = Math.abs(Math.round(seconds))
  return wrong(
    `This machine's clock is ${far} s ${seconds > 0 ? 'ahead of' : 'behind'} that of ${whose}: let both follow NTP. ` +
      'Codes of authenticator apps and signed calls end within seconds.',
  )
}
