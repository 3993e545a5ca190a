import type { Satang } from '../money.ts'
import { bangkokDay, DAY_MS, startOfBangkokDay } from '../time.ts'

/** What was sold in some hours. A sale counts for the moment of its payment; refunded orders do not count. */
export interface SoldSoFar {
  orders: number
  revenueSatang: Satang
}

/** The days that today is compared with, by how many days ago they were. */
export const DAYS_AGO = { yesterday: 1, lastWeek: 7 } as const
export type EarlierDay = keyof typeof DAYS_AGO

export interface DaySoFar {
  /** 00:00 in Bangkok. */
  from: Date
  /** 00:00 of the next day, which is outside. */
  to: Date
  /** The same time of that day as it is now, which is inside. */
  soFar: Date
}

/** Returns the Bangkok day some days ago, with the time of day of `now`. Without summer time, a day is always as long. */
export function dayAgo(days: number, now: Date): DaySoFar {
  const from = startOfBangkokDay(bangkokDay(now)).getTime() - days * DAY_MS
  return { from: new Date(from), to: new Date(from + DAY_MS), soFar: new Date(now.getTime() - days * DAY_MS) }
}

/** Returns the hour of a Bangkok day, 0 to 23. */
export const hourOf = (now: Date): number =>
  Math.floor((now.getTime() - startOfBangkokDay(bangkokDay(now)).getTime()) / 3_600_000)

/** Below this number of orders on either side, a share tells of chance: three orders after two are not half as many more. */
const LEAST_ORDERS = 10

/** How the hours of today stand beside the same hours of an earlier day. */
export type Comparison =
  /** The shop had not sold anything by then. */
  | { kind: 'notBegun' }
  /** Those hours sold nothing. */
  | { kind: 'nothing' }
  /** Too few orders for a share; what those hours sold is told as it was. */
  | { kind: 'few' }
  /** 0.5 means half as much again. */
  | { kind: 'share'; change: number }

/** Compares a figure of today with that of an earlier day up to the same time. */
export function compareHours(
  { now, before, of }: { now: SoldSoFar; before: SoldSoFar; of: keyof SoldSoFar },
  /** When the shop's first order was paid; null when none was. */
  firstSaleAt: Date | null,
  until: Date,
): Comparison {
  if (before.orders === 0) return { kind: firstSaleAt && firstSaleAt <= until ? 'nothing' : 'notBegun' }
  if (Math.min(now.orders, before.orders) < LEAST_ORDERS || before[of] === 0) return { kind: 'few' }
  return { kind: 'share', change: (now[of] - before[of]) / before[of] }
}
