import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installDebianPackage } from './debian.ts'
import { waitFor } from './os-process.ts'
import { findFreePort } from './ports.ts'
import { findServerUser, makeServerDir } from './postgres-user.ts'

/** PgBouncer in transaction mode before a database, as production may have it. */
export interface Pooler {
  /** The same database through it. */
  url: string
  pid: number
  stop(): Promise<void>
}

const usualPaths = [
  '/usr/sbin/pgbouncer',
  '/usr/bin/pgbouncer',
  '/opt/homebrew/bin/pgbouncer',
  '/usr/local/bin/pgbouncer',
]

export const findPgbouncer = (): string | undefined => usualPaths.find(path => existsSync(path))

/** Whether tests behind it are left out: where it can't be had, but never in CI. */
export const isWithoutPgbouncer = (): boolean => !findPgbouncer() && !process.env.CI

/** Installs it where there is none; throws where that doesn't work. */
export function installPgbouncer(): void {
  if (!findPgbouncer()) installDebianPackage('pgbouncer')
  if (!findPgbouncer())
    throw new Error('No PgBouncer was found, so nothing is tested behind a pooler. Install pgbouncer.')
}

/** Starts one of its own for the database and the role of `databaseUrl`, with so many connections to the server. */
export async function startPooler(databaseUrl: string, connections = 20): Promise<Pooler> {
  const program = findPgbouncer()
  if (!program) throw new Error('PgBouncer is not installed.')
  const { hostname, port, pathname, username } = new URL(databaseUrl)
  const ownPort = await findFreePort()
  const dir = mkdtempSync(join(tmpdir(), 'pooler-'))
  const user = findServerUser(dir)
  makeServerDir(user, dir)
  const users = join(dir, 'users.txt')
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: ownPort,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: users,
    pool_mode: 'transaction',
    default_pool_size: connections,
    max_client_conn: 500,
    log_connections: 0,
    log_disconnections: 0,
    log_stats: 0,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  const file = join(dir, 'pgbouncer.ini')
  writeFileSync(users, `"${username}" ""\n`)
  writeFileSync(file, `[databases]\n* = host=${hostname} port=${port}\n[pgbouncer]\n${lines.join('\n')}\n`)
  const child = spawn(program, [file], { ...user, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk).slice(-4000)
    })
  const stop = async () => {
    process.off('exit', end)
    const isRunning = child.exitCode === null && child.signalCode === null
    const gone = isRunning && once(child, 'exit')
    end()
    await gone
    rmSync(dir, { recursive: true, force: true })
  }
  if (!(await waitFor(() => answers(ownPort), 10_000))) {
    await stop()
    throw new Error(`PgBouncer did not start:\n${output}`)
  }
  return { url: `postgresql://${username}@127.0.0.1:${ownPort}${pathname}`, pid: child.pid!, stop }
}

function answers(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}
