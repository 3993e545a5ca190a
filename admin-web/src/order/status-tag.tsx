import { ORDER_STATUS, type OrderStatus } from '@shop/shared/order/status.ts'

export function StatusTag({ status }: { status: OrderStatus }) {
  const { tone, label } = ORDER_STATUS[status]
  return <span className={`tag is-${tone}`}>{label}</span>
}
