import type { SalesOfToday } from '@shop/shared/backlog/endpoints.ts'
import { compareHours, DAYS_AGO, dayAgo, type EarlierDay, hourOf, type SoldSoFar } from '@shop/shared/backlog/today.ts'
import { formatMoney } from '@shop/shared/money.ts'
import { STAFF_PAGE } from '@shop/shared/staff-pages.ts'
import { keysOf } from '@shop/shared/table.ts'
import { formatClock, inBangkok } from '@shop/web/dates.ts'
import { Link } from 'react-router-dom'
import { grouped } from '../dashboard/series.ts'
import { DayCard, DayFigure, durationText } from './day-card.tsx'
import { HourBars } from './hour-bars.tsx'
import type { TodayQuery } from './use-today.ts'

/** Shows what today sold up to now beside the same hours of yesterday and of a week ago. */
export function TodayCard({ query }: { query: TodayQuery }) {
  const link = <Link to={STAFF_PAGE.sale.path}>ดูรายงานยอดขาย</Link>
  const about = query.data && `ถึง ${formatClock(query.data.nowDate)} เทียบเวลาเดียวกันของวันก่อน`
  return (
    <DayCard title="วันนี้" about={about} query={query} extra={link} rows={9}>
      {({ sales, nowDate }) => sales && <Sales sales={sales} now={nowDate} />}
    </DayCard>
  )
}

interface Props {
  sales: SalesOfToday
  now: string
}

/** "ศุกร์ก่อน" */
const nameOfLastWeek = (now: string) => `${inBangkok(now).format('dddd')}ก่อน`

/** 0.123 -> "+12%"; less than half of a percent is none. */
function signed(change: number): string | null {
  const share = Math.round(Math.abs(change) * 100)
  return share === 0 ? null : `${change < 0 ? '−' : '+'}${grouped(share)}%`
}

function Sales({ sales, now }: Props) {
  const { today, delivered, medianSeconds, found } = sales
  return (
    <>
      <div className="day-figures">
        <DayFigure title="รายได้" value={formatMoney(today.revenueSatang)}>
          <Comparisons sales={sales} now={now} of="revenueSatang" show={formatMoney} />
        </DayFigure>
        <DayFigure title="คำสั่งซื้อที่จ่ายแล้ว" value={grouped(today.orders)}>
          <Comparisons sales={sales} now={now} of="orders" show={grouped} />
        </DayFigure>
        <DayFigure title="เติมสำเร็จ" value={grouped(delivered)}>
          <p>จากที่จ่ายวันนี้ {grouped(today.orders)}</p>
          {medianSeconds !== null && <p>ครึ่งหนึ่งเสร็จใน {durationText(medianSeconds)}</p>}
        </DayFigure>
        <DayFigure title="พบเงินโอนเอง" value={found.all > 0 ? `${Math.floor((found.alone / found.all) * 100)}%` : '–'}>
          {found.all > 0 ? (
            <>
              <p>
                {grouped(found.alone)} จาก {grouped(found.all)} รายการ
              </p>
              <p>คนยืนยัน {grouped(found.all - found.alone)}</p>
            </>
          ) : (
            <p>ยังไม่มีเงินโอนวันนี้</p>
          )}
        </DayFigure>
      </div>
      <Hours sales={sales} now={now} />
    </>
  )
}

/** Says how a figure stands beside the earlier days, each up to the same time. */
function Comparisons(props: Props & { of: keyof SoldSoFar; show: (value: number) => string }) {
  const { sales, now, of, show } = props
  const firstSaleAt = sales.firstSaleAt ? new Date(sales.firstSaleAt) : null
  if (!firstSaleAt || firstSaleAt >= dayAgo(0, new Date(now)).from) return <p>ยังไม่มีวันก่อนให้เทียบ</p>
  const names: Record<EarlierDay, string> = { yesterday: 'เมื่อวาน', lastWeek: nameOfLastWeek(now) }
  return keysOf(DAYS_AGO).map(day => {
    const before = sales[day]
    const until = dayAgo(DAYS_AGO[day], new Date(now)).soFar
    const compared = compareHours({ now: sales.today, before, of }, firstSaleAt, until)
    if (compared.kind === 'notBegun') return <p key={day}>{names[day]} ร้านยังไม่เริ่มขาย</p>
    if (compared.kind === 'nothing') return <p key={day}>{names[day]} ยังไม่มี</p>
    if (compared.kind === 'few')
      return (
        <p key={day}>
          {names[day]} <span className="number">{show(before[of])}</span>
        </p>
      )
    const change = signed(compared.change)
    if (!change) return <p key={day}>เท่ากับ{names[day]}</p>
    return (
      <p key={day}>
        <b className={`number ${compared.change > 0 ? 'is-ok' : 'is-bad'}`}>{change}</b> จาก{names[day]}
      </p>
    )
  })
}

/** Shows the orders of each hour: bars of today before last week's outline, and the same as a table for readers. */
function Hours({ sales: { hours }, now }: Props) {
  const lastWeek = nameOfLastWeek(now)
  const thisHour = hourOf(new Date(now))
  const isEmpty = hours.every(hour => hour.orders + hour.lastWeek === 0)
  return (
    <div className="day-hours">
      <div className="day-hours-head note">
        <h3 className="small muted">คำสั่งซื้อที่จ่ายแล้ว ต่อชั่วโมง</h3>
        <p>
          <span>
            <i className="day-swatch" /> วันนี้
          </span>
          <span>
            <i className="day-swatch is-outline" /> {lastWeek}
          </span>
        </p>
      </div>
      {isEmpty ? (
        <p className="day-chart is-empty small muted">ยังไม่มีคำสั่งซื้อ ทั้งวันนี้และ{lastWeek}</p>
      ) : (
        <>
          <div className="day-chart" aria-hidden="true">
            <HourBars hours={hours} thisHour={thisHour} lastWeek={lastWeek} />
          </div>
          {/* A table is as high as its rows, so what hides it stands around it. */}
          <div className="sr-only">
            <table>
              <caption>คำสั่งซื้อที่จ่ายแล้วต่อชั่วโมง</caption>
              <thead>
                <tr>
                  <th scope="col">ชั่วโมง</th>
                  <th scope="col">วันนี้</th>
                  <th scope="col">{lastWeek}</th>
                </tr>
              </thead>
              <tbody>
                {hours.map((hour, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: an hour of the day is its place
                  <tr key={index}>
                    <th scope="row">{index}:00</th>
                    <td>{index > thisHour ? 'ยังไม่ถึง' : hour.orders}</td>
                    <td>{hour.lastWeek}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </div>
  )
}
