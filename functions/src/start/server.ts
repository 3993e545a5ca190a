import { once } from 'node:events'
import type { Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { serve } from '@hono/node-server'
import { ConfigurationError, readConfig } from '../config/config.ts'
import { Refusal } from '../database/refusal.ts'
import { factsOf, log } from '../http/log.ts'
import { JOBS, type Job, runHere } from '../jobs/jobs.ts'
import { beatAndRemember } from '../restore/promotion.ts'
import { createApp } from './app.ts'
import { openShop } from './open-shop.ts'
import { openDrain } from './outbox-kind.ts'

const OUTBOX_MS = 1000
/** So old is at most what this process remembers of the database. */
const BEAT_MS = 1000
/** While the database is away, or not yet known to be the shop's own, it is looked at more often: people wait. */
const BEAT_SOON_MS = 250
/** A request must arrive completely within this time. */
const REQUEST_SECONDS = 60
/**
 * This is longer than proxies keep unused connections. Otherwise a proxy could send a request on a connection that the
 * server is closing.
 */
const KEEP_ALIVE_SECONDS = 620
/** When the server is told to stop, running requests get FINISH_SECONDS, then closing the database CLOSE_SECONDS. */
const FINISH_SECONDS = 10
const CLOSE_SECONDS = 2

/** The standalone server: the API over HTTP, and the jobs on timers. */
const config = await orEnd(async () => readConfig(process.env))
const shop = await orEnd(() => openShop(config))
const app = createApp(shop, { logsRequests: config.NODE_ENV !== 'test' })
const server = serve({ fetch: app.fetch, port: config.PORT, hostname: config.HOST }, ({ port }) => {
  console.log(`API listening on http://${config.HOST}:${port}`)
}) as Server
server.requestTimeout = REQUEST_SECONDS * 1000
server.keepAliveTimeout = KEEP_ALIVE_SECONDS * 1000

const drain = openDrain(shop)

/** Ends the process, with words for an operator, when what it was given is wrong. */
async function orEnd<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const flaws = error instanceof ConfigurationError ? error.flaws : error instanceof Refusal ? [error.message] : null
    if (!flaws) throw error
    console.error(`The server can't start:\n${flaws.map(flaw => `  ${flaw}`).join('\n')}`)
    process.exit(1)
  }
}

function pokeOutbox(): void {
  drain.poke().catch((error: unknown) => log('ERROR', 'outbox failed', { cause: factsOf(error) }))
}

const stopping = new AbortController()

/** A look that hangs is not waited for. What fails here fails everywhere, and is logged there. */
async function keepBeating(): Promise<void> {
  const options = { ref: false, signal: stopping.signal }
  while (!stopping.signal.aborted) {
    const isKnown = await Promise.race([beatAndRemember(shop).catch(() => false), delay(BEAT_MS, false, options)])
    await delay(isKnown ? BEAT_MS : BEAT_SOON_MS, undefined, options)
  }
}
keepBeating().catch(() => {})

const jobs = Object.entries<Job>(JOBS)
for (const [name, job] of jobs) if (job.atStart) runHere(shop, name, job)

const timers = [
  ...jobs.map(([name, job]) => setInterval(() => runHere(shop, name, job), job.everySeconds * 1000)),
  setInterval(pokeOutbox, OUTBOX_MS),
]

async function stop(): Promise<void> {
  for (const timer of timers) clearInterval(timer)
  stopping.abort()
  const closed = once(server, 'close')
  // A client that keeps sending requests on one connection would otherwise keep the server from stopping.
  server.prependListener('request', (_, response) => response.setHeader('connection', 'close'))
  server.close()
  await Promise.race([Promise.all([closed, drain.close()]), delay(FINISH_SECONDS * 1000)])
  await shop.keyUse.flush().catch(() => undefined)
  server.closeAllConnections()
  await Promise.race([
    Promise.all([shop.metrics.close(), shop.db.close(), shop.reports.close()]),
    delay(CLOSE_SECONDS * 1000),
  ])
  process.exit(0)
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
