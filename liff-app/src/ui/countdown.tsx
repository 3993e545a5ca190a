import { formatClock } from '@shop/web/dates.ts'
import { Clock } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { classes } from './classes.ts'

interface Deadline {
  /** The server's clock when it answered, ISO. */
  serverNow: string
  /** This device's `Date.now()` when that answer arrived (TanStack Query's `dataUpdatedAt`). */
  receivedAt: number
  /** ISO. */
  expiresAt: string
}

/** The milliseconds left by the server's clock. This device only measures the time since the server's answer. */
export function remainingMsOf({ serverNow, receivedAt, expiresAt }: Deadline, deviceNow: number): number {
  return Math.max(0, Date.parse(expiresAt) - Date.parse(serverNow) - (deviceNow - receivedAt))
}

/** The whole seconds left, rounded up: renewed every second and when the page is shown again. */
export function useRemainingSeconds(deadline: Deadline): number {
  const { serverNow, receivedAt, expiresAt } = deadline
  const [, redraw] = useState(0)
  const remainingMs = remainingMsOf(deadline, Date.now())
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const tick = () => {
      clearTimeout(timer)
      redraw(count => count + 1)
      const leftMs = remainingMsOf({ serverNow, receivedAt, expiresAt }, Date.now())
      if (leftMs > 0) timer = setTimeout(tick, leftMs % 1000 || 1000)
    }
    tick()
    document.addEventListener('visibilitychange', tick)
    window.addEventListener('pageshow', tick)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', tick)
      window.removeEventListener('pageshow', tick)
    }
  }, [serverNow, receivedAt, expiresAt])
  return Math.ceil(remainingMs / 1000)
}

/** 872 -> "14:32" */
export function formatRemaining(seconds: number): string {
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`
}

const SPOKEN_MINUTES = [10, 5, 2, 1]
/** What is said when the time is over and a transfer can still be reported. */
const ENDED = 'หมดเวลาแล้ว โอนแล้วกดแจ้งได้'

/** What to say about the milestones passed between two moments; after a sleep only the last one is said. */
function milestoneOf(beforeSeconds: number, nowSeconds: number, ended: string): string | null {
  if (beforeSeconds > 0 && nowSeconds === 0) return ended
  const passed = SPOKEN_MINUTES.filter(minutes => beforeSeconds > minutes * 60 && nowSeconds <= minutes * 60).at(-1)
  return passed === undefined ? null : `เหลือเวลา ${passed} นาที`
}

function useMilestones(seconds: number, ended: string): string {
  const [spoken, setSpoken] = useState('')
  const before = useRef(seconds)
  useEffect(() => {
    const milestone = milestoneOf(before.current, seconds, ended)
    before.current = seconds
    if (milestone) setSpoken(milestone)
  }, [seconds, ended])
  return spoken
}

function getNote(seconds: number, expiresAt: string, ended: string): string {
  if (seconds === 0) return ended
  return `ชำระภายใน ${formatClock(expiresAt)}`
}

interface CountdownProps extends Deadline {
  totalSeconds: number
  /** What stands there once the time is over. */
  ended?: string
}

/** The time left to pay as figures, as a bar and as clock time. Screen readers tell it only at a few milestones. */
export function Countdown({ totalSeconds, ended = ENDED, ...deadline }: CountdownProps) {
  const seconds = useRemainingSeconds(deadline)
  const spoken = useMilestones(seconds, ended)
  const close = seconds > 0 && seconds < 120
  return (
    <div>
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <span
          role="timer"
          className={classes(
            'flex items-center gap-1.5 whitespace-nowrap font-semibold tabular-nums',
            close && 'text-warn',
            seconds === 0 && 'text-ink-2',
          )}
        >
          <Clock size={18} />
          เหลือเวลา {formatRemaining(seconds)}
        </span>
        <span className="text-ink-2 text-small">{getNote(seconds, deadline.expiresAt, ended)}</span>
      </div>
      <div className="mt-1 h-1 overflow-hidden rounded-full bg-fill" aria-hidden="true">
        <div
          className={classes('bar-fill h-full origin-left rounded-full', close ? 'bg-warn' : 'bg-accent')}
          style={{ transform: `scaleX(${Math.min(1, seconds / totalSeconds)})` }}
        />
      </div>
      <p className="sr-only" aria-live="polite">
        {spoken}
      </p>
    </div>
  )
}
