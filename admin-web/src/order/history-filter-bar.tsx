import { listGames } from '@shop/shared/catalogue/endpoints.ts'
import { ORDER_STATUS, ORDER_STATUSES } from '@shop/shared/order/status.ts'
import { useQuery } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { useClient } from '../account/session.tsx'
import { ChoicesFilter, FilterBar, MonthFilter } from '../ui/filter-bar.tsx'
import { SearchInput } from '../ui/search-input.tsx'
import type { HistoryFilters } from './history-filters.ts'

const statusOptions = ORDER_STATUSES.map(value => ({ value, label: ORDER_STATUS[value].label }))

export function HistoryFilterBar(props: {
  filters: HistoryFilters
  isFiltered: boolean
  onChange: (some: Partial<HistoryFilters>) => void
  onReset: () => void
}) {
  const { filters, isFiltered, onChange, onReset } = props
  const isLate = filters.waiting.length > 0
  const client = useClient()
  const games = useQuery({ ...client.query(listGames), staleTime: 300_000 })

  return (
    <FilterBar label="ตัวกรองคำสั่งซื้อ" isFiltered={isFiltered} onReset={onReset}>
      <Segmented
        aria-label="รายการที่แสดง"
        options={[
          { value: 'all', label: 'ทั้งหมด' },
          { value: 'lateReport', label: 'แจ้งโอนหลังหมดเวลา' },
        ]}
        value={filters.waiting[0] ?? 'all'}
        onChange={value => onChange({ waiting: value === 'lateReport' ? ['lateReport'] : [] })}
      />
      {!isLate && <MonthFilter month={filters.month} onChange={month => onChange({ month })} />}
      <ChoicesFilter
        label="เกม"
        all="ทุกเกม"
        options={games.data?.map(({ id, name }) => ({ value: id, label: name }))}
        chosen={filters.game}
        width={180}
        onChange={game => onChange({ game })}
      />
      {!isLate && (
        <ChoicesFilter
          label="สถานะ"
          all="ทุกสถานะ"
          options={statusOptions}
          chosen={filters.status}
          width={200}
          onChange={status => onChange({ status })}
        />
      )}
      <SearchInput
        label="เลขที่คำสั่งซื้อ"
        value={filters.orderNo}
        maxLength={20}
        width={210}
        onSearch={orderNo => onChange({ orderNo })}
      />
    </FilterBar>
  )
}
