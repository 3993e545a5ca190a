import { can } from '@shop/shared/permissions.ts'
import { earliestStatementDay } from '@shop/shared/statement/period.ts'
import { getWork } from '@shop/shared/work/endpoints.ts'
import { workOf } from '@shop/shared/work/work.ts'
import type { Sql } from '../database/database.ts'
import { type Context, type Route, route } from '../http/route.ts'
import { findBookedWithoutLine } from '../statement/reconciliation-store.ts'
import { COUNTED_KINDS, countDeadCalls, findLastLines, findWaiting, type WaitingRow } from './store.ts'

/** Finding what has no line reads months of orders, and changes by the day: everybody's page is told the same for a while. */
const WITHOUT_LINE_FRESH_MS = 60_000
const lastWithoutLine = new WeakMap<Sql, { at: number; row: Promise<WaitingRow> }>()

async function findWithoutLine(db: Sql, now: Date): Promise<WaitingRow> {
  const query = { overdue: true, page: 1, pageSize: 1 }
  const { rows, total } = await findBookedWithoutLine(db, query, { since: earliestStatementDay(now), now })
  return { count: total, oldest: rows[0]?.bookedAt ?? null, amountSatang: null, inHand: 0, receivingAccountId: null }
}

function withoutLineOf(db: Sql, now: Date): Promise<WaitingRow> {
  const known = lastWithoutLine.get(db)
  if (known && now.getTime() - known.at < WITHOUT_LINE_FRESH_MS) return known.row
  const row = findWithoutLine(db, now)
  lastWithoutLine.set(db, { at: now.getTime(), row })
  row.catch(() => lastWithoutLine.delete(db))
  return row
}

async function viewWork({ shop: { db }, caller, now }: Context) {
  const kinds = workOf(caller)
  const mayMatch = can(caller, 'statement.match')
  const [counted, withoutLine, statements, deadCalls] = await Promise.all([
    findWaiting(
      db,
      COUNTED_KINDS.filter(kind => kinds.includes(kind)),
    ),
    mayMatch ? withoutLineOf(db, now) : null,
    mayMatch ? findLastLines(db) : [],
    mayMatch ? countDeadCalls(db) : 0,
  ])
  const rows = Object.entries({ ...counted, ...(withoutLine && { withoutLine }) })
  return {
    waiting: Object.fromEntries(
      rows.map(([kind, row]) => [kind, { ...row, oldest: row.oldest?.toISOString() ?? null }]),
    ),
    statements: statements.map(each => ({ ...each, lastLineAt: each.lastLineAt?.toISOString() ?? null })),
    deadCalls,
    nowDate: now.toISOString(),
  }
}

/** What waits for the staff. */
export const workRoutes: Route[] = [route(getWork, (_, context) => viewWork(context))]
