import { listOwedRefunds } from '@shop/shared/statement/refund-endpoints.ts'
import { useClient } from '../account/session.tsx'
import { useSteadyQuery } from '../account/use-steady-query.ts'
import { flagField, useUrlFilters } from '../ui/url-filters.ts'
import { owedColumns, sentColumns } from './refund-columns.tsx'
import { RefundList } from './refund-list.tsx'
import './statement.css'

const fields = { sent: flagField }

/** What the shop owes somebody with an account, and what it has sent back to them. */
export function RefundsOfPerson({ uid }: { uid: string }) {
  const { filters, change } = useUrlFilters(fields)
  const { sent, page, pageSize } = filters
  const list = useSteadyQuery(
    useClient().query(listOwedRefunds, { query: { sent: String(sent), buyer: uid, page, pageSize } }),
  )
  return (
    <RefundList
      label="เงินคืน"
      query={list}
      filters={filters}
      change={change}
      nothing={sent ? 'ยังไม่เคยโอนเงินคืน' : 'ไม่มีเงินรอคืน'}
      columns={sent ? sentColumns : owedColumns(list.data?.nowDate ?? '')}
    />
  )
}
