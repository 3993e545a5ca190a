import { takeRefundAsCredit } from '@shop/shared/credit/endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { formatBaht } from '@shop/shared/money.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { payeeEndText } from '@shop/shared/order/payee.ts'
import { giveRefundPayee } from '@shop/shared/statement/refund-endpoints.ts'
import { formatShort } from '@shop/web/dates.ts'
import { useMutation } from '@tanstack/react-query'
import { Coins } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useSession } from '../account/session.tsx'
import { useRefreshCredit } from '../account/use-credit.ts'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Facts } from '../ui/facts.tsx'
import { Problem } from '../ui/problem.tsx'
import { Skeleton } from '../ui/state.tsx'
import { useToast } from '../ui/toast.tsx'
import { SlipViewer } from '../upload/slip-picture.tsx'
import { SignInLink } from './sign-in-link.tsx'

// This is loaded on demand, because few orders are refunded.
const PayeeForm = lazy(() => import('../transfer/payee-form.tsx'))

type Refund = OrderView['refunds'][number]

function placeOf({ payee, asCredit, sentAt }: Refund): string {
  if (asCredit) return sentAt ? 'เครดิตร้าน' : 'เครดิตร้าน (รอร้านยืนยัน)'
  if (payee) return payeeEndText(payee)
  return sentAt ? 'บัญชีของคุณ' : 'รอคุณแจ้งบัญชี'
}

const factsOf = (refund: Refund) => [
  { label: 'ยอดคืน', value: <b className="tabular-nums">฿{formatBaht(refund.amountSatang)}</b> },
  { label: refund.asCredit ? 'คืนเป็น' : refund.sentAt ? 'โอนไปที่' : 'จะโอนไปที่', value: placeOf(refund) },
  ...(refund.sentAt ? [{ label: refund.asCredit ? 'คืนเมื่อ' : 'โอนคืนเมื่อ', value: formatShort(refund.sentAt) }] : []),
]

interface RefundProps {
  order: OrderView
  onChanged: () => void
}

/** The money that the shop owes the buyer or has sent back: how much, where to and when. */
export function RefundSection({ order, onChanged }: RefundProps) {
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
      {open && order.canTakeCredit && !open.asCredit && <CreditOffer order={order} onChanged={onChanged} />}
      {open && order.canGivePayee && <Payee order={order} refund={open} onGiven={onChanged} />}
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

/** Offers the money at once, as shop credit. Credit is of an account, so guests are offered to sign in. */
function CreditOffer({ order: { orderNo }, onChanged }: RefundProps) {
  const { me } = useSession()
  const toast = useToast()
  const refresh = useRefreshCredit()
  // One key for all tries, so that a lost answer takes nothing twice.
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  const take = useMutation({
    mutationFn: () => api.call(takeRefundAsCredit, { params: { orderNo }, idempotencyKey }),
    onSuccess: ({ refunds }) => {
      const isDone = refunds.every(({ sentAt }) => sentAt !== null)
      toast({ text: isDone ? 'คืนเป็นเครดิตร้านแล้ว' : 'รับคำขอแล้ว ทีมงานกำลังยืนยัน' })
      void refresh()
      onChanged()
    },
  })
  return (
    <div className="mt-3 rounded-control bg-canvas p-3.5">
      <p className="font-semibold">รับเป็นเครดิตร้าน ได้ทันที</p>
      <p className="mt-0.5 mb-2.5 text-ink-2 text-small">ใช้ซื้อครั้งต่อไปได้ทุกเกม ไม่มีวันหมดอายุ และขอรับเป็นเงินโอนภายหลังได้</p>
      <Problem className="mb-2">{take.error && messageOf(take.error)}</Problem>
      {me ? (
        <Button
          block
          icon={<Coins size={20} />}
          busy={take.isPending}
          busyLabel="กำลังคืนเครดิต"
          onClick={() => take.mutate()}
        >
          รับเป็นเครดิตร้าน
        </Button>
      ) : (
        <SignInLink>เข้าสู่ระบบด้วย LINE เพื่อรับเครดิตทันที</SignInLink>
      )}
    </div>
  )
}

interface PayeeProps {
  order: OrderView
  refund: Refund
  onGiven: () => void
}

function Payee({ order: { orderNo, canTakeCredit }, refund: { payee, asCredit }, onGiven }: PayeeProps) {
  const { me } = useSession()
  // Whoever may have the money at once reads that first.
  const [isEditing, setEditing] = useState(payee === null && !asCredit && !(canTakeCredit && me))
  if (!isEditing)
    return (
      <Button kind="quiet" size="small" className="-ml-3 mt-1" onClick={() => setEditing(true)}>
        {payee ? 'เปลี่ยนบัญชีรับเงิน' : 'ให้โอนเข้าบัญชีธนาคาร'}
      </Button>
    )
  const given = () => {
    setEditing(false)
    onGiven()
  }
  return (
    <Suspense fallback={<Skeleton className="mt-3 h-72" />}>
      <PayeeForm
        intro="แจ้งบัญชีที่ให้ร้านโอนคืน เปลี่ยนได้จนกว่าร้านจะโอน"
        submitLabel="แจ้งบัญชีรับเงินคืน"
        thanks="ร้านได้รับบัญชีรับเงินคืนแล้ว"
        send={body => api.call(giveRefundPayee, { params: { orderNo }, body })}
        onGiven={given}
      />
    </Suspense>
  )
}
