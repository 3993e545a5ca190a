import { PAYMENT_METHOD } from '@shop/shared/catalogue/payment-method.ts'
import { STOCK_PERIOD, STOCK_PERIODS, type StockPeriod } from '@shop/shared/dashboard/dashboard.ts'
import { type ExpiringPrice, listExpiringPrices } from '@shop/shared/dashboard/endpoints.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { formatDay } from '@shop/web/dates.ts'
import { App, Table, type TableColumnsType } from 'antd'
import { useClient } from '../account/session.tsx'
import { StaffLink } from '../account/staff-link.tsx'
import { useSteadyQuery } from '../account/use-steady-query.ts'
import { placeOfPrices } from '../catalogue/place-of-prices.ts'
import { ListSection } from '../ui/list-section.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { pagerOf } from '../ui/pager.ts'
import { useUrlFilters } from '../ui/url-filters.ts'
import { type Complete, CriteriaBar, criteriaFields, useCriteria } from './filters.tsx'
import './dashboard.css'

const fields = criteriaFields(STOCK_PERIODS, 'last7days')

/** Lists the prices that end soon; nobody can buy their packages after that. */
export function StockScreen() {
  const client = useClient()
  const { message } = App.useApp()
  const { filters, change } = useUrlFilters(fields)
  const { page, pageSize } = filters
  const { criteria, problem } = useCriteria<StockPeriod>(filters)
  const query = { ...(criteria as Complete<StockPeriod>), page, pageSize }
  const list = useSteadyQuery(client.query(listExpiringPrices, { query }), criteria !== null)
  const reload = async () => {
    const { isError } = await list.refetch()
    if (isError) message.error({ content: 'ดึงข้อมูลไม่สำเร็จ', duration: 6 })
    else message.success('ดึงข้อมูลสำเร็จ')
  }
  const isLoading = list.isPending || list.isPlaceholderData
  return (
    <>
      <PageHead title="แพ็กเกจใกล้หมดอายุ" />
      <CriteriaBar
        label="ตัวกรองแพ็กเกจใกล้หมดอายุ"
        criteria={filters}
        periods={STOCK_PERIOD}
        isLoading={list.isFetching}
        onChange={change}
        onReload={reload}
      />
      <ListSection label="แพ็กเกจใกล้หมดอายุ" query={list}>
        {!criteria ? (
          <NothingFound text={problem} />
        ) : (
          <Table<ExpiringPrice>
            rowKey={({ packageId, paymentMethod }) => `${packageId} ${paymentMethod}`}
            dataSource={list.data?.rows}
            columns={columns}
            loading={isLoading}
            scroll={{ x: 860 }}
            sticky
            locale={{ emptyText: isLoading ? ' ' : <NoneEnds /> }}
            pagination={pagerOf(filters, list.data?.total ?? 0, change)}
          />
        )}
      </ListSection>
    </>
  )
}

const NoneEnds = () => (
  <NothingFound text="ไม่พบข้อมูล">
    <span className="note muted">ไม่มีราคาขายที่จะสิ้นสุดในช่วงนี้ ทุกแพ็กเกจขายต่อได้</span>
  </NothingFound>
)

/** Shows how many days follow before the last day of sale; few days warn. */
function DaysLeft({ days }: { days: number }) {
  const tone = days <= 2 ? 'is-bad' : days <= 7 ? 'is-warn' : ''
  return <span className={`tag ${tone}`}>{days === 0 ? 'วันสุดท้าย' : `เหลือ ${days} วัน`}</span>
}

const columns: TableColumnsType<ExpiringPrice> = [
  { title: 'รหัสแพ็กเกจ', dataIndex: 'packageId', width: 110, className: 'number' },
  {
    title: 'แพ็กเกจ',
    render: (_, row) => (
      <>
        <StaffLink
          page="package"
          className="row-opener strong breakable"
          to={placeOfPrices(row)}
          aria-label={`ราคาขายของ ${row.packageName}`}
        >
          {row.packageName}
        </StaffLink>
        <div className="note muted">{row.gameName}</div>
      </>
    ),
  },
  { title: 'วิธีชำระเงิน', width: 150, render: (_, { paymentMethod }) => PAYMENT_METHOD[paymentMethod].name },
  {
    title: 'ราคา (บาท)',
    align: 'right',
    width: 130,
    className: 'number',
    render: (_, row) => formatBaht(row.priceSatang),
  },
  { title: 'วันหมดอายุ', width: 130, className: 'number', render: (_, { expiredDate }) => formatDay(expiredDate) },
  { title: 'เหลือเวลา', width: 130, render: (_, { daysLeft }) => <DaysLeft days={daysLeft} /> },
]
