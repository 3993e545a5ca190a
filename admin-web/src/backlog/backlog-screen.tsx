import { byLateness, latenessOf } from '@shop/shared/backlog/age.ts'
import { BACKLOG, type BacklogKind, backlogOf } from '@shop/shared/backlog/backlog.ts'
import type { Backlog, Waiting } from '@shop/shared/backlog/endpoints.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { can } from '@shop/shared/permissions.ts'
import { formatClock, formatShort } from '@shop/web/dates.ts'
import { Button, Skeleton } from 'antd'
import {
  CircleAlert,
  CircleCheck,
  CircleHelp,
  CircleX,
  FileCheck2,
  FileQuestion,
  Gamepad2,
  HandCoins,
  Landmark,
  type LucideIcon,
  MessageCircleX,
  ReceiptText,
  RefreshCw,
  Scale,
  ShieldAlert,
  TimerOff,
  UserCheck,
  UserPen,
  WalletCards,
  Wrench,
} from 'lucide-react'
import { Fragment, useState } from 'react'
import { Link } from 'react-router-dom'
import { Age } from '../account/age.tsx'
import { useMe } from '../account/session.tsx'
import { SlipServiceNotice, useSlipService } from '../slipcheck/service-notice.tsx'
import { nameOfAccount } from '../statement/account-select.tsx'
import { SupplierNotice, useSuppliersNow } from '../supplier/supplier-notice.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { FirstSteps } from './first-steps.tsx'
import { NewsCard } from './news-card.tsx'
import { OwnDayCard } from './own-day.tsx'
import { placeOfBacklog } from './place-of-backlog.ts'
import { TodayCard } from './today.tsx'
import { UnheardNote } from './unheard-note.tsx'
import { useBacklog } from './use-backlog.ts'
import { useToday } from './use-today.ts'
import './backlog.css'

const icons: Record<BacklogKind, LucideIcon> = {
  orders: Gamepad2,
  reports: ReceiptText,
  lateReports: TimerOff,
  corrections: UserPen,
  failed: CircleX,
  unknownCharges: CircleHelp,
  deadJobs: Wrench,
  topUps: WalletCards,
  lines: Landmark,
  lostSlips: FileQuestion,
  disputed: ShieldAlert,
  refunds: HandCoins,
  withoutLine: Scale,
  secondWords: UserCheck,
  waitingFiles: FileCheck2,
  messages: MessageCircleX,
}

/** Whether a call was answered, or failed once; it goes on by itself then. */
const isHeard = ({ isPending, failureCount }: { isPending: boolean; failureCount: number }) =>
  !isPending || failureCount > 0

/** The first page of the day: the work that waits for this person, with links to it. */
export function BacklogScreen() {
  const me = useMe()
  const query = useBacklog()
  const { data: backlog, isFetching, refetch } = query
  const today = useToday()
  // What stands above is known before anything stands below it, because it would push that down.
  const isAllHeard = [query, useSlipService(), useSuppliersNow()].every(isHeard)
  const [isKnown, setKnown] = useState(false)
  // For good: what failed is asked again, and nothing vanishes meanwhile.
  if (isAllHeard && !isKnown) setKnown(true)
  const refresh = () => Promise.all([refetch(), today.refetch()])
  return (
    <>
      <PageHead title="งานรอทำ">
        {backlog && <span className="backlog-now note muted number">{formatShort(backlog.nowDate)}</span>}
        <Button icon={<RefreshCw size={16} aria-hidden />} loading={isFetching && !backlog} onClick={refresh}>
          รีเฟรช
        </Button>
      </PageHead>
      {isKnown ? (
        <>
          {backlog?.demo && can(me.role, BACKLOG.orders.allow) && <FirstSteps demo={backlog.demo} />}
          {backlog?.unheard && <UnheardNote unheard={backlog.unheard} />}
          <SlipServiceNotice />
          <SupplierNotice />
          {backlog ? (
            <Cards kinds={backlogOf(me.role)} backlog={backlog} />
          ) : (
            <section className="card" aria-label="งานรอทำ">
              <Loaded query={query}>{() => null}</Loaded>
            </section>
          )}
          <div className="backlog-day">
            <div>
              {can(me.role, 'dashboard.view') ? <TodayCard query={today} /> : <OwnDayCard query={today} />}
              {can(me.role, 'statement.match') && <Sources backlog={backlog} />}
            </div>
            <NewsCard query={today} />
          </div>
        </>
      ) : (
        <Shape />
      )}
    </>
  )
}

/** Puts what is late first, then what is nearly late; what is equally late keeps the order of the table. */
function sortByLateness(kinds: BacklogKind[], { waiting, nowDate, openingHours }: Backlog): BacklogKind[] {
  const lateness = (kind: BacklogKind) =>
    latenessOf(kind, new Date(waiting[kind]?.oldest ?? nowDate), new Date(nowDate), openingHours)
  return kinds.toSorted((one, other) => byLateness(lateness(one), lateness(other)))
}

/** The page while it loads, with as many cards as usually wait. */
function Shape() {
  return (
    <div aria-busy="true">
      <div className="backlog-cards">
        {['one', 'two', 'three', 'four'].map(card => (
          <div key={card} className="card backlog-card">
            <Skeleton active title={{ width: 64 }} paragraph={{ rows: 2 }} />
          </div>
        ))}
      </div>
      <div className="card card-part day-shape">
        <Skeleton active title={false} paragraph={{ rows: 9 }} />
      </div>
    </div>
  )
}

/** A card for each kind of work that waits, most urgent first, and one line for those of which nothing does. */
function Cards({ kinds, backlog }: { kinds: BacklogKind[]; backlog: Backlog }) {
  const has = (kind: BacklogKind) => (backlog.waiting[kind]?.count ?? 0) > 0
  const shown = sortByLateness(kinds.filter(has), backlog)
  const quiet = kinds.filter(kind => backlog.waiting[kind] && !has(kind))
  if (shown.length === 0)
    return (
      <section className="card card-part backlog-clear" aria-label="งานรอทำ">
        <h2>
          <CircleCheck size={20} aria-hidden /> ไม่มีงานค้าง
        </h2>
        <p className="small muted">
          <Quiet kinds={quiet} backlog={backlog} />
        </p>
      </section>
    )
  return (
    <>
      <ul className="backlog-cards" aria-label="งานรอทำ">
        {shown.map(kind => (
          <li key={kind}>
            <BacklogCard kind={kind} waiting={backlog.waiting[kind]!} now={backlog.nowDate} />
          </li>
        ))}
      </ul>
      {quiet.length > 0 && (
        <p className="backlog-quiet small muted">
          <CircleCheck size={16} aria-hidden color="var(--ok)" /> ไม่มีงานค้าง: <Quiet kinds={quiet} backlog={backlog} />
        </p>
      )}
    </>
  )
}

/** Names the kinds of which nothing waits, each with the way to it. */
const Quiet = ({ kinds, backlog }: { kinds: BacklogKind[]; backlog: Backlog }) =>
  kinds.map((kind, index) => (
    <Fragment key={kind}>
      {index > 0 && ', '}
      <Link to={placeOfBacklog(kind, backlog.waiting[kind])}>{BACKLOG[kind].title}</Link>
    </Fragment>
  ))

/** Returns "รับเรื่องแล้ว 3 · ยังไม่มีคนรับ 4", or the sum of money. */
function noteOf(kind: BacklogKind, { count, inHand, amountSatang }: Waiting): string {
  if (kind === 'orders') return `รับเรื่องแล้ว ${inHand} · ยังไม่มีคนรับ ${count - inHand}`
  if (kind === 'topUps' && inHand > 0) return `รอผู้อนุมัติคนที่สอง ${inHand} · รวม ฿${formatBaht(amountSatang ?? 0)}`
  return BACKLOG[kind].note ?? `รวม ฿${formatBaht(amountSatang ?? 0)}`
}

function BacklogCard({ kind, waiting, now }: { kind: BacklogKind; waiting: Waiting; now: string }) {
  const { title, todo } = BACKLOG[kind]
  const Icon = icons[kind]
  return (
    <section className="card backlog-card" aria-label={title}>
      <h2 className="row">
        {title}
        <Icon size={18} aria-hidden color="var(--ink-3)" />
      </h2>
      <p className="backlog-sum">
        <b className="backlog-count number">{waiting.count.toLocaleString('en-US')}</b>{' '}
        <span className="small muted">{noteOf(kind, waiting)}</span>
      </p>
      <p className="backlog-foot">
        {waiting.oldest && <Age kind={kind} since={waiting.oldest} now={now} prefix="นานสุด " />}
        <Link to={placeOfBacklog(kind, waiting)} aria-label={`${todo}: ${title}`}>
          {todo}
        </Link>
      </p>
    </section>
  )
}

/** Shows the state of the sources that bring work automatically. */
function Sources({ backlog }: { backlog: Backlog | undefined }) {
  return (
    <section className="card backlog-sources" aria-label="ระบบ">
      <header>
        <h2>
          ระบบ <span className="note muted">รายการธนาคาร และบริการภายนอก</span>
        </h2>
      </header>
      {backlog ? (
        <ul className="card-part">
          {backlog.statements.map(({ receivingAccountId, lastLineAt, ...account }) => (
            <Source
              key={receivingAccountId}
              isWell={lastLineAt !== null}
              text={nameOfAccount(account)}
              note={lastLineAt ? `ล่าสุด ${formatShort(lastLineAt)}` : 'ยังไม่เคยนำเข้า'}
            />
          ))}
          <Source
            isWell={backlog.deadCalls === 0}
            text={backlog.deadCalls === 0 ? 'บริการภายนอกตอบครบ' : `เรียกบริการภายนอกไม่สำเร็จ ${backlog.deadCalls} รายการ`}
            note={`ตรวจเมื่อ ${formatClock(backlog.nowDate)}`}
          />
        </ul>
      ) : (
        <div className="card-part">
          <Skeleton active title={false} paragraph={{ rows: 2 }} />
        </div>
      )}
    </section>
  )
}

function Source({ isWell, text, note }: { isWell: boolean; text: string; note: string }) {
  const Icon = isWell ? CircleCheck : CircleAlert
  return (
    <li className="row">
      <Icon size={18} aria-hidden color={isWell ? 'var(--ok)' : 'var(--warn)'} />
      <span className="grow">
        <b className="small">{text}</b>
        <span className="note muted number">{note}</span>
      </span>
    </li>
  )
}
