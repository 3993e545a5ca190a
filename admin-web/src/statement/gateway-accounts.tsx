import { formatBaht } from '@shop/shared/money.ts'
import { type GatewayName, gatewayLabel } from '@shop/shared/provider-names.ts'
import { heldAfter, sumOfGateway } from '@shop/shared/statement/gateway-account.ts'
import {
  type GatewayDay,
  getGatewayAccounts,
  type GatewayAccounts as Told,
} from '@shop/shared/statement/gateway-account-endpoints.ts'
import { GATEWAY_MOVE } from '@shop/shared/statement/gateway-move.ts'
import { formatDateTimeSeconds, formatDay } from '@shop/web/dates.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Table, type TableColumnsType } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useClient } from '../account/session.tsx'
import { StaffLink } from '../account/staff-link.tsx'
import { LoadError } from '../ui/load-error.tsx'
import { useAddressWith } from '../ui/url-filters.ts'

/** A day of a gateway, or the sum of all without a day. */
interface GatewayDayRow extends Omit<GatewayDay, 'day'> {
  gateway: GatewayName
  day: string | null
  /** What it held at the end. */
  heldSatang: number
}

/** An amount and how many entries it sums up. */
function Sum({ satang, count }: { satang: number; count?: number }) {
  if (satang === 0 && !count) return <span className="none">–</span>
  return (
    <>
      <span className="number">{formatBaht(satang)}</span>
      {count !== undefined && <div className="note muted number">{count.toLocaleString('en-US')} รายการ</div>}
    </>
  )
}

/** A day leads to what moved on it. */
function Place({ row: { gateway, day } }: { row: GatewayDayRow }) {
  const addressWith = useAddressWith()
  if (day === null) return 'รวมทั้งช่วง'
  return (
    <Link className="row-opener number" to={addressWith({ gateway: `${gateway}_${day}` })}>
      {formatDay(day)}
    </Link>
  )
}

const column = (
  title: string,
  width: number,
  render: (row: GatewayDayRow) => ReactNode,
): TableColumnsType<GatewayDayRow>[number] => ({
  title,
  width,
  align: 'right',
  render: (_, row) => render(row),
})

const columnsOf = (hasOther: boolean): TableColumnsType<GatewayDayRow> => [
  { title: 'วันที่', render: (_, row) => <Place row={row} /> },
  column('เงินค่าสินค้า', 120, row => <Sum satang={row.chargeSatang} count={row.charges - row.owed} />),
  column(GATEWAY_MOVE.surcharge, 130, row => <Sum satang={row.surchargeSatang} />),
  column(GATEWAY_MOVE.owed, 120, row => <Sum satang={row.owedSatang} count={row.owed} />),
  column(GATEWAY_MOVE.fee, 130, row => <Sum satang={-row.feeSatang} />),
  column(GATEWAY_MOVE.payout, 130, row => <Sum satang={-row.payoutSatang} count={row.payouts} />),
  ...(hasOther ? [column(GATEWAY_MOVE.other, 110, row => <Sum satang={row.otherSatang} />)] : []),
  column('คงเหลือที่ผู้ให้บริการ', 130, row => (
    <span className={`number strong ${row.heldSatang < 0 ? 'is-bad' : ''}`}>{formatBaht(row.heldSatang)}</span>
  )),
]

function rowsOf({ gateway, openingSatang, days }: Told['accounts'][number]): GatewayDayRow[] {
  const held = heldAfter(openingSatang, days)
  const each = days.map((day, nth) => ({ ...day, gateway, heldSatang: held[nth]! }))
  return [{ ...sumOfGateway(days), gateway, day: null, heldSatang: held[0] ?? openingSatang }, ...each]
}

/** The gateways stand beside the bank's accounts: what each collected, kept, paid out and holds. */
export function GatewayAccounts({ from, to }: { from: string; to: string }) {
  const client = useClient()
  const query = useQuery({
    ...client.query(getGatewayAccounts, { query: { from, to } }),
    placeholderData: keepPreviousData,
  })
  if (query.isError && !query.data)
    return (
      <section className="card list gateway-account" aria-label="ผู้ให้บริการรับชำระ">
        <LoadError error={query.error} onRetry={() => query.refetch()} />
      </section>
    )
  const { accounts = [], check = null } = query.data ?? {}
  return accounts.map(account => (
    <section key={account.gateway} className="card list gateway-account" aria-label={gatewayLabel(account.gateway)}>
      <header>
        <h2 className="grow">{gatewayLabel(account.gateway)}</h2>
        <p className="muted">
          ยอดยกมา <span className="number strong">฿{formatBaht(account.openingSatang)}</span> · นับตามวันที่ลงบัญชี
        </p>
      </header>
      {check && (
        <div className="card-part">
          <LastCheck check={check} />
        </div>
      )}
      <Table<GatewayDayRow>
        rowKey={({ day }) => day ?? 'sum'}
        dataSource={rowsOf(account)}
        columns={columnsOf(account.days.some(({ otherSatang }) => otherSatang !== 0))}
        loading={query.isPlaceholderData}
        scroll={{ x: 990 }}
        rowClassName={({ day }) => (day === null ? 'is-sum' : '')}
        pagination={{ defaultPageSize: 50, hideOnSinglePage: true, showSizeChanger: false }}
      />
    </section>
  ))
}

/** What the last comparison with the gateway's own list found. */
function LastCheck({ check: { at, differences, what } }: { check: NonNullable<Told['check']> }) {
  const when = formatDateTimeSeconds(at)
  if (differences === 0)
    return (
      <p className="note">
        <span className="tag is-ok">ตรงกับรายการของผู้ให้บริการ ณ {when}</span>{' '}
        <span className="muted">รายการหลังเวลานั้นยังไม่ได้เทียบ</span>
      </p>
    )
  return (
    <Alert
      type="warning"
      showIcon
      role="alert"
      title={`${differences.toLocaleString('en-US')} รายการไม่ตรงกับของผู้ให้บริการ เมื่อตรวจ ${when}`}
      description={
        <ul>
          {what.map(({ text, orderNo }) => (
            <li key={text} className="breakable">
              {orderNo && (
                <>
                  <StaffLink page="orderDetails" className="number" to={`/management/details/${orderNo}`}>
                    {orderNo}
                  </StaffLink>{' '}
                </>
              )}
              {text}
            </li>
          ))}
        </ul>
      }
    />
  )
}
