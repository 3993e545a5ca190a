import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { Amount } from '../ui/amount.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Note } from '../ui/note.tsx'
import { Problem } from '../ui/problem.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { useToast } from '../ui/toast.tsx'
import { cancelOrders } from './cancel-order.ts'
import { TimeLeft } from './resume-banner.tsx'
import type { UnpaidOrder, UnpaidOrders } from './unpaid-orders.ts'

interface PendingOrdersProps {
  open: boolean
  unpaid: UnpaidOrders
  onClose: () => void
}

/** Shows the unpaid orders that stand in the way of a new one; each can be paid, kept or, after a question, cancelled. */
export function PendingOrdersSheet({ open, unpaid, onClose }: PendingOrdersProps) {
  const { orders, receivedAt } = unpaid
  const toast = useToast()
  const [asked, setAsked] = useState<UnpaidOrder[] | null>(null)
  const close = () => {
    setAsked(null)
    onClose()
  }
  const cancel = useMutation({
    mutationFn: cancelOrders,
    onSuccess: async (failed, wanted) => {
      await unpaid.refetch()
      const done = wanted.filter(orderNo => !failed.includes(orderNo))
      if (done.length > 0) toast({ text: `ยกเลิกรายการ ${done.join(', ')} สำเร็จ` })
      if (failed.length === 0 && done.length === orders.length) close()
      else setAsked(null)
    },
  })
  const orderNos = orders.map(order => order.orderNo)
  const failed = (cancel.data ?? []).filter(orderNo => orderNos.includes(orderNo))
  const title = asked ? 'ยกเลิกคำสั่งซื้อ' : 'คุณต้องทำการชำระเงินก่อนทำรายการใหม่'
  return (
    <Sheet open={open} onClose={close} title={title} busy={cancel.isPending}>
      {asked ? (
        <CancelQuestion
          orders={asked}
          isBusy={cancel.isPending}
          onKeep={() => !cancel.isPending && setAsked(null)}
          onCancel={() => cancel.mutate(asked.map(order => order.orderNo))}
        />
      ) : (
        <>
          <p className="text-ink-2">
            คุณมีรายการที่ยังไม่ได้ชำระเงิน <span className="inline-block">{orderNos.join(', ')}</span>
          </p>
          <Problem className="mt-3">{failed.length > 0 && `ยกเลิกไม่สำเร็จ กรุณาลองอีกครั้ง: ${failed.join(', ')}`}</Problem>
          <ul className="mt-2 divide-y divide-line">
            {orders.map(order => (
              <PendingOrder
                key={order.orderNo}
                order={order}
                receivedAt={receivedAt}
                onCancel={() => setAsked([order])}
              />
            ))}
          </ul>
          {orders.length > 1 && (
            <Button kind="destructive" size="small" block onClick={() => setAsked(orders)}>
              ยกเลิกทั้งหมด
            </Button>
          )}
          <div className="mt-2 grid gap-2">
            <Button kind="secondary" block onClick={close}>
              เก็บรายการไว้
            </Button>
            <Link to="/purchase/history" replace className="link flex min-h-11 items-center justify-center">
              ดูประวัติการสั่งซื้อ
            </Link>
          </div>
        </>
      )}
    </Sheet>
  )
}

interface QuestionProps {
  orders: UnpaidOrder[]
  isBusy: boolean
  onKeep: () => void
  onCancel: () => void
}

/** Asks before orders are cancelled. It names them and makes keeping them as easy, for buyers who have paid already. */
function CancelQuestion({ orders, isBusy, onKeep, onCancel }: QuestionProps) {
  const keep = useRef<HTMLButtonElement>(null)
  useEffect(() => keep.current?.focus(), [])
  return (
    <>
      <ul>
        {orders.map(({ orderNo, gameName, packageName, amountSatang }) => (
          <li key={orderNo} className="py-1">
            <span className="block font-semibold">
              {gameName} · {packageName} <Amount satang={amountSatang} />
            </span>
            <span translate="no" className="block text-ink-2 text-note">
              {orderNo}
            </span>
          </li>
        ))}
      </ul>
      <Note className="mt-2" kind="warn">
        หากโอนเงินแล้ว อย่ายกเลิก ให้กลับไปกด “ชำระ” แล้วแจ้งโอนหรือรอผล
      </Note>
      <div className="mt-5 flex flex-wrap gap-2 [&>*]:flex-1">
        <Button ref={keep} kind="secondary" onClick={onKeep}>
          เก็บรายการไว้
        </Button>
        <Button kind="destructive" busy={isBusy} busyLabel="กำลังยกเลิก" onClick={onCancel}>
          ยกเลิกคำสั่งซื้อ
        </Button>
      </div>
    </>
  )
}

interface PendingOrderProps {
  order: UnpaidOrder
  receivedAt: number
  onCancel: () => void
}

const PendingOrder = ({ order, receivedAt, onCancel }: PendingOrderProps) => (
  <li className="py-3">
    <p className="flex flex-wrap justify-between gap-x-3 font-semibold">
      <span>
        {order.gameName} · {order.packageName}
      </span>
      <Amount satang={order.amountSatang} />
    </p>
    <p className="flex flex-wrap justify-between gap-x-3 text-ink-2 text-note">
      <span translate="no">{order.orderNo}</span>
      <TimeLeft order={order} receivedAt={receivedAt} />
    </p>
    <div className="mt-2 flex flex-wrap gap-2 [&>*]:flex-1">
      <Button kind="destructive" size="small" aria-label={`ยกเลิกคำสั่งซื้อ ${order.orderNo}`} onClick={onCancel}>
        ยกเลิกคำสั่งซื้อ…
      </Button>
      <ButtonLink size="small" to={`/payment?order=${order.orderNo}`} replace aria-label={`ชำระ ${order.orderNo}`}>
        ชำระ
      </ButtonLink>
    </div>
  </li>
)
