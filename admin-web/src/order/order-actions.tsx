import { STAFF_COMMAND, type StaffCommand } from '@shop/shared/order/staff-command.ts'
import type { StaffOrderView } from '@shop/shared/order/staff-endpoints.ts'
import { formatClock } from '@shop/web/dates.ts'
import { Button, Form, Input } from 'antd'
import { Check } from 'lucide-react'
import { Fragment } from 'react'
import { useMe } from '../account/session.tsx'
import { required } from '../ui/form-errors.ts'
import { MoreMenu } from '../ui/more-menu.tsx'
import { SHOP_ITSELF } from './order-timeline.tsx'
import { itemsOf } from './status-menu.tsx'
import { useClaimLease } from './use-claim-lease.ts'
import { type OnOrderChanged, useOrderChange } from './use-order-change.tsx'

/** Keys of an open order: for copying the player's fields in their order, for the reference field, and for buttons. */
export interface OrderKeys {
  copy: readonly string[]
  reference: string
  fail: string
  release: string
}

/** What is seldom the answer to an order that waits for its goods; it stands behind "⋯" while there is anything else. */
const SELDOM: readonly StaffCommand[] = ['refund']

/** Splits commands into those with a button and those behind "⋯". */
function buttonsOf(commands: readonly StaffCommand[]): { shown: StaffCommand[]; more: StaffCommand[] } {
  const shown = commands.filter(command => !SELDOM.includes(command))
  return shown.length === 0
    ? { shown: [...commands], more: [] }
    : { shown, more: commands.filter(each => SELDOM.includes(each)) }
}

function MoreCommands(props: {
  orderNo: string
  commands: readonly StaffCommand[]
  isBusy: boolean
  onAsk: (command: StaffCommand) => void
}) {
  const { orderNo, commands, isBusy, onAsk } = props
  if (commands.length === 0) return null
  return (
    <MoreMenu
      size="large"
      label={`ทำอย่างอื่นกับ ${orderNo}`}
      items={itemsOf(commands)}
      isDisabled={isBusy}
      onChoose={onAsk}
    />
  )
}

/** The allowed commands of an order as buttons, the main one last; the delivery reference is typed right here. */
export function OrderActions(props: { order: StaffOrderView; onChanged?: OnOrderChanged; keys?: OrderKeys }) {
  const { order, onChanged, keys } = props
  useClaimLease(order)
  const { ask, make, busy, dialog } = useOrderChange(onChanged)
  const isBusy = busy !== null
  const onAsk = (command: StaffCommand) => ask(order, command)
  if (order.status === 'processing' || order.commands.includes('complete')) {
    return (
      <div className="card-part actions">
        <ClaimActions
          order={order}
          keys={keys}
          isBusy={isBusy}
          onAsk={onAsk}
          onComplete={deliveryReference => make(order, 'complete', { deliveryReference })}
        />
        {dialog}
      </div>
    )
  }
  if (order.commands.length === 0) return null
  const { shown, more } = buttonsOf(order.commands)
  const main = shown.findLast(command => !STAFF_COMMAND[command].isDanger)
  return (
    <div className="card-part actions">
      <div className="action-buttons">
        <MoreCommands orderNo={order.orderNo} commands={more} isBusy={isBusy} onAsk={onAsk} />
        {shown.map(command => {
          const { label, isDanger } = STAFF_COMMAND[command]
          const isMain = command === main
          return (
            <Button
              key={command}
              size="large"
              type={isMain ? 'primary' : 'default'}
              aria-keyshortcuts={command === 'fail' ? keys?.fail : undefined}
              className={isMain ? 'is-main' : isDanger ? 'is-danger' : undefined}
              disabled={isBusy && !isMain}
              loading={isBusy && isMain}
              onClick={() => onAsk(command)}
            >
              {label}
            </Button>
          )
        })}
      </div>
      {dialog}
    </div>
  )
}

function ClaimActions(props: {
  order: StaffOrderView
  keys?: OrderKeys
  isBusy: boolean
  onAsk: (command: StaffCommand) => void
  onComplete: (deliveryReference: string) => void
}) {
  const { order, keys, isBusy, onAsk, onComplete } = props
  const me = useMe()
  const isMine = order.claimedBy === me.uid
  const offers = (command: StaffCommand) => order.commands.includes(command)
  const holder = isMine ? 'คุณ' : (order.claimedByName ?? SHOP_ITSELF)
  return (
    <>
      {offers('complete') && (
        <Form<{ reference: string }>
          layout="vertical"
          requiredMark={false}
          onFinish={({ reference }) => onComplete(reference.trim())}
        >
          <Form.Item
            name="reference"
            label={<b className="strong">เลขอ้างอิงการเติม</b>}
            rules={[required('กรุณาระบุเลขอ้างอิงการเติม')]}
            style={{ marginBottom: 12 }}
          >
            <Input
              size="large"
              maxLength={200}
              placeholder="เช่น MB-88213-5566"
              autoComplete="off"
              aria-keyshortcuts={keys?.reference}
            />
          </Form.Item>
          <div className="action-buttons">
            <MoreCommands orderNo={order.orderNo} commands={SELDOM.filter(offers)} isBusy={isBusy} onAsk={onAsk} />
            {offers('fail') && (
              <Button
                size="large"
                className="is-danger"
                aria-keyshortcuts={keys?.fail}
                disabled={isBusy}
                onClick={() => onAsk('fail')}
              >
                {STAFF_COMMAND.fail.label}
              </Button>
            )}
            <Button
              className="is-main"
              type="primary"
              size="large"
              htmlType="submit"
              loading={isBusy}
              icon={<Check size={18} aria-hidden />}
            >
              {STAFF_COMMAND.complete.label}
            </Button>
          </div>
        </Form>
      )}
      <p className="note muted" style={{ marginTop: 8 }}>
        {order.status === 'paid' ? (
          <>หมดเวลารับเรื่อง คำสั่งซื้อกลับเข้าคิวแล้วและยังไม่มีคนรับ หากเติมแล้วให้กรอกเลขอ้างอิง</>
        ) : (
          <>
            รับเรื่องโดย{holder}
            {order.claimedAt && ` เมื่อ ${formatClock(order.claimedAt)}`}
          </>
        )}
        {(['release', 'claim'] as const).filter(offers).map(command => (
          <Fragment key={command}>
            {' · '}
            <Button
              type="link"
              size="small"
              aria-keyshortcuts={command === 'release' ? keys?.release : undefined}
              disabled={isBusy}
              onClick={() => onAsk(command)}
              style={{ padding: 0 }}
            >
              {STAFF_COMMAND[command].label}
            </Button>
          </Fragment>
        ))}
      </p>
    </>
  )
}
