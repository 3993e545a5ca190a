// The server as Firebase Functions: the API, every callable under its own name, and the scheduled jobs.
import { setTimeout as delay } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { getRequestListener } from '@hono/node-server'
import { AppError } from '@shop/shared/errors.ts'
import { defineInt, defineSecret, defineString } from 'firebase-functions/params'
import { type HttpsFunction, onRequest } from 'firebase-functions/v2/https'
import { setGlobalOptions } from 'firebase-functions/v2/options'
import { onSchedule, type ScheduleFunction } from 'firebase-functions/v2/scheduler'
import { type Config, readConfig } from '../config/config.ts'
import { DEPLOY_PARAMS } from '../config/deploy-params.ts'
import { factsOf, log } from '../http/log.ts'
import { asRequest, REQUEST_ID, requestIdOf } from '../http/request-id.ts'
import { isNightly, JOBS, type Job, RETRY_SECONDS, runJob } from '../jobs/jobs.ts'
import type { Shop } from '../shop/shop.ts'
import { createApp, routes } from './app.ts'
import { openOnce } from './open-once.ts'
import { openShop } from './open-shop.ts'
import { openDrain } from './outbox-kind.ts'

const RETRY_AFTER_SECONDS = 5
const DRAIN_SECONDS = 55
const DRAIN_STEP_MS = 1000
/** Jobs and callables are services of their own beside the API, each with connections of its own. */
const CONNECTIONS_OF_OTHERS = 2

/** All secret variables, as the lines of an env file. */
const secrets = defineSecret('SHOP_SECRETS')

setGlobalOptions({
  region: 'asia-southeast1',
  memory: '512MiB',
  maxInstances: 1,
  secrets: [secrets],
  serviceAccount: defineString('SERVICE_ACCOUNT', DEPLOY_PARAMS.SERVICE_ACCOUNT),
  networkInterface: {
    network: defineString('VPC_NETWORK', DEPLOY_PARAMS.VPC_NETWORK),
    subnetwork: defineString('VPC_SUBNETWORK', DEPLOY_PARAMS.VPC_SUBNETWORK),
  },
  vpcEgress: 'PRIVATE_RANGES_ONLY',
})

/** The configuration is read at the first call, so that deploying needs none. */
const shop = openOnce(async () => openShop(readFunctionConfig()))

/** Here the platform sets PORT, which is not always a number, and names the function in FUNCTION_TARGET. */
function readFunctionConfig(): Config {
  const { PORT: _, FUNCTION_TARGET: name, ...environment } = process.env
  const config = readConfig({ ...environment, ...parseEnv(process.env.SHOP_SECRETS ?? '') })
  if (name === 'api' || config.DATABASE_CONNECTIONS < CONNECTIONS_OF_OTHERS) return config
  return { ...config, DATABASE_CONNECTIONS: CONNECTIONS_OF_OTHERS }
}

type Handler = (...call: Parameters<HttpsFunction>) => Promise<void>

/** Answers requests by the API; while the shop can't be opened, with an error that asks to come back. */
function answering(appOf: (shop: Shop) => ReturnType<typeof createApp>, path?: string): Handler {
  const listener = openOnce(async () => getRequestListener(appOf(await shop()).fetch))
  return async (request, response) => {
    const requestId = requestIdOf(name => request.get(name))
    const answer = await listener().catch((error: unknown) => {
      asRequest(requestId, () => log('ERROR', 'start failed', { cause: factsOf(error) }))
      return null
    })
    if (path) request.url = path
    if (answer) return answer(request, response)
    const headers = { 'retry-after': String(RETRY_AFTER_SECONDS), [REQUEST_ID]: requestId }
    response.status(503).set(headers).json(new AppError('UNAVAILABLE').toBody(requestId))
  }
}

export const api: HttpsFunction = onRequest(
  {
    concurrency: 80,
    memory: '1GiB',
    minInstances: defineInt('API_MIN_INSTANCES', DEPLOY_PARAMS.API_MIN_INSTANCES),
    maxInstances: defineInt('API_MAX_INSTANCES', DEPLOY_PARAMS.API_MAX_INSTANCES),
    invoker: 'public',
  },
  answering(opened => createApp(opened, { logsRequests: true })),
)

/**
 * A callable at the functions' own address, where Firebase's clients look for it by name. Only Google's front stands
 * before that address, so neither our own proxies nor their secret are to be expected.
 */
const callable = (path: string): HttpsFunction =>
  onRequest(
    { concurrency: 80, maxInstances: 2, invoker: 'public', cors: true },
    answering(opened => {
      const config = { ...opened.config, PROXIES_IN_FRONT: 1, FRONT_SECRET: [] }
      return createApp({ ...opened, config }, { logsRequests: true })
    }, path),
  )
const callables = Object.fromEntries(
  routes.flatMap(({ endpoint: { callable: isCallable, path } }) =>
    isCallable ? [[path.slice(1), callable(path)]] : [],
  ),
)
const RETRIES = 5
const timesOf = (job: Job) => ({
  schedule: job.schedule,
  timeoutSeconds: job.timeoutSeconds,
  ...(isNightly(job) && { retryCount: RETRIES, minBackoffSeconds: RETRY_SECONDS, maxBackoffSeconds: 3600 }),
})
const scheduled = Object.fromEntries(
  Object.entries<Job>(JOBS).map(([name, job]) => [
    name,
    onSchedule({ ...timesOf(job), timeZone: 'Asia/Bangkok' }, async () => {
      const opened = await shop()
      // The platform logs what it gets, and the words of other errors may quote what people sent.
      await runJob(opened, name, job).catch(() => {
        throw new Error(`${name} failed`)
      })
    }),
  ]),
) as Record<keyof typeof JOBS, ScheduleFunction>

// Firebase deploys what a module exports; a test holds both lists against the contract and the table of jobs.
export const {
  createCustomToken,
  setUserRole,
  updateUser,
  updateUserAuthentication,
  setCustomAgentClaims,
  createAgentUser,
  updateAgentUser,
} = callables
export const {
  expireorders,
  expiretopups,
  refreshstock,
  fetchrates,
  readsuppliers,
  releaseclaims,
  measuredeliveries,
  matchstatements,
  watchsupplier,
  watchunclaimed,
  watchtroubles,
  tellspends,
  telldailyspending,
  tryfiles,
  trysigningkeys,
  bringbacktonow,
  watchwitness,
  warnoverdue,
  housekeeping,
  checkgateway,
  checkledger,
  checksales,
  checksupplier,
} = scheduled

/**
 * The job takes new work until shortly before the next one starts; the rest of the time is for work that is running, of
 * which the erasure of a large account takes longest.
 */
export const drainoutbox = onSchedule({ schedule: 'every 1 minutes', timeoutSeconds: 360 }, async () => {
  const drain = openDrain(await shop())
  for (const end = Date.now() + DRAIN_SECONDS * 1000; Date.now() < end; await delay(DRAIN_STEP_MS)) await drain.poke()
  await drain.close()
})
