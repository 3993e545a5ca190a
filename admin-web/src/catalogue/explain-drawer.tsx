import { explainPrices, type ManagedPackage } from '@shop/shared/catalogue/manage-endpoints.ts'
import type { Reply } from '@shop/shared/endpoint.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { fromBangkokClock, toBangkokClock } from '@shop/web/dates.ts'
import { DatePicker, Drawer, Table, type TableColumnsType } from 'antd'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { useSteadyQuery } from '../account/use-steady-query.ts'
import { LoadError } from '../ui/load-error.tsx'
import { PaymentTag } from './payment-tag.tsx'

type ExplainedPrice = Reply<typeof explainPrices>['rows'][number]

/** Shows who pays what for a package, and why, at any past or future moment. */
export function ExplainDrawer({ sold, now, onClose }: { sold: ManagedPackage; now: Date; onClose: () => void }) {
  const client = useClient()
  const [at, setAt] = useState(now)
  const list = useSteadyQuery(
    client.query(explainPrices, { params: { packageId: sold.id }, query: { at: at.toISOString() } }),
  )
  return (
    <Drawer open title={`ใครจ่ายเท่าไร · ${sold.name}`} size={820} onClose={onClose}>
      <div className="filters">
        <label htmlFor="explain-at">ณ เวลา (กรุงเทพฯ)</label>
        <DatePicker
          id="explain-at"
          showTime
          showNow={false}
          allowClear={false}
          format="DD/MM/YYYY HH:mm:ss"
          value={toBangkokClock(at)}
          onChange={chosen => chosen && setAt(fromBangkokClock(chosen))}
          style={{ width: 210 }}
        />
      </div>
      {list.isError && !list.data ? (
        <LoadError error={list.error} onRetry={() => list.refetch()} />
      ) : (
        <Table<ExplainedPrice>
          rowKey={({ payment, tierId }) => `${payment}/${tierId}`}
          aria-label="ราคาตามช่องทางและ Tier"
          dataSource={list.data?.rows}
          columns={columns}
          loading={list.isPending || list.isPlaceholderData}
          pagination={false}
          locale={{ emptyText: list.isPending ? ' ' : 'ไม่มีราคา ณ เวลานี้' }}
        />
      )}
    </Drawer>
  )
}

const money = (satang: number | null) => (satang === null ? '–' : formatBaht(satang))

const columns: TableColumnsType<ExplainedPrice> = [
  { title: 'ช่องทาง', width: 132, render: (_, { payment }) => <PaymentTag payment={payment} /> },
  { title: 'ผู้ซื้อ', width: 110, render: (_, { tierName }) => tierName ?? 'ไม่มี Tier' },
  {
    title: 'จ่าย (บาท)',
    width: 110,
    align: 'right',
    render: (_, { paysSatang }) =>
      paysSatang === null ? <span className="tag">ไม่ขาย</span> : <b className="number">{money(paysSatang)}</b>,
  },
  { title: 'ราคาตั้ง', width: 96, align: 'right', className: 'number', render: (_, { listSatang }) => money(listSatang) },
  { title: 'ส่วนลด', width: 90, align: 'right', className: 'number', render: (_, row) => money(row.discountSatang) },
  {
    title: 'เพราะ',
    render: (_, { reasons }) => (
      <ol className="price-reasons">
        {reasons.map(reason => (
          <li key={reason}>{reason}</li>
        ))}
      </ol>
    ),
  },
]
