import { onlineManager, type UseQueryResult } from '@tanstack/react-query'
import { type LucideIcon, WifiOff } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { readProblemOf } from '../unanswered.ts'
import { Button } from './button.tsx'
import { Note } from './note.tsx'
import { useOnline } from './use-online.ts'

/** Stands in place of content that does not exist yet: a line of text and a way on. */
export function Empty(props: { icon: LucideIcon; title: string; text?: ReactNode; action?: ReactNode }) {
  const Icon = props.icon
  return (
    <div className="py-6 text-center">
      <span className="inline-flex size-12 items-center justify-center rounded-full bg-canvas text-ink-2">
        <Icon size={24} />
      </span>
      <p className="mt-1 font-semibold">{props.title}</p>
      {props.text && <p className="text-ink-2 text-small">{props.text}</p>}
      {props.action && <div className="mt-3">{props.action}</div>}
    </div>
  )
}

interface FailureProps {
  text: string
  busy?: boolean
  onRetry: () => void
}

/** Stands in place of content that could not be loaded, and offers to try again. */
export function Failure({ text, busy, onRetry }: FailureProps) {
  return (
    <Note
      kind="bad"
      role="alert"
      action={
        <Button kind="secondary" size="inline" busy={busy} busyLabel="กรุณารอสักครู่" onClick={onRetry}>
          ลองอีกครั้ง
        </Button>
      }
    >
      {text}
    </Note>
  )
}

const SHOW_AFTER_MS = 200
const SHOW_AT_LEAST_MS = 300
/** The page in index.html shows a skeleton already: hiding it for 200 ms at the first load would flicker. */
let firstLoad = true

type Phase = 'hidden' | 'shown' | 'gone'

function usePhase(pending: boolean): Phase {
  const [phase, setPhase] = useState<Phase>(() => (pending ? (firstLoad ? 'shown' : 'hidden') : 'gone'))
  const shownAt = useRef(Date.now())
  // This runs before the browser paints, so that content which came within 200 ms is not replaced by the skeleton.
  useLayoutEffect(() => {
    if (pending) {
      if (phase === 'gone') setPhase('hidden')
      if (phase !== 'hidden') return
      const timer = setTimeout(() => {
        shownAt.current = Date.now()
        setPhase('shown')
      }, SHOW_AFTER_MS)
      return () => clearTimeout(timer)
    }
    const heldMs = phase === 'shown' && !firstLoad ? SHOW_AT_LEAST_MS - (Date.now() - shownAt.current) : 0
    firstLoad = false
    const timer = setTimeout(() => setPhase('gone'), Math.max(0, heldMs))
    return () => clearTimeout(timer)
  }, [pending, phase])
  return !pending && phase === 'hidden' ? 'gone' : phase
}

/** Asks the shop for something small. Once it answers, what waits for a network goes on, and nothing of the page is lost. */
async function tryNetwork(): Promise<void> {
  const isThere = await fetch('/favicon.svg', { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  )
  if (isThere) onlineManager.setOnline(true)
}

/** Says why nothing comes. The browser may be wrong about its network, so that one can try. */
function Offline() {
  const [isTrying, setTrying] = useState(false)
  const retry = () => {
    setTrying(true)
    void tryNetwork().finally(() => setTrying(false))
  }
  return (
    <Note
      className="mb-4"
      kind="warn"
      icon={WifiOff}
      role="status"
      action={
        <Button kind="secondary" size="inline" busy={isTrying} busyLabel="กำลังลอง" onClick={retry}>
          ลองอีกครั้ง
        </Button>
      }
    >
      ออฟไลน์อยู่ จะโหลดต่อเองเมื่อกลับมาออนไลน์
    </Note>
  )
}

/** Asks to wait while a skeleton is shown, and offers to try again when that takes long. Without a network it says so at once. */
export function Waiting() {
  const isOnline = useOnline()
  if (!isOnline) return <Offline />
  return (
    <p role="status" className="waiting">
      <span className="after-4s">
        ใช้เวลานานกว่าปกติ กรุณาตรวจสอบอินเทอร์เน็ต
        <button
          type="button"
          className="link pointer-events-auto mx-auto block min-h-11 px-4"
          onClick={() => location.reload()}
        >
          ลองอีกครั้ง
        </button>
      </span>
      <span className="after-1s">กรุณารอสักครู่..</span>
    </p>
  )
}

interface PendingProps {
  pending: boolean
  skeleton: ReactNode
  children: () => ReactNode
}

/** Shows a skeleton while the content loads. It appears after 200 ms and then stays for at least 300 ms. */
export function Pending({ pending, skeleton, children }: PendingProps) {
  const phase = usePhase(pending)
  if (!pending && phase === 'gone') return <>{children()}</>
  return (
    <div aria-busy="true">
      {phase === 'shown' && <Waiting />}
      <div aria-hidden="true" className={phase === 'shown' ? undefined : 'invisible'}>
        {skeleton}
      </div>
    </div>
  )
}

interface LoadedProps<T> {
  query: UseQueryResult<T>
  skeleton: ReactNode
  /** The text of a failure, instead of the error's own. */
  failure?: string | ((error: Error) => string)
  /** A failure keeps a distance from what stands above it. */
  spaced?: boolean
  /** For a list with filters: the old rows stay until the new ones arrive, and are shown as busy meanwhile. */
  filtered?: boolean
  /** Something else that stands above the data is not known yet, and would move it down when it comes. */
  waits?: boolean
  children: (data: T) => ReactNode
}

/** Shows the data of a query once it is there, or why it could not be read and a button to try again. */
export function Loaded<T>({ query, skeleton, failure, spaced, filtered, waits = false, children }: LoadedProps<T>) {
  const { data, error, isPending, isFetching, isPlaceholderData } = query
  if (error && data === undefined) {
    const text = typeof failure === 'string' ? failure : (failure ?? readProblemOf)(error)
    return (
      <div className={spaced ? 'mt-4' : undefined}>
        <Failure text={text} busy={isFetching} onRetry={() => void query.refetch()} />
      </div>
    )
  }
  return (
    <Pending pending={isPending || waits} skeleton={skeleton}>
      {() =>
        data !== undefined &&
        (filtered ? (
          <div aria-busy={isPlaceholderData} className="aria-busy:opacity-40">
            {children(data)}
          </div>
        ) : (
          children(data)
        ))
      }
    </Pending>
  )
}

/** One block of a skeleton, which should have the size of what will stand there. */
export const Skeleton = ({ className }: { className: string }) => <div className={`skeleton ${className}`} />

/** The skeleton of a list. */
export const RowsSkeleton = () => (
  <div className="mt-5 grid gap-3">
    {[0, 1, 2, 3, 4].map(row => (
      <Skeleton key={row} className="h-16" />
    ))}
  </div>
)
