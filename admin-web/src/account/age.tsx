import { type Lateness, latenessOf, latenessOfOrder } from '@shop/shared/backlog/age.ts'
import type { BacklogKind } from '@shop/shared/backlog/backlog.ts'
import { useOpeningHours } from './opening-hours.ts'

const MINUTE_MS = 60_000

/** 75 minutes -> "1 ชม. 15 นาที"; more than a day -> "2 วัน". */
function ageText(minutes: number): string {
  if (minutes < 1) return 'เมื่อครู่'
  if (minutes < 60) return `${minutes} นาที`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} ชม. ${minutes % 60 ? `${minutes % 60} นาที` : ''}`.trim()
  return `${Math.floor(minutes / (24 * 60))} วัน`
}

const minutesBetween = (since: string, now: string) =>
  Math.max(0, Math.floor((Date.parse(now) - Date.parse(since)) / MINUTE_MS))

const LATENESS_TAG: Record<Lateness, string> = { fine: 'tag', near: 'tag is-warn', overdue: 'tag is-bad' }

/** How long somebody has waited, in whole minutes, and what the shop could have done meanwhile. */
export interface Waited {
  minutes: number
  lateness: Lateness
}

/**
 * How long the buyer of a paid order has waited since their money came; it turns yellow when the usual time is nearly
 * over and red when it is over, both within opening hours.
 */
export const waitedForDelivery = (
  { waitsSince, usualMinutes }: { waitsSince: string; usualMinutes: { from: number; to: number } },
  now: string,
  hours: string,
): Waited => ({
  minutes: minutesBetween(waitsSince, now),
  lateness: latenessOfOrder(new Date(waitsSince), usualMinutes, new Date(now), hours),
})

/** The whole time that somebody has waited, in the colour of its lateness. */
export function AgeText({
  minutes,
  lateness,
  prefix = '',
  isPressing = false,
}: Waited & { prefix?: string; isPressing?: boolean }) {
  const plain = prefix ? 'tag' : 'small muted number'
  const look = lateness === 'fine' ? (isPressing ? 'tag is-accent' : plain) : LATENESS_TAG[lateness]
  return (
    <span className={look}>
      {prefix + ageText(minutes)}
      {lateness === 'overdue' && <span className="sr-only"> เกินเวลาปกติ</span>}
    </span>
  )
}

/** How long something of a kind has waited by the server's clock, in the colours of that kind. */
export function Age(props: {
  kind: BacklogKind
  since: string
  now: string
  prefix?: string
  /** Keeps the plain look, because nobody at the shop has to act. */
  isCalm?: boolean
  /** Stands out from the first minute. */
  isPressing?: boolean
}) {
  const { kind, since, now, isCalm = false, ...shown } = props
  const hours = useOpeningHours()
  const lateness = isCalm ? 'fine' : latenessOf(kind, new Date(since), new Date(now), hours)
  return <AgeText {...shown} minutes={minutesBetween(since, now)} lateness={lateness} />
}
