import { getRequestListener } from '@hono/node-server'
import { onRequest } from 'firebase-functions/v2/https'
import { onSchedule } from 'firebase-functions/v2/scheduler'
import { createApp } from './app.ts'
import { readConfig } from './config.ts'
import { sweep } from './housekeeping.ts'
import { openShop } from './open-shop.ts'
import { expireOrders } from './order/expiry.ts'

const region = 'asia-southeast1'

/** Opened with the first call, so that deploying needs no configuration. */
let opened: ReturnType<typeof openShop> | undefined
const shop = () => (opened ??= openShop(readFunctionConfig()))

/** Here PORT is the platform's, and not always a number. */
function readFunctionConfig() {
  const { PORT: _, ...environment } = process.env
  return readConfig(environment)
}

let listener: Promise<ReturnType<typeof getRequestListener>> | undefined

export const api = onRequest({ region, concurrency: 80, memory: '1GiB' }, async (request, response) => {
  listener ??= shop().then(it => getRequestListener(createApp(it).fetch))
  await (await listener)(request, response)
})

export const expireorders = onSchedule({ region, schedule: 'every 1 minutes' }, async () => {
  await expireOrders(await shop())
})

export const housekeeping = onSchedule({ region, schedule: 'every day 04:00', timeZone: 'Asia/Bangkok' }, async () => {
  console.log('housekeeping', await sweep(await shop()))
})
