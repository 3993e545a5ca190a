import { setTimeout as delay } from 'node:timers/promises'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { within } from '../asking/within.ts'
import { provedBy } from './proved-by.ts'
import { Text } from './sql.ts'

// int8 arrives as text by default. Every int8 here is satang or a count and stays far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** What is asked. `name` makes it a prepared statement. Of a mere string, what it returns is taken on trust. */
export interface Statement<Row> {
  name?: string
  text: string | Text<Row>
  values?: unknown[]
}

/** Something that answers SQL. What takes only this can read `shop.reports` as well as `shop.db`. */
export interface Queries {
  query<Row>(statement: Statement<Row>): Promise<Row[]>
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

export interface TransactionOptions {
  /** How long each of its statements may take; without it the pool's own limit holds. */
  statementMs?: number
}

/** A check of all that a shop has may take this long, and nobody waits for it. */
export const CHECKING: TransactionOptions = { statementMs: 30 * 60_000 }

/**
 * Whether questions are answered: `stuck` when none of the pool's are, although the database answers on a connection of
 * its own, so that only a new process helps; `silent` when it does not answer there, either.
 */
export type Answering = 'answers' | 'stuck' | 'silent'

export interface Database extends Sql {
  /** Runs `work` in one transaction; retries it when the server reports a serialization failure or deadlock. */
  transaction<T>(work: (tx: Sql) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** This process's connections just now. */
  connections(): Connections
  /** For how long nothing has been answered that was asked, in milliseconds; 0 when the last question was answered. */
  silentMs(): number
  /** Tells within 1.2 seconds whether questions are answered. It asks only when the last one was not. */
  look(): Promise<Answering>
  close(): Promise<void>
}

const RACE_LOST = ['40001', '40P01']
/**
 * A pooler moved the connection to a server where a named statement is missing or is another one; nothing was executed.
 */
const STATEMENT_LOST = ['42P05', '26000']
const RETRYABLE = new Set([...RACE_LOST, ...STATEMENT_LOST])
/** The server became another one's standby, or always was: nothing can be written there. */
const READ_ONLY = '25006'
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
const UNAVAILABLE_STATES = /^(08|53|57P0|57014|55P03|25P03|25006|40001|40P01)/
const UNAVAILABLE_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND'])
/** The driver's error when no answer came in time. */
const SILENCE = 'Query read timeout'
/** Errors of the driver without a code: no connection became free in time, or one was lost. */
const UNAVAILABLE_MESSAGES =
  /^(timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered)/
/** What a connection dies of at once; whether its last statement was done is not known. */
const LOST_STATES = /^(08|57P0)/
const LOST_CODES = new Set(['ECONNRESET', 'EPIPE'])
const LOST_MESSAGES = /^(Connection terminated unexpectedly|Client has encountered a connection error)/

/**
 * Tells whether an error means that the database can't be used just now, so that the same call may succeed in a moment.
 */
export function isUnavailable(error: unknown): boolean {
  const code = sqlState(error) ?? ''
  const { cause, message = '' } = (error ?? {}) as { cause?: unknown; message?: string }
  if (UNAVAILABLE_STATES.test(code) || UNAVAILABLE_CODES.has(code) || UNAVAILABLE_MESSAGES.test(message)) return true
  return cause !== undefined && isUnavailable(cause)
}

/** The place in PostgreSQL that says, in a mere notice, that a commit did not wait for the second machine any longer. */
const GAVE_UP_WAITING = 'SyncRepWaitForLSN'

/** A commit that is on one machine only, though two were asked for: it is not acknowledged. */
class OneMachine extends Error {
  override name = 'OneMachine'
  /** As of a statement that was given up; it must not be repeated at once. */
  code = '57014'
  constructor() {
    super('the commit is on one machine only')
  }
}

/** Tells whether a question had no answer in time, not even that it was given up. */
const isSilence = (error: unknown): boolean => error instanceof Error && error.message === SILENCE

/** Tells whether a connection died, so that the same question on another one may be answered at once. */
export function isConnectionLost(error: unknown): boolean {
  const code = sqlState(error) ?? ''
  const { cause, message = '' } = (error ?? {}) as { cause?: unknown; message?: string }
  if (LOST_STATES.test(code) || LOST_CODES.has(code) || LOST_MESSAGES.test(message)) return true
  return cause !== undefined && isConnectionLost(cause)
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

/**
 * How much longer than its limit a statement is waited for. The server ends it at the limit and says so; when that does
 * not come either, nothing comes on this connection any more.
 */
const SILENCE_MS = 1000
/** An idle connection whose other end is gone is found out by the kernel some ten seconds later. */
const KEEP_ALIVE_MS = 10_000
const RETIRE_MS = 50
/** A look asks for so long in the pool, and then for so long on a connection of its own. */
const LOOK_MS = 600

export interface DatabaseOptions {
  connections?: number
  /** Refuses the connections of a standby, which a wrong address or an old primary leads to. */
  mustWrite?: boolean
  /** The server's own certificate authority (PEM); without it the URL says how the connection is made. */
  ca?: string
  /** Whether statements keep their names, so that PostgreSQL plans them once; `auto` means only without a pooler. */
  namedStatements?: 'auto' | 'on' | 'off'
  /**
   * Time limits for getting a connection (`connect`) and for the rest, in milliseconds; a missing one means no limit.
   */
  timeoutMs?: { connect?: number } & Partial<Record<keyof typeof LIMITS, number>>
  /** Whether each answer is held against what its statement says, as in tests. */
  checksRows?: boolean
  /** Called when a connection breaks; the pool replaces it. */
  onLost?: (error: Error) => void
  /** Called with a message for a person when the limits are not in force behind a pooler. */
  onUnlimited?: (message: string) => void
}

/**
 * Asks whether a connection is direct: a pooler gives its clients other keys than the server's processes have. A direct
 * connection gets the limits, and the database finds out within half a minute when this end of it is gone; after two hours
 * otherwise, when forgotten connections have used up its room. Behind a pooler the next transaction may run on another
 * connection, so the server only checks whether the role has the limits.
 */
const GREET = `SELECT current_user AS role, pg_is_in_recovery() AS "isStandby", setting, is_direct AS "isDirect", (CASE
    WHEN is_direct THEN set_config(setting, wanted, false) ELSE current_setting(setting) END)::interval = wanted::interval
    AS holds, CASE WHEN is_direct THEN ${['idle', 'interval', 'count'].map(each => `set_config('tcp_keepalives_${each}', '5', false)`).join(' || ')} END
  FROM (SELECT pg_backend_pid() = $1 AS is_direct) AS met, unnest($2::text[], $3::text[]) AS limited (setting, wanted)`

interface Greeting {
  role: string
  isStandby: boolean
  setting: string
  isDirect: boolean
  holds: boolean
}

/** Sends a statement on one connection and waits for its answer so long. */
type Send = (query: { text: string; name?: string }, values?: unknown[], mostMs?: number) => Promise<pg.QueryResult>

/**
 * Opens a pool. It has few connections, because Functions run many processes and a pooler stands in front of the
 * database.
 */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const { connections = 10, namedStatements = 'auto', timeoutMs = {}, ca } = options
  const { onLost = () => {}, onUnlimited = () => {}, mustWrite = false, checksRows = false } = options
  const answerMs = timeoutMs.statement && timeoutMs.statement + SILENCE_MS
  let isNaming = namedStatements !== 'off'
  let isTold = false
  /** Since when questions go unanswered; null once one was answered. */
  let unansweredSince: number | null = null

  /** Every connection is asked, not only the first, because a pooler may be put in between while the process runs. */
  async function greet(client: pg.ClientBase & { processID?: number }): Promise<void> {
    const limits = Object.entries(LIMITS).map(([limit, { setting }]) => ({
      setting,
      wanted: `${timeoutMs[limit as keyof typeof LIMITS] ?? 0}ms`,
    }))
    const values = [client.processID, limits.map(({ setting }) => setting), limits.map(({ wanted }) => wanted)]
    const query = { text: GREET, values, query_timeout: timeoutMs.connect }
    const { rows } = await client.query<Greeting>(query)
    const [{ role, isDirect, isStandby }] = rows as [Greeting]
    if (mustWrite && isStandby)
      throw Object.assign(new Error('DATABASE_URL leads to a standby, where nothing can be written'), {
        code: READ_ONLY,
      })
    if (namedStatements === 'auto' && !isDirect) isNaming = false
    const lacking = limits.filter(({ setting }) => !rows.find(row => row.setting === setting)?.holds)
    if (lacking.length === 0 || isTold) return
    isTold = true
    const remedy = lacking.map(({ setting, wanted }) => `ALTER ROLE ${role} SET ${setting} = '${wanted}';`).join(' ')
    onUnlimited(`The pooler's connections have other limits than the server. Let it connect anew after: ${remedy}`)
  }

  const settings = {
    connectionString: url,
    ...provedBy(ca, url),
    connectionTimeoutMillis: timeoutMs.connect,
    query_timeout: answerMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  }

  function openPool(): pg.Pool {
    const opened = new pg.Pool({ ...settings, max: connections, idleTimeoutMillis: 30_000, onConnect: greet })
    // Without listeners on the pool (for idle connections) and on each client (for those in a transaction), a dying
    // connection would end the process.
    opened.on('error', onLost)
    opened.on('connect', each => {
      each.on('error', onLost)
      each.on('notice', ({ routine }) => {
        if (routine === GAVE_UP_WAITING) onOneMachine.add(each)
      })
    })
    return opened
  }
  /** Connections whose last commit is on one machine, though it was to wait for a second one. */
  const onOneMachine = new WeakSet<pg.ClientBase>()
  let pool = openPool()

  /**
   * Begins anew after a connection that was lost, gives no answer, or whose server may not write any more: the others
   * were opened on the same way, and each would fail or keep somebody waiting before it is found out.
   */
  function forsake(used: pg.Pool, error: Error): void {
    if (used !== pool) return
    onLost(error)
    pool = openPool()
    void retire(used)
  }

  /** Ends a pool once it has served those who wait there: a pool that is ending forgets them. */
  async function retire(used: pg.Pool): Promise<void> {
    while (used.waitingCount > 0) await delay(RETIRE_MS, undefined, { ref: false })
    await used.end().catch(() => {})
  }

  /** The most that `used` and its first question are waited for together, so that a full pool does not add to it. */
  const leftOf = (began: number) => answerMs && Math.max(SILENCE_MS, answerMs - (performance.now() - began))

  /** Does some work on one connection. One that was lost, or gave no answer, is not used again. */
  async function connected<T>(
    work: (send: Send, firstMs: number | undefined, throwAway: (cause: Error) => void) => Promise<T>,
  ): Promise<T> {
    const [used, began] = [pool, performance.now()]
    unansweredSince ??= began
    const connection = await used.connect().catch((error: Error) => {
      if (sqlState(error) === READ_ONLY) forsake(used, error)
      throw error
    })
    unansweredSince = null
    let dead: Error | undefined
    const send: Send = async (query, values, mostMs = answerMs) => {
      if (dead) throw dead
      unansweredSince ??= performance.now()
      try {
        const timed = { ...query, query_timeout: mostMs } as pg.QueryConfig
        const result = await connection.query(timed, values)
        unansweredSince = null
        if (onOneMachine.delete(connection)) throw new OneMachine()
        return result
      } catch (error) {
        if (isSilence(error) || isConnectionLost(error)) dead = error as Error
        else unansweredSince = null
        if (dead || sqlState(error) === READ_ONLY) forsake(used, error as Error)
        throw error
      }
    }
    try {
      return await work(send, leftOf(began), cause => {
        dead ??= cause
      })
    } finally {
      connection.release(dead)
    }
  }

  /** The log names a failed statement, but its text and parameters are not logged. */
  async function ask<Row>(
    send: Send,
    { name, values, text }: Statement<Row>,
    mostMs: number | undefined,
  ): Promise<Row[]> {
    try {
      const answer = await send({ text: `${text}`, ...(isNaming && { name }) }, values, mostMs)
      if (checksRows && text instanceof Text) text.check(answer)
      return answer.rows as Row[]
    } catch (error) {
      if (STATEMENT_LOST.includes(sqlState(error) ?? '')) isNaming = false
      throw Object.assign(error as Error, { statement: name ?? null })
    }
  }

  /** Drizzle asks a connection for nothing else. */
  const ormOver = (query: Send): NodePgDatabase => drizzle({ query } as unknown as pg.Client)

  const attempt = <T>(work: (tx: Sql) => Promise<T>, { statementMs }: TransactionOptions): Promise<T> =>
    connected(async (send, firstMs, throwAway) => {
      const mostMs = statementMs === undefined ? answerMs : statementMs + SILENCE_MS
      await send({ text: 'BEGIN' }, undefined, firstMs)
      try {
        if (statementMs !== undefined) await send({ text: `SET LOCAL statement_timeout = ${statementMs}` })
        const orm = ormOver((query, values) => send(query, values, mostMs))
        const result = await work({ query: statement => ask(send, statement, mostMs), orm })
        await send({ text: 'COMMIT' }, undefined, mostMs)
        return result
      } catch (error) {
        // Whoever had the connection next would be inside this transaction.
        await send({ text: 'ROLLBACK' }).catch(throwAway)
        throw error
      }
    })

  /** Asks on a connection of its own, which is thrown away. */
  async function askAlone(): Promise<void> {
    const alone = new pg.Client({ ...settings, connectionTimeoutMillis: LOOK_MS, query_timeout: LOOK_MS })
    alone.on('error', () => {})
    try {
      await alone.connect()
      await alone.query('SELECT 1')
    } finally {
      alone.end().catch(() => {})
    }
  }

  const query: Sql['query'] = statement => retried(() => connected((send, firstMs) => ask(send, statement, firstMs)))
  return {
    query,
    orm: ormOver((query, values) => connected((send, firstMs) => send(query, values, firstMs))),
    transaction: (work, options = {}) => retried(() => attempt(work, options)),
    connections: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      max: connections,
      waiting: pool.waitingCount,
    }),
    silentMs: () => (unansweredSince === null ? 0 : performance.now() - unansweredSince),
    async look() {
      if (unansweredSince === null) return 'answers'
      const isHeard = (asked: Promise<unknown>) =>
        within(
          LOOK_MS,
          asked.then(
            () => true,
            () => false,
          ),
          () => false,
        )
      if (await isHeard(query({ text: 'SELECT 1' }))) return 'answers'
      return (await isHeard(askAlone())) ? 'stuck' : 'silent'
    },
    close: () => pool.end(),
  }
}
