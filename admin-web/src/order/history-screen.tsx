import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import { listAllOrders } from '@shop/shared/order/endpoints.ts'
import { exportAllOrders } from '@shop/shared/order/finding-endpoints.ts'
import { OPEN_STATUSES } from '@shop/shared/order/history.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useClient } from '../account/session.tsx'
import { SlipServiceNotice } from '../slipcheck/service-notice.tsx'
import { SupplierNotice } from '../supplier/supplier-notice.tsx'
import { DownloadButton } from '../ui/download-button.tsx'
import { ListSection } from '../ui/list-section.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { countText } from '../ui/pager.ts'
import { useUrlChoice } from '../ui/url-filters.ts'
import { HistoryFilterBar } from './history-filter-bar.tsx'
import { type HistoryFilters, queryOf, useHistoryFilters } from './history-filters.ts'
import { HistoryTable } from './history-table.tsx'
import { OrderPanel } from './order-panel.tsx'
import { type OnOrderChanged, useOrderChange } from './use-order-change.tsx'
import { ViewsMenu } from './views-menu.tsx'

const POLL_MS = 5000

export function HistoryScreen() {
  const client = useClient()
  const { filters, isAddressed, isFiltered, change: write, reset } = useHistoryFilters()
  // The cursor belongs to the list of the old filters, so a change of filters drops it.
  const change = (some: Partial<HistoryFilters>) => write({ after: '', ...some })
  const [openOrderNo, open] = useUrlChoice('order')
  const [ownChanges, setOwnChanges] = useState(0)
  const { page, pageSize, after } = filters
  const query = queryOf(filters)
  const list = useQuery({
    ...client.query(listAllOrders, { query: { ...query, page, pageSize, after: after || undefined } }),
    refetchInterval: query => (query.state.data ? POLL_MS : false),
    placeholderData: keepPreviousData,
  })
  useFullList(!isAddressed, list.isPlaceholderData ? undefined : list.data?.total, () => write({ status: [] }))
  /** An order that is done leaves a list of waiting orders; if it was open, the next one opens. */
  const afterChange: OnOrderChanged = ({ orderNo }, command) => {
    setOwnChanges(count => count + 1)
    if (openOrderNo !== orderNo || filters.waiting.length === 0 || command === 'claim') return
    const rows = list.data?.rows ?? []
    const at = rows.findIndex(row => row.orderNo === orderNo)
    open((rows[at + 1] ?? rows[at - 1])?.orderNo ?? null)
  }
  const { ask, busy, dialog } = useOrderChange(afterChange)
  const scope = list.isPlaceholderData ? 'previous' : `${JSON.stringify(filters)} ${ownChanges}`

  return (
    <>
      <PageHead title="ประวัติคำสั่งซื้อ">
        <ViewsMenu />
        <DownloadButton open={signal => client.open(exportAllOrders, { query }, signal)} />
      </PageHead>
      <SlipServiceNotice />
      <SupplierNotice />
      <HistoryFilterBar
        filters={filters}
        isFiltered={isFiltered}
        row={list.isPlaceholderData ? undefined : list.data?.rows[0]}
        onChange={change}
        onReset={reset}
      />
      <OlderWork count={list.data?.openBefore ?? 0} onFilter={change} />
      <div className={openOrderNo ? 'list-and-panel history is-open' : 'list-and-panel history'}>
        <ListSection label="รายการคำสั่งซื้อ" query={list}>
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
        </ListSection>
        {openOrderNo && (
          <OrderPanel key={openOrderNo} orderNo={openOrderNo} onClose={() => open(null)} onChanged={afterChange} />
        )}
      </div>
      {dialog}
    </>
  )
}

/** Shows all orders to who opens the page while none waits for payment, rather than an empty list. */
function useFullList(isUnchosen: boolean, total: number | undefined, showAll: () => void) {
  const isOpened = useRef(false)
  useEffect(() => {
    if (isOpened.current || total === undefined) return
    // Only the first answer counts: a list that becomes empty while somebody works on it stays theirs.
    isOpened.current = true
    if (isUnchosen && total === 0) showAll()
  })
}

/** Tells of unfinished orders of earlier months, which the list of one month hides. */
function OlderWork({ count, onFilter }: { count: number; onFilter: (some: Partial<HistoryFilters>) => void }) {
  if (count === 0) return null
  return (
    <Alert
      type="warning"
      showIcon
      style={{ marginBottom: 12 }}
      title={`มีคำสั่งซื้อค้างจากเดือนก่อนหน้า ${countText(count, MOST_COUNTED)} รายการ`}
      action={
        <Button
          size="small"
          onClick={() => onFilter({ month: null, status: [...OPEN_STATUSES], sort: ['createdAt'], direction: ['asc'] })}
        >
          ดูรายการที่ค้าง
        </Button>
      }
    />
  )
}
