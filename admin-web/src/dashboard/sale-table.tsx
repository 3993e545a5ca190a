import { marginOf } from '@shop/shared/dashboard/dashboard.ts'
import type { PackageSums, SaleFilter } from '@shop/shared/dashboard/endpoints.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { Table, type TableColumnsType } from 'antd'
import { StaffLink } from '../account/staff-link.tsx'
import { Part } from './part.tsx'
import { placeOfSales } from './place-of-sales.ts'
import { grouped, percent } from './series.ts'

/** Lists what was sold, package by package. */
export function PackageTable({ criteria }: { criteria: SaleFilter }) {
  return (
    <Part kind="table" criteria={criteria}>
      {packages => (
        <Table<PackageSums>
          rowKey="packageId"
          dataSource={packages}
          columns={columnsOf(
            criteria,
            packages.some(({ feeSatang }) => feeSatang !== 0),
          )}
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

type Column = TableColumnsType<PackageSums>[number]

const sortedBy = (title: string, width: number, of: (sums: PackageSums) => number): Column => {
  return { title, width, align: 'right', sorter: (a, b) => of(a) - of(b) }
}

const numbers = (title: string, width: number, of: (sums: PackageSums) => number, show: (value: number) => string) => ({
  ...sortedBy(title, width, of),
  className: 'number',
  render: (_: unknown, sums: PackageSums) => show(of(sums)),
})

const columnsOf = (criteria: SaleFilter, hasFees: boolean): TableColumnsType<PackageSums> => [
  {
    title: 'แพ็กเกจ',
    render: (_, { packageId, packageName, gameName }) => (
      <>
        <StaffLink page="history" className="breakable" to={placeOfSales(criteria, { package: packageId })}>
          {packageName}
        </StaffLink>
        <div className="note muted">{gameName}</div>
      </>
    ),
  },
  numbers('คำสั่งซื้อ', 100, ({ totalSale }) => totalSale, grouped),
  numbers('ชิ้น', 80, ({ quantity }) => quantity, grouped),
  numbers('รายได้ (บาท)', 130, ({ revenueSatang }) => revenueSatang, formatBaht),
  ...(hasFees ? [numbers('ค่าธรรมเนียมรับชำระ (บาท)', 150, ({ feeSatang }) => feeSatang, formatBaht)] : []),
  {
    ...sortedBy('กำไรขั้นต้น (บาท)', 150, sums => marginOf(sums)?.satang ?? 0),
    render: (_, sums) => <Margin sums={sums} />,
  },
]
