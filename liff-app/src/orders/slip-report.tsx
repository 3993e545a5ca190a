import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { isSlipAskedAgain } from '@shop/shared/slipcheck/slip-check.ts'
import { bangkokDay } from '@shop/shared/time.ts'
import { formatClock, formatShort } from '@shop/web/dates.ts'
import { useSession } from '../account/session.tsx'
import { Button } from '../ui/button.tsx'
import { Problem } from '../ui/problem.tsx'
import { messageWhilePaying } from '../unanswered.ts'
import { SlipAttachment, useSlip } from '../upload/slip-attachment.tsx'
import { awaitsPayment } from './order-facts.ts'
import { useReportTransfer } from './report-transfer.ts'

interface Ask {
  title: string
  /** The texts of the field for the slip; without them it has its usual ones. */
  label?: string
  help?: string
  /** The text of the button while a slip is needed and missing. */
  missing?: string
  button: string
  busyLabel: string
}

const AGAIN: Ask = {
  title: 'ส่งสลิปใหม่',
  label: 'แนบสลิปใหม่',
  help: 'ให้เห็น QR บนสลิปครบทั้งอัน',
  missing: 'แนบรูปสลิปใหม่ก่อน',
  button: 'ส่งสลิปใหม่',
  busyLabel: 'กำลังส่งสลิป',
}
const LATE: Ask = { title: 'แจ้งโอนเงิน', button: 'โอนแล้ว แจ้งชำระเงิน', busyLabel: 'กำลังแจ้งโอน' }

/** "14:20 น." on the same day, else with the date. */
const timeLeftOf = (until: string, now: string) =>
  bangkokDay(new Date(until)) === bangkokDay(new Date(now)) ? formatClock(until) : formatShort(until)

const addedBy = ({ addSlipBy, nowDate }: OrderView): Ask => ({
  title: 'แนบสลิปเพิ่ม',
  label: addSlipBy ? `แนบสลิปภายใน ${timeLeftOf(addSlipBy, nowDate)}` : 'แนบสลิป',
  help: addSlipBy ? 'สลิปที่ธนาคารยืนยันได้ช่วยเก็บยอดไว้ให้นานขึ้น' : 'ช่วยให้ทีมงานตรวจได้เร็วขึ้น',
  missing: 'แนบรูปสลิปก่อน',
  button: 'ส่งสลิป',
  busyLabel: 'กำลังส่งสลิป',
})

/** What the buyer can still send about the transfer of an order, or null. */
function askOf(order: OrderView): Ask | null {
  if (order.canReport && !awaitsPayment(order)) return isSlipAskedAgain(order.slipCheck) ? AGAIN : LATE
  return order.canAddSlip ? addedBy(order) : null
}

/** Lets the buyer report a transfer after the time to pay, or send a slip that was missing or is asked for again. */
export function SlipReport({ order, onReported }: { order: OrderView; onReported: () => void }) {
  const ask = askOf(order)
  return ask && <Report key={ask.title} order={order} ask={ask} onReported={onReported} />
}

function Report({ order, ask, onReported }: { order: OrderView; ask: Ask; onReported: () => void }) {
  const { me } = useSession()
  const slip = useSlip(me?.uid)
  const report = useReportTransfer(onReported, onReported)
  const { title, label, help, missing, button, busyLabel } = ask
  return (
    <section aria-label={title} className="mt-4 grid gap-3">
      <SlipAttachment slip={slip} label={label} help={help} />
      <Problem>{report.error && messageWhilePaying(report.error)}</Problem>
      <Button
        block
        unmet={(slip.isSending && 'รออัปโหลดสลิป') || (!slip.slipId && missing)}
        busy={report.isPending}
        busyLabel={busyLabel}
        onClick={() => report.mutate({ orderNo: order.orderNo, slipId: slip.slipId })}
      >
        {button}
      </Button>
    </section>
  )
}
