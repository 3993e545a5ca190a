import { createHash, timingSafeEqual } from 'node:crypto'
import type { CheckName } from '@shop/shared/health/check.ts'
import type { Hono } from 'hono'
import { noteKey } from '../note-key.ts'
import type { Shop } from '../shop.ts'
import { rememberChecks } from './checks.ts'

/** What `/pulse` answers. */
interface Pulse {
  ok: boolean
  /** The checks whose limit is passed; `database` when nothing could be measured. */
  red: (CheckName | 'database')[]
  /** Everything that was measured; only for who has the key. */
  checks?: {
    name: CheckName
    isRed: boolean
    facts: { of: string | null; value: number | null; limit: number | null }[]
  }[]
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Returns the key that a caller has sent; nobody has one where there are none. */
function findKey(authorization: string | undefined, keys: readonly string[]): string | undefined {
  const written = digest(authorization ?? '')
  // All keys are compared in full, so that the time it takes reveals nothing.
  return keys.filter(key => timingSafeEqual(written, digest(`Bearer ${key}`)))[0]
}

/**
 * `/pulse` tells whoever watches from outside whether the shop works, without LINE and without the outbox: 200, or 503
 * when a limit is passed or the database does not answer. `/live` tells that the process runs, and asks nobody.
 */
export function registerWatch(app: Hono, shop: Shop): void {
  const look = rememberChecks(shop)
  app.on('GET', ['/live', '/livez'], c => c.json({ ok: true }, 200, { 'cache-control': 'no-store' }))
  app.get('/pulse', async c => {
    const found = await look()
    const red = found ? found.filter(({ isRed }) => isRed).map(({ name }) => name) : (['database'] as const)
    const ok = red.length === 0
    const { PULSE_KEYS: keys } = shop.config
    const key = findKey(c.req.header('authorization'), keys)
    if (key) void noteKey(shop.beat, 'PULSE_KEYS', keys, key)
    const tellsAll = found !== null && key !== undefined
    const checks = found?.map(({ facts, ...rest }) => ({
      ...rest,
      facts: facts.map(({ of, value, limit }) => ({ of, value, limit })),
    }))
    const pulse: Pulse = { ok, red: [...red], ...(tellsAll && { checks }) }
    return c.json(pulse, ok ? 200 : 503, { 'cache-control': 'no-store' })
  })
}
