import type { Reply } from '@shop/shared/endpoint.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { type FoundOrder, type FoundTopUp, searchOrders } from '@shop/shared/order/finding-endpoints.ts'
import type { FoundBy } from '@shop/shared/order/history.ts'
import { useQuery } from '@tanstack/react-query'
import { AutoComplete, Input } from 'antd'
import { Search } from 'lucide-react'
import {
  type KeyboardEvent as ReactKeyboardEvent,
  type RefObject,
  useDeferredValue,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useNavigate } from 'react-router-dom'
import { useClient } from '../account/session.tsx'
import { StatusTag } from '../order/status-tag.tsx'
import { TopUpStatusTag } from '../wallet/status-tag.tsx'
import { SlipPictureButton, useSlipPicture } from './slip-drop.tsx'

const GROUP: Record<FoundBy, string> = {
  orderNo: 'เลขที่คำสั่งซื้อ',
  player: 'ผู้เล่น',
  buyer: 'ลูกค้า',
  slip: 'เลขอ้างอิงในสลิป',
  amount: 'ยอดชำระ',
}
const SHORTEST = 2
/** The search starts when nothing was typed for this long. */
const PAUSE_MS = 250

const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null

/** The text as it was when typing last paused. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return useDeferredValue(paused)
}

/** The key "/" puts the focus on the input in `box`, unless somebody is typing elsewhere. */
function useSlash(box: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping(event.target)) return
      event.preventDefault()
      box.current?.querySelector('input')?.focus()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [box])
}

/** Keeps an Enter that is pressed while the rows are still those of an older text, until the answer is there. */
function useEarlyEnter(isAnswered: boolean, act: () => void) {
  const [isKept, setKept] = useState(false)
  useEffect(() => {
    if (!isKept || !isAnswered) return
    setKept(false)
    act()
  })
  return {
    forget: () => setKept(false),
    hear: (event: ReactKeyboardEvent) => {
      if (event.key !== 'Enter' || isAnswered) return
      event.preventDefault()
      event.stopPropagation()
      setKept(true)
    },
  }
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

function FoundWithSlip({ topUp: { no, status, amountSatang, ownerName } }: { topUp: FoundTopUp }) {
  return (
    <div className="found">
      <span className="row">
        <b className="number grow">{no}</b>
        <span className="number">{formatBaht(amountSatang)}</span>
        <TopUpStatusTag status={status} />
      </span>
      <span className="note muted one-line">เติมเงิน {ownerName}</span>
    </div>
  )
}

/**
 * What was found, in groups. An option's value says where it leads, after how it was found: the same order may be found in
 * two ways, but every option needs a value of its own.
 */
function optionsOf(found: Reply<typeof searchOrders> | undefined) {
  const { groups = [], topUps = [] } = found ?? {}
  return [
    ...groups.map(({ by, rows }) => ({
      label: GROUP[by],
      options: rows.map(order => ({
        value: `${by} /management/details/${order.orderNo}`,
        label: <Found order={order} />,
      })),
    })),
    ...(topUps.length > 0
      ? [
          {
            label: 'เลขอ้างอิงในสลิปเติมเงิน',
            options: topUps.map(topUp => ({
              value: `topUp /management/wallet?status=all&transactionNo=${topUp.no}&tx=${topUp.id}`,
              label: <FoundWithSlip topUp={topUp} />,
            })),
          },
        ]
      : []),
  ]
}

/** What can be searched, for who found nothing. */
const SEARCHED = 'ค้นได้ด้วยเลขที่คำสั่งซื้อ Player ID ชื่อหรืออีเมล เบอร์โทรเต็ม เลขอ้างอิงในสลิปหรือรูปสลิป หรือยอดชำระ'

/**
 * Finds an order by its number, player, buyer, slip or amount, and a top-up by its slip, whose picture can be dropped here,
 * too. "/" leads here, arrows choose, Enter opens.
 */
export function OrderSearch({ onLeave }: { onLeave: () => void }) {
  const client = useClient()
  const navigate = useNavigate()
  const box = useRef<HTMLDivElement>(null)
  const [text, setText] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const [searches, setSearches] = useState(0)
  const wanted = text.trim()
  const asked = usePaused(wanted)
  const isAsked = asked.length >= SHORTEST
  const { data, isError, isPending } = useQuery({
    ...client.query(searchOrders, { query: { text: asked } }),
    enabled: isAsked,
  })
  useSlash(box)
  const slip = useSlipPicture(reference => {
    setText(reference)
    setIsOpen(true)
    box.current?.querySelector('input')?.focus()
  })
  const open = (found: string) => {
    setText('')
    setIsOpen(false)
    setSearches(searches + 1)
    navigate(found.split(' ')[1]!)
    onLeave()
  }
  const options = optionsOf(data)
  const first = options[0]?.options[0]
  const early = useEarlyEnter(asked === wanted && !isPending, () => first && open(first.value))
  const nothing = isError ? 'ค้นหาไม่สำเร็จ กรุณาลองอีกครั้ง' : isPending ? 'กำลังค้นหา' : `ไม่พบคำสั่งซื้อ ${SEARCHED}`
  return (
    <search
      ref={box}
      className={slip.isOver ? 'order-search is-over' : 'order-search'}
      aria-label="ค้นหาคำสั่งซื้อ"
      {...slip.area}
      onKeyDownCapture={event => wanted.length >= SHORTEST && early.hear(event)}
    >
      <AutoComplete
        // A new box after each search, because the old one ignores Enter until it sees the key go up.
        key={searches}
        value={text}
        options={isAsked ? options : []}
        notFoundContent={isAsked ? <p className="search-none">{nothing}</p> : null}
        popupMatchSelectWidth={400}
        defaultActiveFirstOption
        open={isOpen && isAsked}
        onOpenChange={setIsOpen}
        onChange={next => {
          setText(next)
          setIsOpen(true)
          early.forget()
          slip.forget()
        }}
        onBlur={early.forget}
        onSelect={open}
        className="grow"
      >
        <Input
          aria-label="ค้นหาคำสั่งซื้อ: เลขที่ Player ID ชื่อ เบอร์โทร เลขอ้างอิงในสลิป หรือยอด"
          placeholder="ค้นหา ( / )"
          prefix={<Search size={16} aria-hidden color="var(--ink-3)" />}
          allowClear
          maxLength={100}
        />
      </AutoComplete>
      <SlipPictureButton isReading={slip.isReading} onChoose={slip.take} />
      {slip.problem && (
        <p className="slip-problem" role="alert">
          {slip.problem}
        </p>
      )}
    </search>
  )
}
