import { takeRefundAsCredit } from '@shop/shared/credit/endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { formatBaht } from '@shop/shared/money.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { type Payee as PayeeAccount, payeeEndText } from '@shop/shared/order/payee.ts'
import { giveRefundPayee } from '@shop/shared/statement/refund-endpoints.ts'
import { formatShort } from '@shop/web/dates.ts'
import { useMutation } from '@tanstack/react-query'
import { Coins } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../account/session.tsx'
import { useRefreshCredit } from '../account/use-credit.ts'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Facts } from '../ui/facts.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Problem } from '../ui/problem.tsx'
import { Skeleton } from '../ui/state.tsx'
import { useToast } from '../ui/toast.tsx'
import { SlipAttachment, useSlip } from '../upload/slip-attachment.tsx'
import { SlipViewer } from '../upload/slip-picture.tsx'
import { creditBackText } from './order-facts.ts'
import { SignInLink } from './sign-in-link.tsx'

// This is loaded on demand, because few orders are refunded.
const PayeeForm = lazyPart(() => import('../transfer/payee-form.tsx'), <Skeleton className="mt-3 h-72" />)
const PayerForm = lazyPart(() => import('./payer-form.tsx'), <Skeleton className="mt-3 h-40" />)

type Refund = OrderView['refunds'][number]

function placeOf({ payee, asCredit, sentAt }: Refund): string {
  if (asCredit) return sentAt ? 'เครดิตร้าน' : 'เครดิตร้าน (รอร้านยืนยัน)'
  if (payee) return payeeEndText(payee)
  return sentAt ? 'บัญชีของคุณ' : 'รอคุณแจ้งบัญชี'
}

const isElsewhere = ({ payeeFit, sentAt }: Refund) =>
  sentAt === null && (payeeFit === 'otherAccount' || payeeFit === 'otherName')

const factsOf = (refund: Refund, isOnlyAsked: boolean) => [
  {
    label: isOnlyAsked && !refund.sentAt ? 'ยอดที่ขอคืน' : 'ยอดคืน',
    value: <b className="tabular-nums">฿{formatBaht(refund.amountSatang)}</b>,
  },
  { label: refund.asCredit ? 'คืนเป็น' : refund.sentAt ? 'โอนไปที่' : 'จะโอนไปที่', value: placeOf(refund) },
  ...(isElsewhere(refund) ? [{ label: 'หมายเหตุ', value: 'ไม่ใช่บัญชีที่โอนมา ร้านตรวจสองคนก่อนโอน' }] : []),
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
          <Facts facts={factsOf(refund, order.status === 'failed')} />
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
      const taken = refunds.reduce((sum, { asCredit, amountSatang }) => sum + (asCredit ? amountSatang : 0), 0)
      toast({ text: isDone ? `${creditBackText(taken)}แล้ว` : 'รับคำขอแล้ว ทีมงานกำลังยืนยัน' })
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
        <>
          <SignInLink>เข้าสู่ระบบด้วย LINE เพื่อรับเครดิตทันที</SignInLink>
          <p className="mt-1.5 text-ink-2 text-note">สำหรับบัญชีใหม่ที่ยังไม่เคยใช้กับร้าน เพราะรายการนี้ซื้อโดยไม่ได้เข้าสู่ระบบ</p>
        </>
      )}
    </div>
  )
}

interface PayeeProps {
  order: OrderView
  refund: Refund
  onGiven: () => void
}

function Payee({ order, refund, onGiven }: PayeeProps) {
  const { orderNo, canTakeCredit } = order
  const { payee, payer, asCredit } = refund
  const { me } = useSession()
  const slip = useSlip(me?.uid)
  const [isElsewhere, setElsewhere] = useState(payer === null)
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
  const send = (account: PayeeAccount, { reason }: { reason: string }) => {
    const body = { ...account, ...(reason.trim() && { reason }), ...(slip.slipId && { paidSlipId: slip.slipId }) }
    return api.call(giveRefundPayee, { params: { orderNo }, body })
  }
  if (payer && !isElsewhere)
    return (
      <>
        <PayerForm orderNo={orderNo} payer={payer} onGiven={given} />
        <Button kind="quiet" size="small" className="-ml-3 mt-1" onClick={() => setElsewhere(true)}>
          รับเข้าบัญชีอื่น
        </Button>
      </>
    )
  return (
    <>
      <PayeeForm
        intro={payer ? OTHER_INTRO : 'แจ้งบัญชีที่คุณใช้โอน เปลี่ยนได้จนกว่าร้านจะโอนคืน'}
        submitLabel="แจ้งบัญชีรับเงินคืน"
        thanks="ร้านได้รับบัญชีรับเงินคืนแล้ว"
        asksReason={payer !== null}
        send={send}
        onGiven={given}
      >
        {!payer && !order.slipId && (
          <div className="mb-3">
            <SlipAttachment slip={slip} label="แนบสลิปที่คุณโอนมา" help="ร้านไม่เห็นบัญชีที่โอน จึงเทียบกับสลิปก่อนโอนคืน" />
          </div>
        )}
      </PayeeForm>
      {payer && (
        <Button kind="quiet" size="small" className="-ml-3 mt-1" onClick={() => setElsewhere(false)}>
          กลับไปบัญชีที่โอนมา
        </Button>
      )}
    </>
  )
}

const OTHER_INTRO = 'ปกติร้านโอนคืนเข้าบัญชีที่โอนมา หากรับเข้าบัญชีอื่น กรุณาบอกเหตุผล'
