import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasDebianPostgres, startDebianPostgres } from 'local/debian-postgres.ts'
import { projectRoot } from 'local/os-process.ts'
import { isWithoutPgbouncer, startPooler } from 'local/pooler.ts'
import { findFreePort } from 'local/ports.ts'
import { discardPostgres, startPostgres } from 'local/postgres.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from './database.ts'
import { likeStart } from './listing.ts'
import { asApplication, migrate } from './migrate.ts'
import { findSchemaGap, readSchema, requireSchema } from './migrations.ts'
import { flawsOfPlace } from './owner-checks.ts'
import { closeServerRole, openServerRole } from './server-roles.ts'

const DEBIAN = 15
const PASSWORD = 'Rather-Long-Secret-1'

async function startNpmPostgres() {
  const dataDir = join(projectRoot, '.local', 'test-postgres', `${process.pid}-migrate`)
  mkdirSync(dataDir, { recursive: true })
  const { url } = await startPostgres({ port: await findFreePort(), dataDir, durable: false })
  return { url, stop: () => discardPostgres(dataDir) }
}

const SERVERS = [
  {
    name: 'PostgreSQL 18',
    isThere: true,
    start: startNpmPostgres,
    plain: `LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8'`,
  },
  {
    name: `PostgreSQL ${DEBIAN}`,
    isThere: hasDebianPostgres(DEBIAN),
    start: () => startDebianPostgres(DEBIAN),
    plain: `LOCALE 'C.UTF-8'`,
  },
]

describe.each(SERVERS.filter(({ isThere }) => isThere))('on $name', ({ name, start, plain }) => {
  let server: { url: string; stop: () => Promise<void> }
  let count = 0

  const urlOf = (user: string, database: string) => {
    const url = new URL(server.url)
    url.username = user
    url.pathname = `/${database}`
    return url.href
  }
  async function query<Row extends pg.QueryResultRow>(url: string, ...texts: string[]): Promise<Row[]> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      let rows: Row[] = []
      for (const text of texts) rows = (await client.query<Row>(text)).rows
      return rows
    } finally {
      await client.end()
    }
  }
  /** An empty database of an owner who is no superuser. Returns the owner's address. */
  async function makeDatabase(locale = plain, owner = 'shop_owner'): Promise<string> {
    const database = `made_${++count}`
    await query(server.url, `CREATE DATABASE ${database} TEMPLATE template0 OWNER ${owner} ${locale}`)
    return urlOf(owner, database)
  }
  const isUntouched = async (url: string) =>
    (
      await query<{ n: number }>(
        url,
        `SELECT count(*)::int AS n FROM pg_tables WHERE schemaname IN ('public', 'drizzle')`,
      )
    )[0]!.n === 0

  beforeAll(async () => {
    server = await start()
    await query(
      server.url,
      'CREATE ROLE shop_owner LOGIN CREATEROLE',
      'CREATE ROLE plain_owner LOGIN',
      'CREATE ROLE other_owner LOGIN CREATEROLE',
    )
  })
  afterAll(() => server?.stop())

  test('an owner who may make no roles is told so before anything is done', async () => {
    const url = await makeDatabase(plain, 'plain_owner')
    await expect(migrate(url)).rejects.toThrow('ALTER ROLE plain_owner CREATEROLE;')
    expect(await isUntouched(url)).toBe(true)
  })

  test.each([
    ['plain', plain],
    ['C', `LOCALE 'C'`],
    ['ICU', `LOCALE_PROVIDER icu ICU_LOCALE 'en-US'`],
    ["the server's own", ''],
  ])(
    'an owner who is no superuser migrates; what a number begins with is found by its index: %s',
    async (_, locale) => {
      const url = await makeDatabase(
        locale === plain ? plain : locale.startsWith('LOCALE ') ? `${locale} LOCALE_PROVIDER libc` : locale,
      )
      const { applied } = await migrate(url)
      expect(applied.length).toBeGreaterThan(30)
      const plans = await explain(url, [
        ['SELECT id FROM orders o WHERE o.order_no LIKE $1', [likeStart('KT2611-04')]],
        ['SELECT id FROM top_up u WHERE u.no LIKE $1', [likeStart('WT2611-0')]],
        ['SELECT id FROM audit_entry e WHERE e.action LIKE $1', [likeStart('account.')]],
        ['SELECT id FROM audit_entry e WHERE e.subject LIKE $1', [likeStart('account:x')]],
      ])
      const indexes = ['orders_order_no', 'top_up_no', 'audit_action', 'audit_subject']
      for (const [at, index] of indexes.entries()) {
        expect(plans[at]).toMatch(new RegExp(`(using|on) ${index}\\b`))
        expect(plans[at]).toContain('Index Cond: ((')
        expect(plans[at]).toContain('~>=~')
      }
      expect(await query(url, 'SHOW random_page_cost')).toEqual([{ random_page_cost: '1.1' }])
      const server = openDatabase(asApplication(url), { connections: 1 })
      await requireSchema(server)
      expect(await server.query({ text: 'SHOW statement_timeout' })).toEqual([{ statement_timeout: '0' }])
      await server.close()
    },
  )

  /** Plans on empty tables, which are read whole unless that is made dear. */
  async function explain(url: string, statements: [text: string, values: unknown[]][]): Promise<string[]> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('SET enable_seqscan = off')
    const plans: string[] = []
    for (const [text, values] of statements) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values)
      plans.push(rows.map(row => row['QUERY PLAN']).join('\n'))
    }
    await client.end()
    return plans
  }

  test('of two at once the second waits and finds nothing to do', async () => {
    const url = await makeDatabase()
    let waited = 0
    const onWait = () => void waited++
    const [one, other] = await Promise.all([migrate(url, { onWait }), migrate(url, { onWait })])
    expect(waited).toBe(1)
    expect([one.applied.length, other.applied.length].sort((a, b) => a - b)).toEqual([0, expect.any(Number)])
    expect(one.applied.length + other.applied.length).toBeGreaterThan(30)
    expect((await migrate(url)).applied).toEqual([])
  })

  test('a table that stays in use ends it, one that comes free does not', async () => {
    const url = await makeDatabase()
    await migrate(url)
    const holder = new pg.Client({ connectionString: url })
    await holder.connect()
    await holder.query('BEGIN')
    await holder.query('LOCK TABLE drizzle.__drizzle_migrations IN ACCESS EXCLUSIVE MODE')
    await expect(migrate(url, { pausesMs: [] })).rejects.toThrow(
      'A table stayed in use, so the first migration was not',
    )
    let released: Promise<unknown> | undefined
    function* pauses() {
      yield 0
      released = holder.query('ROLLBACK')
      yield 0
    }
    expect((await migrate(url, { pausesMs: pauses() })).applied).toEqual([])
    await released
    await holder.end()
  })

  test.each([
    ['ALTER ROLE shop_app SUPERUSER', 'ALTER ROLE shop_app NOSUPERUSER', 'is SUPERUSER'],
    ['ALTER ROLE shop_app CREATEROLE', 'ALTER ROLE shop_app NOCREATEROLE', 'is CREATEROLE'],
    ['GRANT plain_owner TO shop_app', 'REVOKE plain_owner FROM shop_app', 'has the rights of plain_owner'],
    [
      'GRANT pg_write_all_data TO shop_app',
      'REVOKE pg_write_all_data FROM shop_app',
      'REVOKE pg_write_all_data FROM shop_app;',
    ],
  ])('a server that could do more than it may is refused: %s', async (give, take, sentence) => {
    const url = await makeDatabase()
    await query(server.url, give)
    try {
      await expect(migrate(url)).rejects.toThrow(sentence)
      expect(await isUntouched(url)).toBe(true)
    } finally {
      await query(server.url, take)
    }
    await migrate(url)
  })

  test("a server's role that owns a table is refused", async () => {
    const url = await makeDatabase()
    await migrate(url)
    await query(urlOf('postgres', new URL(url).pathname.slice(1)), 'ALTER TABLE ledger_entry OWNER TO shop_app')
    await expect(migrate(url)).rejects.toThrow('owns ledger_entry')
  })

  test("the server's role gets its password, keeps it when none is given, and never a weak one", async () => {
    const url = await makeDatabase()
    await migrate(url)
    const [{ hba_file }] = (await query<{ hba_file: string }>(server.url, 'SHOW hba_file')) as [{ hba_file: string }]
    const old = readFileSync(hba_file, 'utf8')
    writeFileSync(hba_file, `host all shop_app 127.0.0.1/32 scram-sha-256\n${old}`)
    await query(server.url, 'SELECT pg_reload_conf()')
    try {
      const signIn = (password: string) => {
        const served = new URL(asApplication(url))
        served.password = password
        return query(served.href, 'SELECT 1 AS one')
      }
      await migrate(url, { serverPassword: PASSWORD })
      await migrate(url)
      expect(await signIn(PASSWORD)).toEqual([{ one: 1 }])
      await expect(signIn('something else')).rejects.toMatchObject({ code: '28P01' })
      for (const weak of ['short', 'กขคงจฉชซฌญฎฏ', 'with a space in it'])
        await expect(migrate(url, { serverPassword: weak })).rejects.toThrow('SERVER_DATABASE_PASSWORD must have')
      const withWrong = new URL(asApplication(url))
      withWrong.password = 'wrong'
      await expect(migrate(withWrong.href)).rejects.toThrow('DATABASE_URL: the password is wrong.')
    } finally {
      writeFileSync(hba_file, old)
      await query(server.url, 'SELECT pg_reload_conf()')
    }
  })

  test('the password changes while the server works: there are two roles, and one in use is left alone', async () => {
    const url = await makeDatabase()
    await migrate(url)
    const owner = openDatabase(url, { connections: 1 })
    const as = (role: string) => {
      const served = new URL(url)
      served.username = role
      return openDatabase(served.href, { connections: 2, timeoutMs: { connect: 5000 } })
    }
    const work = (served: Database) =>
      served.transaction(async tx => {
        await tx.query({ text: `INSERT INTO option (name, value) VALUES ('X', '1') ON CONFLICT (name) DO NOTHING` })
        return tx.query({ text: 'SELECT current_user AS role' })
      })
    const before = as('shop_app')
    expect(await work(before)).toEqual([{ role: 'shop_app' }])
    await expect(openServerRole(owner, 'shop_app', PASSWORD)).rejects.toThrow('Take shop_app_b.')
    await expect(openServerRole(owner, 'shop_app_b', 'short')).rejects.toThrow('SERVER_DATABASE_PASSWORD must have')
    await openServerRole(owner, 'shop_app_b', PASSWORD)
    await expect(closeServerRole(owner, 'shop_app')).rejects.toThrow('still work as shop_app')
    // Old and new servers work side by side, then only new ones.
    const after = as('shop_app_b')
    expect(await Promise.all([work(before), work(after)])).toEqual([[{ role: 'shop_app' }], [{ role: 'shop_app_b' }]])
    await before.close()
    await expect.poll(() => closeServerRole(owner, 'shop_app').then(() => 'closed', String)).toBe('closed')
    await expect(work(as('shop_app'))).rejects.toMatchObject({ code: '28000' })
    expect(await work(after)).toEqual([{ role: 'shop_app_b' }])
    await expect(after.query({ text: 'DELETE FROM ledger_entry' })).rejects.toMatchObject({ code: '42501' })
    await migrate(url)
    const settings = await query<{ role: string; settings: string[] }>(
      server.url,
      `SELECT rolname AS role, rolconfig AS settings FROM pg_roles WHERE rolname LIKE 'shop_app%' ORDER BY 1`,
    )
    expect(settings[1]!.settings.toSorted()).toEqual(settings[0]!.settings.toSorted())
    await openServerRole(owner, 'shop_app', PASSWORD)
    await after.close()
    await expect
      .poll(() => closeServerRole(owner, 'shop_app_b').then(() => 'closed', String))
      .toContain('Nobody works as')
    await owner.close()
    await query(server.url, 'DROP OWNED BY shop_app_b', 'DROP ROLE shop_app_b')
  })

  test("a server's role that another owner made is told of when it would have to be changed", async () => {
    await migrate(await makeDatabase())
    const url = await makeDatabase(plain, 'other_owner')
    await migrate(url)
    // Up to PostgreSQL 15 whoever makes roles may change all of them.
    const changed = migrate(url, { serverPassword: PASSWORD })
    if (name.endsWith('15')) await changed
    else await expect(changed).rejects.toThrow('GRANT shop_app TO other_owner WITH ADMIN OPTION;')
  })

  test('an older schema is refused by the server, a newer one by migrate alone', async () => {
    const url = await makeDatabase()
    const served = openDatabase(asApplication(url), { connections: 1 })
    await expect(requireSchema(served)).rejects.toThrow('The database is empty: run `migrate`')
    await migrate(url)
    await requireSchema(served)
    await query(url, `INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('later', 99999999999999)`)
    await requireSchema(served)
    expect(await findSchemaGap(served)).toBeNull()
    await expect(migrate(url)).rejects.toThrow('migrated by a newer version')
    await query(
      url,
      `DELETE FROM drizzle.__drizzle_migrations WHERE hash = 'later'`,
      `DELETE FROM drizzle.__drizzle_migrations WHERE created_at = (SELECT max(created_at) FROM drizzle.__drizzle_migrations)`,
    )
    expect(await readSchema(served)).toMatchObject({ kind: 'older', pending: [expect.any(String)] })
    await expect(requireSchema(served)).rejects.toThrow('The database lacks 1 migrations of this version')
    await served.close()
  })

  test('a database without Thai letters, and the address of the server or of nobody, are sentences', async () => {
    const ascii = await makeDatabase(`ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C'`)
    await expect(migrate(ascii)).rejects.toThrow("The database's encoding is SQL_ASCII")
    const url = await makeDatabase()
    await migrate(url)
    await expect(migrate(asApplication(url))).rejects.toThrow('does not own the database')
    await expect(migrate(urlOf('shop_owner', 'nowhere'))).rejects.toThrow('DATABASE_URL: there is no such database.')
    await expect(migrate('postgresql://shop@127.0.0.1:1/shop')).rejects.toThrow('DATABASE_URL: nothing listens there.')
  })

  test.skipIf(isWithoutPgbouncer())('a pooler is no way to migrate', async () => {
    const url = await makeDatabase()
    const pooler = await startPooler(url)
    try {
      await expect(migrate(pooler.url)).rejects.toThrow('leads through a pooler')
    } finally {
      await pooler.stop()
    }
  })
})

test('other versions than 15 to 18 are refused by name', () => {
  const place = { encoding: 'UTF8', collation: 'c C.UTF-8', knowsThai: true }
  expect(flawsOfPlace({ ...place, version: 15 })).toEqual([])
  expect(flawsOfPlace({ ...place, version: 14 })).toEqual([expect.stringContaining('PostgreSQL 14')])
  expect(flawsOfPlace({ ...place, version: 19 })).toEqual([expect.stringContaining('15 to 18')])
})
