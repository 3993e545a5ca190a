import { STAFF_COMMAND, type StaffCommand } from '@shop/shared/order/staff-command.ts'
import { ORDER_STATUS, type OrderStatus } from '@shop/shared/order/status.ts'
import { MoreMenu } from '../ui/more-menu.tsx'

/** Commands as the lines of a menu. */
export const itemsOf = (commands: readonly StaffCommand[]) =>
  commands.map(key => ({ key, label: STAFF_COMMAND[key].label, isDanger: STAFF_COMMAND[key].isDanger }))

/** The allowed changes of an order in a list, behind "⋯" so that none is made by a slip of the hand. */
export function StatusMenu(props: {
  order: { orderNo: string; status: OrderStatus; commands: StaffCommand[] }
  isBusy: boolean
  isFixed: boolean
  onAsk: (command: StaffCommand) => void
}) {
  const { order, isBusy, isFixed, onAsk } = props
  if (isFixed || order.commands.length === 0) return null
  return (
    <MoreMenu
      label={`เปลี่ยนสถานะ ${order.orderNo}: ${ORDER_STATUS[order.status].label}`}
      items={itemsOf(order.commands)}
      isBusy={isBusy}
      isDisabled={isBusy}
      onChoose={onAsk}
    />
  )
}
