import { ORDER_SORTS, WAITING_FOR } from '@shop/shared/order/history.ts'
import { ORDER_STATUSES } from '@shop/shared/order/status.ts'
import { choicesField, currentMonthField, idsField, textField, useUrlFilters } from '../ui/url-filters.ts'

const fields = {
  month: currentMonthField,
  game: idsField,
  status: choicesField(ORDER_STATUSES, ['waiting_payment']),
  text: textField,
  waiting: choicesField(WAITING_FOR),
  sort: choicesField(ORDER_SORTS),
  direction: choicesField(['asc', 'desc']),
  /** Where the page goes on; only beside a page number above 1. */
  after: textField,
}

/** The history's filters: this month and waiting for payment, unless the address says otherwise. */
export const useHistoryFilters = () => useUrlFilters(fields)

export type HistoryFilters = ReturnType<typeof useHistoryFilters>['filters']

/** The call's words for the filters. What waits is listed whatever its month, in an order of its own. */
export function queryOf({ month, game, status, text, waiting, sort, direction }: HistoryFilters) {
  const [waitsFor] = waiting
  return {
    game,
    text: text || undefined,
    ...(waitsFor
      ? { waiting: waitsFor }
      : { month: month ?? undefined, status, sort: sort[0], direction: direction[0] }),
  }
}
