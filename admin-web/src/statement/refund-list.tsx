import type { Reply } from '@shop/shared/endpoint.ts'
import type { listOwedRefunds, OwedRefund } from '@shop/shared/statement/refund-endpoints.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { Table, type TableProps, Tabs } from 'antd'
import { ListSection } from '../ui/list-section.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { pagerOf } from '../ui/pager.ts'

interface RefundFilters {
  sent: boolean
  page: number
  pageSize: number
}

interface RefundListProps extends Pick<TableProps<OwedRefund>, 'columns' | 'rowSelection'> {
  label: string
  query: UseQueryResult<Reply<typeof listOwedRefunds>>
  filters: RefundFilters
  change: (some: Partial<RefundFilters>) => void
  /** What is said where there is none. */
  nothing: string
}

/** Money that is to go back, or went back, a page of it. */
export function RefundList({ label, query, filters, change, nothing, columns, rowSelection }: RefundListProps) {
  const isLoading = query.isPending || query.isPlaceholderData
  return (
    <ListSection
      label={label}
      query={query}
      className="refunds"
      head={
        <Tabs
          activeKey={filters.sent ? 'sent' : 'owed'}
          onChange={key => change({ sent: key === 'sent' })}
          items={[
            { key: 'owed', label: 'รอคืน' },
            { key: 'sent', label: 'โอนคืนแล้ว' },
          ]}
        />
      }
    >
      <Table<OwedRefund>
        rowKey="id"
        dataSource={query.data?.rows}
        columns={columns}
        loading={isLoading}
        scroll={{ x: 980 }}
        sticky
        rowSelection={rowSelection}
        locale={{ emptyText: isLoading ? ' ' : <NothingFound text={nothing} /> }}
        pagination={pagerOf(filters, query.data?.total ?? 0, change)}
      />
    </ListSection>
  )
}
