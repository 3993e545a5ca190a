import { listAllOrders } from '@shop/shared/order/endpoints.ts'
import { useUrlChoice } from '@shop/web/url-filters.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useClient } from '../account/session.tsx'
import { SlipServiceNotice } from '../slipcheck/service-notice.tsx'
import { SupplierNotice } from '../supplier/supplier-notice.tsx'
import { LoadError } from '../ui/load-error.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { HistoryFilterBar } from './history-filter-bar.tsx'
import { useHistoryFilters } from './history-filters.ts'
import { HistoryTable } from './history-table.tsx'
import { OrderPanel } from './order-panel.tsx'
import { useOrderChange } from './use-order-change.tsx'

const POLL_MS = 5000

export function HistoryScreen() {
  const client = useClient()
  const { filters, isFiltered, change, reset } = useHistoryFilters()
  const [openOrderNo, open] = useUrlChoice('order')
  const [ownChanges, setOwnChanges] = useState(0)
  const afterChange = useCallback(() => setOwnChanges(count => count + 1), [])
  const { ask, busy, dialog } = useOrderChange(afterChange)
  const { month, game, status, orderNo, waiting, page, pageSize } = filters
  const isLate = waiting.length > 0
  const list = useQuery({
    ...client.query(listAllOrders, {
      query: {
        month: isLate ? undefined : (month ?? undefined),
        game,
        status: isLate ? undefined : status,
        orderNo: orderNo || undefined,
        waiting: waiting[0],
        page,
        pageSize,
      },
    }),
    refetchInterval: query => (query.state.data ? POLL_MS : false),
    placeholderData: keepPreviousData,
  })
  const scope = list.isPlaceholderData ? 'previous' : `${JSON.stringify(filters)} ${ownChanges}`

  return (
    <>
      <PageHead title="ประวัติคำสั่งซื้อ" />
      <SlipServiceNotice />
      <SupplierNotice />
      <HistoryFilterBar filters={filters} isFiltered={isFiltered} onChange={change} onReset={reset} />
      <div className={openOrderNo ? 'list-and-panel is-open' : 'list-and-panel'}>
        <section className="card list is-openable" aria-label="รายการคำสั่งซื้อ">
          {list.isError && !list.data ? (
            <LoadError error={list.error} onRetry={() => list.refetch()} />
          ) : (
            <HistoryTable
              data={list.data}
              isLoading={list.isPending || list.isPlaceholderData}
              scope={scope}
              filters={filters}
              onFilter={change}
              openOrderNo={openOrderNo}
              onOpen={open}
              busyOrderNo={busy}
              onAsk={ask}
            />
          )}
        </section>
        {openOrderNo && (
          <OrderPanel key={openOrderNo} orderNo={openOrderNo} onClose={() => open(null)} onChanged={afterChange} />
        )}
      </div>
      {dialog}
    </>
  )
}
