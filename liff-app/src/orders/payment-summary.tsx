import { formatBaht } from '@shop/shared/money.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import type { ReactNode } from 'react'
import { paidSatangOf, surchargeSatangOf } from '../gateway/charge-facts.ts'
import { useClosedNote } from '../settings/closed-note.ts'
import { Amount } from '../ui/amount.tsx'
import { type Fact, Facts } from '../ui/facts.tsx'
import { GameArt } from '../ui/game-art.tsx'
import { playerFactsOf } from './order-facts.ts'
import { deliveryOf } from './order-progress.ts'

interface PaymentSummaryProps {
  order: OrderView
  /** What stands before the amount on a wide screen. */
  total: string
  /** The slip and the button, which stand here on a wide screen; on a phone they are in the page and the pay bar. */
  slip?: ReactNode
  report?: ReactNode
  children: ReactNode
}

/** Shows what is being paid; on a wide screen it also holds the slip and the buttons. */
export function PaymentSummary({ order, total, slip, report, children }: PaymentSummaryProps) {
  const closedNote = useClosedNote()
  const surchargeSatang = surchargeSatangOf(order)
  const money: Fact[] = [
    { label: 'ราคา', value: <Amount satang={order.priceSatang} /> },
    ...(order.tailSatang > 0 ? [{ label: 'เศษสตางค์ตรวจยอด', value: <Amount satang={order.tailSatang} /> }] : []),
    ...(order.creditSatang > 0
      ? [{ label: 'เครดิตร้าน', value: <span className="text-ok">{`−฿${formatBaht(order.creditSatang)}`}</span> }]
      : []),
    ...(surchargeSatang > 0 ? [{ label: 'ค่าธรรมเนียม', value: <Amount satang={surchargeSatang} /> }] : []),
    ...(closedNote ? [] : [{ label: 'เข้าเกมหลังได้รับเงิน', value: deliveryOf(order) }]),
  ]
  return (
    <aside aria-label="สรุปคำสั่งซื้อ" className="mt-5 lg:mt-0">
      <div className="rounded-card bg-canvas p-4 lg:sticky lg:top-22 lg:border lg:border-line lg:bg-white lg:p-5">
        <div className="mb-3 flex flex-wrap items-center gap-3">
          <GameArt picture={order.game.picture} className="size-11 rounded-inline" />
          <p className="min-w-[min(8rem,100%)] flex-1">
            <span className="block font-semibold leading-normal">
              <span className="wrap-anywhere">{order.game.name}</span> · {order.package.name}
            </span>
            <span translate="no" className="block text-ink-2 text-note">
              {order.orderNo}
            </span>
          </p>
        </div>
        <Facts facts={[...playerFactsOf(order.fields, order.playerName), ...money]} />
        <p className="mt-3.5 hidden items-baseline justify-between gap-3 border-line border-t pt-3 font-semibold lg:flex">
          {total} <Amount satang={paidSatangOf(order)} className="text-total" />
        </p>
        <div className="mt-4 hidden lg:block">
          {slip}
          {report && <div className="mt-3">{report}</div>}
          {children}
        </div>
      </div>
      <div className="lg:hidden">{children}</div>
    </aside>
  )
}
