import { Link, type To, useLocation } from 'react-router-dom'

/** Where a list's filters are while one of its orders has the page. */
interface FromList {
  search: string
}

const isFromList = (state: unknown): state is FromList =>
  typeof (state as Partial<FromList> | null)?.search === 'string'

/** To the page of an order, which leads back to the list as it is filtered now. */
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

/** The history with the filters it was left with; as it begins, for who came another way. */
export function useWayBack(): To {
  const { state } = useLocation()
  return { pathname: '/management/history', search: isFromList(state) ? state.search : '' }
}
