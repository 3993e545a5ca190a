import type { StaffOrderView } from '@shop/shared/order/staff-endpoints.ts'
import { ORDER_STATUS } from '@shop/shared/order/status.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'

/** The name for the shop itself, where no person acted. */
export const SHOP_ITSELF = 'ระบบ'

type Event = StaffOrderView['timeline'][number]

function whatOf({ kind, from, to }: Event): string {
  if (kind === 'created') return `สร้างคำสั่งซื้อ · ${ORDER_STATUS[to].label}`
  if (kind === 'transfer_chosen') return 'เปลี่ยนเป็นโอนเงินธนาคาร'
  if (kind === 'transfer_reported') return 'แจ้งโอนเงิน'
  if (kind === 'slip_added') return 'แนบสลิปเพิ่ม'
  if (kind === 'claim_released') return 'คืนเข้าคิว'
  if (kind === 'reference_corrected') return 'แก้เลขอ้างอิงการเติม'
  if (kind === 'refund_asked') return 'ลูกค้าขอเงินคืน'
  if (kind === 'player_proposed') return 'ลูกค้าแจ้งข้อมูลผู้เล่นใหม่'
  if (kind === 'player_changed') return 'เติมให้ผู้เล่นที่ลูกค้าไม่ได้แจ้ง'
  if (kind === 'money_confirmed') return 'คนที่สองยืนยันว่าเงินเข้า'
  if (kind === 'reduced') return 'คืนเงินส่วนที่ส่งไม่ได้'
  if (kind === 'payee_given') return 'ลูกค้าแจ้งบัญชีรับเงินคืน'
  return `${from ? ORDER_STATUS[from].label : ''} → ${ORDER_STATUS[to].label}`
}

function whoOf({ actorName, actorRole }: Event): string {
  return actorRole === 'system' ? SHOP_ITSELF : (actorName ?? 'ลูกค้า')
}

/** Lists everything that happened to an order: what, by whom, when and why. */
export function OrderTimeline({ order }: { order: StaffOrderView }) {
  return (
    <ol className="timeline">
      {order.timeline.map(event => (
        <li key={`${event.at} ${event.kind} ${event.to}`}>
          <div className="row" style={{ alignItems: 'baseline' }}>
            <span className="grow strong small">{whatOf(event)}</span>
            <time className="note muted number" dateTime={event.at}>
              {formatDateTimeSeconds(event.at)}
            </time>
          </div>
          <div className="note muted">โดย {whoOf(event)}</div>
          {event.reason && <div className="small">{event.reason}</div>}
        </li>
      ))}
    </ol>
  )
}
