import type { PaymentCode } from '@shop/shared/catalogue/catalogue.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { ORDER_STATUS, type OrderStatus } from '@shop/shared/order/status.ts'
import { isSlipAskedAgain } from '@shop/shared/slipcheck/slip-check.ts'
import { CircleCheck, ReceiptText } from 'lucide-react'
import { useState } from 'react'
import { Navigate, useNavigate } from 'react-router-dom'
import { useSession } from '../account/session.tsx'
import { clearPurchase, getCurrentOrder, getOrderPath } from '../current-order.ts'
import { usePageTitle } from '../page-title.ts'
import { useClosedNote } from '../settings/closed-note.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { PayBar } from '../ui/pay-bar.tsx'
import { Loaded, Skeleton } from '../ui/state.tsx'
import { messageWhilePaying } from '../unanswered.ts'
import { AddFriend } from './add-friend.tsx'
import { deliveryOf, reportedWordsOf, type Words } from './order-progress.ts'
import { useOrder } from './use-order.ts'

/** The page after a reported transfer or a wallet order: it shows the order's number and how news will come. */
export default function ThankYouScreen() {
  const [current] = useState(getCurrentOrder)
  return current ? <ThankYou orderNo={current.orderNo} /> : <Navigate to="/game" replace />
}

function ThankYou({ orderNo }: { orderNo: string }) {
  return (
    <Loaded query={useOrder(orderNo)} skeleton={<Skeleton className="mt-4 h-80" />} failure={messageWhilePaying}>
      {order => <Thanks order={order} />}
    </Loaded>
  )
}

const PAID: Record<PaymentCode, string> = { bank: ORDER_STATUS.paid.label, wallet: 'สั่งซื้อสำเร็จ' }

const reported: Words = { title: 'รับแจ้งการโอนแล้ว', text: 'ทีมงานกำลังตรวจยอดเงิน ไม่ต้องโอนซ้ำ' }
const changed: Words = { title: 'คำสั่งซื้อมีการเปลี่ยนแปลง', text: 'ดูรายละเอียดได้ที่สถานะคำสั่งซื้อ' }

/** Says that the report was received, or what has happened to the order since. */
function thanksOf(
  order: Pick<OrderView, 'payment' | 'status' | 'slipCheck' | 'usualMinutes'>,
  closedNote: string | null,
): Words {
  const { payment, status, slipCheck } = order
  const toppingUp: Words = { title: PAID[payment], text: 'ทีมงานกำลังเติมเข้าเกมให้' }
  const waiting: Words = { ...toppingUp, text: closedNote ?? `${toppingUp.text} ${deliveryOf(order, null)}` }
  const told = slipCheck === 'confirming' || isSlipAskedAgain(slipCheck) ? reportedWordsOf(order) : reported
  const checking: Words = closedNote ? { ...told, text: `${told.text} ${closedNote}` } : told
  const words: Record<OrderStatus, Words> = {
    waiting_payment: checking,
    paid: waiting,
    processing: toppingUp,
    success: { title: 'เติมสำเร็จ', text: 'เติมเข้าเกมเรียบร้อยแล้ว' },
    cancel: changed,
    expired: checking,
    failed: changed,
    refunding: changed,
    refunded: changed,
  }
  return words[status]
}

function Thanks({ order }: { order: OrderView }) {
  const { me } = useSession()
  const navigate = useNavigate()
  const { title, text } = thanksOf(order, useClosedNote())
  usePageTitle(title)
  const [path] = useState(() => getOrderPath(order, me !== null))
  const close = () => {
    clearPurchase()
    navigate('/game', { replace: true })
  }
  const Icon = ORDER_STATUS[order.status].tone === 'ok' ? CircleCheck : ReceiptText
  return (
    <div className="mx-auto max-w-160 pb-6">
      <div className="pt-4 text-center">
        <span className="inline-flex size-16 items-center justify-center rounded-full bg-accent-tint text-accent">
          <Icon size={28} />
        </span>
        <div role="status">
          <h1 className="page-title mt-3.5">{title}</h1>
          <p className="text-ink-2">{text}</p>
        </div>
      </div>
      <div className="mt-5 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 rounded-card bg-canvas p-4">
        <p>
          <span className="block text-ink-2 text-note">เลขที่คำสั่งซื้อ</span>
          <span className="block font-semibold text-[1.125rem]">{order.orderNo}</span>
        </p>
        <CopyButton text={order.orderNo} label="คัดลอก เลขที่คำสั่งซื้อ" />
      </div>
      {path.startsWith('/track/') && <TrackingLink path={path} />}
      <AddFriend />
      <PayBar wide="static">
        <Button kind="secondary" onClick={close}>
          ปิด
        </Button>
        <ButtonLink to={path}>ดูสถานะคำสั่งซื้อ</ButtonLink>
      </PayBar>
    </div>
  )
}

/** The tracking link, a guest's only way to the order from another device. */
function TrackingLink({ path }: { path: string }) {
  const url = location.origin + path
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-x-3 gap-y-2 rounded-card border border-line p-4">
      <p className="min-w-[min(12rem,100%)] flex-1">
        <span className="block font-semibold">ลิงก์ติดตามคำสั่งซื้อ</span>
        <span className="block text-ink-2 text-note">เก็บลิงก์นี้ไว้ ใช้เปิดดูสถานะได้จากทุกเครื่อง</span>
        <span className="mt-1 block text-ink-2 text-note [overflow-wrap:anywhere]">{url}</span>
      </p>
      <CopyButton text={url} label="คัดลอก ลิงก์ติดตาม" />
    </div>
  )
}
