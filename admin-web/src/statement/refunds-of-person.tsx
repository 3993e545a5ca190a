import { listOwedRefunds, type OwedRefund } from '@shop/shared/statement/refund-endpoints.ts'
import { Table, Tabs } from 'antd'
import { useClient } from '../account/session.tsx'
import { useSteadyQuery } from '../account/use-steady-query.ts'
import { ListSection } from '../ui/list-section.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { pagerOf } from '../ui/pager.ts'
import { flagField, useUrlFilters } from '../ui/url-filters.ts'
import { owedColumns, sentColumns } from './refund-columns.tsx'
import './statement.css'

const fields = { sent: flagField }

/** What the shop owes somebody with an account, and what it has sent back to them. */
export function RefundsOfPerson({ uid }: { uid: string }) {
  const { filters, change } = useUrlFilters(fields)
  const { sent, page, pageSize } = filters
  const list = useSteadyQuery(
    useClient().query(listOwedRefunds, { query: { sent: String(sent), buyer: uid, page, pageSize } }),
  )
  const isLoading = list.isPending || list.isPlaceholderData
  const nothing = sent ? 'ยังไม่เคยโอนเงินคืน' : 'ไม่มีเงินรอคืน'
  return (
    <ListSection
      label="เงินคืน"
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
        columns={sent ? sentColumns : owedColumns(list.data?.nowDate ?? '')}
        loading={isLoading}
        scroll={{ x: 980 }}
        sticky
        locale={{ emptyText: isLoading ? ' ' : <NothingFound text={nothing} /> }}
        pagination={pagerOf(filters, list.data?.total ?? 0, change)}
      />
    </ListSection>
  )
}
