import type { Satang } from '../money.ts'
import { keysOf } from '../table.ts'
import { bangkokDay, DAY_MS } from '../time.ts'

/** Bangkok days "YYYY-MM-DD", both included. */
export interface Days {
  from: string
  to: string
}

interface PeriodEntry {
  label: string
  /** The period that it is compared with. */
  before: string
  /** Whether its sales are shown by day or by month. */
  step: 'day' | 'month'
  daysOf: (today: string) => Days
  daysBefore: (days: Days) => Days
}

const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

/** Returns the same day some months earlier, or that month's last day when it is too short. */
function monthsEarlier(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const last = new Date(Date.UTC(year, month - months, 0))
  last.setUTCDate(Math.min(date, last.getUTCDate()))
  return last.toISOString().slice(0, 10)
}

const earlier =
  (months: number) =>
  ({ from, to }: Days): Days => ({ from: monthsEarlier(from, months), to: monthsEarlier(to, months) })

const lastDays = (count: number) => ({
  daysOf: (today: string) => ({ from: addDays(today, 1 - count), to: today }),
  daysBefore: ({ from, to }: Days) => ({ from: addDays(from, -count), to: addDays(to, -count) }),
})

/** The periods of sales; each ends today. */
const salePeriods = {
  today: { label: 'วันนี้', before: 'เมื่อวานทั้งวัน', step: 'day', ...lastDays(1) },
  last7days: { label: '7 วัน', before: '7 วันก่อน', step: 'day', ...lastDays(7) },
  thismonth: {
    label: 'เดือนนี้',
    before: 'ช่วงเดียวกันเดือนก่อน',
    step: 'day',
    daysOf: today => ({ from: `${today.slice(0, 7)}-01`, to: today }),
    daysBefore: earlier(1),
  },
  thisyear: {
    label: 'ปีนี้',
    before: 'ช่วงเดียวกันปีก่อน',
    step: 'month',
    daysOf: today => ({ from: `${today.slice(0, 4)}-01-01`, to: today }),
    daysBefore: earlier(12),
  },
} satisfies Record<string, PeriodEntry>
export type SalePeriod = keyof typeof salePeriods
export const SALE_PERIOD: Record<SalePeriod, PeriodEntry> = salePeriods
export const SALE_PERIODS = keysOf(salePeriods)

/** Returns the days of a period, the days it is compared with, and its steps: days "YYYY-MM-DD" or months "YYYY-MM". */
export function salePeriod(period: SalePeriod, now: Date) {
  const { daysOf, daysBefore, step } = SALE_PERIOD[period]
  const days = daysOf(bangkokDay(now))
  return { days, before: daysBefore(days), step, steps: stepsOf(days, step) }
}

/** Returns the steps of some days: those days, or their months. */
export function stepsOf({ from, to }: Days, step: 'day' | 'month'): string[] {
  const steps = new Set<string>()
  for (let day = from; day <= to; day = addDays(day, 1)) steps.add(step === 'day' ? day : day.slice(0, 7))
  return [...steps]
}

/** The periods ahead that the stock dashboard shows. */
const stockPeriods = {
  today: { label: 'วันนี้', until: today => today },
  last7days: { label: '7 วัน', until: today => addDays(today, 7) },
  thisyear: { label: 'ปีนี้', until: today => `${today.slice(0, 4)}-12-31` },
} satisfies Record<string, { label: string; until: (today: string) => string }>
export type StockPeriod = keyof typeof stockPeriods
export const STOCK_PERIODS = keysOf(stockPeriods)
export const STOCK_PERIOD: Record<StockPeriod, { label: string; until: (today: string) => string }> = stockPeriods

/** Returns the last days of sale within the period. */
export function stockDays(period: StockPeriod, now: Date): Days {
  const today = bangkokDay(now)
  return { from: today, to: STOCK_PERIOD[period].until(today) }
}

/**
 * Returns the margin, which is the revenue with known cost minus that cost and the fees of getting paid, and its share of
 * that revenue; null when no cost is known.
 */
export function marginOf(sales: Record<'revenueSatang' | 'costSatang' | 'uncostedSatang' | 'feeSatang', Satang>) {
  const costed = sales.revenueSatang - sales.uncostedSatang
  if (costed === 0) return null
  const satang = costed - sales.costSatang - sales.feeSatang
  return { satang, share: satang / costed }
}
