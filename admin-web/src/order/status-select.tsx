import type { Me } from '@shop/shared/account/endpoints.ts'
import { ORDER_STATUS_LABELS, type OrderStatus, staffChanges } from '@shop/shared/order/order.ts'
import { Select } from 'antd'
import { changeOf } from './changes.ts'
import { StatusTag } from './status-tag.tsx'

/** The status, with the legal changes behind it; a plain tag where there is none. */
export function StatusSelect(props: {
  order: { orderNo: string; status: OrderStatus; claimedBy: string | null }
  me: Pick<Me, 'uid' | 'role'>
  isBusy: boolean
  isFixed: boolean
  onAsk: (to: OrderStatus) => void
}) {
  const { order, me, isBusy, isFixed, onAsk } = props
  const changes = isFixed ? [] : staffChanges(order, me)
  if (changes.length === 0) return <StatusTag status={order.status} />
  return (
    <Select<OrderStatus>
      aria-label={`สถานะของ ${order.orderNo}: ${ORDER_STATUS_LABELS[order.status]}`}
      value={order.status}
      loading={isBusy}
      disabled={isBusy}
      popupMatchSelectWidth={false}
      options={[order.status, ...changes].map(value => ({
        value,
        label: value === order.status ? <StatusTag status={value} /> : changeOf(order.status, value).label,
      }))}
      onChange={onAsk}
      style={{ width: 148 }}
    />
  )
}
