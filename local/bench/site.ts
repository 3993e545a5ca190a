import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEVELOPMENT_PIN_KEYS } from 'functions/src/account/pins.ts'
import { asApplication, migrate } from 'functions/src/database/migrate.ts'
import { RATE_LIMIT } from 'functions/src/http/rate-limit.ts'
import { seedDemoData } from '../demo-data.ts'
import { projectId } from '../firebase-emulators.ts'
import { getMark, projectRoot, spawnNode, stopGroup, waitFor } from '../os-process.ts'
import { findFreePort } from '../ports.ts'
import { createDatabase, discardPostgres, startPostgres } from '../postgres.ts'
import { getTreeMs } from './processor.ts'
import { type Shelf, stockShelf } from './shelf.ts'

/** What the benchmarks run against. */
export interface BenchSite {
  /** Connection string of the maintenance database. */
  postgresUrl: string
  /** Connection string of the shop's database, for its owner. */
  databaseUrl: string
  filesDir: string
  shelf: Shelf
  server: BenchServer
  /** Processor time that PostgreSQL's processes have used; NaN where the system does not tell. */
  getDatabaseMs(): number
  stop(): Promise<void>
}

export interface BenchServer {
  /** `http://localhost:port`. */
  origin: string
  pid: number
  stop(): Promise<void>
}

const startTimeoutMs = 30_000

/** Starts a PostgreSQL that writes to disk, with the demo shop, and the real server on it without its rate limits. */
export async function startBenchSite(): Promise<BenchSite> {
  const localDir = join(projectRoot, '.local', 'bench')
  const dataDir = join(localDir, 'postgres')
  const filesDir = join(localDir, 'files')
  mkdirSync(localDir, { recursive: true })
  // Rows that a killed run left behind would change the results.
  await discardPostgres(dataDir)
  const postgres = await startPostgres({ port: await findFreePort(), dataDir })
  try {
    const databaseUrl = await createDatabase(postgres.url, 'shop')
    await migrate(databaseUrl)
    await seedDemoData(databaseUrl, { filesDir })
    const shelf = await stockShelf(databaseUrl)
    const server = await startServer(asApplication(databaseUrl), filesDir)
    const stop = async () => {
      await server.stop()
      await discardPostgres(dataDir)
    }
    const postmaster = Number(readFileSync(join(postgres.dataDir, 'postmaster.pid'), 'utf8').split('\n')[0])
    const getDatabaseMs = () => getTreeMs(postmaster)
    return { postgresUrl: postgres.url, databaseUrl, filesDir, shelf, server, getDatabaseMs, stop }
  } catch (error) {
    await discardPostgres(dataDir)
    throw error
  }
}

interface ServerOptions {
  /** The server's file; its sources without one. */
  file?: string
  /** Variables beside those that every server here gets. */
  environment?: Record<string, string>
}

/** Of a server without rate limits that accepts the tokens of `headersOf`. */
export const serverEnvironment = (databaseUrl: string, filesDir: string): Record<string, string> => ({
  // As in production, no request is logged. The emulator's host makes the server accept unsigned tokens.
  NODE_ENV: 'test',
  FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1',
  GCLOUD_PROJECT: projectId,
  DATABASE_URL: databaseUrl,
  FILES_DIR: filesDir,
  PIN_KEYS: DEVELOPMENT_PIN_KEYS,
  ...Object.fromEntries(Object.values(RATE_LIMIT).map(({ variable }) => [variable, String(2 ** 31)])),
})

export async function startServer(
  databaseUrl: string,
  filesDir: string,
  { file = 'functions/src/start/server.ts', environment }: ServerOptions = {},
): Promise<BenchServer> {
  const port = await findFreePort()
  const child = spawnNode([file], { ...serverEnvironment(databaseUrl, filesDir), PORT: String(port), ...environment })
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
