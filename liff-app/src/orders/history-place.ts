import { type To, useLocation } from 'react-router-dom'

/** The filters of the list from which an order was opened, as the address has them. */
interface FromHistory {
  search: string
}

/** What a link to an order carries along, so that the link back leads to the list as it is now. */
export const useFromHistory = (): FromHistory => ({ search: useLocation().search })

/** The address of the list as it was left, or without filters when the order was not opened from it. */
export function useWayBack(): To {
  const state = useLocation().state as Partial<FromHistory> | null
  return { pathname: '/purchase/history', search: typeof state?.search === 'string' ? state.search : '' }
}
