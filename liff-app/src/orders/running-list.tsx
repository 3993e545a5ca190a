import { goodsText } from '@shop/shared/order/goods-text.ts'
import type { RunningOrder } from '@shop/shared/order/own-endpoints.ts'
import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router-dom'
import { classes } from '../ui/classes.ts'
import { GameArt } from '../ui/game-art.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { askOf, tagOf } from './order-facts.ts'

const SHOWN = 3

/** What is under way: first the orders that go on only once their buyer has done something. */
export function RunningOrders({ orders }: { orders: RunningOrder[] }) {
  const rest = orders.filter(({ asks }) => !asks)
  return (
    <>
      <RunningList title="ต้องให้คุณช่วย" isAsking orders={orders.filter(({ asks }) => asks)} />
      <RunningList title="คำสั่งซื้อที่กำลังดำเนินการ" orders={rest} />
    </>
  )
}

interface RunningListProps {
  title: string
  orders: RunningOrder[]
  /** Each waits for something that only its buyer can say. */
  isAsking?: boolean
}

/** Lists orders that are still under way, each with a link to its page. */
export function RunningList({ title, orders, isAsking }: RunningListProps) {
  if (orders.length === 0) return null
  const isMore = orders.length > SHOWN
  return (
    <section
      className={classes(
        'mb-4 rounded-card border px-3.5 pt-3',
        isAsking ? 'border-transparent bg-warn-tint' : 'border-line',
      )}
    >
      <h2 className={classes('text-section', isAsking && 'text-warn')}>{title}</h2>
      <ul className="divide-y divide-line">
        {orders.slice(0, SHOWN).map(order => (
          <li key={order.orderNo} className="relative flex flex-wrap items-center gap-3 py-3">
            <GameArt picture={order.gamePicture} className="size-11 rounded-inline" />
            <p className="min-w-[min(8rem,100%)] flex-1">
              <Link
                to={`/purchase/details/${order.orderNo}`}
                className="block font-semibold before:absolute before:inset-0 hover:text-accent"
              >
                <span className="wrap-anywhere">{order.gameName}</span> · {goodsText(order.packageName, order.quantity)}
              </Link>
              <span className="flex flex-wrap items-center gap-x-2 text-ink-2 text-note">
                {order.orderNo}
                <OrderTag order={order} />
              </span>
              {order.asks && <span className="link block text-small">{askOf(order)}</span>}
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
