import { CircleAlert, CircleCheck } from 'lucide-react'
import {
  createContext,
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { placeClearOf, surroundings } from './toast-place.ts'

export interface Toast {
  text: string
  kind?: 'done' | 'error'
  action?: { label: string; onPress: () => void }
  /** How long it is shown, if the usual 2 seconds (6 for errors) are too short. */
  seconds?: number
}

/** How often a toast checks whether it covers something that has moved or opened. */
const LOOK_MS = 200
const SHOWN_MS = { done: 2000, error: 6000 }
const ToastContext = createContext<((toast: Toast) => void) | null>(null)

/** Gives the function that shows a toast. A new toast replaces the one before it. */
export function useToast(): (toast: Toast) => void {
  const show = useContext(ToastContext)
  if (!show) throw new Error('useToast needs a ToastProvider')
  return show
}

/** The element that was pressed last, by finger, mouse or key. */
function usePressed(): RefObject<Element | null> {
  const pressed = useRef<Element>(null)
  useEffect(() => {
    const keep = ({ target }: MouseEvent) => {
      pressed.current = target instanceof Element ? target.closest('button, a, label, input') : null
    }
    window.addEventListener('click', keep, true)
    return () => window.removeEventListener('click', keep, true)
  }, [])
  return pressed
}

/** Keeps the toast clear of what was pressed and of open sheets. Sheets leave it room above them by `--toast`. */
function useClearPlace(pressed: RefObject<Element | null>): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const root = document.documentElement.style
    const place = () => {
      const { width, height } = box.current!.getBoundingClientRect()
      const { obstacles, room } = surroundings(pressed.current)
      const { left, top } = placeClearOf(obstacles, { width, height }, room)
      Object.assign(box.current!.style, { left: `${left}px`, top: `${top}px` })
      root.setProperty('--toast', `${height + 16}px`)
    }
    place()
    const timer = setInterval(place, LOOK_MS)
    return () => {
      clearInterval(timer)
      root.removeProperty('--toast')
    }
  }, [pressed])
  return box
}

interface ToastBoxProps {
  toast: Toast
  pressed: RefObject<Element | null>
  onDone: () => void
}

function ToastBox({ toast, pressed, onDone }: ToastBoxProps) {
  const box = useClearPlace(pressed)
  const [held, setHeld] = useState(false)
  const kind = toast.kind ?? 'done'
  const shownMs = toast.seconds ? toast.seconds * 1000 : SHOWN_MS[kind]
  useEffect(() => {
    if (held) return
    const timer = setTimeout(onDone, shownMs)
    return () => clearTimeout(timer)
  }, [held, shownMs, onDone])
  const Icon = kind === 'error' ? CircleAlert : CircleCheck
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only holds the message, it does nothing else
    <div
      ref={box}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="pointer-events-auto fixed z-30 flex w-[calc(100%-2rem)] max-w-100 animate-fade items-center gap-2.5 rounded-control border border-ink bg-ink px-3.5 py-3 text-value text-white"
    >
      <Icon size={20} className={kind === 'error' ? 'flex-none text-bad-dark' : 'flex-none text-ok-dark'} />
      <span className="min-w-0 flex-1">{toast.text}</span>
      {toast.action && (
        <button
          type="button"
          className="-my-2 min-h-11 flex-none px-1 font-semibold text-accent-dark focus-visible:outline-accent-dark"
          onClick={() => {
            onDone()
            toast.action?.onPress()
          }}
        >
          {toast.action.label}
        </button>
      )}
    </div>
  )
}

/** Shows the toast. It is a child of the body, because an open dialog makes the rest of the page inert. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [current, setCurrent] = useState<{ toast: Toast; number: number } | null>(null)
  const show = useCallback((toast: Toast) => setCurrent(last => ({ toast, number: (last?.number ?? 0) + 1 })), [])
  const hide = useCallback(() => setCurrent(null), [])
  const pressed = usePressed()
  const box = current && <ToastBox key={current.number} toast={current.toast} pressed={pressed} onDone={hide} />
  const isError = current?.toast.kind === 'error'
  return (
    <ToastContext value={show}>
      {children}
      {createPortal(
        <>
          <div role="status">{!isError && box}</div>
          <div role="alert">{isError && box}</div>
        </>,
        document.body,
      )}
    </ToastContext>
  )
}
