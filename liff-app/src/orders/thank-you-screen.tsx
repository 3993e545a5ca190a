import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { ORDER_STATUS, type OrderStatus } from '@shop/shared/order/status.ts'
import { isSlipAskedAgain } from '@shop/shared/slipcheck/slip-check.ts'
import { isAbort } from '@shop/web/files.ts'
import { CircleCheck, ReceiptText, Share2 } from 'lucide-react'
import { useState } from 'react'
import { Navigate, useNavigate } from 'react-router-dom'
import { useSession } from '../account/session.tsx'
import { useCredit } from '../account/use-credit.ts'
import { clearPurchase, getCurrentOrder, getOrderPath } from '../current-order.ts'
import { purchasePathOf } from '../draft.ts'
import { usePageTitle } from '../page-title.ts'
import { useClosedNote } from '../settings/closed-note.ts'
import { HoldingNote } from '../settings/holding-note.tsx'
import { payingOf } from '../settings/payment-methods.tsx'
import { Amount } from '../ui/amount.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { type Fact, Facts } from '../ui/facts.tsx'
import { GameArt } from '../ui/game-art.tsx'
import { PayBar } from '../ui/pay-bar.tsx'
import { Loaded, Skeleton } from '../ui/state.tsx'
import { useToast } from '../ui/toast.tsx'
import { messageWhilePaying } from '../unanswered.ts'
import { useWallet } from '../wallet/use-wallet.ts'
import { AddFriend } from './add-friend.tsx'
import { Codes } from './codes.tsx'
import { expectedTextOf } from './expected-time.ts'
import { playerFactsOf } from './order-facts.ts'
import { codesWordsOf, reportedWordsOf, type Words } from './order-progress.ts'
import { useOrder } from './use-order.ts'

/** The page after a reported transfer, or an order that was paid at once: it shows what was bought and how news will come. */
export default function ThankYouScreen() {
  const [current] = useState(getCurrentOrder)
  return current ? <ThankYou orderNo={current.orderNo} /> : <Navigate to="/game" replace />
}

function ThankYou({ orderNo }: { orderNo: string }) {
  const query = useOrder(orderNo)
  return (
    <Loaded query={query} skeleton={<Skeleton className="mt-4 h-80" />} failure={messageWhilePaying}>
      {order => <Thanks order={order} onChanged={() => query.refetch()} />}
    </Loaded>
  )
}

const reported: Words = { title: 'รับแจ้งการโอนแล้ว', text: 'ทีมงานกำลังตรวจยอดเงิน ไม่ต้องโอนซ้ำ' }
const changed: Words = { title: 'คำสั่งซื้อมีการเปลี่ยนแปลง', text: 'ดูรายละเอียดได้ที่สถานะคำสั่งซื้อ' }

/** Says that the report was received, or what has happened to the order since. */
function thanksOf(
  order: Pick<OrderView, 'package' | 'payment' | 'status' | 'slipCheck' | 'expected' | 'nowDate' | 'codes'>,
  closedNote: string | null,
): Words {
  const { payment, status, slipCheck } = order
  const isOfCodes = order.package.delivers === 'code'
  const doing = isOfCodes ? 'กำลังเตรียมรหัสให้' : 'ทีมงานกำลังเติมเข้าเกมให้'
  const text = [closedNote ?? doing, expectedTextOf(order)].filter(Boolean).join(' ')
  const toppingUp: Words = { title: payingOf(payment).paidText, text }
  const told = slipCheck === 'confirming' || isSlipAskedAgain(slipCheck) ? reportedWordsOf(order) : reported
  const checking: Words = closedNote ? { ...told, text: `${told.text} ${closedNote}` } : told
  const words: Record<OrderStatus, Words> = {
    waiting_payment: checking,
    paid: toppingUp,
    processing: toppingUp,
    success: isOfCodes ? codesWordsOf(order) : { title: 'เติมสำเร็จ', text: 'เติมเข้าเกมเรียบร้อยแล้ว' },
    cancel: changed,
    expired: checking,
    failed: changed,
    refunding: changed,
    refunded: changed,
  }
  return words[status]
}

function Thanks({ order, onChanged }: { order: OrderView; onChanged: () => void }) {
  const { me } = useSession()
  const navigate = useNavigate()
  const { title, text } = thanksOf(order, useClosedNote())
  usePageTitle(title)
  const [path] = useState(() => getOrderPath(order, me !== null))
  const leaveFor = (next: string) => {
    clearPurchase()
    navigate(next, { replace: true })
  }
  // A reported transfer is no money yet, so it gets no tick.
  const isPaid = ORDER_STATUS[order.status].money === 'held' && order.status !== 'failed'
  const Icon = isPaid ? CircleCheck : ReceiptText
  // A guest has one card more, which on a wide screen would push the QR of the shop's LINE out of sight.
  const hasLink = path.startsWith('/track/')
  return (
    <div className={classes('mx-auto max-w-160 pb-6', hasLink && 'lg:max-w-220')}>
      <div className="pt-4 text-center">
        <span
          className={classes(
            'inline-flex size-16 items-center justify-center rounded-full',
            isPaid ? 'bg-ok-tint text-ok' : 'bg-accent-tint text-accent',
          )}
        >
          <Icon size={32} />
        </span>
        <div role="status">
          <h1 className="page-title mt-3.5">{title}</h1>
          <p className="text-ink-2">{text}</p>
        </div>
      </div>
      <Codes order={order} onChanged={onChanged} />
      <div className={classes(hasLink && 'lg:grid lg:grid-cols-2 lg:items-start lg:gap-x-5')}>
        <Bought order={order} />
        <div>
          {hasLink && <TrackingLink path={path} />}
          <HoldingNote />
          <AddFriend isDelivered={order.status === 'success'} />
        </div>
      </div>
      {order.payment === 'wallet' ? (
        <PayBar wide="static">
          <ButtonLink kind="secondary" to={path}>
            ดูสถานะ
          </ButtonLink>
          <Button onClick={() => leaveFor(purchasePathOf(order.game.code))}>เติมอีกรายการ</Button>
        </PayBar>
      ) : (
        <PayBar wide="static">
          <Button kind="secondary" onClick={() => leaveFor('/game')}>
            ปิด
          </Button>
          <ButtonLink to={path}>ดูสถานะคำสั่งซื้อ</ButtonLink>
        </PayBar>
      )}
    </div>
  )
}

/** What an order took at once, and what is left where it came from. What is paid on a page of its own was told there. */
function useSpent({ payment, creditSatang, ...order }: OrderView): Fact[] {
  const wallet = useWallet().data
  const credit = useCredit().data
  const isByWallet = payment === 'wallet'
  if (!isByWallet && creditSatang === 0) return []
  const spent = isByWallet
    ? { label: 'ยอดชำระ', satang: order.amountSatang }
    : { label: 'ใช้เครดิตร้าน', satang: creditSatang }
  const left = isByWallet
    ? { label: 'ยอดคงเหลือในกระเป๋าเงิน', satang: wallet?.balanceSatang }
    : { label: 'เครดิตร้านคงเหลือ', satang: credit?.balanceSatang }
  return [spent, left].flatMap(({ label, satang }) =>
    satang === undefined ? [] : [{ label, value: <Amount satang={satang} className="font-semibold" /> }],
  )
}

/** What was bought and for whom, with the order's number. */
function Bought({ order }: { order: OrderView }) {
  const { game, package: sold, quantity } = order
  const facts = [...playerFactsOf(order.fields, order.playerName), ...useSpent(order)]
  return (
    <section aria-label="รายการที่สั่งซื้อ" className="mt-5 rounded-card bg-canvas p-4">
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <GameArt picture={game.picture} className="size-11 rounded-inline" />
        <p className="min-w-[min(8rem,100%)] flex-1 font-semibold leading-normal">
          <span className="wrap-anywhere">{game.name}</span> · {sold.name}
          {quantity > 1 && ` × ${quantity}`}
        </p>
      </div>
      <Facts facts={facts} />
      <div className="mt-3 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-line border-t pt-3">
        <p>
          <span className="block text-ink-2 text-note">เลขที่คำสั่งซื้อ</span>
          <span translate="no" className="block font-semibold">
            {order.orderNo}
          </span>
        </p>
        <CopyButton text={order.orderNo} label="คัดลอก เลขที่คำสั่งซื้อ" />
      </div>
    </section>
  )
}

/** The tracking link, a guest's only way to the order from another device. */
function TrackingLink({ path }: { path: string }) {
  const toast = useToast()
  const url = location.origin + path
  const share = async () => {
    try {
      await navigator.share({ title: 'ติดตามคำสั่งซื้อ', url })
    } catch (error) {
      if (!isAbort(error)) toast({ kind: 'error', text: 'แชร์ไม่สำเร็จ กรุณาคัดลอกลิงก์แทน' })
    }
  }
  return (
    <div className="mt-4 rounded-card border border-line p-4 lg:mt-5">
      <p className="font-semibold">ลิงก์ติดตามคำสั่งซื้อ</p>
      <p className="text-ink-2 text-note">เก็บลิงก์นี้ไว้ ใช้เปิดดูสถานะได้จากทุกเครื่อง</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <CopyButton text={url} label="คัดลอกลิงก์ ติดตามคำสั่งซื้อ">
          คัดลอกลิงก์
        </CopyButton>
        {'share' in navigator && (
          <Button kind="tint" size="small" icon={<Share2 size={18} />} onClick={share}>
            แชร์
          </Button>
        )}
      </div>
    </div>
  )
}
