import { formatBaht } from '@shop/shared/money.ts'
import { can } from '@shop/shared/permissions.ts'
import { listOwedRefunds, type OwedRefund, sendOwedRefund } from '@shop/shared/statement/refund-endpoints.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useClient, useMe } from '../account/session.tsx'
import { FilterBar } from '../ui/filter-bar.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { SearchInput } from '../ui/search-input.tsx'
import { flagField, textUpTo, useUrlFilters } from '../ui/url-filters.ts'
import { AgreePayeeDialog } from './agree-payee-dialog.tsx'
import { PayeeDialog } from './payee-dialog.tsx'
import { isWaitingForWord } from './payee-facts.tsx'
import { columnsToSend, owedColumns, sentColumns } from './refund-columns.tsx'
import { RefundList } from './refund-list.tsx'
import { SendRefundDialog } from './send-refund-dialog.tsx'
import './statement.css'

const fields = { sent: flagField, text: textUpTo(60) }

/** The money that the shop owes to people without a wallet, and what it has sent back to them. */
export function RefundsScreen() {
  const client = useClient()
  const { filters, isFiltered, change, reset } = useUrlFilters(fields)
  const { role } = useMe()
  const [sending, setSending] = useState<OwedRefund[] | null>(null)
  const [editing, setEditing] = useState<OwedRefund | null>(null)
  const [agreeing, setAgreeing] = useState<OwedRefund | null>(null)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const { sent, text, page, pageSize } = filters
  const list = useQuery({
    ...client.query(listOwedRefunds, { query: { sent: String(sent), text: text || undefined, page, pageSize } }),
    placeholderData: keepPreviousData,
  })
  const maySend = can(role, sendOwedRefund.allow)
  const rows = list.data?.rows ?? []
  const toSend = rows.filter(({ id, sent: done }) => done === null && chosen.includes(id))
  const now = list.data?.nowDate ?? ''
  const toDo = { onEdit: setEditing, onAgree: setAgreeing, onSend: (refund: OwedRefund) => setSending([refund]) }
  const columns = sent ? sentColumns : maySend ? columnsToSend(now, toDo) : owedColumns(now)
  const close = () => {
    setSending(null)
    setChosen([])
  }
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
        {toSend.length > 0 && (
          <Button type="primary" onClick={() => setSending(toSend)}>
            โอนคืนแล้ว {toSend.length} รายการ…
          </Button>
        )}
      </FilterBar>
      <RefundList
        label="เงินรอคืน"
        query={list}
        filters={filters}
        change={change}
        nothing={emptyText(sent, text)}
        columns={columns}
        rowSelection={
          maySend && !sent
            ? {
                selectedRowKeys: [...chosen],
                onChange: keys => setChosen(keys.map(String)),
                getCheckboxProps: refund => ({
                  'aria-label': `เลือก ${refund.orderNo ?? refund.reason}`,
                  disabled: refund.asCredit || refund.payee === null || isWaitingForWord(refund),
                }),
              }
            : undefined
        }
      />
      {sending && (
        <SendRefundDialog asked={sending} current={id => rows.find(each => each.id === id)} onClose={close} />
      )}
      {agreeing && <AgreePayeeDialog refund={agreeing} onClose={() => setAgreeing(null)} />}
      {editing && <PayeeDialog refund={editing} onClose={() => setEditing(null)} />}
    </>
  )
}

function emptyText(isSent: boolean, text: string): string {
  if (text) return `ไม่พบ "${text}"`
  return isSent ? 'ยังไม่เคยโอนเงินคืน' : 'ไม่มีเงินรอคืน'
}
