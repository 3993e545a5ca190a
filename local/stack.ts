import type { ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { GATEWAY_NAMES } from '@shop/shared/provider-names.ts'
import { bangkokDay, DAY_MS } from '@shop/shared/time.ts'
import { DEVELOPMENT_PIN_KEYS } from 'functions/src/account/pins.ts'
import { setRichMenu } from 'functions/src/chat/menu.ts'
import { asApplication, migrate } from 'functions/src/database/migrate.ts'
import { startAuthEmulator } from './auth-emulator.ts'
import { type RunningBank, startBankRates } from './bank-rates.ts'
import { type Children, superviseChildren } from './children.ts'
import { seedAuthAccounts } from './demo-accounts.ts'
import { demoReceivingAccounts } from './demo-catalogue.ts'
import { seedDemoData } from './demo-data.ts'
import { requireDemoDatabase } from './demo-guard.ts'
import { projectId } from './firebase-emulators.ts'
import { type RunningGateway, startGateway } from './gateway/server.ts'
import { readKnownCharges, readKnownPurchases } from './known-past.ts'
import { createDemoSeed, demoLine } from './line-emulator/demo.ts'
import { startLineEmulator } from './line-emulator/server.ts'
import { startMailPage } from './mail-inbox/page.ts'
import { type RunningMailInbox, startMailInbox } from './mail-inbox/server.ts'
import { projectRoot, spawnNode, waitOn } from './os-process.ts'
import { startPlayerLookup } from './player-lookup.ts'
import { isFree, type Ports, requireFreePorts } from './ports.ts'
import { canSearchThai, createFilledDatabase, startPostgres, watchPostgres } from './postgres.ts'
import { startQms } from './qms.ts'
import { type RunningMachine, startResellerMachine } from './reseller-machine.ts'
import { openRunRecord } from './run-record.ts'
import { SITES, type Site as SiteName, variablesOf, vite } from './sites.ts'
import { openShopCounter } from './slip-provider/counter.ts'
import { type RunningSlipProvider, startSlipProvider } from './slip-provider/server.ts'
import type { Callback } from './supplier/api.ts'
import { demoSuppliers } from './supplier/demo.ts'
import { callbackPath, environmentOf, type RunningSupplier, startSupplier } from './supplier/server.ts'

export interface StackOptions {
  ports: Ports
  /** Everything that a run leaves on disk. Another folder (and other ports) gives a second, separate stack. */
  localDir: string
  /** Use this database, on another server or on ours, instead of the demo shop's. */
  databaseUrl?: string
  /** The folder that will have the sites' builds for these ports. Without it Vite serves the sources, and shows changes at once. */
  built?: Promise<string>
  /** Whether what is in the database may be lost with the machine: it is quicker then. */
  forgets?: boolean
  onProgress(message: string): void
  /** A part ended by itself. The others still run and should be stopped. */
  onDeath(message: string): void
}

export interface Stack {
  /** Resolves when everything answers; rejects with a sentence for people when a part can't be started. */
  ready: Promise<void>
  /** Ends everything that was started, also in the middle of the start. Safe to call twice. */
  stop(): Promise<void>
}

/** A busy machine takes its time; who waits hears for what, and can stop at any moment. */
const stillWaiting =
  (what: string, { onProgress, signal }: Site) =>
  (seconds: number) => {
    if (!signal.aborted)
      onProgress(`${what} is not there yet after ${seconds} s: this machine is busy, the start waits on`)
  }

const stopTimeoutMs = 5000

/** What the functions share that start the parts. */
type Site = StackOptions & {
  children: Children
  /** How to stop what was started, in the order of the starts. It is run in the opposite order. */
  undo: Array<() => Promise<void> | void>
  /** Fires when the stack is told to stop. */
  signal: AbortSignal
}

/** Starts all parts of the local stack, as parallel as their needs allow. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { postgres: _checkedWhenStarted, ...ports } = options.ports
  const record = await openRunRecord(join(options.localDir, 'run.json'))
  const abort = new AbortController()
  const children = superviseChildren(record, options.onDeath)
  const site: Site = { ...options, children, undo: [], signal: abort.signal }
  const parts = requireFreePorts(ports).then(() => startParts(site))
  const settled = parts.then(
    list => Promise.allSettled(list),
    () => undefined,
  )
  const stop = async () => {
    abort.abort()
    await children.stopAll()
    await undoAll(site)
    // Parts that were still starting are stopped once they have started.
    await Promise.race([settled, delay(stopTimeoutMs, undefined, { ref: false })])
    await children.stopAll()
    await undoAll(site)
    record.close()
  }
  let stopping: Promise<void> | undefined
  return {
    ready: parts.then(list => Promise.all(list)).then(() => undefined),
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}

async function undoAll({ undo }: Site): Promise<void> {
  for (const step of undo.splice(0).reverse()) await step()
}

function startParts(site: Site): Promise<void>[] {
  return [
    // Our own server lets the application's role in without a password; another server may not.
    startDatabase(site).then(async url => {
      const slips = await startSlips(url, site)
      const suppliers = environmentOf(await startDemoSuppliers(url, site))
      const gateway = await startDemoGateway(url, site)
      const mail = await startMail(site)
      const bank = await startDemoBankRates(site)
      const machine = await startMachine(site)
      const others = [slips, gateway, mail, bank, machine].map(({ environment }) => environment)
      const elsewhere = Object.assign({}, suppliers, ...others) as Record<string, string>
      await startApi(site.databaseUrl ? url : asApplication(url), elsewhere, site)
    }),
    startAuth(site),
    startLookup(site),
    startQueueSystem(site),
    startLine(site),
    startApp('storefront', site),
    startApp('admin', site),
  ]
}

async function startDatabase(site: Site): Promise<string> {
  const { onProgress, localDir } = site
  const fill = async (databaseUrl: string) => {
    await migrate(databaseUrl)
    await seedDemoData(databaseUrl, { filesDir: join(localDir, 'files') })
  }
  const { databaseUrl } = site
  if (databaseUrl && (await isBesideOwn(databaseUrl, site))) await startOwnPostgres(site)
  if (databaseUrl) await requireDemoDatabase(databaseUrl)
  const url = databaseUrl ?? (await createFilledDatabase(await startOwnPostgres(site), 'shop', fill))
  await fill(url)
  if (!(await canSearchThai(url))) onProgress('Warning: pg_trgm is missing or does not know Thai; searches are slow')
  onProgress('Database is migrated and has the demo data')
  return url
}

/** Whether the database is on our own server, as `seed:orders` makes one, and the server has not been started yet. */
async function isBesideOwn(databaseUrl: string, { ports }: Site): Promise<boolean> {
  return new URL(databaseUrl).host === `127.0.0.1:${ports.postgres}` && (await isFree(ports.postgres))
}

/** Returns the connection string of its maintenance database. */
async function startOwnPostgres(site: Site): Promise<string> {
  const { ports, localDir, forgets, onProgress, undo } = site
  const dataDir = join(localDir, 'postgres')
  const server = await startPostgres({ port: ports.postgres, dataDir, durable: !forgets })
  undo.push(server.stop)
  undo.push(await watchPostgres(server.url, () => site.onDeath('PostgreSQL ended by itself')))
  const note = server.dataDir === dataDir ? '' : `, data in ${server.dataDir}`
  onProgress(`PostgreSQL answers${server.reused ? ' (taken over from an earlier run)' : ''}${note}`)
  return server.url
}

async function startAuth(site: Site): Promise<void> {
  const { ports, localDir, onProgress, children } = site
  const onLong = stillWaiting('The Auth emulator', site)
  const emulator = await startAuthEmulator({ port: ports.authEmulator, dir: join(localDir, 'auth'), onLong })
  children.addSilent('auth', emulator.process)
  await emulator.ready
  await seedAuthAccounts(emulator.host)
  onProgress('Auth emulator answers, demo accounts are in')
}

async function startLookup({ ports, onProgress, undo }: Site): Promise<void> {
  const lookup = await startPlayerLookup({ port: ports.playerLookup })
  undo.push(lookup.stop)
  onProgress('Player lookup answers')
}

async function startQueueSystem({ ports, onProgress, undo }: Site): Promise<void> {
  const qms = await startQms({ port: ports.qms })
  undo.push(qms.stop)
  onProgress('Queue system answers')
}

/** The stand-in checks the demo shop's slips; on its page people make the transfers. */
async function startSlips(databaseUrl: string, { ports, onProgress, undo }: Site): Promise<RunningSlipProvider> {
  const counter = openShopCounter(databaseUrl)
  const isRegistered = ({ accountNo }: { accountNo: string }) =>
    demoReceivingAccounts.some(own => own.accountNo === accountNo)
  undo.push(counter.close)
  const slips = await startSlipProvider({ port: ports.slipProvider, counter, isRegistered })
  undo.push(slips.stop)
  onProgress('Slip provider answers')
  return slips
}

/** Mails of the demo shop stay on this machine. */
async function startMail({ ports, onProgress, undo }: Site): Promise<RunningMailInbox> {
  const inbox = await startMailInbox({ port: ports.smtp })
  undo.push(inbox.stop)
  const page = await startMailPage(ports.mailInbox, inbox.mails)
  undo.push(page.stop)
  onProgress('Mail inbox answers')
  return inbox
}

/** Where a reseller's events go that is no public address. */
async function startMachine({ ports, onProgress, undo }: Site): Promise<RunningMachine> {
  const machine = await startResellerMachine({ port: ports.resellerMachine })
  undo.push(machine.stop)
  onProgress("A reseller's machine listens")
  return machine
}

const TELL_MS = 500

/** Packages of some games are delivered by the stand-ins, a few seconds after they are bought. */
async function startDemoSuppliers(databaseUrl: string, site: Site): Promise<RunningSupplier[]> {
  const suppliers = await Promise.all(demoSuppliers.map(each => startDemoSupplier(each, databaseUrl, site)))
  site.onProgress('Suppliers answer')
  return suppliers
}

async function startDemoSupplier(
  sold: (typeof demoSuppliers)[number],
  databaseUrl: string,
  { ports, undo }: Site,
): Promise<RunningSupplier> {
  const tell = async (callback: Callback) => {
    const to = `http://127.0.0.1:${ports.api}${callbackPath(sold.name)}`
    const told = await fetch(to, { method: 'POST', ...callback })
    await told.body?.cancel()
  }
  const known = await readKnownPurchases(databaseUrl, sold)
  const supplier = await startSupplier({ ...sold, port: ports[sold.port], known, tell })
  const timer = setInterval(() => void supplier.tellDue(), TELL_MS)
  undo.push(() => clearInterval(timer), supplier.stop)
  return supplier
}

/** Tells a rate of today and of yesterday for the currencies of suppliers. */
async function startDemoBankRates({ ports, onProgress, undo }: Site): Promise<RunningBank> {
  const rates = [1, 0].flatMap(daysAgo => {
    const period = bangkokDay(new Date(Date.now() - daysAgo * DAY_MS))
    return [
      { period, currency_id: 'USD', selling: '33.1250000' },
      { period, currency_id: 'EUR', selling: '38.4710000' },
    ]
  })
  const bank = await startBankRates({ port: ports.bankRates, rates })
  undo.push(bank.stop)
  onProgress('Rates of exchange answer')
  return bank
}

/** Collects the demo shop's money; on its page people pay. */
async function startDemoGateway(databaseUrl: string, { ports, onProgress, undo }: Site): Promise<RunningGateway> {
  const chosen = process.env.GATEWAY || 'opn'
  const name = GATEWAY_NAMES.find(each => each === chosen)
  if (!name) throw new Error(`GATEWAY is ${chosen}; the demo shop has ${GATEWAY_NAMES.join(' and ')}.`)
  const tell = async (message: { body: string; headers: Record<string, string> }) => {
    const told = await fetch(`http://127.0.0.1:${ports.api}/gateway/hear/${name}`, { method: 'POST', ...message })
    await told.body?.cancel()
  }
  const known = await readKnownCharges(databaseUrl, name)
  const gateway = await startGateway({ name, port: ports.gateway, known, tell })
  undo.push(gateway.stop)
  onProgress('Payment gateway answers')
  return gateway
}

async function startLine({ ports, localDir, onProgress, undo }: Site): Promise<void> {
  const storefront = `http://localhost:${ports.storefront}`
  const demo = createDemoSeed()
  const emulator = await startLineEmulator({
    port: ports.lineEmulator,
    tlsPort: ports.lineEmulatorTls,
    certificateDirectory: join(localDir, 'line-emulator'),
    seed: {
      loginChannel: { ...demo.loginChannel, callbackUrls: [`${storefront}/login/line`, `${storefront}/login`] },
      liffApp: { ...demo.liffApp, endpointUrl: `${storefront}/` },
      webhookUrl: `http://localhost:${ports.api}/line/webhook`,
    },
  })
  undo.push(emulator.stop)
  const channel = {
    LINE_API_BASE_URL: emulator.origin,
    LINE_CHANNEL_ACCESS_TOKEN: [demo.messagingChannel.accessToken],
    LINE_LIFF_ID: demo.liffApp.liffId,
    STOREFRONT_URL: storefront,
    ADMIN_URL: `http://localhost:${ports.admin}`,
  }
  await setRichMenu(channel, await readFile(join(projectRoot, 'functions/src/chat/rich-menu.png')))
  onProgress('LINE emulator answers')
}

async function startApi(databaseUrl: string, elsewhere: Record<string, string>, site: Site): Promise<void> {
  const { ports, localDir, onProgress, children, signal } = site
  signal.throwIfAborted()
  const filesDir = join(localDir, 'files')
  mkdirSync(filesDir, { recursive: true })
  const child = spawnNode(['functions/src/start/server.ts'], {
    DATABASE_URL: databaseUrl,
    PORT: String(ports.api),
    GCLOUD_PROJECT: projectId,
    FIREBASE_AUTH_EMULATOR_HOST: `127.0.0.1:${ports.authEmulator}`,
    PLAYER_LOOKUP_URL: `http://127.0.0.1:${ports.playerLookup}`,
    G2BULK_URL: `http://127.0.0.1:${ports.playerLookup}/v1`,
    SLIP_PROVIDER: process.env.SLIP_PROVIDER || 'slipok',
    SLIP_MONTHLY_QUOTA: '1000',
    ...elsewhere,
    QMS_URL: `http://127.0.0.1:${ports.qms}`,
    FILES_DIR: filesDir,
    PIN_KEYS: DEVELOPMENT_PIN_KEYS,
    LINE_API_BASE_URL: `http://127.0.0.1:${ports.lineEmulator}`,
    STOREFRONT_URL: `http://localhost:${ports.storefront}`,
    LINE_LOGIN_CHANNEL_ID: demoLine.loginChannel.id,
    LINE_LOGIN_CHANNEL_SECRET: demoLine.loginChannel.secret,
    LINE_CHANNEL_ACCESS_TOKEN: demoLine.messagingChannel.accessToken,
    LINE_CHANNEL_SECRET: demoLine.messagingChannel.secret,
    LINE_LIFF_ID: demoLine.liffId,
    ADMIN_URL: `http://localhost:${ports.admin}`,
    DEMO_BANK_URL: `http://localhost:${ports.slipProvider}`,
  })
  children.add('api', child)
  await waitForAnswer('The API', `http://localhost:${ports.api}/healthz`, child, site)
  onProgress('API answers')
}

async function startApp(name: SiteName, site: Site): Promise<void> {
  const { ports, built, onProgress, children, signal } = site
  const environment = {
    API_URL: `http://localhost:${ports.api}`,
    STOREFRONT_PORT: String(ports.storefront),
    ADMIN_PORT: String(ports.admin),
    ...variablesOf(ports, built !== undefined),
  }
  const serve = built ? ['preview', SITES[name], '--outDir', join(await built, name)] : [SITES[name]]
  signal.throwIfAborted()
  const flags = ['--port', String(ports[name]), '--strictPort', '--logLevel', 'warn', '--clearScreen', 'false']
  const server = spawnNode([vite, ...serve, ...flags], environment)
  children.add(name, server)
  await waitForAnswer(`The ${name}`, `http://localhost:${ports[name]}/`, server, site)
  onProgress(`${name === 'admin' ? 'Admin site' : 'Storefront'} answers`)
}

/** Waits for a part as long as it lives. */
async function waitForAnswer(what: string, url: string, child: ChildProcess, site: Site): Promise<void> {
  const { signal } = site
  await waitOn(
    async () => {
      signal.throwIfAborted()
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${what} ended while it was starting.`)
      const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]) }).catch(
        () => undefined,
      )
      await response?.body?.cancel()
      return response?.ok
    },
    stillWaiting(what, site),
  )
}
