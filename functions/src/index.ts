import { setTimeout as delay } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { AppError } from '@shop/shared/errors.ts'
import { onRequest } from 'firebase-functions/v2/https'
import { onSchedule } from 'firebase-functions/v2/scheduler'
import { createApp } from './app.ts'
import { watchTroubles, watchUnclaimed } from './chat/watch.ts'
import { readConfig } from './config.ts'
import { sweep } from './housekeeping.ts'
import { factsOf, log } from './http/log.ts'
import { openOnce } from './open-once.ts'
import { openShop } from './open-shop.ts'
import { measureDeliveryTimes } from './order/delivery-time.ts'
import { expireOrders, releaseLapsedClaims } from './order/expiry.ts'
import { tellDailySpending, tellSpends } from './order/spend-news.ts'
import { openDrain } from './outbox-kind.ts'
import { matchStatements } from './statement/matching.ts'
import { warnOfOverdue } from './statement/reconciliation.ts'
import { watchSupplier } from './supplier/watch.ts'

const region = 'asia-southeast1'
const RETRY_AFTER_SECONDS = 5
const DRAIN_SECONDS = 55
const DRAIN_STEP_MS = 1000

/** The configuration is read at the first call, so that deploying needs none. */
const shop = openOnce(async () => openShop(readFunctionConfig()))
const listener = openOnce(async () => getRequestListener(createApp(await shop()).fetch))

/** Here the platform sets PORT, which is not always a number. */
function readFunctionConfig() {
  const { PORT: _, ...environment } = process.env
  return readConfig(environment)
}

export const api = onRequest({ region, concurrency: 80, memory: '1GiB' }, async (request, response) => {
  const answer = await listener().catch((error: unknown) => {
    log('ERROR', 'start failed', { cause: factsOf(error) })
    return null
  })
  if (answer) await answer(request, response)
  else response.status(503).set('retry-after', String(RETRY_AFTER_SECONDS)).json(new AppError('UNAVAILABLE').toBody())
})

export const expireorders = onSchedule({ region, schedule: 'every 1 minutes' }, async () => {
  await expireOrders(await shop())
})

export const releaseclaims = onSchedule({ region, schedule: 'every 1 minutes' }, async () => {
  await releaseLapsedClaims(await shop())
})

export const measuredeliveries = onSchedule({ region, schedule: 'every 5 minutes' }, async () => {
  await measureDeliveryTimes(await shop())
})

export const matchstatements = onSchedule({ region, schedule: 'every 1 minutes' }, async () => {
  await matchStatements(await shop())
})

export const watchsupplier = onSchedule({ region, schedule: 'every 1 minutes' }, async () => {
  await watchSupplier(await shop())
})

export const watchunclaimed = onSchedule({ region, schedule: 'every 1 minutes' }, async () => {
  await watchUnclaimed(await shop())
})

export const watchtroubles = onSchedule({ region, schedule: 'every 5 minutes' }, async () => {
  await watchTroubles(await shop())
})

export const tellspends = onSchedule({ region, schedule: 'every 1 minutes' }, async () => {
  await tellSpends(await shop())
})

export const telldailyspending = onSchedule({ region, schedule: 'every 15 minutes' }, async () => {
  await tellDailySpending(await shop())
})

/**
 * The job takes new work until shortly before the next one starts; the rest of the time is for work that is running.
 */
export const drainoutbox = onSchedule({ region, schedule: 'every 1 minutes', timeoutSeconds: 120 }, async () => {
  const drain = openDrain(await shop())
  for (const end = Date.now() + DRAIN_SECONDS * 1000; Date.now() < end; await delay(DRAIN_STEP_MS)) await drain.poke()
  await drain.close()
})

export const housekeeping = onSchedule({ region, schedule: 'every day 04:00', timeZone: 'Asia/Bangkok' }, async () => {
  console.log('housekeeping', await sweep(await shop()))
  await warnOfOverdue(await shop())
})
