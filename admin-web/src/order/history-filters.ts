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
  /** The cursor after which the page begins; it is set only on pages after the first. */
  after: textField,
}

/** The history's filters; without any in the address they are this month and the orders that wait for payment. */
export const useHistoryFilters = () => useUrlFilters(fields)

export type HistoryFilters = ReturnType<typeof useHistoryFilters>['filters']

/** The filters as the API takes them. Lists of waiting orders hold every month, in a fixed order. */
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
