import { once } from 'node:events'
import type { Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { serve } from '@hono/node-server'
import { DAY_MS } from '@shop/shared/time.ts'
import { createApp } from './app.ts'
import { readConfig } from './config.ts'
import { sweep } from './housekeeping.ts'
import { factsOf, log } from './http/log.ts'
import { openShop } from './open-shop.ts'
import { expireOrders } from './order/expiry.ts'
import { openDrain } from './outbox-kind.ts'
import { matchStatements } from './statement/matching.ts'
import { warnOfOverdueSlips } from './statement/reconciliation.ts'

const EXPIRY_SECONDS = 15
const MATCHING_SECONDS = 30
const OUTBOX_MS = 1000
/** A request must be here whole by then, however slowly it is sent. */
const REQUEST_SECONDS = 60
/** Requests that run when the server is told to stop have this long; what waits for the database after them, that long. */
const FINISH_SECONDS = 10
const CLOSE_SECONDS = 2

/** The server on its own: the API over HTTP and the jobs on timers. */
const config = readConfig(process.env)
const shop = await openShop(config)
const app = createApp(shop, { logsRequests: config.NODE_ENV !== 'test' })
const server = serve({ fetch: app.fetch, port: config.PORT, hostname: '0.0.0.0' }, ({ port }) => {
  console.log(`API listening on http://localhost:${port}`)
}) as Server
server.requestTimeout = REQUEST_SECONDS * 1000

const expiry = setInterval(() => {
  expireOrders(shop).catch((error: unknown) => log('ERROR', 'expiry job failed', { cause: factsOf(error) }))
}, EXPIRY_SECONDS * 1000)

const matching = setInterval(() => {
  matchStatements(shop).catch((error: unknown) => log('ERROR', 'matching job failed', { cause: factsOf(error) }))
}, MATCHING_SECONDS * 1000)
const drain = openDrain(shop)
const outbox = setInterval(() => {
  drain.poke().catch((error: unknown) => log('ERROR', 'outbox failed', { cause: factsOf(error) }))
}, OUTBOX_MS)

function keepHouse(): void {
  sweep(shop).catch((error: unknown) => log('ERROR', 'housekeeping failed', { cause: factsOf(error) }))
  warnOfOverdueSlips(shop).catch((error: unknown) => log('ERROR', 'reconciliation failed', { cause: factsOf(error) }))
}
keepHouse()
const housekeeping = setInterval(keepHouse, DAY_MS)

async function stop(): Promise<void> {
  clearInterval(expiry)
  clearInterval(matching)
  clearInterval(housekeeping)
  clearInterval(outbox)
  const closed = once(server, 'close')
  // Whoever keeps asking on a connection would keep it, and with it the server.
  server.prependListener('request', (_, response) => response.setHeader('connection', 'close'))
  server.close()
  await Promise.race([Promise.all([closed, drain.close()]), delay(FINISH_SECONDS * 1000)])
  server.closeAllConnections()
  await Promise.race([shop.db.close(), delay(CLOSE_SECONDS * 1000)])
  process.exit(0)
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
