import { execFile, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installDebianPackage } from './debian.ts'
import { type Listening, listen } from './listen.ts'
import { projectRoot } from './os-process.ts'
import { findFreePort } from './ports.ts'
import { type S3, startS3 } from './s3.ts'
import { createAuthority, createCertificate } from './x509.ts'

// deploy/backup.sh with Debian's PostgreSQL, pgBackRest and restic, and a bucket: saved, lost and brought back.

const VERSION = 15
const BIN = `/usr/lib/postgresql/${VERSION}/bin`
const run = promisify(execFile)
const has = (name: string) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0
/** Only root may work as the database's user and read everybody's files, as the script does. */
const isRoot = process.getuid?.() === 0
if (isRoot) for (const name of ['pgbackrest', 'restic', 'curl']) if (!has(name)) installDebianPackage(name)
if (isRoot && !existsSync(BIN)) installDebianPackage(`postgresql-${VERSION}`)
const isThere = isRoot && existsSync(BIN) && has('pgbackrest') && has('restic')

const folder = mkdtempSync(join(tmpdir(), 'backup-'))
const [data, files] = [join(folder, 'data'), join(folder, 'files')]
const MARK = 'a slip that nobody else may read'
let s3: S3
let watcher: Listening
let pings = 0
let env: Record<string, string | undefined>
let port: number

const script = (...args: string[]) => run(join(projectRoot, 'deploy/backup.sh'), args, { env, cwd: '/' })
const asPostgres = (program: string, args: string[]) =>
  run('runuser', ['-u', 'postgres', '--', join(BIN, program), ...args], { cwd: '/', env })
const ctl = (...args: string[]) => asPostgres('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), ...args])

async function ask(text: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ host: folder, port, user: 'postgres', database: 'postgres' })
  await client.connect()
  return client
    .query(text)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

beforeAll(async () => {
  if (!isThere) return
  spawnSync('chmod', ['755', folder])
  const authority = createAuthority('backup')
  const ca = join(folder, 'ca.pem')
  writeFileSync(ca, authority.cert)
  s3 = await startS3('shop', 'a-key', createCertificate('s3', ['localhost'], authority))
  watcher = await listen(
    createServer((_, response) => {
      pings++
      response.end()
    }),
    0,
  )
  port = await findFreePort()
  env = {
    PATH: `${BIN}:${process.env.PATH}`,
    BACKUP_S3_ENDPOINT: `localhost:${s3.port}`,
    BACKUP_S3_REGION: 'here',
    BACKUP_S3_BUCKET: 'shop',
    BACKUP_S3_KEY: 'a-key',
    BACKUP_S3_SECRET: 'a-secret',
    BACKUP_PASSPHRASE: 'a passphrase of the test',
    BACKUP_PING_URL: watcher.origin,
    PGDATA: data,
    FILES_DIR: files,
    // Where this machine's own differ from a shop's.
    PGBACKREST_PG1_PORT: String(port),
    PGBACKREST_PG1_SOCKET_PATH: folder,
    PGBACKREST_REPO1_STORAGE_CA_FILE: ca,
    PGBACKREST_LOCK_PATH: join(folder, 'lock'),
    SSL_CERT_FILE: ca,
  }
  for (const dir of [data, join(folder, 'lock')]) mkdirSync(dir)
  spawnSync('chown', ['-R', 'postgres', folder])
  mkdirSync(join(files, 'slips'), { recursive: true })
  await asPostgres('initdb', ['-D', data, '--auth=trust', '--locale=C.UTF-8', '--encoding=UTF8'])
  const command = `${projectRoot}/deploy/backup.sh pgbackrest-push %p`
  appendFileSync(
    join(data, 'postgresql.conf'),
    `port=${port}\nlisten_addresses=''\nunix_socket_directories='${folder}'\narchive_mode=on\narchive_command='${command}'\n`,
  )
  await ctl('start')
})
afterAll(async () => {
  if (isThere) {
    await ctl('stop', '-m', 'immediate').catch(() => undefined)
    await s3.stop()
    await watcher.stop()
  }
  rmSync(folder, { recursive: true, force: true })
})

test.skipIf(!isThere)('what is saved comes back: the database to a moment, the files as they were', async () => {
  writeFileSync(join(files, 'slips/one.jpg'), MARK)
  await script('begin')
  await script('begin')
  await ask(`CREATE TABLE told AS SELECT '${MARK}' AS word`)
  await script('run')
  expect(pings).toBe(1)
  expect((await script('info')).stdout).toMatch(/full backup: [\s\S]+ shop /)

  // Of what comes after the base copy, the log brings back what was until the moment.
  await ask(`INSERT INTO told VALUES ('before')`)
  const [{ moment }] = (await ask('SELECT now()::text AS moment')) as [{ moment: string }]
  await ask(`INSERT INTO told VALUES ('after')`)
  await script('run')
  expect(pings).toBe(2)
  // Off the machine nobody can read it.
  expect(s3.objects.size).toBeGreaterThan(10)
  for (const [name, body] of s3.objects) expect(body.includes(MARK), name).toBe(false)

  await ctl('stop', '-m', 'immediate')
  rmSync(data, { recursive: true })
  rmSync(files, { recursive: true })
  mkdirSync(data, { mode: 0o700 })
  spawnSync('chown', ['postgres', data])
  await script('restore-database', moment)
  await ctl('start')
  await expect.poll(() => ask('SELECT word FROM told')).toEqual([{ word: MARK }, { word: 'before' }])
  await script('restore-files', files)
  expect(readFileSync(join(files, 'slips/one.jpg'), 'utf8')).toBe(MARK)
})

test.skipIf(!isThere)('a backup that fails says so, and its watcher is not told', async () => {
  s3.fail()
  const told = pings
  await expect(script('run')).rejects.toThrow()
  expect(pings).toBe(told)
})
