import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Hono } from 'hono'
import { flawOf, readSchema } from '../database/migrations.ts'
import type { Shop } from '../shop.ts'
import { addressOf } from './route.ts'

/** The header in which `doctor` proves that it has the server's own secrets. */
export const DOCTOR_HEADER = 'x-doctor'
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
  /** The last migration; null when this code does not know it. */
  schema: string | null
  /** The address that the call is counted under; told to `doctor` alone. */
  caller?: string
}

/** Tells whether this process can serve, for load balancers and for `doctor`. */
export function registerReady(app: Hono, shop: Shop): void {
  app.on('GET', ['/ready', '/readyz'], async c => {
    const state = await readSchema(shop.db)
    const ok = flawOf(state) === null
    const given = c.req.header(DOCTOR_HEADER)
    const knows = shop.config.TOTP_KEY.some(key => isDoctor(given, key, shop.now()))
    const ready: Ready = { ok, schema: state.version, ...(knows && { caller: addressOf(c, shop) }) }
    return c.json(ready, ok ? 200 : 503, { 'cache-control': 'no-store' })
  })
}
