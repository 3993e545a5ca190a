import { ALL, type SaleFilter } from '@shop/shared/dashboard/endpoints.ts'
import { STAFF_PAGE } from '@shop/shared/staff-pages.ts'
import { Link } from 'react-router-dom'
import { Figures } from '../dashboard/sale-figures.tsx'
import '../dashboard/dashboard.css'

const TODAY: SaleFilter = { game: ALL, period: 'today', paymentMethod: ALL }

/** Shows what was sold today, compared with yesterday. */
export function Today() {
  return (
    <section className="backlog-today" aria-label="วันนี้">
      <header className="row">
        <h2 className="grow">วันนี้</h2>
        <Link to={STAFF_PAGE.sale.path}>ดูรายงานยอดขาย</Link>
      </header>
      <Figures criteria={TODAY} />
    </section>
  )
}
