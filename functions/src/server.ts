import { serve } from '@hono/node-server'
import { createApp } from './app.ts'
import { readConfig } from './config.ts'
import { openShop } from './open-shop.ts'
import { expireOrders } from './order/expiry.ts'

const SWEEP_SECONDS = 15

/** The server on its own: the API over HTTP and the expiry job on a timer. */
const config = readConfig(process.env)
const shop = await openShop(config)
const app = createApp(shop, { logRequest: config.NODE_ENV === 'test' ? undefined : line => console.log(line) })
const server = serve({ fetch: app.fetch, port: config.PORT, hostname: '0.0.0.0' }, ({ port }) => {
  console.log(`API listening on http://localhost:${port}`)
})

const sweep = setInterval(() => {
  expireOrders(shop).catch(error => console.error('expiry job failed', error))
}, SWEEP_SECONDS * 1000)

function stop(): void {
  clearInterval(sweep)
  server.close(() => shop.db.close().then(() => process.exit(0)))
  // Idle keep-alive connections would hold the process open.
  ;(server as { closeIdleConnections?: () => void }).closeIdleConnections?.()
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
