// A machine as a company rents it out: an empty Debian with its own systemd, processes, network and disk, and with nothing
// left of it afterwards. Its root is an overlay over a Debian that debootstrap made once. Needs the rights of root.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { installDebianPackage } from '../../debian.ts'
import { findChildren, getCommandLine, listenTo, signalProcess, waitFor } from '../../os-process.ts'
import { ip } from '../ha/network.ts'

const NAME = 'shop-one'
const [OUTER, INNER] = ['one-out', 'one-in']
/** Where everybody else is, seen from the machine. */
export const OUTSIDE = '10.78.0.1'
export const ADDRESS = '10.78.0.2'
const SUITE = 'trixie'
/** Debian as its smallest image has it; the page asks for the rest. */
const BASE = 'systemd-sysv,dbus,ca-certificates,iproute2'
const BOOT_MS = 60_000
const SHOWN_CHARACTERS = 4000
const AUTHORITY = '/usr/local/share/ca-certificates/rehearsal.crt'
/** All authorities that the machine trusts; Node has its own, and is told of these. */
const TRUSTED = '/etc/ssl/certs/ca-certificates.crt'

export interface Machine {
  /** Where a file of the machine lies for us. */
  path(file: string): string
  /** Root's terminal: what one block sets, the next one has. Rejects with what was said once a command fails. */
  type(commands: string): Promise<string>
  /** Runs commands in a terminal of their own. */
  run(commands: string): Promise<string>
}

function run(program: string, ...args: string[]): void {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`)
}

const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

/** Makes the Debian under each run's overlay, where there is none yet. */
export function installDebian(dir: string): void {
  if (!has('debootstrap')) installDebianPackage('debootstrap')
  if (!has('systemd-nspawn')) installDebianPackage('systemd-container')
  const [whole, making] = [join(dir, SUITE), join(dir, 'making')]
  if (existsSync(whole)) return
  rmSync(making, { recursive: true, force: true })
  mkdirSync(dir, { recursive: true })
  run('debootstrap', '--variant=minbase', `--include=${BASE}`, SUITE, making)
  renameSync(making, whole)
}

function removeNetwork(): void {
  spawnSync('ip', ['netns', 'del', NAME])
  spawnSync('ip', ['link', 'del', OUTER])
}

export function makeNetwork(undo: (() => Promise<void>)[]): void {
  removeNetwork()
  undo.push(async () => removeNetwork())
  ip('netns', 'add', NAME)
  ip('link', 'add', OUTER, 'type', 'veth', 'peer', 'name', INNER)
  ip('link', 'set', INNER, 'netns', NAME)
  ip('addr', 'add', `${OUTSIDE}/24`, 'dev', OUTER)
  ip('link', 'set', OUTER, 'up')
  ip('-n', NAME, 'addr', 'add', `${ADDRESS}/24`, 'dev', INNER)
  for (const link of [INNER, 'lo']) ip('-n', NAME, 'link', 'set', link, 'up')
}

/** Mounts the machine's root, and says into its files what makes it find these names and trust that authority. */
function layDisk(dir: string, authority: string, names: readonly string[]): { root: string; clear(): void } {
  const folders = ['upper', 'work', 'root'].map(each => join(dir, each))
  const [upper, work, root] = folders as [string, string, string]
  const clear = () => {
    spawnSync('umount', ['-q', root])
    for (const each of folders) rmSync(each, { recursive: true, force: true })
  }
  clear()
  for (const each of folders) mkdirSync(each)
  run('mount', '-t', 'overlay', 'overlay', '-o', `lowerdir=${join(dir, SUITE)},upperdir=${upper},workdir=${work}`, root)
  const write = (file: string, content: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), content)
  }
  write('/etc/hosts', ['127.0.0.1 localhost shop', ...names.map(each => `${OUTSIDE} ${each}`), ''].join('\n'))
  write(AUTHORITY, authority)
  write('/etc/systemd/system.conf.d/trusted.conf', `[Manager]\nDefaultEnvironment=NODE_EXTRA_CA_CERTS=${TRUSTED}\n`)
  // Nobody needs this disk after a power cut, and many packages are laid on it.
  write('/etc/dpkg/dpkg.cfg.d/quick', 'force-unsafe-io\n')
  return { root, clear }
}

/** Starts it in the network that was made. What `undo` holds afterwards ends it, also while it starts. */
export async function startMachine(
  dir: string,
  authority: string,
  names: readonly string[],
  undo: (() => Promise<void>)[],
): Promise<Machine> {
  const { root, clear } = layDisk(dir, authority, names)
  const init = boot(dir, root)
  const isGone = once(init, 'close')
  const findSystemd = () => findChildren(init.pid!).find(isSystemd)
  undo.push(async () => {
    // Of its first process all others end.
    signalProcess(findSystemd() ?? init.pid!, 'SIGKILL')
    await isGone
    clear()
  })
  const pid = await waitFor(findSystemd, BOOT_MS)
  if (!pid) throw new Error(`The machine did not start: ${readFileSync(join(dir, 'boot.log'), 'utf8')}`)
  const machine = open(pid, file => join(root, file))
  await machine.run('until systemctl is-system-running --wait; do sleep 1; done; update-ca-certificates')
  return machine
}

/** Before it is, its namespaces are not whole. */
const isSystemd = (pid: number) => getCommandLine(pid)?.startsWith('/usr/lib/systemd/systemd') ?? false

/** systemd as process 1 of its own namespaces; nothing of it is known to this machine's systemd. */
function boot(dir: string, root: string): ChildProcess {
  const flags = ['--boot', '--quiet', '--register=no', '--keep-unit', '--console=pipe', '--hostname=shop']
  // Its firewall is its own.
  const own = ['--capability=CAP_NET_ADMIN', `--directory=${root}`, `--network-namespace-path=/run/netns/${NAME}`]
  const kept = ['--resolv-conf=off', '--timezone=off', '--link-journal=no']
  const script = `exec systemd-nspawn "$@" >"$0" 2>&1`
  return spawn('sh', ['-c', script, join(dir, 'boot.log'), ...flags, ...own, ...kept], {
    env: { PATH: process.env.PATH, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' },
    stdio: 'ignore',
  })
}

function open(pid: number, path: Machine['path']): Machine {
  const login = () => {
    const shell = spawn('nsenter', ['--all', `--target=${pid}`, '--wdns=/root', 'bash', '-euo', 'pipefail'], {
      env: {
        PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        HOME: '/root',
        LANG: 'C.UTF-8',
        NODE_EXTRA_CA_CERTS: TRUSTED,
      },
    })
    const getOutput = listenTo(shell)
    // That it has ended is told by its end.
    shell.stdin.on('error', () => undefined)
    let isOver = false
    const over = once(shell, 'close').then(() => {
      isOver = true
    })
    let nth = 0
    const type = async (commands: string) => {
      const from = getOutput().length
      const mark = `-- ${++nth} is done --`
      // Nothing that runs may read the next block from the terminal.
      shell.stdin.write(`{\n${commands}\n} </dev/null 2>&1\necho '${mark}'\n`)
      while (!getOutput().includes(mark) && !isOver) await Promise.race([once(shell.stdout, 'data'), over])
      const said = getOutput().slice(from).replace(`${mark}\n`, '')
      if (!getOutput().includes(mark)) throw new Error(`${commands}\n${said.slice(-SHOWN_CHARACTERS)}`)
      return said
    }
    return { type, leave: () => shell.stdin.end() }
  }
  let terminal: ReturnType<typeof login> | undefined
  return {
    path,
    type(commands) {
      terminal ??= login()
      return terminal.type(commands)
    },
    async run(commands) {
      const { type, leave } = login()
      return type(commands).finally(leave)
    },
  }
}
