import { createHash, timingSafeEqual } from 'node:crypto'
import type { CheckFact, CheckName } from '@shop/shared/health/check.ts'
import type { Hono } from 'hono'
import { noteKey } from '../pulse/note-key.ts'
import { pulseOfSign, WATCHER_HEADER } from '../pulse/signs.ts'
import type { Shop } from '../shop/shop.ts'
import { rememberChecks, type UNMEASURED } from './checks.ts'
import { lastStandbys } from './standbys.ts'

/** What `/pulse` answers: to anybody whether all is well, and no more, since what is wrong shows where the shop is weak. */
interface Pulse {
  ok: boolean
}

/** What it answers to who has the key. */
interface FullPulse extends Pulse {
  /**
   * The checks whose limit is passed; when nothing could be measured, `database`, or `pool` where only a new process helps.
   */
  red: (CheckName | (typeof UNMEASURED)[number])[]
  /** Everything that was measured; left out when nothing could be. */
  checks?: {
    name: CheckName
    isRed: boolean
    facts: CheckFact[]
  }[]
  /** Who follows the database, and when one last took its place; null where it is not known. */
  standbys?: ReturnType<typeof lastStandbys>
}

/** Twice as long as any question may take: what is silent for so long does not come back by itself. */
const STUCK_MS = 25_000

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Returns the key that a caller has sent; nobody has one where there are none. */
function findKey(authorization: string | undefined, keys: readonly string[]): string | undefined {
  const written = digest(authorization ?? '')
  // All keys are compared in full, so that the time it takes reveals nothing.
  return keys.filter(key => timingSafeEqual(written, digest(`Bearer ${key}`)))[0]
}

/**
 * `/pulse` tells whoever watches from outside whether the shop works, without LINE and without the outbox: 200, or 503
 * when a limit is passed or the database does not answer. `/live` tells that the process runs: 503 only where the database
 * answers and all of the process's connections do not, so that a new process would help.
 */
export function registerWatch(app: Hono, shop: Shop): void {
  const look = rememberChecks(shop)
  app.on('GET', ['/live', '/livez'], async c => {
    const ok = shop.db.silentMs() < STUCK_MS || (await shop.db.look()) !== 'stuck'
    return c.json({ ok }, ok ? 200 : 503, { 'cache-control': 'no-store' })
  })
  app.get('/pulse', async c => {
    const found = await look()
    const red = typeof found === 'string' ? [found] : found.filter(({ isRed }) => isRed).map(({ name }) => name)
    const ok = red.length === 0
    const { PULSE_KEYS: keys } = shop.config
    const key = findKey(c.req.header('authorization'), keys)
    if (key) void noteKey(shop.beat, 'PULSE_KEYS', keys, key)
    if (key && c.req.header(WATCHER_HEADER)) void shop.beat(pulseOfSign('watcher'), async () => {})
    const measured = typeof found === 'string' ? {} : { checks: found, standbys: lastStandbys(shop.db) }
    const pulse: Pulse | FullPulse = key ? { ok, red, ...measured } : { ok }
    return c.json(pulse, ok ? 200 : 503, { 'cache-control': 'no-store' })
  })
}
