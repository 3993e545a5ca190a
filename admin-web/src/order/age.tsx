import { latenessOf } from '@shop/shared/order/queue.ts'

const MINUTE_MS = 60_000
const LATE_MINUTES = 15
const VERY_LATE_MINUTES = 30

/** 75 minutes -> "1 ชม. 15 นาที"; more than a day -> "2 วัน". */
function ageText(minutes: number): string {
  if (minutes < 1) return 'เมื่อครู่'
  if (minutes < 60) return `${minutes} นาที`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} ชม. ${minutes % 60 ? `${minutes % 60} นาที` : ''}`.trim()
  return `${Math.floor(minutes / (24 * 60))} วัน`
}

const minutesBetween = (since: string, now: string) =>
  Math.max(0, Math.floor((Date.parse(now) - Date.parse(since)) / MINUTE_MS))

const LATENESS_TAG = { fine: 'small muted number', near: 'tag is-warn', overdue: 'tag is-bad' }

/** How long a paid order has waited; it turns yellow when the usual time is nearly over and red when it is over. */
export function DeliveryAge(props: { paidAt: string; usual: { from: number; to: number }; now: string }) {
  const { paidAt, usual, now } = props
  const lateness = latenessOf(new Date(paidAt), usual, new Date(now))
  return (
    <span className={LATENESS_TAG[lateness]}>
      {ageText(minutesBetween(paidAt, now))}
      {lateness === 'overdue' && <span className="sr-only"> เกินเวลาปกติ</span>}
    </span>
  )
}

/** How long something has waited by the server's clock; it turns yellow after 15 minutes and red after 30. */
export function Age(props: {
  since: string
  now: string
  prefix?: string
  /** Keeps the plain look, because nobody at the shop has to act. */
  isCalm?: boolean
  /** Stands out from the first minute. */
  isPressing?: boolean
}) {
  const { since, now, prefix = '', isCalm = false, isPressing = false } = props
  const minutes = minutesBetween(since, now)
  const text = prefix + ageText(minutes)
  if (isPressing && minutes < LATE_MINUTES) return <span className="tag is-accent">{text}</span>
  if (isCalm || minutes < LATE_MINUTES) return <span className={prefix ? 'tag' : 'small muted number'}>{text}</span>
  return <span className={`tag ${minutes < VERY_LATE_MINUTES ? 'is-warn' : 'is-bad'}`}>{text}</span>
}
