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
export function sqlState(error: unknown): string | undefined {
  const { code, cause } = (error ?? {}) as { code?: string; cause?: { code?: string } }
  return cause?.code ?? code
}

/** Name of the constraint a unique or check violation hit, if that is what the error is. */
export function violatedConstraint(error: unknown): string | undefined {
  const source = ((error as { cause?: unknown })?.cause ?? error) as { code?: string; constraint?: string } | undefined
  return source?.code === '23505' || source?.code === '23514' ? source.constraint : undefined
}

/** The server is not there, is full, or gave up on a statement, a lock or a race. */
const UNAVAILABLE_STATES = /^(08|53|57P0|57014|55P03|25P03|40001|40P01)/
const UNAVAILABLE_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND'])
/** What the driver says without a code: no connection came free in time, or one was lost. */
const UNAVAILABLE_MESSAGES = /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered)/

/** Whether an error means that the database can't be used now: the same call may succeed in a moment. */
export function isUnavailable(error: unknown): boolean {
  const code = sqlState(error) ?? ''
  const { cause, message = '' } = (error ?? {}) as { cause?: unknown; message?: string }
  if (UNAVAILABLE_STATES.test(code) || UNAVAILABLE_CODES.has(code) || UNAVAILABLE_MESSAGES.test(message)) return true
  return cause !== undefined && isUnavailable(cause)
}

/** The log names a failed statement; its text and parameters stay here. */
async function named<T>(name: string | undefined, work: Promise<T>): Promise<T> {
  return work.catch((error: Error) => {
    throw Object.assign(error, { statement: name ?? null })
  })
}

function over(client: pg.Pool | pg.PoolClient): Sql {
  return {
    query: async statement => (await named(statement.name, client.query(statement))).rows,
    orm: drizzle(client as pg.Pool),
  }
}

export interface DatabaseOptions {
  connections?: number
  /** How long anything may take; without a number there is no end. */
  timeoutMs?: {
    /** To get a connection, a new one or one that came free. */
    connect?: number
    statement?: number
    lock?: number
    /** Between two statements of a transaction. */
    idleInTransaction?: number
  }
  /** Told of connections that broke; the pool replaces them. */
  onLost?: (error: Error) => void
}

/** Opens a pool. Connections are few: Functions scale out and a pooler stands in front of the server. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const { connections = 10, timeoutMs = {}, onLost = () => {} } = options
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: timeoutMs.connect,
    statement_timeout: timeoutMs.statement,
    lock_timeout: timeoutMs.lock,
    idle_in_transaction_session_timeout: timeoutMs.idleInTransaction,
  })
  // Without a listener on the pool (idle connections) and on each client (ones in a transaction) a connection that
  // dies would end the process.
  pool.on('error', onLost)
  pool.on('connect', client => client.on('error', onLost))

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
