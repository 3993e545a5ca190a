import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, openDatabase } from 'functions/src/database/database.ts'
import { asApplication, migrate } from 'functions/src/database/migrate.ts'
import { type BenchServer, startServer } from '../bench/site.ts'
import { projectRoot, signalProcess, waitFor } from '../os-process.ts'
import { findFreePort, isFree } from '../ports.ts'
import { crashPostgres, createDatabase, discardPostgres, startPostgres } from '../postgres.ts'
import { makeFeedKey, movedTo, packServer, startOutside, stock, type WorkingShop } from './shop.ts'

const CONNECTIONS = 10

const localDir = join(projectRoot, '.local', 'soak')
const dataDir = join(localDir, 'postgres')
const filesDir = join(localDir, 'files')

/** The two servers that are killed, and the one that never is: it shows what becomes of memory. */
const SLOTS = ['a', 'b', 'witness'] as const
type Slot = (typeof SLOTS)[number]

/** Everything that the run uses, and the ways to break it. */
export interface SoakSite extends WorkingShop {
  /** The servers that answer now. */
  live(): { slot: Slot; origin: string; pid: number }[]
  /** Kills by SIGKILL, and resolves when it is there again. */
  killServer(slot: Slot): Promise<void>
  killRelay(): Promise<void>
  /** One session's process: PostgreSQL then ends all others and recovers. */
  killBackend(): Promise<void>
  /** Every process of PostgreSQL. */
  killCluster(): Promise<void>
  /** Ends the servers in order, and leaves the database. */
  stopServers(): Promise<void>
  stop(): Promise<void>
}

export async function startSoakSite(packages: number): Promise<SoakSite> {
  await discardPostgres(dataDir)
  rmSync(localDir, { recursive: true, force: true })
  mkdirSync(filesDir, { recursive: true })
  const serverFile = await packServer(join(localDir, 'packed'))
  const port = await findFreePort()
  const postgres = await startPostgres({ port, dataDir })
  const undo: (() => Promise<unknown>)[] = [() => discardPostgres(dataDir)]
  const stop = async () => {
    for (const step of undo.toReversed()) await step()
  }
  try {
    const databaseUrl = await createDatabase(postgres.url, 'shop')
    await migrate(databaseUrl)
    const db = openDatabase(databaseUrl, { connections: 4, timeoutMs: { connect: 5000 } })
    undo.push(() => db.close())
    const stocked = await stock(db, packages)
    const fleet = openFleet()
    undo.push(fleet.stop)
    const outside = await startOutside(fleet.live)
    undo.push(outside.stop)
    const { bank, gateway, supplier } = outside
    const relay = await startRelay(new URL(supplier.origin).port)
    undo.push(async () => relay.end())
    const throughRelay = (of: Record<string, string>) => movedTo(of, supplier.origin, `http://127.0.0.1:${relay.port}`)
    const environment = { ...throughRelay(outside.environment), DATABASE_CONNECTIONS: String(CONNECTIONS) }
    await fleet.start(() => startServer(asApplication(databaseUrl), filesDir, { file: serverFile, environment }))
    const feedKey = await makeFeedKey(fleet.live()[0]!.origin)
    return {
      db,
      bank,
      supplier,
      supplierEnvironment: throughRelay(supplier.environment),
      gateway,
      feedKey,
      ...stocked,
      live: fleet.live,
      killServer: fleet.kill,
      killRelay: relay.kill,
      killBackend: () => killBackend(db),
      async killCluster() {
        crashPostgres(postgres.dataDir)
        await startPostgres({ port, dataDir })
      },
      stopServers: fleet.stop,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function openFleet() {
  const running = new Map<Slot, BenchServer>()
  let startOne: (() => Promise<BenchServer>) | undefined
  let isStopping = false
  const start = async (slot: Slot) => {
    while (!isStopping) {
      // A server that starts while the database recovers may give up.
      const server = await startOne!().catch(() => null)
      if (server) return void running.set(slot, server)
    }
  }
  const live = () => [...running].map(([slot, { origin, pid }]) => ({ slot, origin, pid }))
  return {
    live,
    async start(make: () => Promise<BenchServer>) {
      startOne = make
      for (const slot of SLOTS) await start(slot)
    },
    async kill(slot: Slot) {
      const server = running.get(slot)
      running.delete(slot)
      if (server) signalProcess(server.pid, 'SIGKILL')
      await start(slot)
    },
    async stop() {
      isStopping = true
      await Promise.all([...running.values()].map(server => server.stop()))
      running.clear()
    },
  }
}

async function startRelay(port: string) {
  const ownPort = await findFreePort()
  const file = join(projectRoot, 'local/soak/relay.ts')
  const start = async () => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, String(ownPort), port], {
      stdio: 'ignore',
    })
    await waitFor(async () => !(await isFree(ownPort)), 10_000)
    return child
  }
  let child = await start()
  return {
    port: ownPort,
    async kill() {
      child.kill('SIGKILL')
      child = await start()
    },
    end: () => void child.kill('SIGKILL'),
  }
}

async function killBackend(db: Database): Promise<void> {
  const [row] = await db.query<{ pid: number }>({
    text: `SELECT pid FROM pg_stat_activity WHERE usename = 'shop_app' ORDER BY random() LIMIT 1`,
  })
  if (row) signalProcess(row.pid, 'SIGKILL')
  // PostgreSQL ends every session, this one too, and recovers.
  await waitFor(() => db.query({ text: 'SELECT 1' }).catch(() => undefined), 60_000)
}
