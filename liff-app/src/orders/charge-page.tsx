import { type GatewayMethod, PAYMENT_METHOD } from '@shop/shared/catalogue/payment-method.ts'
import { AppError } from '@shop/shared/errors.ts'
import { chargeOrder, getCharge, transferInstead } from '@shop/shared/order/charge-endpoints.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { MailNote } from '../account/mail-note.tsx'
import { useSession } from '../account/session.tsx'
import { api } from '../api.ts'
import { getOrderPath } from '../current-order.ts'
import { ChargeBox } from '../gateway/charge-box.tsx'
import { paidSatangOf } from '../gateway/charge-facts.ts'
import { Offline, OtherMethods, SilentGateway } from '../gateway/charge-parts.tsx'
import { type Charged, useCharge } from '../gateway/use-charge.ts'
import { ContactLink } from '../settings/contact-link.tsx'
import { useOfferedMethods } from '../settings/offered-methods.ts'
import { PAYMENT_LOOK } from '../settings/payment-methods.tsx'
import { Amount } from '../ui/amount.tsx'
import { Button } from '../ui/button.tsx'
import { Countdown, useRemainingSeconds } from '../ui/countdown.tsx'
import { Note } from '../ui/note.tsx'
import { Problem } from '../ui/problem.tsx'
import { messageWhilePaying } from '../unanswered.ts'
import { CancelDialog } from './cancel-dialog.tsx'
import { surchargeNoteOf } from './order-facts.ts'
import { DeliveryStart, useEndOfWaiting } from './paying.tsx'
import { PaymentSummary } from './payment-summary.tsx'

const ENDED = 'หมดเวลาชำระแล้ว'

const chargedOf = ({ orderNo, payment, charge }: OrderView): Charged => ({
  key: orderNo,
  method: payment as GatewayMethod,
  charge,
  make: method => api.call(chargeOrder, { params: { orderNo }, body: { method } }),
  read: () => api.call(getCharge, { params: { orderNo } }),
})

const goodsOf = ({ game, package: { name }, orderNo }: OrderView) => ({
  goods: `${game.name} · ${name}`,
  subject: `คำสั่งซื้อ ${orderNo}`,
  fileName: `promptpay-${orderNo}`,
})

interface ChargePageProps {
  order: OrderView
  receivedAt: number
  /** To be called when the order may no longer be as it is shown. */
  onStale: () => unknown
}

/** The page for an order that is paid through the payment gateway. It goes on by itself when the money has come. */
export function ChargePage({ order, receivedAt, onStale }: ChargePageProps) {
  const { me } = useSession()
  const [isAsking, setAsking] = useState(false)
  const isWaiting = order.status === 'waiting_payment'
  const isPaid = order.status === 'paid' || order.status === 'processing' || order.status === 'success'
  const deadline = { serverNow: order.nowDate, receivedAt, expiresAt: order.expiresAt ?? order.nowDate }
  const isOver = useRemainingSeconds(deadline) === 0
  const { method, charge, charging, choose, retry } = useCharge(chargedOf(order), isWaiting && !isOver)
  const { methods } = useOfferedMethods()
  useThanks(isPaid)
  useEndOfWaiting(order, !isWaiting && !isPaid, getOrderPath(order, me !== null))
  const isRefused = charging.at === 'refused' && isOfOrder(charging.error)
  useEffect(() => {
    if (isRefused) void onStale()
  }, [isRefused, onStale])
  const totalSeconds = (Date.parse(deadline.expiresAt) - Date.parse(order.createdAt)) / 1000
  // The answer about a charge comes before the order that names it.
  const shown = charge && order.charge?.id !== charge.id ? { ...order, charge } : order
  const note = surchargeNoteOf(shown)
  return (
    <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_23rem] lg:gap-10">
      <div>
        <h1 className="sr-only lg:not-sr-only lg:page-title">ชำระเงิน</h1>
        <Countdown {...deadline} totalSeconds={totalSeconds} ended={ENDED} />
        <Offline />
        <SilentGateway charge={order.charge} nowDate={order.nowDate} />
        <p className="mt-3 lg:mt-5">
          <span className="block text-ink-2 text-small lg:text-body">ยอดชำระ</span>
          <Amount satang={paidSatangOf(shown)} className="text-hero lg:text-hero-wide" />
          {note && <span className="block text-ink-2 text-small">{note}</span>}
        </p>
        {isOver ? (
          <Note className="mt-3" kind="warn" role="status">
            <b className="block font-semibold">หมดเวลาชำระแล้ว อย่าจ่ายยอดนี้</b>
            จ่ายไปแล้ว รอสักครู่ หน้านี้จะเปลี่ยนเอง · ยังไม่ได้จ่าย สั่งซื้อใหม่ได้เลย
          </Note>
        ) : (
          <div className="mt-3 lg:mt-5 lg:max-w-120">
            <ChargeBox goods={goodsOf(order)} method={method} charging={charging} onRetry={retry} />
            {charging.at !== 'paid' && (
              <OtherMethods methods={methods} amountSatang={order.dueSatang} method={method} onChoose={choose}>
                {order.canCancel && <TransferInstead orderNo={order.orderNo} onStale={onStale} />}
              </OtherMethods>
            )}
          </div>
        )}
        <DeliveryStart />
        <p className="mt-4 text-small">
          ชำระไม่ได้ หรือมีคำถาม <ContactLink orderNo={order.orderNo}>ติดต่อร้าน</ContactLink>
        </p>
        <MailNote className="mt-4" />
      </div>
      <PaymentSummary order={shown} total="ยอดชำระ">
        {order.canCancel && (
          <Button kind="destructive" size="small" block className="mt-2" onClick={() => setAsking(true)}>
            ยกเลิกคำสั่งซื้อ
          </Button>
        )}
      </PaymentSummary>
      <CancelDialog order={order} open={isAsking} onClose={() => setAsking(false)} />
    </div>
  )
}

/** Has the same order paid by a bank transfer; its page then shows the account and the amount. */
function TransferInstead({ orderNo, onStale }: { orderNo: string; onStale: () => unknown }) {
  const change = useMutation({
    mutationFn: () => api.call(transferInstead, { params: { orderNo } }),
    onSettled: () => onStale(),
  })
  const { name } = PAYMENT_METHOD.bank
  const Icon = PAYMENT_LOOK.bank.icon
  return (
    <>
      <Button
        kind="secondary"
        size="inline"
        icon={<Icon size={18} />}
        busy={change.isPending}
        busyLabel={name}
        onClick={() => change.mutate()}
      >
        {name}
      </Button>
      <Problem className="basis-full">{change.error && messageWhilePaying(change.error)}</Problem>
    </>
  )
}

/** Whether a charge is refused because the order is no longer as it is shown. */
const isOfOrder = (error: Error) => error instanceof AppError && error.code === 'ORDER_STATUS_NOT_ALLOWED'

function useThanks(isPaid: boolean) {
  const navigate = useNavigate()
  useEffect(() => {
    if (isPaid) navigate('/thankyou', { replace: true })
  }, [isPaid, navigate])
}
