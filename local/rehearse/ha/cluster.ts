// PostgreSQL on three machines, by the files of deploy/ha as they stand, and each machine's own way to whichever leads.
import { type ChildProcess, execFile, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, chownSync, copyFileSync, mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv, promisify } from 'node:util'
import { installDebianPackage } from '../../debian.ts'
import { projectRoot, waitFor } from '../../os-process.ts'
import { type Machine, makeNetwork, NETWORK, removeNetwork } from './network.ts'

const DATABASES = ['db1', 'db2', 'db3'] as const
const APPS = ['app1', 'app2', 'office'] as const
type DatabaseName = (typeof DATABASES)[number]
type AppName = (typeof APPS)[number]
const ENDS = { db1: 11, db2: 12, db3: 13, app1: 21, app2: 22, office: 31 }

const PACKAGES = ['patroni', 'etcd-server', 'etcd-client', 'haproxy', 'pgbackrest', 'postgresql-15', 'gettext-base']
const VERSION = 15
const DISK_MB = 1500
/** A unit starts its program again after this time. */
const RESTART_MS = 1000
const START_MS = 120_000
const REINIT_MS = 30_000
const SETTLED_MS = 8000
/** How long a machine takes to be switched on again. */
const BOOT_MS = 3000

interface Member {
  name: DatabaseName
  role: string
  state: string
  timeline?: number
  lagBytes: number | null
}

interface Told {
  members: (Member & { lag?: number | 'unknown' })[]
}

export interface Cluster {
  machines: Record<DatabaseName | AppName, Machine>
  databases: readonly DatabaseName[]
  passwords: Record<'superuser' | 'replication' | 'patroni', string>
  /** What Patroni says of all members; null where nobody answers. */
  members(): Promise<Member[] | null>
  leader(): Promise<DatabaseName>
  /** Waits until one leads and both others follow it, one of them synchronously. */
  whole(timeoutMs?: number): Promise<void>
  /** Starts a program that is started again when it ends, as by a unit, while its machine is on. */
  keep(name: DatabaseName | AppName, program: string, start: () => ChildProcess): void
  /** A program is not started again until that is allowed. Returns how to allow it. */
  forbid(name: DatabaseName | AppName, program: string): () => void
  /** The machine loses its power. */
  powerOff(name: DatabaseName | AppName): void
  powerOn(name: DatabaseName | AppName): Promise<void>
  /** Builds a standby anew, as the page says. */
  rebuild(name: DatabaseName): Promise<void>
  /** Builds anew whoever does not follow the leader's history, as the page says. Returns their names. */
  rebuildStrays(): Promise<string[]>
  /** Fills the database's disk. Returns how to free it. */
  fillDisk(name: DatabaseName): () => void
  /** Hands the lead to the standby that has everything, as the page says. */
  handOver(): Promise<void>
  /** People go on buying in this process meanwhile. */
  patronictl(...args: string[]): Promise<unknown>
  logOf(name: string): string
  stop(): void
}

const needed = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0

/** Debian's own services of these names are not ours, and are not started. */
function install(): void {
  if (!['patroni', 'etcd', 'haproxy', 'pgbackrest', 'envsubst'].some(needed)) return
  for (const name of PACKAGES) installDebianPackage(name)
  if (['patroni', 'etcd', 'haproxy', 'pgbackrest', 'envsubst'].some(needed))
    throw new Error(`The rehearsal needs Debian's packages ${PACKAGES.join(', ')}, and root.`)
}

const run = (command: string, args: string[]) => {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
  return stdout
}
const idOf = (flag: '-u' | '-g', user: string) => Number(run('id', [flag, user]))
const give = (path: string, user: string) => chownSync(path, idOf('-u', user), idOf('-g', user))

/** The folders of a machine, which its programs see at the usual places. */
const SEEN = [
  '/etc/default',
  '/etc/patroni',
  '/etc/haproxy',
  '/var/lib/etcd',
  '/var/lib/postgresql',
  '/var/run/postgresql',
]

/** Starts the cluster, and waits until it is whole. */
export async function startCluster(dir: string): Promise<Cluster> {
  install()
  cleanUp(dir)
  mkdirSync(dir, { recursive: true })
  chmodSync(dir, 0o755)
  const machines = makeNetwork(ENDS)
  const passwords = { superuser: secret(), replication: secret(), patroni: secret() }
  const site = { dir, machines, passwords }
  prepareBackups(site)
  for (const name of DATABASES) prepareDatabase(site, name)
  for (const name of APPS) prepare(site, name)
  // The office asks from outside of its machine.
  const ways = join(dir, 'office/etc/haproxy/haproxy.cfg')
  writeFileSync(ways, readFileSync(ways, 'utf8').replaceAll('127.0.0.1', machines.office.address))
  const cluster = openCluster(site)
  for (const name of DATABASES) cluster.keep(name, 'etcd', () => startEtcd(site, name))
  // One alone makes the cluster, so that the others copy it.
  cluster.keep('db1', 'patroni', () => startPatroni(site, 'db1'))
  if (!(await waitFor(async () => (await cluster.members())?.some(isLeading), START_MS)))
    throw new Error(`No database leads:\n${cluster.logOf('db1-patroni').slice(-3000)}`)
  for (const name of ['db2', 'db3'] as const) cluster.keep(name, 'patroni', () => startPatroni(site, name))
  await cluster.whole(START_MS)
  await saveFirst(site)
  for (const name of APPS) cluster.keep(name, 'haproxy', () => startHaproxy(site, name))
  return cluster
}

interface Site {
  dir: string
  machines: Cluster['machines']
  passwords: Cluster['passwords']
}

const secret = () => randomBytes(20).toString('hex')
const isLeading = ({ role, state }: Member) => role === 'leader' && state === 'running'
const isFollowing = ({ state }: Member) => state === 'running' || state === 'streaming'

function cleanUp(dir: string): void {
  removeNetwork()
  for (const name of DATABASES) spawnSync('umount', ['-q', '-l', join(dir, name, 'var/lib/postgresql')])
  rmSync(dir, { recursive: true, force: true })
}

/** The page's own step: machine.env filled in, and fill.sh. */
function prepare({ dir, machines, passwords }: Site, name: DatabaseName | AppName): string {
  const own = join(dir, name)
  for (const folder of SEEN) mkdirSync(join(own, folder), { recursive: true })
  const given: Record<string, string> = {
    NAME: name,
    ADDRESS: machines[name].address,
    DB1: machines.db1.address,
    DB2: machines.db2.address,
    DB3: machines.db3.address,
    NETWORK,
    POSTGRES_VERSION: `${VERSION}`,
    SUPERUSER_PASSWORD: passwords.superuser,
    REPLICATION_PASSWORD: passwords.replication,
    PATRONI_PASSWORD: passwords.patroni,
  }
  const text = readFileSync(join(projectRoot, 'deploy/ha/machine.env.example'), 'utf8')
  const asked = [...text.matchAll(/^(\w+)=/gm)].map(([, each]) => each!)
  if (asked.join() !== Object.keys(given).join()) throw new Error(`machine.env.example asks for ${asked.join(', ')}`)
  const file = join(own, 'machine.env')
  writeFileSync(file, asked.map(each => `${each}=${given[each]}\n`).join(''), { mode: 0o600 })
  run('sh', [join(projectRoot, 'deploy/ha/fill.sh'), file, join(own, 'etc')])
  return own
}

/** A disk of its own, so that it can be full. */
function prepareDatabase(site: Site, name: DatabaseName): void {
  const own = prepare(site, name)
  const [image, disk] = [join(own, 'disk'), join(own, 'var/lib/postgresql')]
  run('truncate', ['-s', `${DISK_MB}M`, image])
  run('mkfs.ext4', ['-q', image])
  run('mount', ['-o', 'loop', image, disk])
  mkdirSync(join(disk, `${VERSION}`), { recursive: true })
  for (const path of [disk, join(disk, `${VERSION}`), join(own, 'var/run/postgresql')]) give(path, 'postgres')
  run('chown', ['-R', 'etcd', join(own, 'var/lib/etcd')])
  chmodSync(join(own, 'var/lib/etcd'), 0o700)
  chmodSync(join(own, 'etc/patroni'), 0o755)
  give(join(own, 'etc/patroni/config.yml'), 'postgres')
}

/** The bucket is a folder here; everything else of deploy/ha/pgbackrest.conf is as it stands. */
function prepareBackups({ dir }: Site): void {
  const bucket = join(dir, 'bucket')
  mkdirSync(bucket)
  give(bucket, 'postgres')
  const text = readFileSync(join(projectRoot, 'deploy/ha/pgbackrest.conf'), 'utf8')
  const own = { type: 'posix', path: bucket, 'cipher-pass': secret() }
  const lines = text.split('\n').filter(line => !/^repo1-s3-/.test(line))
  const filled = lines.map(line =>
    line.replace(/^repo1-(type|path|cipher-pass)=.*/, (_, key: keyof typeof own) => `repo1-${key}=${own[key]}`),
  )
  writeFileSync(join(dir, 'pgbackrest.conf'), `${filled.join('\n')}\n`)
}

/** Runs a program on a machine as a user, with the machine's folders at the usual places. */
function startAs(
  { dir, machines }: Site,
  name: DatabaseName | AppName,
  user: string,
  command: string,
  environment = {},
): ChildProcess {
  const own = join(dir, name)
  const binds = SEEN.map(folder => `mkdir -p ${folder} && mount --bind ${own}${folder} ${folder}`)
  const lock = `mkdir -p ${own}/tmp ${own}/log && chown ${user} ${own}/tmp ${own}/log`
  const start = `exec setpriv --reuid=${user} --regid=$(id -g ${user}) --init-groups ${command}`
  return machines[name].start(['sh', '-ec', [...binds, lock, start].join('\n')], {
    environment: {
      ...environment,
      PGBACKREST_CONFIG: join(dir, 'pgbackrest.conf'),
      PGBACKREST_LOCK_PATH: join(own, 'tmp'),
      PGBACKREST_LOG_PATH: join(own, 'log'),
      PGBACKREST_SPOOL_PATH: join(own, 'tmp'),
    },
    log: logFile(dir, name, command.split(' ')[0]!),
  })
}

/** The page's own commands, on the machine that leads. */
async function saveFirst(site: Site): Promise<void> {
  for (const command of ['stanza-create', '--type=full backup']) {
    const child = startAs(site, 'db1', 'postgres', `pgbackrest --stanza=shop ${command}`)
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`pgbackrest ${command} ended with ${code}.`)
  }
}

const logFile = (dir: string, name: string, program: string) => join(dir, `${name}-${program}.log`)
const startEtcd = (site: Site, name: DatabaseName) =>
  startAs(site, name, 'etcd', 'etcd', parseEnv(readFileSync(join(site.dir, name, 'etc/default/etcd'), 'utf8')))
const startPatroni = (site: Site, name: DatabaseName) =>
  startAs(site, name, 'postgres', 'patroni /etc/patroni/config.yml')
const startHaproxy = (site: Site, name: AppName) =>
  startAs(site, name, 'root', 'haproxy -db -f /etc/haproxy/haproxy.cfg')

function openCluster(site: Site): Cluster {
  const { dir, machines, passwords } = site
  const kept = new Map<string, { name: string; start: () => ChildProcess; program: string }>()
  const off = new Set<string>()
  const running = new Set<string>()
  let isOver = false
  const launch = (key: string) => {
    const { name, start } = kept.get(key)!
    if (isOver || off.has(name) || off.has(key) || running.has(key)) return
    running.add(key)
    // Not when its output closes: a PostgreSQL that outlives its Patroni holds that, and a second Patroni would come beside the next one.
    start().once('exit', () => {
      running.delete(key)
      setTimeout(launch, RESTART_MS, key)
    })
  }
  const ask = (name: DatabaseName, path: string) =>
    fetch(`http://${machines[name].address}:8008${path}`, { signal: AbortSignal.timeout(1000) })
  const members = async (): Promise<Member[] | null> => {
    for (const name of DATABASES) {
      const told = await ask(name, '/cluster')
        .then(reply => (reply.ok ? (reply.json() as Promise<Told>) : null))
        .catch(() => null)
      if (!told) continue
      const { members } = told
      return members.map(each => ({ ...each, lagBytes: typeof each.lag === 'number' ? each.lag : null }))
    }
    return null
  }
  const patronictl = (...args: string[]) =>
    promisify(execFile)('sh', [
      '-c',
      `PATRONICTL_CONFIG_FILE= patronictl -c ${dir}/db1/etc/patroni/config.yml "$@"`,
      'sh',
      ...args,
    ])
  const rebuild = async (name: DatabaseName) => {
    await patronictl('reinit', 'shop', name, '--force')
    // It says what it was until it begins.
    await waitFor(async () => (await members())?.some(each => each.name === name && !isFollowing(each)), REINIT_MS)
  }
  return {
    machines,
    databases: DATABASES,
    passwords,
    members,
    patronictl,
    async leader() {
      const led = await waitFor(async () => {
        const answers = await Promise.all(
          DATABASES.map(each =>
            ask(each, '/primary').then(
              ({ ok }) => ok,
              () => false,
            ),
          ),
        )
        return DATABASES.find((_, nth) => answers[nth])
      }, START_MS)
      if (!led) throw new Error('No database leads.')
      return led
    },
    async whole(timeoutMs = START_MS) {
      const isWhole = async () => {
        const all = await members()
        return (
          all?.length === DATABASES.length &&
          all.filter(isLeading).length === 1 &&
          all.every(isFollowing) &&
          all.some(({ role }) => role === 'sync_standby') &&
          all.every(
            ({ timeline, role, lagBytes }) =>
              timeline === all[0]!.timeline && (role === 'leader' || lagBytes === 0 || (lagBytes ?? 1e9) < 2 ** 20),
          )
        )
      }
      // Right after a change each says what it was: it must be so for as long as Patroni takes to look again, twice.
      let since: number | null = null
      const isSettled = async () => {
        since = (await isWhole()) ? (since ?? performance.now()) : null
        return since !== null && performance.now() - since > SETTLED_MS
      }
      if (await waitFor(isSettled, timeoutMs)) return
      throw new Error(`The cluster is not whole: ${JSON.stringify(await members())}`)
    },
    rebuild,
    async rebuildStrays() {
      const all = (await members()) ?? []
      const leader = all.find(isLeading)
      const strays = all.filter(({ timeline }) => leader && timeline !== leader.timeline).map(({ name }) => name)
      for (const name of strays) await rebuild(name)
      return strays
    },
    async handOver() {
      const all = (await members())!
      const to = all.find(({ role }) => role === 'sync_standby')!
      const third = all.find(each => each !== to && !isLeading(each))!
      const script = join(projectRoot, 'deploy/ha/hand-over.sh')
      const [code] = await once(startAs(site, third.name, 'root', `sh ${script} ${to.name}`), 'close')
      if (code !== 0) throw new Error(`hand-over.sh ended with ${code}.`)
    },
    keep(name, program, start) {
      kept.set(`${name} ${program}`, { name, start, program })
      launch(`${name} ${program}`)
    },
    forbid(name, program) {
      const key = `${name} ${program}`
      off.add(key)
      return () => {
        off.delete(key)
        launch(key)
      }
    },
    powerOff(name) {
      off.add(name)
      machines[name].kill()
    },
    async powerOn(name) {
      await new Promise(resolve => setTimeout(resolve, BOOT_MS))
      off.delete(name)
      for (const [key, each] of kept) if (each.name === name) launch(key)
    },
    fillDisk(name) {
      const disk = join(dir, name, 'var/lib/postgresql')
      const file = join(disk, 'full')
      const { bavail, bsize } = statfsSync(disk)
      spawnSync('dd', ['if=/dev/zero', `of=${file}`, `bs=${bsize}`, `count=${bavail + 100_000}`])
      return () => rmSync(file, { force: true })
    },
    logOf: name => readFileSync(join(dir, `${name}.log`), 'utf8'),
    stop() {
      isOver = true
      for (const machine of Object.values(machines)) machine.kill()
      const kept = join(dir, '../ha-logs')
      rmSync(kept, { recursive: true, force: true })
      mkdirSync(kept, { recursive: true })
      for (const name of run('ls', [dir])
        .split('\n')
        .filter(each => each.endsWith('.log')))
        copyFileSync(join(dir, name), join(kept, name))
      cleanUp(dir)
    },
  }
}
