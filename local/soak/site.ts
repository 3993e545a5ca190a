import { execFile, spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@shop/shared/client.ts'
import { createFeedKey } from '@shop/shared/statement/import-endpoints.ts'
import { type Database, openDatabase } from 'functions/src/database/database.ts'
import { asApplication, migrate } from 'functions/src/database/migrate.ts'
import { fixture, seedFixture } from 'functions/src/testing/fixture.ts'
import { addWallet } from 'functions/src/testing/wallet.ts'
import { headersOf } from '../bench/caller.ts'
import { type BenchServer, startServer } from '../bench/site.ts'
import { projectRoot, waitFor } from '../os-process.ts'
import { findFreePort, isFree } from '../ports.ts'
import { crashPostgres, createDatabase, discardPostgres, startPostgres } from '../postgres.ts'
import { type RunningSlipProvider, startSlipProvider } from '../slip-provider/server.ts'
import type { Callback } from '../supplier/api.ts'
import { type RunningSupplier, startSupplier } from '../supplier/server.ts'

/** The usual number of packages: prices of their own, because each price and account has 99 amounts, and each comes back six minutes after its use. */
export const PACKAGES = 200
/** Of those, the ones that the supplier delivers. */
const AUTOMATIC_SHARE = 0.2
export const AGENTS = 12
const OPENING_SATANG = 20_000_000
/** What a piece costs at the supplier, and the shop's money there. */
const COST = 10_000
export const BALANCE = 1_000_000_000
const CONNECTIONS = 10

const localDir = join(projectRoot, '.local', 'soak')
const dataDir = join(localDir, 'postgres')
const filesDir = join(localDir, 'files')

/** The two servers that are killed, and the one that never is: it shows what becomes of memory. */
const SLOTS = ['a', 'b', 'witness'] as const
type Slot = (typeof SLOTS)[number]

/** Everything that the run uses, and the ways to break it. */
export interface SoakSite {
  db: Database
  bank: RunningSlipProvider
  supplier: RunningSupplier
  supplierEnvironment: Record<string, string>
  feedKey: string
  packageIds: number[]
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
  const serverFile = await packServer()
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
    const bank = await startSlipProvider({ port: 0 })
    undo.push(bank.stop)
    const fleet = openFleet()
    undo.push(fleet.stop)
    const supplier = await startSupplier({ port: 0, products: [product], balanceSatang: BALANCE, tell: fleet.tell })
    const timer = setInterval(() => void supplier.tellDue(), 1000)
    undo.push(async () => clearInterval(timer), supplier.stop)
    const relay = await startRelay(new URL(supplier.origin).port)
    undo.push(async () => relay.end())
    const supplierEnvironment = throughRelay(supplier, relay.port)
    const environment = {
      ...bank.environment,
      SLIP_PROVIDER: 'slipok',
      SLIP_MONTHLY_QUOTA: '1000000',
      SLIP_CHECKS_PER_CUSTOMER_AND_DAY: '1000000',
      ...supplierEnvironment,
      SUPPLIER_TIMEOUT_MS: '5000',
      DATABASE_CONNECTIONS: String(CONNECTIONS),
    }
    await fleet.start(() => startServer(asApplication(databaseUrl), filesDir, { file: serverFile, environment }))
    const feedKey = await makeFeedKey(fleet.live()[0]!.origin)
    return {
      db,
      bank,
      supplier,
      supplierEnvironment,
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

const product = {
  id: '1001',
  category: { id: '7', name: 'PUBG Mobile' },
  name: '325 UC',
  priceSatang: COST,
  fields: ['user_id'],
}

async function packServer(): Promise<string> {
  const folder = join(localDir, 'packed')
  const args = ['--disable-warning=ExperimentalWarning', 'functions/build.ts', folder]
  await promisify(execFile)(process.execPath, args, { cwd: projectRoot })
  return join(folder, 'server.js')
}

/** The fixture shop with more packages, some of them delivered by the supplier, and resellers with full wallets. */
async function stock(db: Database, packages: number): Promise<Pick<SoakSite, 'packageIds'>> {
  const now = new Date()
  await seedFixture(db, now)
  const rows = await db.query<{ id: number }>({
    text: `WITH made AS (INSERT INTO package (game_id, name, position) SELECT $1, 'Soak ' || n, 100 + n
        FROM generate_series(1, $2::int) n RETURNING id, position)
      INSERT INTO package_price (package_id, payment, price_satang, start_day, is_active)
      SELECT id, p.payment, 20000 + position * 100, '2020-01-01', true FROM made, (VALUES ('bank'), ('wallet')) p (payment)
      RETURNING package_id AS id`,
    values: [fixture.pubg.id, packages],
  })
  const packageIds = [...new Set(rows.map(({ id }) => id))]
  await db.query({
    text: `UPDATE package SET cost_satang = $2, sources = jsonb_build_array(jsonb_build_object('supplier', 'seagm', 'sku', $3::text, 'costSatang', NULL)),
      is_automatic = true WHERE id = ANY($1)`,
    values: [packageIds.slice(0, Math.ceil(packages * AUTOMATIC_SHARE)), COST, product.id],
  })
  await db.query({ text: `INSERT INTO supplier (name, is_on) VALUES ('seagm', true)` })
  for (let n = 1; n <= AGENTS; n++) {
    const uid = `soak-${n}`
    await db.query({
      text: `INSERT INTO account (uid, username, providers, given_name, status, role, created_at)
        VALUES ($1, $1, '{password}', $1, 'active', 'agent', $2)`,
      values: [uid, now],
    })
    await addWallet(db, { uid, balanceSatang: OPENING_SATANG, pin: '1234', now })
  }
  return { packageIds }
}

async function makeFeedKey(origin: string): Promise<string> {
  const admin = createClient({ baseUrl: origin, headers: () => headersOf('admin') })
  const body = { name: 'soak', receivingAccountId: fixture.accounts.promptPay }
  return (await admin.call(createFeedKey, { body })).key
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
      if (server) signal(server.pid)
      await start(slot)
    },
    /** A callback goes to any of them. */
    async tell(callback: Callback) {
      const [one] = live()
      await fetch(`${one!.origin}/supplier/callback`, { method: 'POST', ...callback })
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

/** The supplier's address is that of the relay. */
const throughRelay = ({ environment, origin }: RunningSupplier, port: number): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value.replace(origin, `http://127.0.0.1:${port}`)]),
  )

async function killBackend(db: Database): Promise<void> {
  const [row] = await db.query<{ pid: number }>({
    text: `SELECT pid FROM pg_stat_activity WHERE usename = 'shop_app' ORDER BY random() LIMIT 1`,
  })
  if (row) signal(row.pid)
  // PostgreSQL ends every session, this one too, and recovers.
  await waitFor(() => db.query({ text: 'SELECT 1' }).catch(() => undefined), 60_000)
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself meanwhile.
  }
}
