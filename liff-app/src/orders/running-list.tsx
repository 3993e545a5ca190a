import type { RunningOrder } from '@shop/shared/order/own-endpoints.ts'
import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router-dom'
import { GameArt } from '../ui/game-art.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { tagOf } from './order-facts.ts'

const SHOWN = 3

/** Lists orders that are still under way, each with a link to its page. */
export function RunningList({ title, orders }: { title: string; orders: RunningOrder[] }) {
  if (orders.length === 0) return null
  const isMore = orders.length > SHOWN
  return (
    <section className="mb-4 rounded-card border border-line px-3.5 pt-3">
      <h2 className="text-section">{title}</h2>
      <ul className="divide-y divide-line">
        {orders.slice(0, SHOWN).map(order => (
          <li key={order.orderNo} className="relative flex flex-wrap items-center gap-3 py-3">
            <GameArt picture={order.gamePicture} className="size-11 rounded-inline" />
            <p className="min-w-[min(8rem,100%)] flex-1">
              <Link
                to={`/purchase/details/${order.orderNo}`}
                className="block font-semibold before:absolute before:inset-0 hover:text-accent"
              >
                <span className="wrap-anywhere">{order.gameName}</span> · {order.packageName}
              </Link>
              <span className="flex flex-wrap items-center gap-x-2 text-ink-2 text-note">
                {order.orderNo}
                <OrderTag order={order} />
              </span>
            </p>
            <ChevronRight size={18} className="flex-none text-ink-2 @max-[15rem]:hidden" />
          </li>
        ))}
      </ul>
      {isMore && (
        <Link to="/purchase/history" className="link flex min-h-11 items-center border-line border-t">
          ดูทั้งหมด {orders.length} รายการ
        </Link>
      )}
    </section>
  )
}

/** The status of an order as a tag. */
export function OrderTag({ order }: { order: Parameters<typeof tagOf>[0] }) {
  const { tone, label } = tagOf(order)
  return <StatusTag tone={tone}>{label}</StatusTag>
}
