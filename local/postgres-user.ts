import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { projectRoot } from './os-process.ts'

/** Who runs the database server; undefined ids mean whoever runs us. */
export interface ServerUser {
  uid?: number
  gid?: number
}

/** Where the server's programs and data are, reachable for the user who runs it. */
export interface ServerPlace {
  user: ServerUser
  binDir: string
  dataDir: string
}

/**
 * Finds a user and folders with which PostgreSQL can run. PostgreSQL refuses to run as root, so root hands it to the
 * owner of the data, else of the checkout, else to `postgres` or `nobody`. When that user may not reach the checkout (it
 * is under /root, say), programs and data go to a folder in /var/tmp, which outlives a reboot.
 */
export function findServerPlace(nativeDir: string, dataDir: string): ServerPlace {
  const user = findServerUser(dataDir)
  const binDir = join(nativeDir, 'bin')
  mkdirSync(dirname(dataDir), { recursive: true })
  if (user.uid === undefined) return { user, binDir, dataDir }
  return {
    user,
    binDir: canRun(user, join(binDir, 'postgres')) ? binDir : copyPrograms(nativeDir),
    dataDir: canEnter(user, dirname(dataDir)) ? dataDir : join(openShelter(), basename(dataDir)),
  }
}

/** Creates a folder that belongs to the server's user alone. */
export function makeServerDir(user: ServerUser, path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (user.uid !== undefined && user.gid !== undefined) chownSync(path, user.uid, user.gid)
}

/** Who may run a database's programs, which refuse to run as root. */
export function findServerUser(dataDir: string): ServerUser {
  if (process.getuid?.() !== 0) return {}
  for (const path of [dataDir, projectRoot]) {
    const owner = existsSync(path) ? statSync(path) : undefined
    if (owner && owner.uid !== 0 && ask('id', ['-un', String(owner.uid)])) return { uid: owner.uid, gid: owner.gid }
  }
  for (const name of ['postgres', 'nobody']) {
    const uid = ask('id', ['-u', name])
    const gid = ask('id', ['-g', name])
    // `| 0`: macOS prints nobody's -2 as 4294967294.
    if (uid && gid) return { uid: Number(uid) | 0, gid: Number(gid) | 0 }
  }
  throw new Error(
    'Neither PostgreSQL nor PgBouncer runs as root, and there is no user "postgres" or "nobody" to run it as.',
  )
}

function ask(command: string, args: string[]): string {
  return spawnSync(command, args, { encoding: 'utf8' }).stdout?.trim() ?? ''
}

function canRun(user: ServerUser, program: string): boolean {
  return spawnSync(program, ['--version'], { ...user, cwd: '/' }).status === 0
}

function canEnter(user: ServerUser, dir: string): boolean {
  return spawnSync('test', ['-x', dir], { ...user, cwd: '/' }).status === 0
}

/** One folder per checkout, made by root and writable for root alone, so that no other user can put programs there. */
function openShelter(): string {
  const id = createHash('sha256').update(projectRoot).digest('hex').slice(0, 12)
  const shelter = join('/var/tmp', `topup-shop-${id}`)
  mkdirSync(shelter, { recursive: true })
  if (statSync(shelter).uid !== 0) throw new Error(`${shelter} belongs to another user; remove it and start again.`)
  chmodSync(shelter, 0o755)
  return shelter
}

/** Copied once per version, under another name first, so that a copy cut short is not taken for a whole one. */
function copyPrograms(nativeDir: string): string {
  const { version } = JSON.parse(readFileSync(join(nativeDir, '..', 'package.json'), 'utf8')) as { version: string }
  const copy = join(openShelter(), `postgresql-${version}`)
  if (!existsSync(copy)) {
    rmSync(`${copy}.new`, { recursive: true, force: true })
    cpSync(nativeDir, `${copy}.new`, { recursive: true, verbatimSymlinks: true })
    spawnSync('chmod', ['-R', 'a+rX', `${copy}.new`])
    renameSync(`${copy}.new`, copy)
  }
  return join(copy, 'bin')
}
