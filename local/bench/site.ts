import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEVELOPMENT_PIN_KEYS } from 'functions/src/account/pins.ts'
import { migrate } from 'functions/src/database/migrate.ts'
import { RATE_LIMIT } from 'functions/src/http/rate-limit.ts'
import pg from 'pg'
import { projectId } from '../auth-emulator.ts'
import { seedDemoData } from '../demo-data.ts'
import { getMark, projectRoot, spawnNode, stopGroup, waitFor } from '../os-process.ts'
import { findFreePort } from '../ports.ts'
import { createDatabase, discardPostgres, startPostgres } from '../postgres.ts'

/** What the benchmarks run against. */
export interface BenchSite {
  /** `http://localhost:port` of the server. */
  origin: string
  databaseUrl: string
  /** Processor time the server's process has used; NaN where the system does not tell. */
  getServerMs(): number
  /** Headers of a signed-in account of the demo shop. */
  headersOf(uid: string): Record<string, string>
  stop(): Promise<void>
}

const startTimeoutMs = 30_000

/** A durable PostgreSQL of its own with the demo shop, and the real server on it with its call limits out of the way. */
export async function startBenchSite(): Promise<BenchSite> {
  const localDir = join(projectRoot, '.local', 'bench')
  const dataDir = join(localDir, 'postgres')
  mkdirSync(localDir, { recursive: true })
  // What a killed run left would add to the numbers.
  await discardPostgres(dataDir)
  const postgres = await startPostgres({ port: await findFreePort(), dataDir })
  try {
    const databaseUrl = await createDatabase(postgres.url, 'shop')
    await migrate(databaseUrl)
    await seedDemoData(databaseUrl, { filesDir: join(localDir, 'files') })
    const server = await startServer(databaseUrl, join(localDir, 'files'))
    const stop = async () => {
      await server.stop()
      await discardPostgres(dataDir)
    }
    return { origin: server.origin, databaseUrl, getServerMs: () => getProcessMs(server.pid), headersOf, stop }
  } catch (error) {
    await discardPostgres(dataDir)
    throw error
  }
}

export async function startServer(
  databaseUrl: string,
  filesDir: string,
): Promise<{ origin: string; pid: number; stop(): Promise<void> }> {
  const port = await findFreePort()
  const unlimited = Object.values(RATE_LIMIT).map(({ variable }) => [variable, String(2 ** 31)])
  const child = spawnNode(['functions/src/server.ts'], {
    // As in production no line per request is printed; the emulator's unsigned tokens let anybody be signed in.
    NODE_ENV: 'test',
    FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1',
    GCLOUD_PROJECT: projectId,
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    FILES_DIR: filesDir,
    PIN_KEYS: DEVELOPMENT_PIN_KEYS,
    ...Object.fromEntries(unlimited),
  })
  const pid = child.pid!
  const mark = getMark(pid)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk).slice(-4000)
    })
  }
  const origin = `http://127.0.0.1:${port}`
  const answers = () =>
    fetch(`${origin}/healthz`).then(
      reply => reply.ok,
      () => false,
    )
  if (!(await waitFor(answers, startTimeoutMs))) {
    await stopGroup(pid, mark, 3000)
    throw new Error(`The server did not start:\n${output}`)
  }
  return { origin, pid, stop: () => stopGroup(pid, mark, 5000) }
}

/** User and system time of a process, which Linux counts in hundredths of a second. */
function getProcessMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return Number.NaN
  }
}

/** The token the Auth emulator would give. */
export function headersOf(uid: string): Record<string, string> {
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: `https://securetoken.google.com/${projectId}`,
    aud: projectId,
    sub: uid,
    iat: now,
    auth_time: now,
    exp: now + 3600,
    // Managers don't come in by LINE.
    firebase: { sign_in_provider: 'password' },
  }
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return { authorization: `Bearer ${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.` }
}

/** Runs statements on a connection of their own; the last one's rows. */
export async function runSql<Row extends pg.QueryResultRow>(databaseUrl: string, ...texts: string[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    let rows: Row[] = []
    for (const text of texts) rows = (await client.query<Row>(text)).rows
    return rows
  } finally {
    await client.end()
  }
}
