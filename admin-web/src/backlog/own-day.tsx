import type { OwnDay } from '@shop/shared/backlog/endpoints.ts'
import { STAFF_PAGE } from '@shop/shared/staff-pages.ts'
import { formatClock } from '@shop/web/dates.ts'
import { Link } from 'react-router-dom'
import { AgeText, waitedForDelivery } from '../account/age.tsx'
import { useOpeningHours } from '../account/opening-hours.ts'
import { grouped } from '../dashboard/series.ts'
import { DayCard, DayFigure, durationText } from './day-card.tsx'
import type { TodayQuery } from './use-today.ts'

/** Shows staff what they did today, and the orders they have taken. */
export function OwnDayCard({ query }: { query: TodayQuery }) {
  return (
    <DayCard title="งานของฉันวันนี้" about={query.data && `ถึง ${formatClock(query.data.nowDate)}`} query={query} rows={6}>
      {({ own, nowDate }) =>
        own && (
          <>
            <div className="day-figures is-three">
              <DayFigure title="เติมสำเร็จ" value={grouped(own.delivered)}>
                คำสั่งซื้อ
              </DayFigure>
              <DayFigure title="เติมไม่สำเร็จ" value={grouped(own.failed)}>
                {own.failed === 0 ? 'ไม่มีเลย' : 'ลูกค้าได้รับแจ้งเหตุผลแล้ว'}
              </DayFigure>
              <DayFigure
                title="เวลาต่อคำสั่งซื้อ"
                value={own.medianSeconds === null ? '–' : durationText(own.medianSeconds)}
              >
                {own.medianSeconds === null ? 'ยังไม่มีที่เติมสำเร็จวันนี้' : 'ค่ากลาง ตั้งแต่รับเรื่องจนเติมสำเร็จ'}
              </DayFigure>
            </div>
            <Claimed claimed={own.claimed} now={nowDate} />
          </>
        )
      }
    </DayCard>
  )
}

function Claimed({ claimed, now }: { claimed: OwnDay['claimed']; now: string }) {
  const hours = useOpeningHours()
  if (claimed.length === 0)
    return (
      <p className="card-part small muted">
        ยังไม่ได้รับเรื่องใดไว้ <Link to={STAFF_PAGE.queue.path}>ไปที่คิวเพื่อรับเรื่อง</Link>
      </p>
    )
  return (
    <div className="card-part">
      <h3 className="small muted">รับเรื่องไว้ {claimed.length} รายการ นานสุดก่อน</h3>
      <ul className="day-list" aria-label="คำสั่งซื้อที่ฉันรับเรื่องไว้">
        {claimed.map(({ orderNo, gameName, packageName, playerId, ...order }) => (
          <li key={orderNo}>
            <span className="grow">
              <Link to={`${STAFF_PAGE.queue.path}?order=${encodeURIComponent(orderNo)}`}>
                {gameName} · {packageName}
              </Link>
              <span className="note muted number">
                {orderNo} · {playerId}
              </span>
            </span>
            <AgeText {...waitedForDelivery(order, now, hours)} />
          </li>
        ))}
      </ul>
    </div>
  )
}
