import { marginOf, type SalePeriod } from '@shop/shared/dashboard/dashboard.ts'
import { getNumberOfSale, type PackageSums } from '@shop/shared/dashboard/endpoints.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { Table, type TableColumnsType } from 'antd'
import type { Complete } from './filters.tsx'
import { Part, useNumbers } from './part.tsx'
import { grouped, percent } from './series.ts'

/** All that was sold, package by package. */
export function PackageTable({ criteria }: { criteria: Complete<SalePeriod> }) {
  const query = useNumbers(getNumberOfSale, criteria)
  return (
    <Part title="ยอดขายรายแพ็กเกจ" kind="table" query={query} isEmpty={list => list.length === 0}>
      {packages => (
        <Table<PackageSums>
          rowKey="packageId"
          dataSource={packages}
          columns={columns}
          scroll={{ x: 680 }}
          pagination={{ defaultPageSize: 10, hideOnSinglePage: true, showSizeChanger: false }}
        />
      )}
    </Part>
  )
}

function Margin({ sums }: { sums: PackageSums }) {
  const margin = marginOf(sums)
  if (!margin) return <span className="muted">ไม่ทราบต้นทุน</span>
  return (
    <>
      <span className="number">{formatBaht(margin.satang)}</span>
      <div className="note muted number">
        {percent(margin.share)}
        {sums.uncostedSatang > 0 && ' · ทราบต้นทุนบางส่วน'}
      </div>
    </>
  )
}

const columns: TableColumnsType<PackageSums> = [
  {
    title: 'แพ็กเกจ',
    render: (_, { packageName, gameName }) => (
      <>
        <div className="breakable">{packageName}</div>
        <div className="note muted">{gameName}</div>
      </>
    ),
  },
  {
    title: 'คำสั่งซื้อ',
    align: 'right',
    width: 100,
    sorter: (a, b) => a.totalSale - b.totalSale,
    render: (_, { totalSale }) => <span className="number">{grouped(totalSale)}</span>,
  },
  {
    title: 'ชิ้น',
    align: 'right',
    width: 80,
    sorter: (a, b) => a.quantity - b.quantity,
    render: (_, { quantity }) => <span className="number">{grouped(quantity)}</span>,
  },
  {
    title: 'รายได้ (บาท)',
    align: 'right',
    width: 130,
    sorter: (a, b) => a.revenueSatang - b.revenueSatang,
    render: (_, { revenueSatang }) => <span className="number">{formatBaht(revenueSatang)}</span>,
  },
  {
    title: 'กำไรขั้นต้น (บาท)',
    align: 'right',
    width: 150,
    sorter: (a, b) => (marginOf(a)?.satang ?? 0) - (marginOf(b)?.satang ?? 0),
    render: (_, sums) => <Margin sums={sums} />,
  },
]
