import { listAllOrders } from '@shop/shared/order/endpoints.ts'
import { ORDER_SORTS } from '@shop/shared/order/history.ts'
import { ORDER_STATUS, ORDER_STATUSES } from '@shop/shared/order/status.ts'
import { STAFF_PAGE } from '@shop/shared/staff-pages.ts'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { useClient } from '../account/session.tsx'
import { useSteadyQuery } from '../account/use-steady-query.ts'
import { ChoicesFilter, FilterBar } from '../ui/filter-bar.tsx'
import { ListSection } from '../ui/list-section.tsx'
import { choicesField, textUpTo, useUrlFilters } from '../ui/url-filters.ts'
import { type HistoryFilters, NO_SALE, queryOf } from './history-filters.ts'
import { HistoryTable } from './history-table.tsx'
import { useOrderChange } from './use-order-change.tsx'

const fields = {
  status: choicesField(ORDER_STATUSES),
  sort: choicesField(ORDER_SORTS),
  direction: choicesField(['asc', 'desc']),
  /** The cursor after which the page begins; see the history. */
  after: textUpTo(300),
}
const statusOptions = ORDER_STATUSES.map(value => ({ value, label: ORDER_STATUS[value].label }))
/** The history with this person's orders of all months and statuses. */
const placeOfHistory = (uid: string) =>
  `${STAFF_PAGE.history.path}?${new URLSearchParams({ month: 'all', status: 'all', buyer: uid })}`
const placeOf = (orderNo: string) => STAFF_PAGE.orderDetails.path.replace(':orderNo', orderNo)

/** The orders of every month of somebody with an account, as the history lists them. */
export function OrdersOfPerson({ uid }: { uid: string }) {
  const client = useClient()
  const navigate = useNavigate()
  const { filters, isFiltered, change: write, reset } = useUrlFilters(fields)
  const [ownChanges, setOwnChanges] = useState(0)
  const change = (some: Partial<HistoryFilters>) => write({ after: '', ...some })
  const { page, pageSize, after } = filters
  const asked: HistoryFilters = { ...NO_SALE, month: null, game: [], text: '', waiting: [], ...filters, buyer: uid }
  const list = useSteadyQuery(
    client.query(listAllOrders, { query: { ...queryOf(asked), page, pageSize, after: after || undefined } }),
  )
  const { ask, busy, dialog } = useOrderChange(() => setOwnChanges(count => count + 1))
  return (
    <>
      <FilterBar
        label="ตัวกรองคำสั่งซื้อ"
        isFiltered={isFiltered}
        onReset={reset}
        actions={<Link to={placeOfHistory(uid)}>ดูในประวัติคำสั่งซื้อ</Link>}
      >
        <ChoicesFilter
          label="สถานะ"
          all="ทุกสถานะ"
          options={statusOptions}
          chosen={filters.status}
          width={260}
          onChange={status => change({ status })}
        />
      </FilterBar>
      <ListSection label="รายการคำสั่งซื้อ" query={list}>
        <HistoryTable
          data={list.data}
          isLoading={list.isPending || list.isPlaceholderData}
          scope={list.isPlaceholderData ? 'previous' : `${JSON.stringify(filters)} ${ownChanges}`}
          filters={asked}
          onFilter={change}
          openOrderNo={null}
          onOpen={orderNo => navigate(placeOf(orderNo))}
          busyOrderNo={busy}
          onAsk={ask}
        />
      </ListSection>
      {dialog}
    </>
  )
}
