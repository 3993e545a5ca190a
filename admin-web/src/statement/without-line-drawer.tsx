import type { Reply } from '@shop/shared/endpoint.ts'
import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { listBookedWithoutLine } from '@shop/shared/statement/refund-endpoints.ts'
import { formatDateTimeSeconds, formatDay } from '@shop/web/dates.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Drawer, Table, type TableColumnsType } from 'antd'
import { useState } from 'react'
import { Age } from '../account/age.tsx'
import { useClient } from '../account/session.tsx'
import { TargetLink } from '../account/staff-link.tsx'
import { LoadError } from '../ui/load-error.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { pagerOf } from '../ui/pager.ts'
import { TwoLines } from '../ui/two-lines.tsx'
import { nameOfAccount, useStatementAccounts } from './account-select.tsx'

type BookedRow = Reply<typeof listBookedWithoutLine>['rows'][number]

const columnsAt = (now: string): TableColumnsType<BookedRow> => [
  {
    title: 'เลขที่',
    render: (_, row) => (
      <TwoLines note={row.kind === 'order' ? 'คำสั่งซื้อ' : 'เติมเงิน'}>
        <TargetLink className="row-opener number" target={row} />
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
    title: 'รับเงินเมื่อ',
    width: 190,
    render: (_, { bookedAt, by }) => (
      <>
        <TwoLines note={`โดย ${by}`}>
          <span className="number small">{formatDateTimeSeconds(bookedAt)}</span>
        </TwoLines>
        <Age kind="withoutLine" since={bookedAt} now={now} prefix="รอ " />
      </>
    ),
  },
]

/** What was booked on an account without a line: on one day, or all that is overdue. */
export function WithoutLineDrawer(props: {
  of: { account?: number; day?: string; isOverdue: boolean }
  onClose: () => void
}) {
  const { of, onClose } = props
  const client = useClient()
  const [paging, setPaging] = useState({ page: 1, pageSize: 20 })
  const account = useStatementAccounts().data?.find(({ id }) => id === of.account)
  const list = useQuery({
    ...client.query(listBookedWithoutLine, {
      query: { receivingAccountId: of.account, day: of.day, overdue: String(of.isOverdue), ...paging },
    }),
    placeholderData: keepPreviousData,
  })
  const place = [account && nameOfAccount(account), of.day && formatDay(of.day)].filter(Boolean).join(' · ')
  return (
    <Drawer
      open
      title={of.isOverdue ? 'รับเงินแล้วเกิน 2 วัน ยังไม่พบรายการธนาคาร' : 'ยังไม่พบรายการธนาคาร'}
      size={560}
      onClose={onClose}
    >
      {place && <p className="muted form-alert">{place}</p>}
      {list.isError && !list.data ? (
        <LoadError error={list.error} onRetry={() => list.refetch()} />
      ) : (
        <Table<BookedRow>
          size="small"
          rowKey="id"
          dataSource={list.data?.rows}
          columns={columnsAt(list.data?.nowDate ?? '')}
          loading={list.isPending || list.isPlaceholderData}
          scroll={{ x: 460 }}
          locale={{ emptyText: list.isPending ? ' ' : <NothingFound text="ไม่มีรายการค้าง" /> }}
          pagination={pagerOf(paging, list.data?.total ?? 0, setPaging, MOST_COUNTED)}
        />
      )}
    </Drawer>
  )
}
