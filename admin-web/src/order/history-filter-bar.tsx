import type { BacklogKind } from '@shop/shared/backlog/backlog.ts'
import { getBacklog } from '@shop/shared/backlog/endpoints.ts'
import { listGames } from '@shop/shared/catalogue/endpoints.ts'
import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import { SHORTEST_SEARCH, WAITING, WAITING_FOR } from '@shop/shared/order/history.ts'
import { ORDER_STATUS, ORDER_STATUSES } from '@shop/shared/order/status.ts'
import { tableOf } from '@shop/shared/table.ts'
import { useQuery } from '@tanstack/react-query'
import { App, Segmented } from 'antd'
import { useClient } from '../account/session.tsx'
import { ChoicesFilter, FilterBar, MonthFilter } from '../ui/filter-bar.tsx'
import { countText } from '../ui/pager.ts'
import { SearchInput } from '../ui/search-input.tsx'
import { filtersOf, HISTORY_LISTS, type HistoryFilters, type HistoryList, isOfSale, listOf } from './history-filters.ts'
import { SaleNote } from './sale-note.tsx'

const statusOptions = ORDER_STATUSES.map(value => ({ value, label: ORDER_STATUS[value].label }))
/** The kind of waiting work that the menu counts for a list. */
const COUNTED_AS: Partial<Record<HistoryList, BacklogKind>> = {
  reported: 'reports',
  lateReport: 'lateReports',
  failed: 'failed',
}

const LABEL: Record<HistoryList, string> = {
  all: 'ทั้งหมด',
  waiting_payment: ORDER_STATUS.waiting_payment.label,
  ...tableOf(WAITING_FOR, list => WAITING[list].label),
}

/** The lists to choose from, with the number of waiting orders where the menu counts them. */
function useListOptions(): { value: HistoryList; label: string }[] {
  const client = useClient()
  // Never stale here, because the menu reads it again all the time.
  const waiting = useQuery({ ...client.query(getBacklog), staleTime: Number.POSITIVE_INFINITY }).data?.waiting
  return HISTORY_LISTS.map(value => {
    const kind = COUNTED_AS[value]
    const count = (kind && waiting?.[kind]?.count) ?? 0
    return { value, label: count > 0 ? `${LABEL[value]} ${countText(count, MOST_COUNTED)}` : LABEL[value] }
  })
}

export function HistoryFilterBar(props: {
  filters: HistoryFilters
  isFiltered: boolean
  /** A row of the list. */
  row: Parameters<typeof SaleNote>[0]['row']
  onChange: (some: Partial<HistoryFilters>) => void
  onReset: () => void
}) {
  const { filters, isFiltered, row, onChange, onReset } = props
  const isWaiting = filters.waiting.length > 0
  const isByPayment = filters.sort[0] === 'paidAt'
  // The note of a sale names its days.
  const hasMonth = !isWaiting && !isOfSale(filters)
  const client = useClient()
  const { message } = App.useApp()
  const games = useQuery({ ...client.query(listGames), staleTime: 300_000 })
  const search = (text: string) => {
    if (text && text.length < SHORTEST_SEARCH) message.info(`พิมพ์อย่างน้อย ${SHORTEST_SEARCH} ตัวอักษร`)
    else onChange({ text })
  }

  return (
    <FilterBar
      label="ตัวกรองคำสั่งซื้อ"
      isFiltered={isFiltered}
      onReset={onReset}
      lists={
        <Segmented<HistoryList>
          aria-label="รายการที่แสดง"
          options={useListOptions()}
          value={listOf(filters)}
          onChange={list => onChange(filtersOf(list))}
        />
      }
    >
      {hasMonth && (
        <MonthFilter
          label={isByPayment ? 'เดือนที่ชำระ' : 'เดือน'}
          month={filters.month}
          onChange={month => onChange({ month })}
        />
      )}
      {hasMonth && isByPayment && <span className="note muted">เดือนที่ชำระ</span>}
      <ChoicesFilter
        label="เกม"
        all="ทุกเกม"
        options={games.data?.map(({ id, name }) => ({ value: id, label: name }))}
        chosen={filters.game}
        width={160}
        onChange={game => onChange({ game })}
      />
      {!isWaiting && (
        <ChoicesFilter
          label="สถานะ"
          all="ทุกสถานะ"
          options={statusOptions}
          chosen={filters.status}
          width={190}
          onChange={status => onChange({ status })}
        />
      )}
      <SearchInput label="เลขที่ Player ID หรือชื่อ" value={filters.text} maxLength={100} width={210} onSearch={search} />
      <SaleNote filters={filters} row={row} onChange={onChange} />
    </FilterBar>
  )
}
