import { watchTroubles, watchUnclaimed } from './chat/watch.ts'
import { sweep } from './housekeeping.ts'
import { log } from './http/log.ts'
import { measureDeliveryTimes } from './order/delivery-time.ts'
import { expireOrders, releaseLapsedClaims } from './order/expiry.ts'
import { tellDailySpending, tellSpends } from './order/spend-news.ts'
import type { Shop } from './shop.ts'
import { matchStatements } from './statement/matching.ts'
import { warnOfOverdue } from './statement/reconciliation.ts'
import { watchSupplier } from './supplier/watch.ts'

/** Work that the shop does on its own, again and again. Each job may run in several processes at once. */
export interface Job {
  run(shop: Shop): Promise<unknown>
  /** When Cloud Scheduler runs it, in Bangkok's time. It knows nothing shorter than a minute. */
  schedule: string
  /** The time it may take there. */
  timeoutSeconds: number
  /** How often the one process runs it. */
  everySeconds: number
  /** The one process also runs it when it starts. */
  atStart?: true
}

const DAY_SECONDS = 86_400

/** The table of all jobs but the outbox, which runs without a pause. The names are those of the scheduled functions. */
export const JOBS = {
  expireorders: { run: expireOrders, schedule: 'every 1 minutes', timeoutSeconds: 60, everySeconds: 15 },
  releaseclaims: { run: releaseLapsedClaims, schedule: 'every 1 minutes', timeoutSeconds: 60, everySeconds: 5 },
  measuredeliveries: {
    run: measureDeliveryTimes,
    schedule: 'every 5 minutes',
    timeoutSeconds: 120,
    everySeconds: 300,
    atStart: true,
  },
  matchstatements: { run: matchStatements, schedule: 'every 1 minutes', timeoutSeconds: 120, everySeconds: 30 },
  watchsupplier: { run: watchSupplier, schedule: 'every 1 minutes', timeoutSeconds: 60, everySeconds: 60 },
  watchunclaimed: { run: watchUnclaimed, schedule: 'every 1 minutes', timeoutSeconds: 60, everySeconds: 30 },
  watchtroubles: {
    run: watchTroubles,
    schedule: 'every 5 minutes',
    timeoutSeconds: 60,
    everySeconds: 300,
    atStart: true,
  },
  tellspends: { run: tellSpends, schedule: 'every 1 minutes', timeoutSeconds: 60, everySeconds: 15 },
  telldailyspending: { run: tellDailySpending, schedule: 'every 15 minutes', timeoutSeconds: 60, everySeconds: 900 },
  warnoverdue: {
    run: warnOfOverdue,
    schedule: 'every day 04:00',
    timeoutSeconds: 120,
    everySeconds: DAY_SECONDS,
    atStart: true,
  },
  housekeeping: {
    run: async shop => log('INFO', 'housekeeping', await sweep(shop)),
    schedule: 'every day 04:00',
    timeoutSeconds: 1800,
    everySeconds: DAY_SECONDS,
    atStart: true,
  },
} satisfies Record<string, Job>
