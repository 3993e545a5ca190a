import { ORDER_STATUSES } from '@shop/shared/order/status.ts'
import { choicesField, currentMonthField, idsField, textField, useUrlFilters } from '@shop/web/url-filters.ts'

const fields = {
  month: currentMonthField,
  game: idsField,
  status: choicesField(ORDER_STATUSES, ['waiting_payment']),
  orderNo: textField,
  waiting: choicesField(['lateReport']),
}

/** The history's filters: this month and waiting for payment, unless the address says otherwise. */
export const useHistoryFilters = () => useUrlFilters(fields)

export type HistoryFilters = ReturnType<typeof useHistoryFilters>['filters']
