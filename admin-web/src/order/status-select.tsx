import { STAFF_COMMAND, type StaffCommand } from '@shop/shared/order/staff-command.ts'
import { ORDER_STATUS, type OrderStatus } from '@shop/shared/order/status.ts'
import { Select } from 'antd'
import { StatusTag } from './status-tag.tsx'

/** The status of an order, with the allowed commands to choose from; a plain tag when there is none. */
export function StatusSelect(props: {
  order: { orderNo: string; status: OrderStatus; commands: StaffCommand[] }
  isBusy: boolean
  isFixed: boolean
  onAsk: (command: StaffCommand) => void
}) {
  const { order, isBusy, isFixed, onAsk } = props
  const commands = isFixed ? [] : order.commands
  if (commands.length === 0) return <StatusTag status={order.status} />
  return (
    <Select<OrderStatus | StaffCommand>
      aria-label={`สถานะของ ${order.orderNo}: ${ORDER_STATUS[order.status].label}`}
      value={order.status}
      loading={isBusy}
      disabled={isBusy}
      popupMatchSelectWidth={false}
      options={[
        { value: order.status, label: <StatusTag status={order.status} /> },
        ...commands.map(value => ({ value, label: STAFF_COMMAND[value].label })),
      ]}
      onChange={value => value !== order.status && onAsk(value as StaffCommand)}
      style={{ width: 148 }}
    />
  )
}
