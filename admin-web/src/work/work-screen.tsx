import { formatBaht } from '@shop/shared/money.ts'
import { formatClock, formatShort } from '@shop/shared/time.ts'
import type { Waiting, Work } from '@shop/shared/work/endpoints.ts'
import { WORK, type WorkKind, workOf } from '@shop/shared/work/work.ts'
import { Button, Skeleton } from 'antd'
import {
  CircleAlert,
  CircleCheck,
  Gamepad2,
  HandCoins,
  Landmark,
  type LucideIcon,
  ReceiptText,
  RefreshCw,
  Scale,
  TimerOff,
  WalletCards,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useMe } from '../account/session.tsx'
import { Age } from '../order/age.tsx'
import { SlipServiceNotice } from '../slipcheck/service-notice.tsx'
import { nameOfAccount } from '../statement/account-select.tsx'
import { SupplierNotice } from '../supplier/supplier-notice.tsx'
import { LoadError } from '../ui/load-error.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { placeOfWork } from './place-of-work.ts'
import { useWork } from './use-work.ts'
import './work.css'

const icons: Record<WorkKind, LucideIcon> = {
  orders: Gamepad2,
  reports: ReceiptText,
  lateReports: TimerOff,
  topUps: WalletCards,
  lines: Landmark,
  refunds: HandCoins,
  withoutLine: Scale,
}

/** The first page of the day: what waits for this person, and where it is done. */
export function WorkScreen() {
  const me = useMe()
  const { data: work, error, isFetching, refetch } = useWork()
  return (
    <>
      <PageHead title="งานรอทำ">
        {work && <span className="note muted number">{formatShort(work.nowDate)}</span>}
        <Button icon={<RefreshCw size={16} aria-hidden />} loading={isFetching && !work} onClick={() => refetch()}>
          รีเฟรช
        </Button>
      </PageHead>
      <SlipServiceNotice />
      <SupplierNotice />
      {!work && error ? (
        <section className="card" aria-label="งานรอทำ">
          <LoadError error={error} onRetry={refetch} />
        </section>
      ) : (
        <ul className="work-cards" aria-label="งานรอทำ" aria-busy={!work}>
          {workOf(me.role).map(kind => (
            <li key={kind}>{work ? <WorkCard kind={kind} work={work} /> : <EmptyCard kind={kind} />}</li>
          ))}
        </ul>
      )}
      {work && work.statements.length > 0 && <Sources work={work} />}
    </>
  )
}

function Card({ kind, children }: { kind: WorkKind; children: ReactNode }) {
  const { title } = WORK[kind]
  const Icon = icons[kind]
  return (
    <section className="card work-card" aria-label={title}>
      <h2>
        {title}
        <Icon size={18} aria-hidden color="var(--ink-3)" />
      </h2>
      {children}
    </section>
  )
}

const EmptyCard = ({ kind }: { kind: WorkKind }) => (
  <Card kind={kind}>
    <Skeleton active title={{ width: 64 }} paragraph={{ rows: 2 }} />
  </Card>
)

/** "รับเรื่องแล้ว 3 · ยังไม่มีคนรับ 4" or the sum of money. */
function noteOf(kind: WorkKind, { count, inHand, amountSatang }: Waiting): string {
  if (count === 0) return WORK[kind].nothing
  if (kind === 'orders') return `รับเรื่องแล้ว ${inHand} · ยังไม่มีคนรับ ${count - inHand}`
  if (kind === 'topUps' && inHand > 0) return `รอผู้อนุมัติคนที่สอง ${inHand} · รวม ฿${formatBaht(amountSatang ?? 0)}`
  return amountSatang === null ? 'เกิน 2 วันแล้ว' : `รวม ฿${formatBaht(amountSatang)}`
}

function WorkCard({ kind, work }: { kind: WorkKind; work: Work }) {
  const { title, todo, isPressing } = WORK[kind]
  const waiting = work.waiting[kind]
  if (!waiting) return null
  return (
    <Card kind={kind}>
      <p className="work-count number">{waiting.count.toLocaleString('en-US')}</p>
      <p className="small muted">{noteOf(kind, waiting)}</p>
      <p className="work-foot">
        {waiting.oldest && <Age since={waiting.oldest} now={work.nowDate} prefix="นานสุด " isCalm={!isPressing} />}
        <Link to={placeOfWork(kind, waiting)} aria-label={`${todo}: ${title}`}>
          {todo}
        </Link>
      </p>
    </Card>
  )
}

/** How the things that bring work by themselves are. */
function Sources({ work }: { work: Work }) {
  return (
    <section className="card work-sources" aria-label="ระบบ">
      <header>
        <h2>ระบบ</h2>
      </header>
      <ul className="card-part">
        {work.statements.map(({ receivingAccountId, lastLineAt, ...account }) => (
          <Source
            key={receivingAccountId}
            isWell={lastLineAt !== null}
            text={`รายการธนาคาร ${nameOfAccount(account)}`}
            note={lastLineAt ? `ล่าสุด ${formatShort(lastLineAt)}` : 'ยังไม่เคยนำเข้า'}
          />
        ))}
        <Source
          isWell={work.deadCalls === 0}
          text={work.deadCalls === 0 ? 'บริการภายนอกตอบครบ' : `เรียกบริการภายนอกไม่สำเร็จ ${work.deadCalls} รายการ`}
          note={`ตรวจเมื่อ ${formatClock(work.nowDate)}`}
        />
      </ul>
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
