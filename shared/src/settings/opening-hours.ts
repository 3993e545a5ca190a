import { bangkokDay, bangkokDayNumber, DAY_MS, formatClock, formatDay, startOfBangkokDay } from '../time.ts'

/** "HH:MM" -> ms since midnight */
const sinceMidnightMs = (clock: string): number => Date.parse(`1970-01-01T${clock}:00Z`)

/**
 * Returns when the shop opens next; null while it is open. `hours` are "HH:MM-HH:MM" in Bangkok and may pass midnight;
 * the end itself is outside. Without hours, or with equal times, the shop is always open.
 */
export function nextOpeningOf(hours: string, now: Date): Date | null {
  const [opensMs, closesMs] = hours.split('-').map(sinceMidnightMs)
  if (opensMs === undefined || closesMs === undefined || opensMs === closesMs) return null
  const midnightMs = startOfBangkokDay(bangkokDay(now)).getTime()
  const sinceMs = now.getTime() - midnightMs
  const isAfterOpening = sinceMs >= opensMs
  const isBeforeClosing = sinceMs < closesMs
  const isOpen = opensMs < closesMs ? isAfterOpening && isBeforeClosing : isAfterOpening || isBeforeClosing
  return isOpen ? null : new Date(midnightMs + opensMs + (isAfterOpening ? DAY_MS : 0))
}

/** Returns for how long the shop was open between two moments. */
export function openMsBetween(hours: string, from: Date, to: Date): number {
  const [opensMs, closesMs] = hours.split('-').map(sinceMidnightMs)
  const [start, end] = [from.getTime(), Math.max(from.getTime(), to.getTime())]
  if (opensMs === undefined || closesMs === undefined || opensMs === closesMs) return end - start
  const lasts = closesMs > opensMs ? closesMs - opensMs : closesMs + DAY_MS - opensMs
  let sum = 0
  // Hours that pass midnight may have begun on the day before.
  for (let day = startOfBangkokDay(bangkokDay(from)).getTime() - DAY_MS; day < end; day += DAY_MS)
    sum += Math.max(0, Math.min(end, day + opensMs + lasts) - Math.max(start, day + opensMs))
  return sum
}

/** Returns when the shop, which is open at `at`, closes next; null when it never closes. */
function nextClosingOf(hours: string, at: Date): Date | null {
  const [opensMs, closesMs] = hours.split('-').map(sinceMidnightMs)
  if (opensMs === undefined || closesMs === undefined || opensMs === closesMs) return null
  const closing = startOfBangkokDay(bangkokDay(at)).getTime() + closesMs
  return new Date(closing > at.getTime() ? closing : closing + DAY_MS)
}

/** Returns the moment at which the shop has been open for `openMs` since `from`. While it is closed, no time counts. */
export function afterOpenTime(hours: string, from: Date, openMs: number): Date {
  const start = nextOpeningOf(hours, from) ?? from
  const closing = nextClosingOf(hours, start)
  const end = new Date(start.getTime() + openMs)
  if (!closing || end < closing) return end
  return afterOpenTime(hours, closing, openMs - (closing.getTime() - start.getTime()))
}

/** Returns when the shop opens, "เปิด 09:00 น."; null while it is open. */
export function openingTextOf(hours: string, now: Date): string | null {
  const opening = nextOpeningOf(hours, now)
  if (!opening) return null
  const daysAhead = bangkokDayNumber(opening) - bangkokDayNumber(now)
  // A clock time alone is one of today.
  const day = ['', ' พรุ่งนี้'][daysAhead] ?? ` ${formatDay(bangkokDay(opening))}`
  return `เปิด ${formatClock(opening).replace(' ', '\u00a0')}${day}`
}
