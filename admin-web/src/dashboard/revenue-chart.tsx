import { SALE_PERIOD } from '@shop/shared/dashboard/dashboard.ts'
import type { SaleFilter } from '@shop/shared/dashboard/endpoints.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { formatStep } from '@shop/web/dates.ts'
import { lazy, Suspense } from 'react'
import { Part } from './part.tsx'

const RevenueBars = lazy(async () => ({ default: (await import('./charts.tsx')).RevenueBars }))

/** Shows the revenue of each day or month of the period beside that of the period before. */
export function RevenueChart({ criteria }: { criteria: SaleFilter }) {
  const { before } = SALE_PERIOD[criteria.period]
  return (
    <Part kind="revenue" criteria={criteria} extra={<span className="note muted">แท่งทึบ: ช่วงนี้ · เส้นประ: {before}</span>}>
      {steps => (
        <>
          <div className="chart" aria-hidden="true">
            <Suspense fallback={null}>
              <RevenueBars steps={steps} before={before} />
            </Suspense>
          </div>
          <ul className="sr-only" aria-label="รายได้แต่ละช่วง">
            {steps.map(({ period, revenueSatang, beforeSatang }) => (
              <li key={period}>
                {formatStep(period)} {formatBaht(revenueSatang)} บาท {before} {formatBaht(beforeSatang)} บาท
              </li>
            ))}
          </ul>
        </>
      )}
    </Part>
  )
}
