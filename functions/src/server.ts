import { once } from 'node:events'
import type { Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { serve } from '@hono/node-server'
import { DAY_MS } from '@shop/shared/time.ts'
import { createApp } from './app.ts'
import { watchTroubles, watchUnclaimed } from './chat/watch.ts'
import { readConfig } from './config.ts'
import { sweep } from './housekeeping.ts'
import { factsOf, log } from './http/log.ts'
import { openShop } from './open-shop.ts'
import { measureDeliveryTimes } from './order/delivery-time.ts'
import { expireOrders, releaseLapsedClaims } from './order/expiry.ts'
import { tellDailySpending, tellSpends } from './order/spend-news.ts'
import { openDrain } from './outbox-kind.ts'
import { matchStatements } from './statement/matching.ts'
import { warnOfOverdue } from './statement/reconciliation.ts'
import { watchSupplier } from './supplier/watch.ts'

const EXPIRY_MS = 15_000
const CLAIMS_MS = 5000
const MEASURING_MS = 300_000
const MATCHING_MS = 30_000
const OUTBOX_MS = 1000
const SUPPLIER_MS = 60_000
const UNCLAIMED_MS = 30_000
const TROUBLES_MS = 300_000
const SPENDS_MS = 15_000
const DAILY_SPENDING_MS = 900_000
/** A request must arrive completely within this time. */
const REQUEST_SECONDS = 60
/** After the server is told to stop, running requests have FINISH_SECONDS; then closing the database has CLOSE_SECONDS. */
const FINISH_SECONDS = 10
const CLOSE_SECONDS = 2

/** The standalone server: the API over HTTP, and the jobs on timers. */
const config = readConfig(process.env)
const shop = await openShop(config)
const app = createApp(shop, { logsRequests: config.NODE_ENV !== 'test' })
const server = serve({ fetch: app.fetch, port: config.PORT, hostname: '0.0.0.0' }, ({ port }) => {
  console.log(`API listening on http://localhost:${port}`)
}) as Server
server.requestTimeout = REQUEST_SECONDS * 1000

const drain = openDrain(shop)

/** Runs a job. A failure is logged, and the next run takes place at its usual time. */
function run(name: string, job: () => Promise<unknown>): void {
  job().catch((error: unknown) => log('ERROR', `${name} failed`, { cause: factsOf(error) }))
}

function keepHouse(): void {
  run('housekeeping', () => sweep(shop))
  run('reconciliation', () => warnOfOverdue(shop))
}
keepHouse()

const measure = () => run('delivery times', () => measureDeliveryTimes(shop))
measure()

const watchForTroubles = () => run('troubles job', () => watchTroubles(shop))
watchForTroubles()

const timers = [
  setInterval(() => run('expiry job', () => expireOrders(shop)), EXPIRY_MS),
  setInterval(() => run('claims job', () => releaseLapsedClaims(shop)), CLAIMS_MS),
  setInterval(measure, MEASURING_MS),
  setInterval(() => run('matching job', () => matchStatements(shop)), MATCHING_MS),
  setInterval(() => run('supplier job', () => watchSupplier(shop)), SUPPLIER_MS),
  setInterval(() => run('unclaimed job', () => watchUnclaimed(shop)), UNCLAIMED_MS),
  setInterval(watchForTroubles, TROUBLES_MS),
  setInterval(() => run('spends job', () => tellSpends(shop)), SPENDS_MS),
  setInterval(() => run('daily spending job', () => tellDailySpending(shop)), DAILY_SPENDING_MS),
  setInterval(() => run('outbox', () => drain.poke()), OUTBOX_MS),
  setInterval(keepHouse, DAY_MS),
]

async function stop(): Promise<void> {
  for (const timer of timers) clearInterval(timer)
  const closed = once(server, 'close')
  // A client that keeps sending requests on one connection would otherwise keep the server from stopping.
  server.prependListener('request', (_, response) => response.setHeader('connection', 'close'))
  server.close()
  await Promise.race([Promise.all([closed, drain.close()]), delay(FINISH_SECONDS * 1000)])
  server.closeAllConnections()
  await Promise.race([shop.db.close(), delay(CLOSE_SECONDS * 1000)])
  process.exit(0)
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
