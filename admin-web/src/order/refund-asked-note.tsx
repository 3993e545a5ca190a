import { payeeEndText } from '@shop/shared/order/payee.ts'
import type { StaffOrderView } from '@shop/shared/order/staff-endpoints.ts'
import { formatShort } from '@shop/web/dates.ts'
import { Alert } from 'antd'

/** Says that the buyer of a failed order wants the money, and where to, as far as they have said. */
export function RefundAskedNote({ order: { refundAskedAt, refunds } }: { order: StaffOrderView }) {
  if (!refundAskedAt) return null
  const open = refunds.find(({ sentAt }) => sentAt === null)
  const place = open && (open.payee ? `ให้โอนไปที่ ${payeeEndText(open.payee)}` : 'ยังไม่ได้แจ้งบัญชีรับเงิน')
  return (
    <div className="card-part">
      <Alert type="warning" showIcon title={`ลูกค้าขอเงินคืนเมื่อ ${formatShort(refundAskedAt)}`} description={place} />
    </div>
  )
}
