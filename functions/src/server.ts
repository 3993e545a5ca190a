import { serve } from '@hono/node-server'
import { DAY_MS } from '@shop/shared/time.ts'
import { createApp } from './app.ts'
import { readConfig } from './config.ts'
import { sweep } from './housekeeping.ts'
import { openShop } from './open-shop.ts'
import { expireOrders } from './order/expiry.ts'

const EXPIRY_SECONDS = 15

/** The server on its own: the API over HTTP and the jobs on timers. */
const config = readConfig(process.env)
const shop = await openShop(config)
const app = createApp(shop, { logRequest: config.NODE_ENV === 'test' ? undefined : line => console.log(line) })
const server = serve({ fetch: app.fetch, port: config.PORT, hostname: '0.0.0.0' }, ({ port }) => {
  console.log(`API listening on http://localhost:${port}`)
})

const expiry = setInterval(() => {
  expireOrders(shop).catch(error => console.error('expiry job failed', error))
}, EXPIRY_SECONDS * 1000)

function keepHouse(): void {
  sweep(shop).then(
    report => config.NODE_ENV !== 'test' && console.log('housekeeping', report),
    error => console.error('housekeeping failed', error),
  )
}
keepHouse()
const housekeeping = setInterval(keepHouse, DAY_MS)

function stop(): void {
  clearInterval(expiry)
  clearInterval(housekeeping)
  server.close(() => shop.db.close().then(() => process.exit(0)))
  // Idle keep-alive connections would hold the process open.
  ;(server as { closeIdleConnections?: () => void }).closeIdleConnections?.()
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
