import { formatBaht } from '@shop/shared/money.ts'
import { type FoundOrder, searchOrders } from '@shop/shared/order/finding-endpoints.ts'
import type { FoundBy } from '@shop/shared/order/history.ts'
import { useQuery } from '@tanstack/react-query'
import { AutoComplete, Input } from 'antd'
import { Search } from 'lucide-react'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useClient } from '../account/session.tsx'
import { StatusTag } from '../order/status-tag.tsx'

const GROUP: Record<FoundBy, string> = {
  orderNo: 'เลขที่คำสั่งซื้อ',
  player: 'ผู้เล่น',
  buyer: 'ลูกค้า',
  amount: 'ยอดชำระ',
}
const SHORTEST = 2
/** Typing is over when nothing came for this long. */
const PAUSE_MS = 250

const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null

/** A text as it stands once typing pauses. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return useDeferredValue(paused)
}

function Found({ order }: { order: FoundOrder }) {
  const who = [order.playerId, order.playerName, order.buyerName].filter(Boolean).join(' · ')
  return (
    <div className="found">
      <span className="row">
        <b className="number grow">{order.orderNo}</b>
        <span className="number">{formatBaht(order.amountSatang)}</span>
        <StatusTag status={order.status} />
      </span>
      <span className="note muted one-line">
        {order.gameName} {order.packageName} · {who}
      </span>
    </div>
  )
}

/** Finds an order by whatever somebody has of it: "/" goes here, arrows choose, Enter opens. */
export function OrderSearch({ onLeave }: { onLeave: () => void }) {
  const client = useClient()
  const navigate = useNavigate()
  const box = useRef<HTMLDivElement>(null)
  const [text, setText] = useState('')
  const [searches, setSearches] = useState(0)
  const asked = usePaused(text.trim())
  const isAsked = asked.length >= SHORTEST
  const { data, isError, isPending } = useQuery({
    ...client.query(searchOrders, { query: { text: asked } }),
    enabled: isAsked,
  })
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping(event.target)) return
      event.preventDefault()
      box.current?.querySelector('input')?.focus()
    }
    document.addEventListener('keydown', focus)
    return () => document.removeEventListener('keydown', focus)
  }, [])

  const options = (data?.groups ?? []).map(({ by, rows }) => ({
    label: GROUP[by],
    // The same order may be found twice; an option's value is its own.
    options: rows.map(order => ({ value: `${by} ${order.orderNo}`, label: <Found order={order} /> })),
  }))
  const nothing = isError ? 'ค้นหาไม่สำเร็จ กรุณาลองอีกครั้ง' : isPending ? 'กำลังค้นหา' : 'ไม่พบคำสั่งซื้อ'
  return (
    <search ref={box} className="order-search" aria-label="ค้นหาคำสั่งซื้อ">
      <AutoComplete
        // It ignores Enter until the key is seen to rise, and the page that was opened may have taken the focus by then.
        key={searches}
        value={text}
        options={isAsked ? options : []}
        notFoundContent={isAsked ? nothing : null}
        popupMatchSelectWidth={400}
        defaultActiveFirstOption
        onChange={setText}
        onSelect={value => {
          setText('')
          setSearches(searches + 1)
          navigate(`/management/details/${value.split(' ')[1]}`)
          onLeave()
        }}
        style={{ width: '100%' }}
      >
        <Input
          aria-label="ค้นหาคำสั่งซื้อ: เลขที่ Player ID ชื่อ หรือยอด"
          placeholder="ค้นหาคำสั่งซื้อ ( / )"
          prefix={<Search size={16} aria-hidden color="var(--ink-3)" />}
          allowClear
          maxLength={100}
        />
      </AutoComplete>
    </search>
  )
}
