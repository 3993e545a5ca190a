import { STAFF_PAGE } from '@shop/shared/staff-pages.ts'
import { bangkokDay } from '@shop/shared/time.ts'
import type { Waiting } from '@shop/shared/work/endpoints.ts'
import { WORK, type WorkKind } from '@shop/shared/work/work.ts'

/** What the page must be told to show just that work; the others show it by themselves. */
const searches: Partial<Record<WorkKind, (waiting: Waiting | undefined) => [string, string][]>> = {
  reports: () => [['waiting', 'reported']],
  lateReports: () => [['waiting', 'lateReport']],
  lines: waiting =>
    waiting?.receivingAccountId && waiting.oldest
      ? [
          ['account', String(waiting.receivingAccountId)],
          ['from', bangkokDay(new Date(waiting.oldest))],
        ]
      : [],
  withoutLine: () => [['withoutLine', 'overdue']],
}

/** The address where a kind of work is done. */
export function placeOfWork(kind: WorkKind, waiting: Waiting | undefined): string {
  const search = new URLSearchParams(searches[kind]?.(waiting))
  return [STAFF_PAGE[WORK[kind].page].path, search.toString()].filter(Boolean).join('?')
}
