import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { ORDER_STATUS, type OrderStatus } from '@shop/shared/order/status.ts'
import { Clock } from 'lucide-react'
import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { clearPurchase } from '../current-order.ts'
import { useClosedNote, useIsHolding } from '../settings/closed-note.ts'
import { HoldingNote } from '../settings/holding-note.tsx'
import { payingOf } from '../settings/payment-methods.tsx'
import { Note } from '../ui/note.tsx'
import { type Toast, useToast } from '../ui/toast.tsx'

export const OUT_OF_TIME: Toast = { text: 'Order ของคุณถูกยกเลิกเนื่องจากเลยเวลาที่กำหนด', kind: 'error' }

/** What to say when the order stops waiting for its payment while the page is open, or null. */
function endOf({ status, orderNo, payment }: Pick<OrderView, 'status' | 'orderNo' | 'payment'>): Toast | null {
  const received: Toast = { text: payingOf(payment).paidText }
  const ends: Record<OrderStatus, Toast | null> = {
    // The transfer was reported on another device.
    waiting_payment: null,
    paid: received,
    processing: received,
    success: received,
    cancel: { text: `ยกเลิกรายการ ${orderNo} สำเร็จ` },
    expired: OUT_OF_TIME,
    failed: { text: ORDER_STATUS.failed.label, kind: 'error' },
    refunding: { text: ORDER_STATUS.refunding.label },
    refunded: { text: ORDER_STATUS.refunded.label },
  }
  return ends[status]
}

/** Leads on to the order's own page once it no longer waits for its payment, and forgets the purchase in this browser. */
export function useEndOfWaiting(order: OrderView, hasEnded: boolean, path: string) {
  const navigate = useNavigate()
  const toast = useToast()
  useEffect(() => {
    if (!hasEnded) return
    const end = endOf(order)
    if (end) toast(end)
    clearPurchase()
    navigate(path, { replace: true })
  }, [hasEnded, order, path, navigate, toast])
}

/** Tells while the shop is closed when the goods will come, since orders can be paid at any time. */
export function DeliveryStart() {
  const closedNote = useClosedNote()
  if (useIsHolding()) return <HoldingNote />
  return (
    closedNote && (
      <Note className="mt-4" icon={Clock}>
        {closedNote}
      </Note>
    )
  )
}
