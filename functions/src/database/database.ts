import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'

// int8 arrives as text by default; every int8 here is satang or a count and stays far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** Something SQL can be sent to: the pool, or one connection inside a transaction. */
export interface Sql {
  /** Plain SQL for the hot paths. `name` makes it a prepared statement. */
  query<Row>(statement: { name?: string; text: string; values?: unknown[] }): Promise<Row[]>
  /** Drizzle over the same connection, for ordinary queries. */
  orm: NodePgDatabase
}

export interface Database extends Sql {
  /** Runs `work` in one transaction; retries it when the server reports a serialization failure or deadlock. */
  transaction<T>(work: (tx: Sql) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const RETRYABLE = new Set(['40001', '40P01'])
const ATTEMPTS = 5

/** SQLSTATE of a database error, also through Drizzle's wrapping. */
function sqlState(error: unknown): string | undefined {
  const { code, cause } = (error ?? {}) as { code?: string; cause?: { code?: string } }
  return cause?.code ?? code
}

/** Name of the constraint a unique or check violation hit, if that is what the error is. */
export function violatedConstraint(error: unknown): string | undefined {
  const source = ((error as { cause?: unknown })?.cause ?? error) as { code?: string; constraint?: string } | undefined
  return source?.code === '23505' || source?.code === '23514' ? source.constraint : undefined
}

function over(client: pg.Pool | pg.PoolClient): Sql {
  return {
    query: async statement => (await client.query(statement)).rows,
    orm: drizzle(client as pg.Pool),
  }
}

/** Opens a pool. Connections are few: Functions scale out and a pooler stands in front of the server. */
export function openDatabase(url: string, options: { connections?: number } = {}): Database {
  const pool = new pg.Pool({ connectionString: url, max: options.connections ?? 10, idleTimeoutMillis: 30_000 })
  // A connection that dies is replaced by the pool; without a listener on the pool (idle ones) and on each client
  // (ones in a transaction) it would end the process.
  const lost = (error: Error) => console.warn(`database connection lost: ${error.message}`)
  pool.on('error', lost)
  pool.on('connect', client => client.on('error', lost))

  async function attempt<T>(work: (tx: Sql) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      await client.query('BEGIN')
      const result = await work(over(client))
      await client.query('COMMIT')
      return result
    } catch (error) {
      await client.query('ROLLBACK').catch((cause: Error) => {
        broken = cause
      })
      throw error
    } finally {
      client.release(broken)
    }
  }

  return {
    ...over(pool),
    async transaction(work) {
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(work)
        } catch (error) {
          if (tries >= ATTEMPTS || !RETRYABLE.has(sqlState(error) ?? '')) throw error
        }
      }
    },
    close: () => pool.end(),
  }
}
