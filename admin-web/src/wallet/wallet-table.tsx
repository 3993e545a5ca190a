import { PAYMENT_METHOD } from '@shop/shared/catalogue/payment-method.ts'
import type { Reply } from '@shop/shared/endpoint.ts'
import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import { formatBaht } from '@shop/shared/money.ts'
import type { listAllTransactions } from '@shop/shared/wallet/endpoints.ts'
import { TOP_UP_STATUS_LABELS } from '@shop/shared/wallet/top-up.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { Table, type TableColumnsType } from 'antd'
import type { ReactNode } from 'react'
import { Age } from '../account/age.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { pagerOf } from '../ui/pager.ts'
import { RowLink } from '../ui/row-link.tsx'
import { SteadyList } from '../ui/steady-list.tsx'
import { TwoLines } from '../ui/two-lines.tsx'
import type { SteadyRow } from '../ui/use-steady-rows.ts'
import { TopUpStatusTag } from './status-tag.tsx'
import type { WalletFilters } from './wallet-filters.ts'

type History = Reply<typeof listAllTransactions>
export type TransactionRow = History['rows'][number]
type ShownRow = SteadyRow<TransactionRow>

const keyOf = (row: TransactionRow) => row.id
const NO_ROWS: TransactionRow[] = []

const signed = (row: TransactionRow) => formatBaht(row.transType === 'ถอน' ? -row.amountSatang : row.amountSatang)

/** Where the money goes; of a top-up through the gateway, how it is paid. */
const wayOf = ({ transType, payment }: TransactionRow) =>
  payment === null || payment === 'bank' ? transType : `${transType} · ${PAYMENT_METHOD[payment].name}`

/** Opens a top-up beside the list; any other movement leads to its order. */
function MovementLink({
  row,
  onOpen,
  children,
}: {
  row: TransactionRow
  onOpen: (id: string) => void
  children: ReactNode
}) {
  if (row.isTopUp)
    return (
      <RowLink to={`?tx=${row.id}`} data-row={row.id} onOpen={() => onOpen(row.id)}>
        {children}
      </RowLink>
    )
  return row.orderNo ? <RowLink to={`/management/details/${row.orderNo}`}>{children}</RowLink> : children
}

/** The status of a movement; one that waits for approval says for how long, too. */
function Standing({ row, now }: { row: TransactionRow; now: string }) {
  const { status, createdDate } = row
  if (status !== 'waiting_approve') return <TopUpStatusTag status={status} />
  return (
    <Age kind="topUps" since={createdDate} now={now} prefix={`${TOP_UP_STATUS_LABELS.waiting_approve} `} isPressing />
  )
}

function wideColumns(onOpen: (id: string) => void, now: string): TableColumnsType<ShownRow> {
  return [
    {
      title: 'เลขที่ / วันที่',
      width: 168,
      render: (_, { row }) => (
        <TwoLines note={<span className="number">{formatDateTimeSeconds(row.createdDate)}</span>}>
          <span className="number">{row.no || '–'}</span>
        </TwoLines>
      ),
    },
    { title: 'ประเภท', width: 148, render: (_, { row }) => <TwoLines note={wayOf(row)}>{row.actionType}</TwoLines> },
    {
      title: 'ตัวแทน',
      render: (_, { row }) => (
        <TwoLines note={row.tierName}>
          <b className="strong">{row.agentName}</b>
        </TwoLines>
      ),
    },
    {
      title: 'จำนวนเงิน (บาท)',
      align: 'right',
      width: 136,
      render: (_, { row }) => <span className="number">{signed(row)}</span>,
    },
    { title: 'สถานะ', width: 168, render: (_, { row }) => <Standing row={row} now={now} /> },
    {
      title: 'รายละเอียด',
      width: 116,
      render: (_, { row }) =>
        row.isTopUp || row.orderNo ? (
          <MovementLink row={row} onOpen={onOpen}>
            {row.isTopUp ? 'ดูรายละเอียด' : 'ดูคำสั่งซื้อ'}
            <span className="sr-only"> {row.no}</span>
          </MovementLink>
        ) : (
          <span className="muted">{row.reason ?? '–'}</span>
        ),
    },
  ]
}

/** The columns beside an open top-up. */
function narrowColumns(onOpen: (id: string) => void, now: string): TableColumnsType<ShownRow> {
  return [
    {
      title: 'ตัวแทน',
      render: (_, { row }) => (
        <>
          <div className="strong">{row.agentName}</div>
          <div className="note muted number">
            {row.no && (
              <>
                <MovementLink row={row} onOpen={onOpen}>
                  {row.no}
                </MovementLink>
                {' · '}
              </>
            )}
            {row.tierName}
          </div>
        </>
      ),
    },
    {
      title: 'จำนวนเงิน (บาท)',
      align: 'right',
      width: 160,
      render: (_, { row }) => (
        <>
          <div className="number strong">{signed(row)}</div>
          <div className="note muted number">
            <Standing row={row} now={now} />
          </div>
        </>
      ),
    },
  ]
}

export function WalletTable(props: {
  data: History | undefined
  isLoading: boolean
  scope: string
  filters: WalletFilters
  isFiltered: boolean
  onFilter: (some: Partial<WalletFilters>) => void
  openId: string | null
  onOpen: (id: string) => void
}) {
  const { data, isLoading, scope, filters, isFiltered, onFilter, openId, onOpen } = props
  const now = data?.nowDate ?? ''
  const isWaitingList = !isFiltered || (filters.status.join() === 'waiting_approve' && !filters.transactionNo)
  return (
    <SteadyList latest={data?.rows ?? NO_ROWS} keyOf={keyOf} scope={scope}>
      {rows => (
        <Table<ShownRow>
          rowKey={({ row }) => row.id}
          dataSource={rows}
          columns={openId ? narrowColumns(onOpen, now) : wideColumns(onOpen, now)}
          loading={isLoading}
          scroll={{ x: openId ? 360 : 840 }}
          sticky
          rowClassName={({ row, isGone }) => `${row.id === openId ? 'is-selected' : ''} ${isGone ? 'is-gone' : ''}`}
          locale={{
            emptyText: isLoading ? (
              ' '
            ) : (
              <NothingFound text={isWaitingList ? 'ไม่มีรายการรออนุมัติ' : 'ไม่พบรายการในตัวกรองนี้'} />
            ),
          }}
          pagination={pagerOf(filters, data?.total ?? 0, onFilter, MOST_COUNTED)}
        />
      )}
    </SteadyList>
  )
}
