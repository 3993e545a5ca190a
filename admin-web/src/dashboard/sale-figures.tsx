import { marginOf, SALE_PERIOD, type SalePeriod } from '@shop/shared/dashboard/dashboard.ts'
import { getSalesRevenue, type SaleSums } from '@shop/shared/dashboard/endpoints.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { LoadError } from '../ui/load-error.tsx'
import type { Complete } from './filters.tsx'
import { useNumbers } from './part.tsx'
import { grouped, percent } from './series.ts'

const TITLES = ['รายได้', 'จำนวนที่ขาย', 'ยอดต่อคำสั่งซื้อ', 'กำไรขั้นต้น']

const perOrder = ({ revenueSatang, totalSale }: SaleSums) =>
  totalSale === 0 ? 0 : Math.round(revenueSatang / totalSale)

/** The four numbers of the period, each beside that of the period before. */
export function Figures({ criteria }: { criteria: Complete<SalePeriod> }) {
  const query = useNumbers(getSalesRevenue, criteria)
  const { data, isError, error, isPlaceholderData, refetch } = query
  if (isError)
    return (
      <section className="card part is-figures" aria-label="ภาพรวม">
        <LoadError error={error} onRetry={refetch} />
      </section>
    )
  const before = SALE_PERIOD[criteria.period].before
  const figures = data && [
    <Figure key="revenue" value={`฿${formatBaht(data.revenueSatang)}`}>
      <Delta now={data.revenueSatang} then={data.before.revenueSatang} before={before} />
    </Figure>,
    <Figure key="orders" value={grouped(data.totalSale)} unit="คำสั่งซื้อ">
      <Delta now={data.totalSale} then={data.before.totalSale} before={before} />
    </Figure>,
    <Figure key="perOrder" value={`฿${formatBaht(perOrder(data))}`}>
      <Delta now={perOrder(data)} then={perOrder(data.before)} before={before} />
    </Figure>,
    <MarginFigure key="margin" sums={data} />,
  ]
  return (
    <section
      className={`figures ${isPlaceholderData ? 'is-old' : ''}`}
      aria-label="ภาพรวม"
      aria-busy={query.isFetching}
    >
      {TITLES.map((title, index) => (
        <div key={title} className="card figure">
          <h2>{title}</h2>
          {figures?.[index] ?? <Skeleton active title={false} paragraph={{ rows: 2 }} />}
        </div>
      ))}
    </section>
  )
}

function Figure({ value, unit, children }: { value: string; unit?: string; children: ReactNode }) {
  return (
    <>
      <p className="figure-value number">
        {value} {unit && <small>{unit}</small>}
      </p>
      {children}
    </>
  )
}

/** How much more or less than before, in words as well as in colour. */
function Delta({ now, then, before }: { now: number; then: number; before: string }) {
  if (then === 0)
    return <p className="note muted">{now === 0 ? `ไม่มียอดขาย เช่นเดียวกับ ${before}` : `${before} ไม่มียอดขาย`}</p>
  const change = (now - then) / then
  const tone = change > 0 ? 'is-ok' : change < 0 ? 'is-bad' : 'muted'
  const word = change > 0 ? 'เพิ่มขึ้น' : change < 0 ? 'ลดลง' : 'เท่าเดิม'
  return (
    <p className="note">
      <b className={`number ${tone}`}>{change === 0 ? word : `${word} ${percent(Math.abs(change))}`}</b>{' '}
      <span className="muted">เทียบ {before}</span>
    </p>
  )
}

function MarginFigure({ sums }: { sums: SaleSums }) {
  const margin = marginOf(sums)
  if (!margin)
    return (
      <Figure value="–">
        <p className="note muted">{sums.totalSale === 0 ? 'ไม่มียอดขาย' : 'ไม่ทราบต้นทุนของที่ขายในช่วงนี้'}</p>
      </Figure>
    )
  const unknown = sums.uncostedSatang / sums.revenueSatang
  return (
    <Figure value={`฿${formatBaht(margin.satang)}`}>
      <p className="note muted">
        <span className="number">{percent(margin.share)}</span> ของรายได้ที่ทราบต้นทุน
        {unknown > 0 && (
          <>
            {' · '}
            <b className="is-warn">
              ไม่ทราบต้นทุน <span className="number">{percent(unknown)}</span>
            </b>
          </>
        )}
      </p>
    </Figure>
  )
}
