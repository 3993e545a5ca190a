import { NEAR } from '../order/queue.ts'
import { REFUND_DAYS } from '../order/refund.ts'
import { openMsBetween } from '../settings/opening-hours.ts'
import { DAY_MS } from '../time.ts'
import type { BacklogKind } from './backlog.ts'

export type Lateness = 'fine' | 'near' | 'overdue'

interface AgeLimit {
  /** From here on somebody should begin. */
  nearMs: number
  /** From here on it took too long. */
  lateMs: number
  /** Whether only the time counts in which the shop is open; what takes days is late on any day. */
  isInHours: boolean
}

const minutes = (near: number, late: number): AgeLimit => ({
  nearMs: near * 60_000,
  lateMs: late * 60_000,
  isInHours: true,
})
const days = (near: number, late: number): AgeLimit => ({
  nearMs: near * DAY_MS,
  lateMs: late * DAY_MS,
  isInHours: false,
})

/** How long each kind of work may wait. An order has the usual minutes of its game, see `latenessOfOrder`. */
const AGE_LIMIT: Record<BacklogKind, AgeLimit> = {
  orders: minutes(15, 30),
  reports: minutes(15, 30),
  lateReports: minutes(15, 30),
  corrections: minutes(30, 120),
  // Buyers are promised an answer within a day.
  failed: days(0.5, 1),
  topUps: minutes(15, 30),
  lines: days(1, 2),
  unknownCharges: minutes(5, 10),
  deadJobs: minutes(15, 60),
  lostSlips: days(1, 2),
  disputed: days(1, 3),
  // Buyers are promised these days.
  refunds: days(1, REFUND_DAYS),
  withoutLine: days(2, 4),
  secondWords: minutes(60, 240),
  waitingFiles: minutes(30, 120),
  messages: minutes(60, 240),
}

/** How long something has waited so far; `hours` are the shop's, see `nextOpeningOf`. */
const waitedMs = ({ isInHours }: Pick<AgeLimit, 'isInHours'>, since: Date, now: Date, hours: string): number =>
  isInHours ? openMsBetween(hours, since, now) : now.getTime() - since.getTime()

const judge = (waited: number, nearMs: number, lateMs: number): Lateness =>
  waited > lateMs ? 'overdue' : waited >= nearMs ? 'near' : 'fine'

/** Tells whether something of a kind has waited too long. */
export function latenessOf(kind: BacklogKind, since: Date, now: Date, hours: string): Lateness {
  const limit = AGE_LIMIT[kind]
  return judge(waitedMs(limit, since, now, hours), limit.nearMs, limit.lateMs)
}

/** Tells whether an order is late, by the longest usual time of its game since its money came. */
export function latenessOfOrder(since: Date, usual: { to: number }, now: Date, hours: string): Lateness {
  const lateMs = usual.to * 60_000
  return judge(waitedMs({ isInHours: true }, since, now, hours), NEAR * lateMs, lateMs)
}

const URGENCY: readonly Lateness[] = ['overdue', 'near', 'fine']

/** Compares what waits: what is late first, then what is nearly late. */
export const byLateness = (one: Lateness, other: Lateness): number => URGENCY.indexOf(one) - URGENCY.indexOf(other)
