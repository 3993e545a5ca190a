// Cloud Functions for the rehearsal, as a program: node functions-host.ts <packed folder> <port>. Every function of the
// packed code answers at /<its name>, in Google's own framework's manner; scheduled ones run again and again.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { ANSWERING, RAN, SCHEDULED } from './functions-log.ts'

const [folder, port] = process.argv.slice(2)
const BETWEEN_RUNS_MS = 1000
/** Scheduled functions that ended well at least once. */
const hasRun = new Set<string>()

interface Endpoint {
  httpsTrigger?: object
  callableTrigger?: object
  scheduleTrigger?: { schedule: string }
}
interface CloudFunction {
  (request: IncomingMessage, response: ServerResponse): void
  __endpoint?: Endpoint
  run(event: object): Promise<void>
}

/** The one that Google's framework and Firebase's tools have. */
const express = createRequire(createRequire(import.meta.url).resolve('firebase-tools'))('express')

const packed = (await import(pathToFileURL(join(folder!, 'index.js')).href)) as Record<string, CloudFunction>
const app = express()
const keepRaw = {
  verify(request: { rawBody?: Buffer }, _response: unknown, body: Buffer) {
    request.rawBody = body
  },
}
const limit = '32mb'
app.use(express.json({ limit, ...keepRaw }))
app.use(express.urlencoded({ limit, extended: true, ...keepRaw }))
app.use(express.raw({ limit, type: '*/*', ...keepRaw }))
for (const [name, each] of Object.entries(packed)) {
  const { httpsTrigger, callableTrigger, scheduleTrigger } = each.__endpoint ?? {}
  if (httpsTrigger || callableTrigger) app.use(`/${name}`, each)
  if (scheduleTrigger) console.log(`${SCHEDULED}${name}`)
  if (scheduleTrigger) void runAgain(name, each, scheduleTrigger.schedule === 'every 1 minutes')
}
app.listen(Number(port), '127.0.0.1', () => console.log(ANSWERING))

/** Instead of at the scheduler's times: what runs every minute a second after each run, all else once. */
async function runAgain(name: string, { run }: CloudFunction, isFrequent: boolean): Promise<void> {
  do {
    await run({ scheduleTime: new Date().toISOString() }).then(
      () => ran(name),
      (error: unknown) => console.error(`${name} failed`, error),
    )
    await delay(BETWEEN_RUNS_MS)
  } while (isFrequent)
}

function ran(name: string): void {
  if (!hasRun.has(name)) console.log(`${RAN}${name}`)
  hasRun.add(name)
}
