import { BACKLOG, type BacklogKind } from '@shop/shared/backlog/backlog.ts'
import type { Waiting } from '@shop/shared/backlog/endpoints.ts'
import { STAFF_PAGE } from '@shop/shared/staff-pages.ts'
import { bangkokDay } from '@shop/shared/time.ts'

/** Returns the account and the first day of waiting lines. */
const linesSince = (waiting: Waiting | undefined): [string, string][] =>
  waiting?.receivingAccountId && waiting.oldest
    ? [
        ['account', String(waiting.receivingAccountId)],
        ['from', bangkokDay(new Date(waiting.oldest))],
      ]
    : []

/** For pages that show just that work by themselves. */
const none = (): [string, string][] => []

/** The search parameters that make a page show just that work. */
const SEARCHES: Record<BacklogKind, (waiting: Waiting | undefined) => [string, string][]> = {
  reports: () => [['waiting', 'reported']],
  lateReports: () => [['waiting', 'lateReport']],
  corrections: () => [['waiting', 'corrected']],
  failed: () => [['waiting', 'failed']],
  lines: linesSince,
  disputed: waiting => [...linesSince(waiting), ['noSaleOrder', 'false'], ['disputed', 'true']],
  withoutLine: () => [['withoutLine', 'overdue']],
  orders: none,
  topUps: none,
  lostSlips: none,
  unknownCharges: none,
  deadJobs: none,
  refunds: none,
  secondWords: none,
  waitingFiles: none,
  messages: none,
}

/** Returns the address where a kind of work is done. */
export function placeOfBacklog(kind: BacklogKind, waiting: Waiting | undefined): string {
  const search = new URLSearchParams(SEARCHES[kind](waiting))
  return [STAFF_PAGE[BACKLOG[kind].page].path, search.toString()].filter(Boolean).join('?')
}
