import { formatBaht } from '@shop/shared/money.ts'
import { can } from '@shop/shared/permissions.ts'
import { listVoucherBatches, type VoucherBatch, withdrawVouchers } from '@shop/shared/voucher/endpoints.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Table, type TableColumnsType } from 'antd'
import { Link } from 'react-router-dom'
import { useClient, useMe } from '../account/session.tsx'
import { ListSection } from '../ui/list-section.tsx'
import { MoreMenu } from '../ui/more-menu.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { pagerOf } from '../ui/pager.ts'
import { useUrlFilters } from '../ui/url-filters.ts'
import { type CodeStep, nameOf } from './code-actions.tsx'
import { count, countColumns } from './counts.tsx'

const fields = {}
const PAGE_SIZE = 20

/** The batches in which the codes of a package were imported. */
export function BatchList({ packageId, onStep }: { packageId: number; onStep: (step: CodeStep) => void }) {
  const client = useClient()
  const { role } = useMe()
  const { filters, change } = useUrlFilters(fields, PAGE_SIZE)
  const { page, pageSize } = filters
  const list = useQuery({
    ...client.query(listVoucherBatches, { query: { packageId: String(packageId), page, pageSize } }),
    placeholderData: keepPreviousData,
  })
  const isLoading = list.isPending || list.isPlaceholderData
  return (
    <ListSection label="ชุดที่นำเข้า" query={list}>
      <Table<VoucherBatch>
        rowKey="id"
        dataSource={list.data?.rows}
        columns={columnsOf(can(role, withdrawVouchers.allow) ? onStep : null)}
        loading={isLoading}
        scroll={{ x: 900 }}
        sticky
        locale={{ emptyText: isLoading ? ' ' : <NothingFound text="ยังไม่เคยนำเข้ารหัสของแพ็กเกจนี้" /> }}
        pagination={pagerOf(filters, list.data?.total ?? 0, change)}
      />
    </ListSection>
  )
}

function columnsOf(onStep: ((step: CodeStep) => void) | null): TableColumnsType<VoucherBatch> {
  const columns: TableColumnsType<VoucherBatch> = [
    {
      title: 'ชุด',
      render: (_, { id, name, pieces, importedAt, importedByName }) => (
        <>
          <Link className="strong breakable" to={`?batch=${id}`}>
            {name}
          </Link>
          <div className="note muted">
            {count(pieces)} รหัส · {formatDateTimeSeconds(importedAt)} · {importedByName ?? 'ไม่ทราบชื่อ'}
          </div>
        </>
      ),
    },
    ...countColumns<VoucherBatch>(),
  ]
  if (!onStep) return columns
  return [
    ...columns,
    {
      title: 'ทุนต่อรหัส (บาท)',
      align: 'right',
      width: 130,
      render: (_, { costSatang }) => (
        <span className="number">{costSatang === null ? '–' : formatBaht(costSatang)}</span>
      ),
    },
    {
      title: <span className="sr-only">จัดการ</span>,
      width: 70,
      align: 'right',
      render: (_, batch) => (
        <MoreMenu
          label={`จัดการ${nameOf(batch)}`}
          items={[
            ...(batch.free + batch.expired > 0
              ? [{ key: 'withdraw' as const, label: 'ถอนที่เหลือทั้งชุด…', isDanger: true }]
              : []),
            ...(batch.withdrawn > 0 ? [{ key: 'return' as const, label: 'คืนที่ถอนเข้าสต็อก…' }] : []),
          ]}
          isDisabled={batch.free + batch.expired + batch.withdrawn === 0}
          onChoose={key => onStep({ do: key, of: batch })}
        />
      ),
    },
  ]
}
