import { marginOf, SALE_PERIOD } from '@shop/shared/dashboard/dashboard.ts'
import { getSalesRevenue, type Revenue, type SaleFilter, type SaleSums } from '@shop/shared/dashboard/endpoints.ts'
import { formatMoney } from '@shop/shared/money.ts'
import { Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { useClient } from '../account/session.tsx'
import { useSteadyQuery } from '../account/use-steady-query.ts'
import { LoadError } from '../ui/load-error.tsx'
import { grouped, percent } from './series.ts'

const perOrder = ({ revenueSatang, totalSale }: SaleSums) =>
  totalSale === 0 ? 0 : Math.round(revenueSatang / totalSale)

/** A number of the period beside that of the period before, whose name is `before`. */
const compared =
  (of: (sums: SaleSums) => number, show: (value: number) => string, unit?: string) =>
  (data: Revenue, before: string): ReactNode => (
    <Figure value={show(of(data))} unit={unit}>
      <Delta now={of(data)} then={of(data.before)} before={before} />
    </Figure>
  )

/** Below this part of the revenue whose cost is known, a profit would say more about what is missing. */
const LEAST_COSTED = 0.5

const knowsCost = (sums?: SaleSums) =>
  !sums || (sums.revenueSatang > 0 && sums.uncostedSatang <= (1 - LEAST_COSTED) * sums.revenueSatang)

interface FigureEntry {
  title: string
  draw: (data: Revenue, before: string) => ReactNode
  /** Whether it is shown, also before the numbers are there; it always is where this is missing. */
  isShown?: (data?: SaleSums) => boolean
}

const FIGURES: readonly FigureEntry[] = [
  { title: 'รายได้', draw: compared(({ revenueSatang }) => revenueSatang, formatMoney) },
  { title: 'จำนวนที่ขาย', draw: compared(({ totalSale }) => totalSale, grouped, 'คำสั่งซื้อ') },
  { title: 'ยอดต่อคำสั่งซื้อ', draw: compared(perOrder, formatMoney) },
  {
    title: 'ค่าธรรมเนียมรับชำระ',
    draw: data => <FeeFigure sums={data} />,
    isShown: sums => sums !== undefined && sums.feeSatang !== 0,
  },
  { title: 'กำไรขั้นต้น', draw: data => <MarginFigure sums={data} />, isShown: knowsCost },
]

/** Shows the numbers of the period. */
export function Figures({ criteria }: { criteria: SaleFilter }) {
  const client = useClient()
  const query = useSteadyQuery(client.query(getSalesRevenue, { body: criteria }))
  const { data, isError, error, isPlaceholderData, refetch } = query
  if (isError)
    return (
      <section className="card" aria-label="ภาพรวม">
        <LoadError error={error} onRetry={refetch} />
      </section>
    )
  return (
    <section
      className={`figures ${isPlaceholderData ? 'is-old' : ''}`}
      aria-label="ภาพรวม"
      aria-busy={query.isFetching}
    >
      {FIGURES.filter(({ isShown }) => isShown?.(data) ?? true).map(({ title, draw }) => (
        <div key={title} className="card figure">
          <h2>{title}</h2>
          {data ? (
            draw(data, SALE_PERIOD[criteria.period].before)
          ) : (
            <Skeleton active title={false} paragraph={{ rows: 2 }} />
          )}
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

/** Says in words as well as in colour how much more or less it is than before. */
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

/** What gateways kept, beside the revenue that it is a part of. */
function FeeFigure({ sums: { feeSatang, revenueSatang } }: { sums: SaleSums }) {
  return (
    <Figure value={formatMoney(feeSatang)}>
      <p className="note muted">
        {revenueSatang > 0 && (
          <>
            <span className="number">{percent(feeSatang / revenueSatang)}</span> ของรายได้ ·{' '}
          </>
        )}
        หักส่วนที่ลูกค้าจ่ายแล้ว
      </p>
    </Figure>
  )
}

function MarginFigure({ sums }: { sums: SaleSums }) {
  const margin = marginOf(sums)
  if (!margin) return null
  const unknown = sums.uncostedSatang / sums.revenueSatang
  return (
    <Figure value={formatMoney(margin.satang)}>
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
      {sums.feeSatang !== 0 && (
        <p className="note muted">
          หักต้นทุน <span className="number">{formatMoney(sums.costSatang)}</span> และค่าธรรมเนียมรับชำระแล้ว
        </p>
      )}
    </Figure>
  )
}
