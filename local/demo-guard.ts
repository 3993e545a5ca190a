import pg from 'pg'

/** Demo accounts have a known password, an admin's among them: they belong into no database but a demo shop's. */

export const OWN_MACHINE = ['127.0.0.1', 'localhost', '[::1]']

/**
 * Refuses a database that may be a real shop's: one of another machine, or one that has tables and no demo accounts.
 * Nothing is written before.
 */
export async function requireDemoDatabase(databaseUrl: string): Promise<void> {
  const { hostname, pathname } = new URL(databaseUrl)
  if (process.env.NODE_ENV === 'production' || !OWN_MACHINE.includes(hostname))
    throw new Error(
      `DATABASE_URL names ${hostname}. The demo shop, whose accounts have a known password, is for this machine only.`,
    )
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ tables: number; accounts: boolean }>(
      `SELECT count(*)::int AS tables, to_regclass('public.account') IS NOT NULL AS accounts
      FROM pg_class WHERE relkind = 'r' AND relnamespace = to_regnamespace('public')`,
    )
    const { tables, accounts } = rows[0]!
    if (tables === 0) return
    const found = accounts && (await client.query(`SELECT 1 FROM account WHERE uid = 'demo-admin'`)).rowCount
    if (!found)
      throw new Error(
        `The database ${pathname.slice(1)} has tables and is no demo shop. Give DATABASE_URL an empty one, or none.`,
      )
  } finally {
    await client.end()
  }
}
