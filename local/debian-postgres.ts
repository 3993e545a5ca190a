import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findFreePort } from './ports.ts'
import { findServerUser, makeServerDir } from './postgres-user.ts'

/** A server of a Debian package, for tests on another version than the one from npm. */
export interface DebianPostgres {
  /** Connection string of its superuser and the maintenance database. */
  url: string
  stop(): Promise<void>
}

const run = promisify(execFile)
const binDirOf = (version: number) => `/usr/lib/postgresql/${version}/bin`

export const hasDebianPostgres = (version: number): boolean => existsSync(join(binDirOf(version), 'initdb'))

/** Makes the locale that most rented servers have, where the tools for it are; C.UTF-8 is always there. */
function makeLocale(dir: string): { name: string; environment: Record<string, string> } {
  const made = spawnSync('localedef', ['-i', 'en_US', '-f', 'UTF-8', join(dir, 'en_US.UTF-8')])
  if (made.status !== 0) return { name: 'C.UTF-8', environment: {} }
  return { name: 'en_US.UTF-8', environment: { LOCPATH: dir } }
}

/** Starts a fresh cluster of that version whose standard collation is en_US, in a folder that `stop` removes. */
export async function startDebianPostgres(version: number): Promise<DebianPostgres> {
  const dir = mkdtempSync(join(tmpdir(), 'debian-postgres-'))
  const user = findServerUser(dir)
  makeServerDir(user, dir)
  const port = await findFreePort()
  const locale = makeLocale(dir)
  spawnSync('chmod', ['-R', 'a+rX', dir])
  const data = join(dir, 'data')
  const log = join(dir, 'log')
  const tool = (name: string, args: string[]) =>
    run(join(binDirOf(version), name), args, {
      ...user,
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', ...locale.environment },
    })
  const settings = ['listen_addresses=127.0.0.1', "unix_socket_directories=''", 'fsync=off', 'timezone=UTC']
  const flags = [`-p ${port}`, ...settings.map(setting => `-c ${setting}`)].join(' ')
  await tool('initdb', ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', `--locale=${locale.name}`])
  await tool('pg_ctl', ['start', '-D', data, '-w', '-l', log, '-o', flags]).catch(() => {
    throw new Error(`PostgreSQL ${version} did not start:\n${existsSync(log) ? readFileSync(log, 'utf8') : ''}`)
  })
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      await tool('pg_ctl', ['stop', '-D', data, '-m', 'immediate', '-w']).catch(() => undefined)
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
