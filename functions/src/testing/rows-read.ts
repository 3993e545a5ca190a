import { type Database, openDatabase, type Sql } from '../database/database.ts'

/** A database that counts the rows which its statements read from tables, whatever plans the server takes. */
export interface RowCounter {
  /** It has one connection, which keeps its named statements and their plans. */
  db: Database
  /** Returns how many rows the statements of `work` read. */
  count(work: () => Promise<unknown>): Promise<number>
}

/** PostgreSQL's own count of what the current transaction has read. */
const READ = `SELECT coalesce(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)), 0)::int AS n
  FROM pg_stat_xact_user_tables`

export function openCountingDatabase(databaseUrl: string): RowCounter {
  const one = openDatabase(databaseUrl, { connections: 1 })
  let total = 0
  /** Within one transaction, because between two PostgreSQL may begin to count anew. */
  const counted = <T>(work: (tx: Sql) => Promise<T>): Promise<T> =>
    one.transaction(async tx => {
      const read = async () => (await tx.query<{ n: number }>({ text: READ }))[0]!.n
      const before = await read()
      const result = await work(tx)
      total += (await read()) - before
      return result
    })
  return {
    db: {
      ...one,
      query: statement => counted(tx => tx.query(statement)),
      transaction: counted,
    },
    async count(work) {
      const before = total
      await work()
      return total - before
    },
  }
}
