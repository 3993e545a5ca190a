import { listGames } from '@shop/shared/catalogue/endpoints.ts'
import { ORDER_STATUS_LABELS, ORDER_STATUSES } from '@shop/shared/order/order.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, DatePicker, Select } from 'antd'
import dayjs from 'dayjs'
import { useClient } from '../account/session-context.tsx'
import { SearchInput } from '../ui/search-input.tsx'
import type { HistoryFilters } from './history-filters.ts'

const statusOptions = ORDER_STATUSES.map(value => ({ value, label: ORDER_STATUS_LABELS[value] }))

export function HistoryFilterBar(props: {
  filters: HistoryFilters
  isFiltered: boolean
  onChange: (some: Partial<HistoryFilters>) => void
  onReset: () => void
}) {
  const { filters, isFiltered, onChange, onReset } = props
  const client = useClient()
  const games = useQuery({ ...client.query(listGames), staleTime: 300_000 })

  return (
    <search className="filters" aria-label="ตัวกรองคำสั่งซื้อ">
      <DatePicker
        picker="month"
        aria-label="เดือน"
        format="MMM YYYY"
        placeholder="ทุกเดือน"
        value={filters.month ? dayjs(`${filters.month}-01`) : null}
        onChange={month => onChange({ month: month ? month.format('YYYY-MM') : null })}
        style={{ width: 140 }}
      />
      <Select
        mode="multiple"
        aria-label="เกม"
        placeholder="ทุกเกม"
        maxTagCount="responsive"
        optionFilterProp="label"
        allowClear
        loading={games.isPending}
        value={games.data ? filters.game : []}
        options={games.data?.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={game => onChange({ game })}
        style={{ width: 180 }}
      />
      <Select
        mode="multiple"
        aria-label="สถานะ"
        placeholder="ทุกสถานะ"
        maxTagCount="responsive"
        optionFilterProp="label"
        allowClear
        value={filters.status}
        options={statusOptions}
        onChange={status => onChange({ status })}
        style={{ width: 200 }}
      />
      <SearchInput
        label="เลขที่คำสั่งซื้อ"
        value={filters.orderNo}
        maxLength={20}
        width={210}
        onSearch={orderNo => onChange({ orderNo })}
      />
      {isFiltered && (
        <Button type="link" onClick={onReset}>
          ล้างตัวกรอง
        </Button>
      )}
    </search>
  )
}
