import { ORDER_STATUS_LABELS, type OrderStatus } from '@shop/shared/order/order.ts'

const tones: Record<OrderStatus, string> = {
  waiting_payment: 'is-warn',
  paid: 'is-accent',
  processing: 'is-accent',
  success: 'is-ok',
  cancel: '',
  expired: '',
  failed: 'is-bad',
  refunded: '',
}

export function StatusTag({ status }: { status: OrderStatus }) {
  return <span className={`tag ${tones[status]}`}>{ORDER_STATUS_LABELS[status]}</span>
}
