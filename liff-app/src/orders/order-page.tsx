import { showPhone } from '@shop/shared/account/account.ts'
import { unitPriceOf } from '@shop/shared/catalogue/pricing.ts'
import { AppError, messageOf } from '@shop/shared/errors.ts'
import { formatBaht } from '@shop/shared/money.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { isReturned, ORDER_STATUS, type OrderStatus } from '@shop/shared/order/status.ts'
import { formatDateTime } from '@shop/web/dates.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { ChevronDown, CircleCheck, MessageCircle, PackageSearch } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useSession } from '../account/session.tsx'
import { purchasePathOf } from '../draft.ts'
import { paidSatangOf } from '../gateway/charge-facts.ts'
import { usePageTitle } from '../page-title.ts'
import { useClosedNote } from '../settings/closed-note.ts'
import { useContact } from '../settings/contact.ts'
import { ContactLink } from '../settings/contact-link.tsx'
import { HoldingNote } from '../settings/holding-note.tsx'
import { Amount } from '../ui/amount.tsx'
import { Button, ButtonAnchor, ButtonLink } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { EmailText } from '../ui/email-text.tsx'
import { type Fact, Facts } from '../ui/facts.tsx'
import { GameArt } from '../ui/game-art.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Note } from '../ui/note.tsx'
import { Empty, Loaded, Skeleton } from '../ui/state.tsx'
import { Timeline } from '../ui/timeline.tsx'
import { messageWhilePaying } from '../unanswered.ts'
import { useBuyAgain } from './buy-again.tsx'
import { CancelDialog } from './cancel-dialog.tsx'
import { Codes } from './codes.tsx'
import { awaitsPayment, isCreditBack, paymentNameOf, playerFactsOf, surchargeNoteOf } from './order-facts.ts'
import { describeOrder, listProgress, type Words } from './order-progress.ts'
import { ReceiptButton } from './receipt-button.tsx'
import { RefundSection } from './refund-section.tsx'
import { ResumeBanner } from './resume-banner.tsx'
import { SignInLink } from './sign-in-link.tsx'
import { SlipReport } from './slip-report.tsx'
import { useUnpaidOrders } from './unpaid-orders.ts'

// This is loaded on demand, because few orders fail.
const Correction = lazyPart(() => import('./correction-form.tsx'), <Skeleton className="mt-4 h-40 rounded-card" />)
const MoneyBack = lazyPart(() => import('./money-back.tsx'), <Skeleton className="mt-4 h-40 rounded-card" />)

/** An order's page, which keeps itself up to date. */
export function OrderPage({ query }: { query: UseQueryResult<OrderView> }) {
  const { data, error } = query
  const unpaid = useUnpaidOrders()
  const isRefused = error instanceof AppError && error.status < 500 && error.status !== 429
  if (isRefused && !data) return <NoOrder text={messageOf(error)} />
  return (
    <Loaded query={query} waits={unpaid.isLoading} skeleton={<OrderSkeleton />} failure={messageWhilePaying}>
      {order => (
        <>
          {/* The page itself offers to pay its own order. */}
          <ResumeBanner
            orders={unpaid.orders.filter(({ orderNo }) => orderNo !== order.orderNo)}
            receivedAt={unpaid.receivedAt}
          />
          <Order order={order} onChanged={() => query.refetch()} />
        </>
      )}
    </Loaded>
  )
}

/** Says that there is no such order. It may belong to an account, so it offers a sign-in, and always the shop itself. */
function NoOrder({ text }: { text: string }) {
  const { me } = useSession()
  return (
    <>
      <h1 className="page-title">คำสั่งซื้อ</h1>
      <Empty
        icon={PackageSearch}
        title={text}
        text={me ? undefined : 'หากสั่งซื้อด้วยบัญชีสมาชิก เข้าสู่ระบบเพื่อดูคำสั่งซื้อนี้'}
        action={
          <span className="flex flex-wrap justify-center gap-2">
            {!me && <SignInLink />}
            <ButtonLink kind="secondary" size="small" to="/game">
              กลับหน้าแรก
            </ButtonLink>
            <span className="basis-full text-small">
              มีปัญหากับคำสั่งซื้อ <ContactLink>ติดต่อร้าน</ContactLink>
            </span>
          </span>
        }
      />
    </>
  )
}

function Order({ order, onChanged }: { order: OrderView; onChanged: () => void }) {
  const { title, text } = describeOrder(order, useClosedNote())
  const [isAsking, setAsking] = useState(false)
  usePageTitle(`${title} ${order.orderNo}`)
  return (
    <div className="mx-auto max-w-160 pb-6 lg:grid lg:max-w-none lg:grid-cols-[minmax(0,1fr)_23rem] lg:items-start lg:gap-x-10">
      <div>
        <Head order={order} title={title} text={text} />
        {/* Screen readers read this out once for each change; the headline itself may be drawn more often. */}
        <p role="status" className="sr-only">
          {title}
        </p>
        {order.reason && (
          <Note className="mt-3" kind={isReturned(order.status) ? 'info' : 'warn'}>
            {order.reason}
          </Note>
        )}
        {[order.playerChange, order.reduction].filter(Boolean).map(text => (
          <Note key={text} className="mt-3" kind="warn">
            {text}
          </Note>
        ))}
        {isUnderWay(order) && <HoldingNote className="mt-3" />}
        <Codes order={order} onChanged={onChanged} />
        <SlipReport order={order} onReported={onChanged} />
        {order.refunds.length > 0 && <RefundSection order={order} onChanged={onChanged} />}
        {/* A gift card is for no player, so there is nothing to correct. */}
        {order.canCorrect && order.fields.length > 0 && (
          <Correction key={order.proposedFields?.map(({ value }) => value).join()} order={order} onSent={onChanged} />
        )}
        {(order.canAskRefund || order.canGiveNewsAddress) && <MoneyBack order={order} onChanged={onChanged} />}
        <section aria-label="ความคืบหน้า" className="my-4 rounded-card border border-line p-4">
          <Timeline label="ความคืบหน้า" steps={listProgress(order)} />
        </section>
      </div>
      <div>
        <section aria-label="รายละเอียด" className="rounded-card border border-line p-4">
          <Facts facts={listFacts(order)} />
          <More facts={listMoreFacts(order)} />
        </section>
        <div className="mt-3 flex flex-wrap gap-2 [&>*]:flex-auto">
          <CopyButton text={order.orderNo} label="คัดลอกเลขที่ คำสั่งซื้อ" kind="quiet">
            คัดลอกเลขที่
          </CopyButton>
          <ReceiptButton orderNo={order.orderNo} />
          {order.canCancel && (
            <Button kind="destructive" size="small" onClick={() => setAsking(true)}>
              ยกเลิกคำสั่งซื้อ
            </Button>
          )}
        </div>
        <Actions order={order} />
      </div>
      <CancelDialog order={order} open={isAsking} onClose={() => setAsking(false)} />
    </div>
  )
}

/** Whether its buyer waits for something of the shop. */
const isUnderWay = ({ status }: OrderView) => ORDER_STATUS[status].isRunning || status === 'expired'

/** The state of the order in words. Goods that have come are told in green. */
function Head({ order, title, text }: { order: OrderView } & Words) {
  const isDone = order.status === 'success'
  return (
    <div className={classes(isDone && 'rounded-card bg-ok-tint p-4')}>
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-[min(8rem,100%)] flex-1">
          <p className="text-ink-2 text-small">คำสั่งซื้อ {order.orderNo}</p>
          <h1 className={classes('page-title flex items-center gap-2', isDone && 'text-ok')}>
            {isDone && <CircleCheck size={26} className="flex-none" />}
            {title}
          </h1>
        </div>
        <GameArt picture={order.game.picture} className="size-14 rounded-card" />
      </div>
      <p className="mt-1 text-ink-2">{text}</p>
    </div>
  )
}

/** What was bought, for whom, for how much, when and how. */
function listFacts(order: OrderView): Fact[] {
  const { game, package: sold, quantity, priceSatang, tailSatang, creditSatang } = order
  const notes = [
    quantity > 1 && `${quantity} × ฿${formatBaht(unitPriceOf(order))}`,
    surchargeNoteOf(order),
    tailSatang > 0 && `ราคา ฿${formatBaht(priceSatang)} + เศษสตางค์ ฿${formatBaht(tailSatang)}`,
  ]
  return [
    { label: 'รายการ', value: `${game.name} · ${sold.name}${quantity > 1 ? ` × ${quantity}` : ''}` },
    ...playerFactsOf(order.fields, order.playerName),
    { label: 'ยอดชำระ', value: <Amount satang={paidSatangOf(order)} />, note: notes.find(Boolean) },
    ...(creditSatang > 0 ? [{ label: 'เครดิตร้าน', value: `ใช้ ฿${formatBaht(creditSatang)}` }] : []),
    { label: 'ชำระด้วย', value: paymentNameOf(order.payment, order.receivingAccount?.code) },
    { label: 'สั่งซื้อเมื่อ', value: formatDateTime(order.createdAt) },
    // Codes have numbers of their own.
    ...(order.deliveryReference && !order.codes ? [{ label: 'เลขอ้างอิงการเติม', value: order.deliveryReference }] : []),
  ]
}

function listMoreFacts({ buyer, paidAt, termsVersion, termsAcceptedAt, warning }: OrderView): Fact[] {
  const linked = 'เชื่อมบัญชีแล้ว'
  const known: [string, ReactNode, string?][] = [
    ['ได้รับเงินเมื่อ', paidAt && formatDateTime(paidAt)],
    ['ชื่อ-นามสกุล', buyer?.name],
    ['โทรศัพท์', buyer && showPhone(buyer.tel)],
    ['อีเมล', buyer?.email && <EmailText>{buyer.email}</EmailText>],
    ['LINE', buyer?.lineId && linked],
    ['Facebook', buyer?.hasFacebook && linked],
    ['ข้อกำหนด', `ฉบับที่ ${termsVersion}`, termsAcceptedAt && `ยอมรับเมื่อ ${formatDateTime(termsAcceptedAt)}`],
    ['ข้อควรรู้ที่ยอมรับ', warning],
  ]
  return known.flatMap(([label, value, note]) => (value ? [{ label, value, note }] : []))
}

/** What few people look for: it stands folded below the rest. */
const More = ({ facts }: { facts: Fact[] }) => (
  <details className="group mt-2 -mb-2">
    <summary className="link flex min-h-11 cursor-pointer items-center gap-1.5 [&::-webkit-details-marker]:hidden">
      รายละเอียดเพิ่มเติม
      <ChevronDown size={18} className="group-open:rotate-180" />
    </summary>
    <div className="pb-2">
      <Facts facts={facts} />
    </div>
  </details>
)

interface Offered {
  /** The button to ask the shop also names LINE, because it is the likelier thing to do. */
  namesWay: boolean
  /** The look of the button to buy the same again; null where there is none. */
  again: 'primary' | 'secondary' | null
}

const OFFERED: Record<OrderStatus, Offered> = {
  waiting_payment: { namesWay: false, again: null },
  paid: { namesWay: true, again: null },
  processing: { namesWay: true, again: null },
  success: { namesWay: false, again: 'primary' },
  cancel: { namesWay: true, again: 'secondary' },
  expired: { namesWay: true, again: 'secondary' },
  failed: { namesWay: true, again: null },
  refunding: { namesWay: true, again: null },
  refunded: { namesWay: true, again: null },
}

/** The buttons for what to do next. Asking the shop is always one of them. */
function Actions({ order }: { order: OrderView }) {
  const buyAgain = useBuyAgain()
  const { namesWay, again } = OFFERED[order.status]
  const { ways, isByLine } = useContact(order.orderNo)
  const [way] = ways
  return (
    <div className="mt-4 flex flex-wrap gap-3 [&>:last-child]:flex-auto">
      {way && (
        <ButtonAnchor kind="secondary" href={way.url} icon={<MessageCircle size={20} />} className="flex-auto">
          {namesWay && isByLine ? 'ติดต่อร้านทาง LINE' : 'ติดต่อร้าน'}
        </ButtonAnchor>
      )}
      {isCreditBack(order) && <ButtonLink to={purchasePathOf(order.game.code)}>ใช้เลย</ButtonLink>}
      {awaitsPayment(order) && <ButtonLink to={`/payment?order=${order.orderNo}`}>ชำระต่อ</ButtonLink>}
      {again && (
        <Button kind={again} onClick={() => buyAgain(order)}>
          เติมอีกครั้ง
        </Button>
      )}
    </div>
  )
}

const OrderSkeleton = () => (
  <div className="mx-auto max-w-160 lg:grid lg:max-w-none lg:grid-cols-[minmax(0,1fr)_23rem] lg:items-start lg:gap-x-10">
    <div>
      <Skeleton className="h-14" />
      <Skeleton className="mt-8 h-60 rounded-card" />
    </div>
    <Skeleton className="mt-4 h-44 rounded-card lg:mt-0" />
  </div>
)
