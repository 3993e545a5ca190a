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

/** How long something has waited by the server's clock; stands out from 15 and again from 30 minutes. */
export function Age(props: {
  since: string
  now: string
  prefix?: string
  /** Nobody waits for it: it only says how long. */
  isCalm?: boolean
}) {
  const { since, now, prefix = '', isCalm = false } = props
  const minutes = Math.max(0, Math.floor((Date.parse(now) - Date.parse(since)) / MINUTE_MS))
  const text = prefix + ageText(minutes)
  if (isCalm || minutes < LATE_MINUTES) return <span className={prefix ? 'tag' : 'small muted number'}>{text}</span>
  return <span className={`tag ${minutes < VERY_LATE_MINUTES ? 'is-warn' : 'is-bad'}`}>{text}</span>
}
