import { ACTION_TYPES, type ActionType, TOP_UP_STATUSES, type TopUpStatus } from '@shop/shared/wallet/top-up.ts'
import { useSearchParams } from 'react-router-dom'

export const PAGE_SIZE = 10

/** What the wallet's history is narrowed to; null means all. */
export interface HistoryFilter {
  /** Bangkok month "YYYY-MM". */
  month: string | null
  actionType: ActionType | null
  status: TopUpStatus | null
  page: number
}

/** The filter in a page's address: `?month=2026-11&type=เติมเงิน&status=approve&page=2`; what makes no sense is left out. */
export function readHistoryFilter(search: URLSearchParams): HistoryFilter {
  const month = search.get('month') ?? ''
  const page = Number(search.get('page'))
  return {
    month: /^20\d\d-(0[1-9]|1[0-2])$/.test(month) ? month : null,
    actionType: ACTION_TYPES.find(each => each === search.get('type')) ?? null,
    status: TOP_UP_STATUSES.find(each => each === search.get('status')) ?? null,
    page: Number.isInteger(page) && page >= 1 && page <= 1000 ? page : 1,
  }
}

export function writeHistoryFilter({ month, actionType, status, page }: HistoryFilter): URLSearchParams {
  const search = new URLSearchParams()
  if (month) search.set('month', month)
  if (actionType) search.set('type', actionType)
  if (status) search.set('status', status)
  if (page > 1) search.set('page', String(page))
  return search
}

/** The filter in the address of the page being looked at; any change of it starts at the first page again. */
export function useHistoryFilter() {
  const [search, setSearch] = useSearchParams()
  const filter = readHistoryFilter(search)
  const change = (part: Partial<HistoryFilter>) =>
    setSearch(writeHistoryFilter({ ...filter, page: 1, ...part }), { replace: true })
  const clear = () => setSearch({}, { replace: true })
  return { filter, change, clear, getHref: (page: number) => `?${writeHistoryFilter({ ...filter, page })}` }
}

/** The filter as the calls take it, without the page. */
export const toFilterQuery = ({ month, actionType, status }: HistoryFilter) => ({
  month: month ?? undefined,
  actionType: actionType ? [actionType] : undefined,
  status: status ? [status] : undefined,
})

export const isFiltered = ({ month, actionType, status }: HistoryFilter): boolean =>
  month !== null || actionType !== null || status !== null
