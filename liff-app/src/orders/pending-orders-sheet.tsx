import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { useSession } from '../account/session.tsx'
import { Amount } from '../ui/amount.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Note } from '../ui/note.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { useToast } from '../ui/toast.tsx'
import { cancelOrders } from './cancel-order.ts'
import { TimeLeft } from './resume-banner.tsx'
import type { UnpaidOrder } from './unpaid-orders.ts'

interface PendingOrdersProps {
  open: boolean
  orders: UnpaidOrder[]
  receivedAt: number
  onClose: () => void
  /** Some orders were cancelled, or may have changed: ask the server again. */
  onChanged: () => Promise<unknown>
}

/** Unpaid orders keep a new one from being made: pay or cancel each, or cancel all. */
export function PendingOrdersSheet({ open, orders, receivedAt, onClose, onChanged }: PendingOrdersProps) {
  const { me } = useSession()
  const toast = useToast()
  const cancel = useMutation({
    mutationFn: cancelOrders,
    onSuccess: async (failed, asked) => {
      await onChanged()
      const done = asked.filter(orderNo => !failed.includes(orderNo))
      if (done.length > 0) toast({ text: `ยกเลิกรายการ ${done.join(', ')} สำเร็จ` })
      if (failed.length === 0 && done.length === orders.length) onClose()
    },
  })
  const orderNos = orders.map(order => order.orderNo)
  const failed = (cancel.data ?? []).filter(orderNo => orderNos.includes(orderNo))
  const isBusyWith = (asked: string[]) => cancel.isPending && cancel.variables?.join() === asked.join()
  const start = (asked: string[]) => !cancel.isPending && cancel.mutate(asked)
  return (
    <Sheet open={open} onClose={onClose} title="คุณต้องทำการชำระเงินก่อนทำรายการใหม่" busy={cancel.isPending}>
      <p className="text-ink-2">
        คุณมีรายการที่ยังไม่ได้ชำระเงิน <span className="inline-block">{orderNos.join(', ')}</span>
      </p>
      {failed.length > 0 && (
        <Note className="mt-3" kind="bad" role="alert">
          ยกเลิกไม่สำเร็จ กรุณาลองอีกครั้ง: {failed.join(', ')}
        </Note>
      )}
      <ul className="mt-2 divide-y divide-line">
        {orders.map(order => (
          <PendingOrder
            key={order.orderNo}
            order={order}
            receivedAt={receivedAt}
            isBusy={isBusyWith([order.orderNo])}
            onCancel={() => start([order.orderNo])}
          />
        ))}
      </ul>
      <div className="mt-2 grid gap-2">
        <Button
          kind="secondary"
          block
          busy={isBusyWith(orderNos)}
          busyLabel="กำลังยกเลิก"
          onClick={() => start(orderNos)}
        >
          ยกเลิกทั้งหมด
        </Button>
        {me && (
          <Link to="/purchase/history" replace className="link flex min-h-11 items-center justify-center">
            ดูประวัติการสั่งซื้อ
          </Link>
        )}
      </div>
    </Sheet>
  )
}

interface PendingOrderProps {
  order: UnpaidOrder
  receivedAt: number
  isBusy: boolean
  onCancel: () => void
}

const PendingOrder = ({ order, receivedAt, isBusy, onCancel }: PendingOrderProps) => (
  <li className="py-3">
    <p className="flex flex-wrap justify-between gap-x-3 font-semibold">
      <span>
        {order.gameName} · {order.packageName}
      </span>
      <Amount satang={order.amountSatang} />
    </p>
    <p className="flex flex-wrap justify-between gap-x-3 text-ink-2 text-note">
      <span>{order.orderNo}</span>
      <TimeLeft order={order} receivedAt={receivedAt} />
    </p>
    <div className="mt-2 flex flex-wrap gap-2 [&>*]:flex-1">
      <Button kind="destructive" size="small" busy={isBusy} aria-label={`ยกเลิก ${order.orderNo}`} onClick={onCancel}>
        ยกเลิก
      </Button>
      <ButtonLink size="small" to={`/payment?order=${order.orderNo}`} replace aria-label={`ชำระ ${order.orderNo}`}>
        ชำระ
      </ButtonLink>
    </div>
  </li>
)
