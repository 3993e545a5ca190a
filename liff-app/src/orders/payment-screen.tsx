import { isGatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import { formatBaht } from '@shop/shared/money.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { REPORTED_SECONDS, REPORTED_UNPROVEN_SECONDS } from '@shop/shared/order/report.ts'
import { WifiOff } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Navigate, useSearchParams } from 'react-router-dom'
import { MailNote } from '../account/mail-note.tsx'
import { useSession } from '../account/session.tsx'
import { getCurrentOrder, getOrderPath, saveCurrentOrder } from '../current-order.ts'
import { getAcceptedTerms, getDraft } from '../draft.ts'
import { ContactLink } from '../settings/contact-link.tsx'
import { HowToTransfer } from '../transfer/how-to-transfer.tsx'
import { payeeOf, type QrTransfer } from '../transfer/pay-picture.ts'
import { Button } from '../ui/button.tsx'
import { Countdown, useRemainingSeconds } from '../ui/countdown.tsx'
import { Note } from '../ui/note.tsx'
import { PayBar } from '../ui/pay-bar.tsx'
import { Problem } from '../ui/problem.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Loaded, Skeleton } from '../ui/state.tsx'
import { NumberedSteps } from '../ui/steps.tsx'
import { useGoOn } from '../ui/use-go-on.ts'
import { useOnline } from '../ui/use-online.ts'
import { isUnanswered, messageWhilePaying, timeMessageOf } from '../unanswered.ts'
import { SlipAttachment, useSlip } from '../upload/slip-attachment.tsx'
import { CancelDialog } from './cancel-dialog.tsx'
import { ChargePage } from './charge-page.tsx'
import { ExactAmount } from './exact-amount.tsx'
import { awaitsPayment } from './order-facts.ts'
import { DeliveryStart, useEndOfWaiting } from './paying.tsx'
import { PaymentSummary } from './payment-summary.tsx'
import { useReportTransfer } from './report-transfer.ts'
import { LIVE_MS, useOrder } from './use-order.ts'

/** The page for paying the order that the address names, or else of the order being paid. */
export default function PaymentScreen() {
  const { me } = useSession()
  const [search] = useSearchParams()
  const named = search.get('order')
  // This is read only once, because the order is forgotten when this page leaves for the order's own page.
  const [current] = useState(getCurrentOrder)
  const orderNo = named ?? current?.orderNo
  if (orderNo) return <Payment key={orderNo} orderNo={orderNo} />
  // The terms page makes the order, without another tap when the buyer went from there to sign in.
  if (getAcceptedTerms() && getDraft()) return <Navigate to="/terms" replace state={{ goesOn: me !== null }} />
  return <Navigate to="/game" replace />
}

function Payment({ orderNo }: { orderNo: string }) {
  const query = useOrder(orderNo, LIVE_MS)
  // Stands here because the order is loaded anew when somebody signs in meanwhile, as LINE does by itself.
  const { me } = useSession()
  const slip = useSlip(me?.uid)
  useEffect(() => {
    if (getCurrentOrder()?.orderNo !== orderNo) saveCurrentOrder({ orderNo })
  }, [orderNo])
  return (
    <Loaded query={query} skeleton={<PaymentSkeleton />} failure={timeMessageOf}>
      {order => {
        const shown = { order, receivedAt: query.dataUpdatedAt, onStale: query.refetch }
        return isGatewayMethod(order.payment) ? <ChargePage {...shown} /> : <OpenOrder {...shown} slip={slip} />
      }}
    </Loaded>
  )
}

/** Tells buyers who have proven neither an address nor LINE for how long a report reserves their amount. */
const SLIP_KEEPS_AMOUNT = `แนบแล้วธนาคารยืนยัน ร้านเก็บยอดไว้ ${REPORTED_SECONDS / 3600} ชม.\nไม่แนบ เก็บไว้ ${REPORTED_UNPROVEN_SECONDS / 60} นาที`

/** What the QR of an order asks for; null where its account has no PromptPay. */
function qrOf(order: OrderView): QrTransfer | null {
  const { promptPay, receivingAccount, dueSatang, orderNo, expiresAt } = order
  if (!promptPay || !receivingAccount) return null
  return {
    qr: { text: promptPay },
    amountSatang: dueSatang,
    payee: payeeOf(receivingAccount),
    advice: 'โอนให้ตรงทุกสตางค์',
    goods: `${order.game.name} · ${order.package.name}`,
    subject: `คำสั่งซื้อ ${orderNo}`,
    until: expiresAt,
    fileName: `promptpay-${orderNo}`,
  }
}

const LATE_REPORTED = { text: 'แจ้งชำระเงินแล้ว' }

interface OpenOrderProps {
  order: OrderView
  slip: ReturnType<typeof useSlip>
  receivedAt: number
  /** To be called when the order may no longer be as it is shown. */
  onStale: () => unknown
}

function OpenOrder({ order, slip, receivedAt, onStale }: OpenOrderProps) {
  const { me } = useSession()
  const goOn = useGoOn()
  const report = useReportTransfer(() => goOn('/thankyou', { late: LATE_REPORTED }), onStale)
  const [isAsking, setAsking] = useState(false)
  const [isAskingSlip, setAskingSlip] = useState(false)
  useEndOfWaiting(
    order,
    !awaitsPayment(order) && !report.isPending && !report.isSuccess,
    getOrderPath(order, me !== null),
  )
  const deadline = { serverNow: order.nowDate, receivedAt, expiresAt: order.expiresAt ?? order.nowDate }
  const isOver = useRemainingSeconds(deadline) === 0
  const totalSeconds = (Date.parse(deadline.expiresAt) - Date.parse(order.createdAt)) / 1000
  const send = () => report.mutate({ orderNo: order.orderNo, slipId: slip.slipId })
  const reportButton = (
    <Button
      block
      unmet={slip.isSending && 'รออัปโหลดสลิป'}
      busy={report.isPending}
      busyLabel="กำลังแจ้งโอน"
      onClick={() => (slip.slipId ? send() : setAskingSlip(true))}
    >
      โอนแล้ว แจ้งชำระเงิน
    </Button>
  )
  const isProven = me?.emailVerified || me?.providers.includes('line')
  const attachment = <SlipAttachment slip={slip} help={isProven ? undefined : SLIP_KEEPS_AMOUNT} />
  return (
    <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_23rem] lg:gap-10">
      <div>
        <h1 className="sr-only lg:not-sr-only lg:page-title">ชำระเงิน</h1>
        <Countdown {...deadline} totalSeconds={totalSeconds} />
        <PaymentNotes isOver={isOver} error={report.error} forget={report.reset} />
        <ExactAmount satang={order.dueSatang} isOver={isOver} />
        {!isOver && (
          <div className="mt-3 lg:mt-5">
            <HowToTransfer account={order.receivingAccount} qr={qrOf(order)} />
          </div>
        )}
        <div className="mt-4 lg:hidden">{attachment}</div>
        <DeliveryStart />
        <p className="mt-4 text-small">
          ชำระไม่ได้ หรือมีคำถาม <ContactLink orderNo={order.orderNo}>ติดต่อร้าน</ContactLink>
        </p>
        {!isOver && <Steps order={order} />}
        <MailNote className="mt-4" />
      </div>
      <PaymentSummary order={order} total={isOver ? 'ยอดรวม' : 'ยอดที่ต้องโอน'} slip={attachment} report={reportButton}>
        {order.canCancel && (
          <Button kind="destructive" size="small" block className="mt-2" onClick={() => setAsking(true)}>
            ยกเลิกคำสั่งซื้อ
          </Button>
        )}
      </PaymentSummary>
      <PayBar>{reportButton}</PayBar>
      <SlipQuestion
        open={isAskingSlip}
        onClose={() => setAskingSlip(false)}
        slip={slip}
        field={attachment}
        isBusy={report.isPending}
        error={report.error}
        onReport={send}
      />
      <CancelDialog order={order} open={isAsking} onClose={() => setAsking(false)} />
    </div>
  )
}

interface SlipQuestionProps {
  open: boolean
  onClose: () => void
  slip: ReturnType<typeof useSlip>
  /** Where the slip is picked. */
  field: ReactNode
  isBusy: boolean
  error: Error | null
  onReport: () => void
}

/** Asks for the slip that most buyers have at hand, before a transfer is reported without one. */
const SlipQuestion = ({ open, onClose, slip, field, isBusy, error, onReport }: SlipQuestionProps) => (
  <Sheet open={open} onClose={onClose} title="มีสลิปไหม" busy={isBusy}>
    <p className="mb-3 text-ink-2">สลิปช่วยให้ทีมงานตรวจพบยอดของคุณได้เร็วขึ้น</p>
    {field}
    <Problem className="mt-3">{error && messageWhilePaying(error)}</Problem>
    <Button
      kind={slip.slipId ? 'primary' : 'secondary'}
      block
      className="mt-4"
      unmet={slip.isSending && 'รออัปโหลดสลิป'}
      busy={isBusy}
      busyLabel="กำลังแจ้งโอน"
      onClick={onReport}
    >
      {slip.slipId ? 'แจ้งชำระเงินพร้อมสลิป' : 'แจ้งโดยไม่แนบสลิป'}
    </Button>
  </Sheet>
)

const Steps = ({ order }: { order: OrderView }) => (
  <div className="mt-5">
    <NumberedSteps
      steps={[
        order.promptPay ? 'เปิดแอปธนาคาร สแกน QR หรือโอนเข้าบัญชี' : 'เปิดแอปธนาคาร แล้วโอนเข้าบัญชี',
        `ตรวจยอดให้ตรง ฿${formatBaht(order.dueSatang)} แล้วยืนยันโอน`,
        'กลับมากด “โอนแล้ว แจ้งชำระเงิน”',
      ]}
    />
  </div>
)

function PaymentNotes({ isOver, error, forget }: { isOver: boolean; error: Error | null; forget: () => void }) {
  const isOnline = useOnline()
  const wasOnline = useRef(isOnline)
  useEffect(() => {
    // A failure for lack of a network is dropped once there is one.
    if (isOnline && !wasOnline.current && isUnanswered(error)) forget()
    wasOnline.current = isOnline
  }, [isOnline, error, forget])
  if (isOnline && !isOver && !error) return null
  return (
    <div className="mt-3 grid gap-2">
      {!isOnline && (
        <Note kind="warn" icon={WifiOff} role="status">
          ออฟไลน์อยู่ หากโอนแล้ว ไม่ต้องโอนซ้ำ ระบบจะอัปเดตเมื่อกลับมาออนไลน์
        </Note>
      )}
      {isOver && (
        <Note kind="warn" role="status">
          <b className="block font-semibold">หมดเวลาชำระแล้ว หากยังไม่ได้โอน อย่าโอนยอดนี้</b>
          โอนไปแล้ว กด “โอนแล้ว แจ้งชำระเงิน” ทีมงานจะตรวจให้ · ยังไม่ได้โอน ยกเลิกแล้วสั่งซื้อใหม่ได้เลย
        </Note>
      )}
      <Problem>{error && messageWhilePaying(error)}</Problem>
    </div>
  )
}

const PaymentSkeleton = () => (
  <>
    <Skeleton className="h-8" />
    <Skeleton className="mt-3 h-20 w-56" />
    <Skeleton className="mt-4 h-46" />
    <Skeleton className="mt-9 h-18" />
  </>
)
