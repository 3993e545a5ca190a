import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Hono } from 'hono'
import { within } from '../asking/within.ts'
import type { Answering, Database } from '../database/database.ts'
import { flawOf, readSchema, type SchemaState } from '../database/migrations.ts'
import { addressOf } from './address.ts'

/** The header in which `doctor` proves that it has the server's own secrets. */
export const DOCTOR_HEADER = 'x-doctor'
/** Who watches gets an answer within two seconds, whatever the database does. */
const READY_MS = 500
/** Above what the clocks of two machines may differ by. */
const PROOF_SECONDS = 600

const sign = (key: string, seconds: string) => createHmac('sha256', key).update(`doctor ${seconds}`).digest('hex')

export function doctorProof(key: string, now: Date): string {
  const seconds = String(Math.floor(now.getTime() / 1000))
  return `${seconds}.${sign(key, seconds)}`
}

function isDoctor(given: string | undefined, key: string, now: Date): boolean {
  const [seconds = '', signature = ''] = given?.split('.') ?? []
  const [told, right] = [Buffer.from(signature), Buffer.from(sign(key, seconds))]
  const age = Math.abs(now.getTime() / 1000 - Number(seconds))
  return age <= PROOF_SECONDS && told.length === right.length && timingSafeEqual(told, right)
}

/** What `/ready` answers. */
interface Ready {
  /** Whether the database answers and has the schema of this code. */
  ok: boolean
  /** The last migration; null when this code does not know it, or could not ask. */
  schema: string | null
  /** What the database does instead of answering. */
  database?: Exclude<Answering, 'answers'>
  /** The address that the call is counted under; told to `doctor` alone. */
  caller?: string
}

interface Served {
  db: Database
  now: () => Date
  config: { TOTP_KEY: readonly string[]; PROXIES_IN_FRONT: number }
}

/** Tells whether this process can serve, for load balancers and for `doctor`. */
export function registerReady(app: Hono, shop: Served): void {
  /** A database that is only busy has the schema that it had. */
  let known: SchemaState | null = null
  app.on('GET', ['/ready', '/readyz'], async c => {
    const seen = await within(READY_MS, readSchema(shop.db), () => null)
    const database = seen ? 'answers' : await shop.db.look()
    known = seen ?? known
    if (database !== 'answers' || !known) {
      const ready: Ready = { ok: false, schema: null, ...(database !== 'answers' && { database }) }
      return c.json(ready, 503, { 'cache-control': 'no-store' })
    }
    const state = known
    const ok = flawOf(state) === null
    const given = c.req.header(DOCTOR_HEADER)
    const knows = shop.config.TOTP_KEY.some(key => isDoctor(given, key, shop.now()))
    const ready: Ready = { ok, schema: state.version, ...(knows && { caller: addressOf(c, shop) }) }
    return c.json(ready, ok ? 200 : 503, { 'cache-control': 'no-store' })
  })
}
