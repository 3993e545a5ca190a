import { type To, useLocation } from 'react-router-dom'

/** The filters of the list from which an order was opened. */
interface FromHistory {
  search: string
}

/** What a link to an order carries, so that the way back leads to the list as it is now. */
export const useFromHistory = (): FromHistory => ({ search: useLocation().search })

/** The list as it was left; as it begins, for who came another way. */
export function useWayBack(): To {
  const state = useLocation().state as Partial<FromHistory> | null
  return { pathname: '/purchase/history', search: typeof state?.search === 'string' ? state.search : '' }
}
