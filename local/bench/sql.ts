import pg from 'pg'

/** Runs statements on a connection of their own, and returns the rows of the last one. */
export async function runSql<Row extends pg.QueryResultRow>(databaseUrl: string, ...texts: string[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    let rows: Row[] = []
    for (const text of texts) rows = (await client.query<Row>(text)).rows
    return rows
  } finally {
    await client.end()
  }
}
