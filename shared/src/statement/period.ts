import { AppError } from '../errors.ts'
import { bangkokDay } from '../time.ts'
import { STATEMENT_MONTHS } from './statement.ts'

/** The first Bangkok day that statements can be looked at: three months before today, or the last day of that month. */
export function earliestStatementDay(now: Date): string {
  const [year, month, day] = bangkokDay(now).split('-').map(Number) as [number, number, number]
  const back = month - 1 - STATEMENT_MONTHS
  const lastDay = new Date(Date.UTC(year, back + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, back, Math.min(day, lastDay))).toISOString().slice(0, 10)
}

/** @throws STATEMENT_PERIOD_INVALID unless the days are in order and within the last three months */
export function checkStatementPeriod({ from, to }: { from: string; to: string }, now: Date): void {
  if (from > to || from < earliestStatementDay(now) || to > bangkokDay(now))
    throw new AppError('STATEMENT_PERIOD_INVALID')
}
