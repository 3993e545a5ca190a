// The shop on its own machines beside the cluster: two packed servers, Caddy in front, and people at work in it.
import { mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type Database, openDatabase } from 'functions/src/database/database.ts'
import { migrate } from 'functions/src/database/migrate.ts'
import { serverEnvironment } from '../../bench/site.ts'
import { installCaddy, startCaddy } from '../../caddy.ts'
import { passOn } from '../../listen.ts'
import { projectRoot, waitFor } from '../../os-process.ts'
import { AGENTS, makeFeedKey, movedTo, packServer, startOutside, stock, type WorkingShop } from '../../soak/shop.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { OUTSIDE } from './network.ts'

const localDir = join(projectRoot, '.local', 'ha')
const SERVER_PASSWORD = 'the-password-of-shop_app'
const PORT = 8787
const PACKAGES = 300
/** Nobody's wallet is empty before the end. */
const BALANCE_SATANG = 2_000_000_000
/** Agents who buy almost without a pause. */
export const BUYERS = 4
const START_MS = 60_000

export interface HaSite extends WorkingShop {
  cluster: Cluster
  /** Where each server answers, past Caddy. */
  servers: Record<'app1' | 'app2', string>
  stop(): Promise<void>
}

export async function startHaSite(): Promise<HaSite> {
  installCaddy()
  const cluster = await startCluster(join(localDir, 'machines'))
  const undo: (() => unknown)[] = [cluster.stop]
  const stop = async () => {
    for (const step of undo.toReversed()) await step()
  }
  try {
    return { ...(await openShop(cluster, undo)), cluster, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function openShop(cluster: Cluster, undo: (() => unknown)[]): Promise<Omit<HaSite, 'cluster' | 'stop'>> {
  const files = join(localDir, 'files')
  rmSync(files, { recursive: true, force: true })
  for (const folder of [files, join(localDir, 'sites/storefront'), join(localDir, 'sites/admin')])
    mkdirSync(folder, { recursive: true })
  const serverFile = await packServer(join(localDir, 'packed'))
  const db = await openFromOutside(cluster, undo)
  const live = () => [{ origin: sites.storefront }]
  const stocked = await stock(db, PACKAGES, { agents: AGENTS + BUYERS, balanceSatang: BALANCE_SATANG })
  const outside = await startOutside(live)
  undo.push(outside.stop)
  for (const each of [outside.bank, outside.supplier, outside.gateway]) undo.push(reachable(each.origin))
  const databaseUrl = `postgresql://shop_app:${SERVER_PASSWORD}@127.0.0.1:5432/shop`
  const environment = {
    ...serverEnvironment(databaseUrl, files),
    ...movedTo(outside.environment, '127.0.0.1', OUTSIDE),
    PORT: `${PORT}`,
    DATABASE_CONNECTIONS: '10',
  }
  const servers = { app1: '', app2: '' }
  for (const name of ['app1', 'app2'] as const) {
    const machine = cluster.machines[name]
    const log = join(localDir, 'machines', `${name}-server.log`)
    const command = [process.execPath, '--disable-warning=ExperimentalWarning', serverFile]
    cluster.keep(name, 'server', () =>
      machine.start(command, { environment: { ...environment, HOST: machine.address }, log }),
    )
    servers[name] = `http://${machine.address}:${PORT}`
  }
  for (const origin of Object.values(servers)) await requireAnswer(origin)
  const sites = await startCaddy(
    join(localDir, 'sites'),
    Object.values(servers)
      .map(origin => new URL(origin).host)
      .join(' '),
    undefined,
    'health_uri /live',
  )
  undo.push(sites.stop)
  const feedKey = await makeFeedKey(sites.storefront)
  const { bank, gateway, supplier } = outside
  const supplierEnvironment = supplier.environment
  return { db, bank, gateway, supplier, supplierEnvironment, feedKey, ...stocked, live, servers }
}

/** The office's own way to whichever leads, as the owner. */
async function openFromOutside(cluster: Cluster, undo: (() => unknown)[]): Promise<Database> {
  const address = cluster.machines[await cluster.leader()].address
  const owner = (host: string, name: string) =>
    `postgresql://postgres:${cluster.passwords.superuser}@${host}:5432/${name}`
  const maintenance = openDatabase(owner(address, 'postgres'), { connections: 1 })
  await maintenance.query({ text: 'CREATE DATABASE shop' })
  await maintenance.close()
  await migrate(owner(address, 'shop'), { serverPassword: SERVER_PASSWORD })
  const db = openDatabase(owner(cluster.machines.office.address, 'shop'), {
    connections: 6,
    timeoutMs: { connect: 5000 },
  })
  undo.push(() => db.close())
  return db
}

/** Whoever listens on this machine alone is found from the others, too. */
function reachable(origin: string): () => void {
  const port = Number(new URL(origin).port)
  const server = createServer(near => passOn(near, port)).listen(port, OUTSIDE)
  return () => server.close()
}

async function requireAnswer(origin: string): Promise<void> {
  const answers = () =>
    fetch(`${origin}/ready`).then(
      reply => reply.ok,
      () => false,
    )
  if (!(await waitFor(answers, START_MS))) throw new Error(`No server is ready at ${origin}.`)
}
