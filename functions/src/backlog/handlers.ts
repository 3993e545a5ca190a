import { backlogOf } from '@shop/shared/backlog/backlog.ts'
import { getBacklog, getToday } from '@shop/shared/backlog/endpoints.ts'
import { earliestStatementDay } from '@shop/shared/statement/period.ts'
import { may } from '../account/caller.ts'
import { type Context, type Route, route } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { inJson } from '../http/in-json.ts'
import { findSafeMode } from '../outbox/safe-mode.ts'
import { findBookedWithoutLine } from '../statement/reconciliation-store.ts'
import { countDeadCalls, findLastLines, findWaiting, type WaitingRow } from './store.ts'
import { viewToday } from './today.ts'

/**
 * Some counts read months of orders or a week of calls and change slowly, so all pages share one result for this long.
 */
const RARE_FRESH_MS = 60_000
interface RareBacklog {
  withoutLine: WaitingRow
  deadCalls: number
}
const lastRare = new WeakMap<Sql, { at: number; found: Promise<RareBacklog> }>()

async function findRare(db: Sql, now: Date): Promise<RareBacklog> {
  const query = { overdue: true, page: 1, pageSize: 1 }
  const [{ rows, total }, deadCalls] = await Promise.all([
    findBookedWithoutLine(db, query, { since: earliestStatementDay(now), now }),
    countDeadCalls(db),
  ])
  const oldest = rows[0]?.bookedAt ?? null
  return { withoutLine: { count: total, oldest, amountSatang: null, inHand: 0, receivingAccountId: null }, deadCalls }
}

function rareOf(db: Sql, now: Date): Promise<RareBacklog> {
  const known = lastRare.get(db)
  if (known && now.getTime() - known.at < RARE_FRESH_MS) return known.found
  const found = findRare(db, now)
  lastRare.set(db, { at: now.getTime(), found })
  found.catch(() => lastRare.delete(db))
  return found
}

async function viewBacklog(context: Context) {
  const { uid, caller, now } = context
  const { db, config } = context.shop
  const { STOREFRONT_URL: shopUrl, DEMO_BANK_URL: bankUrl } = config
  const mayMatch = may(context, 'statement.match')
  const [counted, rare, statements, { options }, mode, unheard] = await Promise.all([
    findWaiting(db, backlogOf(caller), { uid, caller, now }),
    mayMatch ? rareOf(db, now) : null,
    mayMatch ? findLastLines(db) : [],
    context.shop.catalogue.latest(),
    findSafeMode(db),
    may(context, 'settings.manage') ? context.shop.findUnheard(db) : [],
  ])
  const rows = Object.entries({ ...counted, ...(rare && { withoutLine: rare.withoutLine }) })
  return {
    waiting: Object.fromEntries(rows.map(([kind, row]) => [kind, inJson(row)])),
    statements: statements.map(each => inJson(each)),
    deadCalls: rare?.deadCalls ?? 0,
    demo: bankUrl ? { shopUrl, bankUrl } : undefined,
    safeMode: mode.isOn ? inJson({ since: mode.orderedAt ?? mode.noticedAt, isRestored: mode.isRestored }) : undefined,
    unheard: unheard.length > 0 ? unheard : undefined,
    openingHours: options.OPENING_HOURS,
    nowDate: now.toISOString(),
  }
}

/** The endpoints that show what waits for the staff, and what today brought. */
export const workRoutes: Route[] = [
  route(getBacklog, (_, context) => viewBacklog(context)),
  route(getToday, (_, context) => viewToday(context)),
]
