import type { OrderStatus } from '@shop/shared/order/order.ts'

/** What a change of status means to the person who makes it. */
export interface Change {
  to: OrderStatus
  /** On the button that starts it. */
  label: string
  /** The question above the box, naming what happens. */
  question: string
  /** What must be written down; null changes happen at once. */
  needs: 'reason' | 'deliveryReference' | null
  isDanger: boolean
  done: string
}

const change = (
  to: OrderStatus,
  label: string,
  question: string,
  done: string,
  rest: Partial<Change> = {},
): Change => ({
  ...{ to, label, question, done, needs: 'reason', isDanger: false },
  ...rest,
})

const changes: Partial<Record<OrderStatus, Change>> = {
  paid: change('paid', 'ได้รับเงินแล้ว…', 'ยืนยันว่าร้านได้รับเงินแล้ว', 'บันทึกการรับเงินแล้ว'),
  processing: change('processing', 'รับเรื่อง', '', 'รับเรื่องแล้ว', { needs: null }),
  success: change('success', 'เติมสำเร็จ', 'ยืนยันว่าเติมให้ลูกค้าแล้ว', 'บันทึกการเติมแล้ว', {
    needs: 'deliveryReference',
  }),
  failed: change('failed', 'เติมไม่ได้…', 'บันทึกว่าเติมไม่สำเร็จ', 'บันทึกว่าเติมไม่สำเร็จแล้ว', { isDanger: true }),
  cancel: change('cancel', 'ยกเลิกคำสั่งซื้อ…', 'ยกเลิกคำสั่งซื้อ', 'ยกเลิกคำสั่งซื้อแล้ว', { isDanger: true }),
  refunded: change('refunded', 'คืนเงิน…', 'บันทึกว่าคืนเงินให้ลูกค้า', 'บันทึกการคืนเงินแล้ว', { isDanger: true }),
}
const release = change('paid', 'คืนเข้าคิว', '', 'คืนเข้าคิวแล้ว', { needs: null })

/** The change that leads from one status to another; `paid` after a claim gives the order back to the queue. */
export function changeOf(from: OrderStatus, to: OrderStatus): Change {
  const found = from === 'processing' && to === 'paid' ? release : changes[to]
  if (!found) throw new Error(`staff can't ask for ${to}`)
  return found
}
