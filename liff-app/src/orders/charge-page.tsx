import { type GatewayMethod, isGatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import { AppError } from '@shop/shared/errors.ts'
import { surchargeOf } from '@shop/shared/gateway/gateway.ts'
import { formatBaht } from '@shop/shared/money.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { MailNote } from '../account/mail-note.tsx'
import { useSession } from '../account/session.tsx'
import { getOrderPath } from '../current-order.ts'
import { ContactLink } from '../settings/contact-link.tsx'
import { findOffReason } from '../settings/limits.ts'
import { useOfferedMethods } from '../settings/offered-methods.ts'
import { PAYMENT_LOOK } from '../settings/payment-methods.tsx'
import { Amount } from '../ui/amount.tsx'
import { Button } from '../ui/button.tsx'
import { Countdown, useRemainingSeconds } from '../ui/countdown.tsx'
import { Note } from '../ui/note.tsx'
import { useOnline } from '../ui/use-online.ts'
import { CancelDialog } from './cancel-dialog.tsx'
import { ChargeBox } from './charge-box.tsx'
import { paidSatangOf, surchargeNoteOf } from './order-facts.ts'
import { DeliveryStart, useEndOfWaiting } from './paying.tsx'
import { PaymentSummary } from './payment-summary.tsx'
import { useCharge } from './use-charge.ts'

const ENDED = 'หมดเวลาชำระแล้ว'

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
  const { method, charge, charging, choose, retry } = useCharge(order, isWaiting && !isOver)
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
            <ChargeBox order={order} method={method} charging={charging} onRetry={retry} />
            {charging.at !== 'paid' && <OtherMethods order={order} method={method} onChoose={choose} />}
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

/** Whether a charge is refused because the order is no longer as it is shown. */
const isOfOrder = (error: Error) => error instanceof AppError && error.code === 'ORDER_STATUS_NOT_ALLOWED'

function useThanks(isPaid: boolean) {
  const navigate = useNavigate()
  useEffect(() => {
    if (isPaid) navigate('/thankyou', { replace: true })
  }, [isPaid, navigate])
}

function Offline() {
  if (useOnline()) return null
  return (
    <Note className="mt-3" kind="warn" icon={WifiOff} role="status">
      ออฟไลน์อยู่ หากจ่ายแล้ว ไม่ต้องจ่ายซ้ำ ระบบจะอัปเดตเมื่อกลับมาออนไลน์
    </Note>
  )
}

interface OtherMethodsProps {
  order: OrderView
  method: GatewayMethod
  onChoose: (method: GatewayMethod) => void
}

/** The other methods of the gateway that take this amount now. Choosing one ends what the buyer could pay by so far. */
function OtherMethods({ order: { dueSatang }, method, onChoose }: OtherMethodsProps) {
  const others = useOfferedMethods().methods.flatMap(each =>
    isGatewayMethod(each.code) && each.code !== method && !findOffReason(each, dueSatang, null)
      ? [{ ...each, code: each.code }]
      : [],
  )
  if (others.length === 0) return null
  return (
    <section aria-label="จ่ายด้วยวิธีอื่น" className="mt-4">
      <p className="mb-2 text-ink-2 text-small">หรือจ่ายด้วย</p>
      <div className="flex flex-wrap gap-2">
        {others.map(({ code, name, terms }) => {
          const Icon = PAYMENT_LOOK[code].icon
          const surchargeSatang = terms ? surchargeOf(terms, dueSatang) : 0
          return (
            <Button key={code} kind="secondary" size="inline" icon={<Icon size={18} />} onClick={() => onChoose(code)}>
              {name}
              {surchargeSatang > 0 && ` (+${formatBaht(surchargeSatang)} บาท)`}
            </Button>
          )
        })}
      </div>
    </section>
  )
}
