import type { Reply } from '@shop/shared/endpoint.ts'
import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import type { listAllOrders } from '@shop/shared/order/endpoints.ts'
import type { StaffCommand } from '@shop/shared/order/staff-command.ts'
import { Button, Table } from 'antd'
import { NothingFound } from '../ui/nothing-found.tsx'
import { pagerOf } from '../ui/pager.ts'
import { SteadyList } from '../ui/steady-list.tsx'
import type { Paging } from '../ui/url-filters.ts'
import { type HistoryRow, isReported, narrowColumns, type ShownRow, sortOf, wideColumns } from './history-columns.tsx'
import { type HistoryFilters, isUnpaidList } from './history-filters.ts'
import type { ChangeableOrder } from './use-order-change.tsx'

type History = Reply<typeof listAllOrders>

const keyOf = (row: HistoryRow) => row.orderNo
const NO_ROWS: HistoryRow[] = []

interface Props {
  data: History | undefined
  isLoading: boolean
  scope: string
  filters: HistoryFilters
  onFilter: (some: Partial<HistoryFilters>) => void
  openOrderNo: string | null
  onOpen: (orderNo: string) => void
  busyOrderNo: string | null
  onAsk: (order: ChangeableOrder, command: StaffCommand) => void
}

export function HistoryTable(props: Props) {
  const { data, isLoading, scope, filters, onFilter, openOrderNo, onOpen, busyOrderNo, onAsk } = props
  const columnProps = { now: data?.nowDate ?? '', filters, busyOrderNo, onOpen, onAsk }
  /** The next page begins after the cursor of this one; any other page is counted from the first row. */
  const turnTo = ({ page, pageSize }: Paging) => {
    const isNext = page === filters.page + 1 && pageSize === filters.pageSize
    onFilter({ page, pageSize, after: isNext ? (data?.next ?? '') : '' })
  }
  return (
    <SteadyList latest={data?.rows ?? NO_ROWS} keyOf={keyOf} scope={scope}>
      {rows => (
        <Table<ShownRow>
          rowKey={({ row }) => row.orderNo}
          dataSource={rows}
          columns={openOrderNo ? narrowColumns(columnProps) : wideColumns(columnProps)}
          loading={isLoading}
          scroll={{ x: openOrderNo ? 400 : 980 }}
          sticky
          rowClassName={({ row, isGone }) =>
            `${row.orderNo === openOrderNo ? 'is-selected' : ''} ${isGone ? 'is-gone' : ''} ${isReported(row) ? 'is-reported' : ''}`
          }
          locale={{ emptyText: isLoading ? ' ' : <NoOrders filters={filters} onFilter={onFilter} /> }}
          onChange={(_, __, sorter, { action }) => {
            if (action === 'sort' && !Array.isArray(sorter)) onFilter(sortOf(sorter))
          }}
          pagination={pagerOf(filters, data?.total ?? 0, turnTo, MOST_COUNTED)}
        />
      )}
    </SteadyList>
  )
}

function NoOrders({ filters, onFilter }: Pick<Props, 'filters' | 'onFilter'>) {
  const { text, month, game, status, waiting } = filters
  if (isUnpaidList(filters) && !text && game.length === 0)
    return (
      <NothingFound text="ไม่มีคำสั่งซื้อที่รอชำระเงิน">
        <Button onClick={() => onFilter({ status: [] })}>ดูคำสั่งซื้อทั้งหมด</Button>
      </NothingFound>
    )
  const isNarrow = text !== '' && waiting.length === 0 && (month !== null || game.length > 0 || status.length > 0)
  return (
    <NothingFound text={text ? `ไม่พบคำสั่งซื้อ "${text}" ในตัวกรองนี้` : 'ไม่มีคำสั่งซื้อในตัวกรองนี้'}>
      {isNarrow && <Button onClick={() => onFilter({ month: null, game: [], status: [] })}>ค้นหาทุกเดือน ทุกสถานะ</Button>}
    </NothingFound>
  )
}
