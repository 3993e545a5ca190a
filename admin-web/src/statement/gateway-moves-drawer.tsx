import type { Reply } from '@shop/shared/endpoint.ts'
import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { type GatewayName, gatewayLabel } from '@shop/shared/provider-names.ts'
import { listGatewayMoves } from '@shop/shared/statement/gateway-account-endpoints.ts'
import { GATEWAY_MOVE } from '@shop/shared/statement/gateway-move.ts'
import { formatDateTimeSeconds, formatDay } from '@shop/web/dates.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Drawer, Table, type TableColumnsType } from 'antd'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { StaffLink, StatementLineLink } from '../account/staff-link.tsx'
import { LoadError } from '../ui/load-error.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { pagerOf } from '../ui/pager.ts'
import { TwoLines } from '../ui/two-lines.tsx'

type GatewayMoveRow = Reply<typeof listGatewayMoves>['rows'][number]

/** What moved the money: an order by its number, or a line of a statement. */
function Subject({ row: { orderNo, line } }: { row: GatewayMoveRow }) {
  if (line)
    return (
      <StatementLineLink id={line.id} className="number">
        รายการธนาคารเลขที่ {line.no}
      </StatementLineLink>
    )
  if (!orderNo) return <span className="none">–</span>
  return (
    <StaffLink page="orderDetails" className="number" to={`/management/details/${orderNo}`}>
      {orderNo}
    </StaffLink>
  )
}

const columns: TableColumnsType<GatewayMoveRow> = [
  {
    title: 'รายการ',
    render: (_, row) => (
      <TwoLines note={GATEWAY_MOVE[row.move]}>
        <Subject row={row} />
      </TwoLines>
    ),
  },
  {
    title: 'จำนวนเงิน (บาท)',
    align: 'right',
    width: 130,
    render: (_, { amountSatang }) => <span className="number strong">{formatBaht(amountSatang)}</span>,
  },
  {
    title: 'ลงบัญชีเมื่อ',
    width: 170,
    render: (_, { at }) => <span className="number small">{formatDateTimeSeconds(at)}</span>,
  },
]

/** Every movement of money at a gateway on one day. */
export function GatewayMovesDrawer(props: { of: { gateway: GatewayName; day: string }; onClose: () => void }) {
  const { of, onClose } = props
  const client = useClient()
  const [paging, setPaging] = useState({ page: 1, pageSize: 20 })
  const list = useQuery({
    ...client.query(listGatewayMoves, { query: { ...of, ...paging } }),
    placeholderData: keepPreviousData,
  })
  return (
    <Drawer open title={`${gatewayLabel(of.gateway)} · ${formatDay(of.day)}`} size={560} onClose={onClose}>
      {list.isError && !list.data ? (
        <LoadError error={list.error} onRetry={() => list.refetch()} />
      ) : (
        <Table<GatewayMoveRow>
          size="small"
          rowKey={({ at, move, orderNo, line, amountSatang }) => [at, move, orderNo, line?.id, amountSatang].join(' ')}
          dataSource={list.data?.rows}
          columns={columns}
          loading={list.isPending || list.isPlaceholderData}
          scroll={{ x: 460 }}
          locale={{ emptyText: list.isPending ? ' ' : <NothingFound text="ไม่มีเงินเข้าออกในวันนี้" /> }}
          pagination={pagerOf(paging, list.data?.total ?? 0, setPaging, MOST_COUNTED)}
        />
      )}
    </Drawer>
  )
}
