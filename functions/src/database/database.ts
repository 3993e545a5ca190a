import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'

// int8 arrives as text by default. Every int8 here is satang or a count and stays far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** Something that answers SQL. What takes only this can read `shop.reports` as well as `shop.db`. */
export interface Queries {
  /** Plain SQL for the hot paths. `name` makes it a prepared statement. */
  query<Row>(statement: { name?: string; text: string; values?: unknown[] }): Promise<Row[]>
}

/** Something SQL can be sent to: the pool, or one connection inside a transaction. */
export interface Sql extends Queries {
  /** Drizzle over the same connection, for ordinary queries. */
  orm: NodePgDatabase
}

/** Of one process. */
interface Connections {
  used: number
  idle: number
  max: number
  /** How many wait for one. */
  waiting: number
}

export interface Database extends Sql {
  /** Runs `work` in one transaction; retries it when the server reports a serialization failure or deadlock. */
  transaction<T>(work: (tx: Sql) => Promise<T>): Promise<T>
  /** This process's connections just now. */
  connections(): Connections
  close(): Promise<void>
}

const RACE_LOST = ['40001', '40P01']
/**
 * A pooler moved the connection to a server where a named statement is missing or is another one; nothing was executed.
 */
const STATEMENT_LOST = ['42P05', '26000']
const RETRYABLE = new Set([...RACE_LOST, ...STATEMENT_LOST])
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

/** The server is down or full, or it gave up on a statement, a lock or a race. */
const UNAVAILABLE_STATES = /^(08|53|57P0|57014|55P03|25P03|40001|40P01)/
const UNAVAILABLE_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND'])
/** Errors of the driver without a code: no connection became free in time, or one was lost. */
const UNAVAILABLE_MESSAGES =
  /^(timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered)/

/**
 * Tells whether an error means that the database can't be used just now, so that the same call may succeed in a moment.
 */
export function isUnavailable(error: unknown): boolean {
  const code = sqlState(error) ?? ''
  const { cause, message = '' } = (error ?? {}) as { cause?: unknown; message?: string }
  if (UNAVAILABLE_STATES.test(code) || UNAVAILABLE_CODES.has(code) || UNAVAILABLE_MESSAGES.test(message)) return true
  return cause !== undefined && isUnavailable(cause)
}

/** Runs `work` again after a race or a lost statement, because the database has done nothing then. */
async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries >= ATTEMPTS || !RETRYABLE.has(sqlState(error) ?? '')) throw error
    }
  }
}

/** PostgreSQL's names of the time limits, and the server's values in milliseconds. */
export const LIMITS = {
  statement: { setting: 'statement_timeout', standardMs: 10_000 },
  lock: { setting: 'lock_timeout', standardMs: 5000 },
  /** A transaction that is idle for this long has lost its process; ending it frees its locks. */
  idleInTransaction: { setting: 'idle_in_transaction_session_timeout', standardMs: 10_000 },
} as const

export interface DatabaseOptions {
  connections?: number
  /** The server's own certificate authority (PEM); without it the URL says how the connection is made. */
  ca?: string
  /** Whether statements keep their names, so that PostgreSQL plans them once; `auto` means only without a pooler. */
  namedStatements?: 'auto' | 'on' | 'off'
  /**
   * Time limits for getting a connection (`connect`) and for the rest, in milliseconds; a missing one means no limit.
   */
  timeoutMs?: { connect?: number } & Partial<Record<keyof typeof LIMITS, number>>
  /** Called when a connection breaks; the pool replaces it. */
  onLost?: (error: Error) => void
  /** Called with a message for a person when the limits are not in force behind a pooler. */
  onUnlimited?: (message: string) => void
}

/**
 * Asks whether a connection is direct: a pooler gives its clients other keys than the server's processes have. A direct
 * connection gets the limits. Behind a pooler the next transaction may run on another connection, so the server only
 * checks whether the role has the limits.
 */
const GREET = `SELECT current_user AS role, setting, is_direct AS "isDirect", (CASE WHEN is_direct
    THEN set_config(setting, wanted, false) ELSE current_setting(setting) END)::interval = wanted::interval AS holds
  FROM (SELECT pg_backend_pid() = $1 AS is_direct) AS met, unnest($2::text[], $3::text[]) AS limited (setting, wanted)`

interface Greeting {
  role: string
  setting: string
  isDirect: boolean
  holds: boolean
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * Returns how a server is proved by its own authority. Its certificate names the instance, not the address we reach it at.
 * At an address of this machine a proxy listens, which speaks without TLS and proves the server itself.
 */
export const provedBy = (ca: string | undefined, url: string): Pick<pg.ClientConfig, 'ssl'> =>
  ca && !LOOPBACK.test(URL.parse(url)?.hostname ?? '') ? { ssl: { ca, checkServerIdentity: () => undefined } } : {}

/**
 * Opens a pool. It has few connections, because Functions run many processes and a pooler stands in front of the
 * database.
 */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const { connections = 10, namedStatements = 'auto', timeoutMs = {}, ca } = options
  const { onLost = () => {}, onUnlimited = () => {} } = options
  let isNaming = namedStatements !== 'off'
  let isTold = false

  /** Every connection is asked, not only the first, because a pooler may be put in between while the process runs. */
  async function greet(client: pg.ClientBase & { processID?: number }): Promise<void> {
    const limits = Object.entries(LIMITS).map(([limit, { setting }]) => ({
      setting,
      wanted: `${timeoutMs[limit as keyof typeof LIMITS] ?? 0}ms`,
    }))
    const values = [client.processID, limits.map(({ setting }) => setting), limits.map(({ wanted }) => wanted)]
    const query = { text: GREET, values, query_timeout: timeoutMs.connect }
    const { rows } = await client.query<Greeting>(query)
    const [{ role, isDirect }] = rows as [Greeting]
    if (namedStatements === 'auto' && !isDirect) isNaming = false
    const lacking = limits.filter(({ setting }) => !rows.find(row => row.setting === setting)?.holds)
    if (lacking.length === 0 || isTold) return
    isTold = true
    const remedy = lacking.map(({ setting, wanted }) => `ALTER ROLE ${role} SET ${setting} = '${wanted}';`).join(' ')
    onUnlimited(`The pooler's connections have other limits than the server. Let it connect anew after: ${remedy}`)
  }

  const pool = new pg.Pool({
    connectionString: url,
    ...provedBy(ca, url),
    max: connections,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: timeoutMs.connect,
    onConnect: greet,
  })
  // Without listeners on the pool (for idle connections) and on each client (for those in a transaction), a dying
  // connection would end the process.
  pool.on('error', onLost)
  pool.on('connect', client => client.on('error', onLost))

  /** The log names a failed statement, but its text and parameters are not logged. */
  async function ask<Row>(client: pg.PoolClient, { name, ...statement }: Parameters<Sql['query']>[0]): Promise<Row[]> {
    try {
      const { rows } = await client.query(isNaming ? { name, ...statement } : statement)
      return rows
    } catch (error) {
      if (STATEMENT_LOST.includes(sqlState(error) ?? '')) isNaming = false
      throw Object.assign(error as Error, { statement: name ?? null })
    }
  }

  async function attempt<T>(work: (tx: Sql) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      await client.query('BEGIN')
      const result = await work({ query: statement => ask(client, statement), orm: drizzle(client) })
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
    query: statement =>
      retried(async () => {
        const client = await pool.connect()
        try {
          return await ask(client, statement)
        } finally {
          client.release()
        }
      }),
    orm: drizzle(pool),
    transaction: work => retried(() => attempt(work)),
    connections: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      max: connections,
      waiting: pool.waitingCount,
    }),
    close: () => pool.end(),
  }
}
