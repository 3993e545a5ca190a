import { formatBaht } from '@shop/shared/money.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { payeeEndText } from '@shop/shared/order/payee.ts'
import { formatShort } from '@shop/web/dates.ts'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Facts } from '../ui/facts.tsx'
import { Skeleton } from '../ui/state.tsx'
import { SlipViewer } from '../upload/slip-picture.tsx'

// This is loaded on demand, because few orders are refunded.
const PayeeForm = lazy(() => import('./payee-form.tsx'))

type Refund = OrderView['refunds'][number]

const factsOf = ({ amountSatang, payee, sentAt }: Refund) => [
  { label: 'ยอดคืน', value: <b className="tabular-nums">฿{formatBaht(amountSatang)}</b> },
  { label: sentAt ? 'โอนไปที่' : 'จะโอนไปที่', value: payee ? payeeEndText(payee) : sentAt ? 'บัญชีของคุณ' : 'รอคุณแจ้งบัญชี' },
  ...(sentAt ? [{ label: 'โอนคืนเมื่อ', value: formatShort(sentAt) }] : []),
]

/** The money that the shop owes the buyer or has sent back: how much, where to and when. */
export function RefundSection({ order, onChanged }: { order: OrderView; onChanged: () => void }) {
  const [slipId, setSlipId] = useState<string | null>(null)
  const open = order.refunds.find(({ sentAt }) => sentAt === null)
  return (
    <section aria-labelledby="refund" className="mt-4 rounded-card border border-line p-4">
      <h2 id="refund" className="mb-2 text-section">
        เงินคืน
      </h2>
      {order.refunds.map((refund, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they keep their order
        <div key={index} className="mt-2 first-of-type:mt-0">
          <Facts facts={factsOf(refund)} />
          {refund.slipId && (
            <Button kind="quiet" size="small" className="-ml-3" onClick={() => setSlipId(refund.slipId)}>
              ดูสลิปการโอนคืน
            </Button>
          )}
        </div>
      ))}
      {open && order.canGivePayee && <Payee order={order} isKnown={open.payee !== null} onGiven={onChanged} />}
      {open && !order.canGivePayee && !open.payee && (
        <p className="mt-2 text-ink-2 text-small">เปิดหน้านี้ด้วยบัญชีหรือเครื่องที่สั่งซื้อเพื่อแจ้งบัญชีรับเงิน หรือติดต่อร้าน</p>
      )}
      <SlipViewer
        slip={slipId === null ? null : { slipId, no: order.orderNo }}
        open={slipId !== null}
        onClose={() => setSlipId(null)}
      />
    </section>
  )
}

function Payee({ order, isKnown, onGiven }: { order: OrderView; isKnown: boolean; onGiven: () => void }) {
  const [isEditing, setEditing] = useState(!isKnown)
  if (!isEditing)
    return (
      <Button kind="quiet" size="small" className="-ml-3" onClick={() => setEditing(true)}>
        เปลี่ยนบัญชีรับเงิน
      </Button>
    )
  const given = () => {
    setEditing(false)
    onGiven()
  }
  return (
    <Suspense fallback={<Skeleton className="mt-3 h-72" />}>
      <PayeeForm orderNo={order.orderNo} onGiven={given} />
    </Suspense>
  )
}
