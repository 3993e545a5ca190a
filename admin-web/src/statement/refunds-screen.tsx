import { showPhone } from '@shop/shared/account/account.ts'
import { bankOf } from '@shop/shared/catalogue/banks.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { can } from '@shop/shared/permissions.ts'
import { listOwedRefunds, type OwedRefund, sendOwedRefund } from '@shop/shared/statement/refund-endpoints.ts'
import { formatDateTime, formatDateTimeSeconds } from '@shop/web/dates.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Table, type TableColumnsType, Tabs } from 'antd'
import { useState } from 'react'
import { useClient, useMe } from '../account/session.tsx'
import { StaffLink, StatementLineLink } from '../account/staff-link.tsx'
import { Email } from '../ui/email.tsx'
import { FilterBar } from '../ui/filter-bar.tsx'
import { ListSection } from '../ui/list-section.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { pagerOf } from '../ui/pager.ts'
import { SearchInput } from '../ui/search-input.tsx'
import { TwoLines } from '../ui/two-lines.tsx'
import { flagField, textField, useUrlFilters } from '../ui/url-filters.ts'
import { nameOfAccount, useStatementAccounts } from './account-select.tsx'
import { SendRefundDialog } from './send-refund-dialog.tsx'
import './statement.css'

const fields = { sent: flagField, text: textField }

/** The money that the shop owes to people without a wallet, and what it has sent back to them. */
export function RefundsScreen() {
  const client = useClient()
  const { filters, isFiltered, change, reset } = useUrlFilters(fields)
  const { role } = useMe()
  const [sending, setSending] = useState<OwedRefund | null>(null)
  const { sent, text, page, pageSize } = filters
  const list = useQuery({
    ...client.query(listOwedRefunds, { query: { sent: String(sent), text: text || undefined, page, pageSize } }),
    placeholderData: keepPreviousData,
  })
  const isLoading = list.isPending || list.isPlaceholderData
  const sendColumns = can(role, sendOwedRefund.allow) ? [sendColumn(setSending)] : []
  const lastColumn = sent ? [sentColumn] : sendColumns
  return (
    <>
      <PageHead title="เงินรอคืนลูกค้า">
        {list.data && (
          <span className="muted">
            รอคืนทั้งหมด <b className="strong number">฿{formatBaht(list.data.owedSatang)}</b>
          </span>
        )}
      </PageHead>
      <FilterBar label="ตัวกรองเงินรอคืน" isFiltered={isFiltered && text !== ''} onReset={reset}>
        <SearchInput
          label="เลขที่คำสั่งซื้อ ชื่อ หรือติดต่อ"
          value={text}
          maxLength={60}
          width={260}
          onSearch={next => change({ text: next })}
        />
      </FilterBar>
      <ListSection
        label="เงินรอคืน"
        query={list}
        className="refunds"
        head={
          <Tabs
            activeKey={sent ? 'sent' : 'owed'}
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
          dataSource={list.data?.rows}
          columns={[...columns, ...lastColumn]}
          loading={isLoading}
          scroll={{ x: 1080 }}
          sticky
          locale={{ emptyText: isLoading ? ' ' : <NothingFound text={emptyText(sent, text)} /> }}
          pagination={pagerOf(filters, list.data?.total ?? 0, change)}
        />
      </ListSection>
      {sending && <SendRefundDialog refund={sending} onClose={() => setSending(null)} />}
    </>
  )
}

function emptyText(isSent: boolean, text: string): string {
  if (text) return `ไม่พบ "${text}"`
  return isSent ? 'ยังไม่เคยโอนเงินคืน' : 'ไม่มีเงินรอคืน'
}

const columns: TableColumnsType<OwedRefund> = [
  {
    title: 'วันที่',
    width: 150,
    render: (_, { createdAt }) => <span className="number small">{formatDateTime(createdAt)}</span>,
  },
  {
    title: 'จำนวนเงิน (บาท)',
    align: 'right',
    width: 130,
    render: (_, { amountSatang }) => <span className="number strong">{formatBaht(amountSatang)}</span>,
  },
  {
    title: 'คืนให้',
    width: 230,
    render: (_, { person, fromBank, fromAccount }) => {
      const origin = [fromBank && bankOf(fromBank).niceName, fromAccount].filter(Boolean).join(' ')
      return (
        <>
          <div className="strong">{person.name ?? <span className="muted">ไม่ทราบชื่อ</span>}</div>
          {person.email && (
            <div className="note muted breakable">
              <Email>{person.email}</Email>
            </div>
          )}
          {person.phone && <div className="note muted number">{showPhone(person.phone)}</div>}
          {origin && <div className="note muted">โอนมาจาก {origin}</div>}
        </>
      )
    },
  },
  { title: 'เหตุผล', render: (_, { reason }) => <span className="breakable">{reason}</span> },
  {
    title: 'ที่มา',
    width: 180,
    render: (_, { orderNo, lineId }) => (
      <>
        {orderNo && (
          <div>
            <StaffLink page="orderDetails" className="number" to={`/management/details/${orderNo}`}>
              {orderNo}
            </StaffLink>
          </div>
        )}
        {lineId && (
          <StatementLineLink id={lineId}>
            ดูรายการธนาคาร<span className="sr-only"> ของ {orderNo ?? 'เงินนี้'}</span>
          </StatementLineLink>
        )}
      </>
    ),
  },
]

const sendColumn = (onSend: (refund: OwedRefund) => void): TableColumnsType<OwedRefund>[number] => ({
  title: <span className="sr-only">จัดการ</span>,
  width: 170,
  render: (_, refund) => (
    <Button
      aria-label={`บันทึกว่าโอนคืนแล้ว ฿${formatBaht(refund.amountSatang)} ${refund.orderNo ?? ''}`.trim()}
      onClick={() => onSend(refund)}
    >
      บันทึกว่าโอนคืนแล้ว
    </Button>
  ),
})

const sentColumn: TableColumnsType<OwedRefund>[number] = {
  title: 'โอนคืนเมื่อ',
  width: 220,
  render: (_, { sent }) => sent && <Sent sent={sent} />,
}

function Sent({ sent }: { sent: NonNullable<OwedRefund['sent']> }) {
  const account = useStatementAccounts().data?.find(({ id }) => id === sent.receivingAccountId)
  const by = `โดย ${sent.byName ?? 'ไม่ทราบชื่อ'}`
  const facts = [by, account && nameOfAccount(account), `อ้างอิง ${sent.reference}`]
  return (
    <TwoLines note={facts.filter(Boolean).join(' · ')}>
      <span className="number small">{formatDateTimeSeconds(sent.at)}</span>
    </TwoLines>
  )
}
