import { Link, type To, useLocation } from 'react-router-dom'

/** What the page of an order remembers of the list it was opened from. */
interface FromList {
  search: string
}

const isFromList = (state: unknown): state is FromList =>
  typeof (state as Partial<FromList> | null)?.search === 'string'

/** Links to the page of an order, which leads back to the list with its filters of now. */
export function DetailsLink({ orderNo }: { orderNo: string }) {
  const { search } = useLocation()
  return (
    <Link
      to={`/management/details/${orderNo}`}
      state={{ search } satisfies FromList}
      aria-label={`รายละเอียด ${orderNo}`}
    >
      รายละเอียด
    </Link>
  )
}

/** Leads back to the history with the filters it was left with, or without any if the page was opened otherwise. */
export function useWayBack(): To {
  const { state } = useLocation()
  return { pathname: '/management/history', search: isFromList(state) ? state.search : '' }
}
