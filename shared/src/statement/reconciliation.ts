import type { ReconciliationDay } from './refund-endpoints.ts'

/**
 * Tells whether bank and books say the same of a day: nothing differs, and nothing waits for a decision, an approval or
 * its line.
 */
export const agrees = (day: Pick<ReconciliationDay, 'differenceSatang' | 'open' | 'waiting' | 'withoutLine'>) =>
  day.differenceSatang === 0 && day.open === 0 && day.waiting.length === 0 && day.withoutLine === 0

/** The sums of several days, of one account or of all. */
export type ReconciliationSum = Omit<ReconciliationDay, 'day' | 'receivingAccountId'>

/** Adds up days. */
export function sumOf(days: readonly ReconciliationSum[]): ReconciliationSum {
  const add = (of: (day: ReconciliationSum) => number) => days.reduce((total, day) => total + of(day), 0)
  return {
    inSatang: add(day => day.inSatang),
    lines: add(day => day.lines),
    matchedSatang: add(day => day.matchedSatang),
    waitingSatang: add(day => day.waitingSatang),
    waiting: days.flatMap(day => day.waiting),
    openSatang: add(day => day.openSatang),
    open: add(day => day.open),
    unrelatedSatang: add(day => day.unrelatedSatang),
    withoutLineSatang: add(day => day.withoutLineSatang),
    withoutLine: add(day => day.withoutLine),
    overdue: add(day => day.overdue),
    ledgerSatang: add(day => day.ledgerSatang),
    differenceSatang: add(day => day.differenceSatang),
  }
}
