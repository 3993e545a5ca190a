import type { StaffOrderView } from '@shop/shared/order/endpoints.ts'
import type { OrderStatus } from '@shop/shared/order/order.ts'
import { formatClock } from '@shop/shared/time.ts'
import { Button, Form, Input } from 'antd'
import { Check } from 'lucide-react'
import { useMe } from '../account/session.tsx'
import { type Change, changeOf } from './changes.ts'
import { useOrderChange } from './use-order-change.tsx'

/** What leads on comes last and fills the row. */
const MAIN: readonly OrderStatus[] = ['success', 'processing', 'paid']

/** The legal changes of an order as buttons; the delivery reference is typed in place. */
export function OrderActions({ order, onChanged }: { order: StaffOrderView; onChanged?: () => void }) {
  const { ask, make, busy, dialog } = useOrderChange(onChanged)
  const all = order.changes.map(to => changeOf(order.status, to))
  const main = MAIN.map(to => all.find(change => change.to === to)).find(found => found !== undefined)
  const isBusy = busy !== null
  if (order.status === 'processing') {
    return (
      <div className="card-part actions">
        <ClaimActions
          order={order}
          changes={all}
          isBusy={isBusy}
          onAsk={to => ask(order, to)}
          onComplete={deliveryReference => make(order, changeOf('processing', 'success'), { deliveryReference })}
        />
        {dialog}
      </div>
    )
  }
  if (!main && all.length === 0) return null
  return (
    <div className="card-part actions">
      <div className="action-buttons">
        {all
          .filter(change => change !== main)
          .map(change => (
            <Button
              key={change.to}
              size="large"
              className={change.isDanger ? 'is-danger' : undefined}
              disabled={isBusy}
              onClick={() => ask(order, change.to)}
            >
              {change.label}
            </Button>
          ))}
        {main && (
          <Button className="is-main" type="primary" size="large" loading={isBusy} onClick={() => ask(order, main.to)}>
            {main.label}
          </Button>
        )}
      </div>
      {dialog}
    </div>
  )
}

function ClaimActions(props: {
  order: StaffOrderView
  changes: Change[]
  isBusy: boolean
  onAsk: (to: OrderStatus) => void
  onComplete: (deliveryReference: string) => void
}) {
  const { order, changes, isBusy, onAsk, onComplete } = props
  const me = useMe()
  const isMine = order.claimedBy === me.uid
  const offers = (to: OrderStatus) => changes.some(change => change.to === to)
  const holder = isMine ? 'คุณ' : (order.claimedByName ?? 'พนักงาน')
  return (
    <>
      {offers('success') && (
        <Form<{ reference: string }>
          layout="vertical"
          requiredMark={false}
          onFinish={({ reference }) => onComplete(reference.trim())}
        >
          <Form.Item
            name="reference"
            label={<b className="strong">เลขอ้างอิงการเติม</b>}
            rules={[{ required: true, whitespace: true, message: 'กรุณาระบุเลขอ้างอิงการเติม' }]}
            style={{ marginBottom: 12 }}
          >
            <Input size="large" maxLength={200} placeholder="เช่น MB-88213-5566" autoComplete="off" />
          </Form.Item>
          <div className="action-buttons">
            {(['refunded', 'failed'] as const).filter(offers).map(to => (
              <Button key={to} size="large" className="is-danger" disabled={isBusy} onClick={() => onAsk(to)}>
                {changeOf('processing', to).label}
              </Button>
            ))}
            <Button
              className="is-main"
              type="primary"
              size="large"
              htmlType="submit"
              loading={isBusy}
              icon={<Check size={18} aria-hidden />}
            >
              เติมสำเร็จ
            </Button>
          </div>
        </Form>
      )}
      <p className="note muted" style={{ marginTop: 8 }}>
        รับเรื่องโดย{holder}
        {order.claimedAt && ` เมื่อ ${formatClock(order.claimedAt)}`}
        {offers('paid') && (
          <>
            {' · '}
            <Button type="link" size="small" disabled={isBusy} onClick={() => onAsk('paid')} style={{ padding: 0 }}>
              คืนเข้าคิว
            </Button>
          </>
        )}
      </p>
    </>
  )
}
