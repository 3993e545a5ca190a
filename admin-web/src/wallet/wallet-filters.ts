import { ACTION_TYPES, TOP_UP_STATUSES } from '@shop/shared/wallet/top-up.ts'
import { choicesField, monthField, textField, textUpTo, useUrlFilters } from '../ui/url-filters.ts'

/** By default the list shows what waits for approval, of every month, so that nothing is forgotten. */
const fields = {
  month: monthField,
  actionType: choicesField(ACTION_TYPES),
  status: choicesField(TOP_UP_STATUSES, ['waiting_approve']),
  transactionNo: textUpTo(20),
  agentName: textField,
}

export const useWalletFilters = () => useUrlFilters(fields)
export type WalletFilters = ReturnType<typeof useWalletFilters>['filters']

/** The filters as the API takes them. */
export function queryOf({ month, actionType, status, transactionNo, agentName }: WalletFilters) {
  return {
    month: month ?? undefined,
    actionType,
    status,
    transactionNo: transactionNo || undefined,
    agentName: agentName || undefined,
  }
}
