import { CircleAlert, CircleCheck } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'

export interface Toast {
  text: string
  kind?: 'done' | 'error'
  action?: { label: string; onPress: () => void }
  /** How long it shows, where the usual 2 (errors 6) are too short. */
  seconds?: number
}

const SHOWN_MS = { done: 2000, error: 6000 }
const ToastContext = createContext<((toast: Toast) => void) | null>(null)

/** `const toast = useToast(); toast({ text: 'คัดลอกแล้ว' })`; a new one takes the old one's place. */
export function useToast(): (toast: Toast) => void {
  const show = useContext(ToastContext)
  if (!show) throw new Error('useToast needs a ToastProvider')
  return show
}

function ToastBox({ toast, onDone }: { toast: Toast; onDone: () => void }) {
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
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="pointer-events-auto mx-auto flex w-full max-w-100 animate-fade items-center gap-2.5 rounded-control border border-ink bg-ink px-3.5 py-3 text-value text-white"
    >
      <Icon
        size={20}
        strokeWidth={1.75}
        className={kind === 'error' ? 'flex-none text-bad-dark' : 'flex-none text-ok-dark'}
        aria-hidden
      />
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

/** Holds the one toast. Its regions stand directly in the body: an open dialog makes the rest of the page inert. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [current, setCurrent] = useState<{ toast: Toast; number: number } | null>(null)
  const show = useCallback((toast: Toast) => setCurrent(last => ({ toast, number: (last?.number ?? 0) + 1 })), [])
  const hide = useCallback(() => setCurrent(null), [])
  const box = current && <ToastBox key={current.number} toast={current.toast} onDone={hide} />
  const isError = current?.toast.kind === 'error'
  return (
    <ToastContext value={show}>
      {children}
      {createPortal(
        <div className="pointer-events-none fixed inset-x-4 bottom-[calc(5.75rem+env(safe-area-inset-bottom))] z-30 lg:bottom-8">
          <div role="status">{!isError && box}</div>
          <div role="alert">{isError && box}</div>
        </div>,
        document.body,
      )}
    </ToastContext>
  )
}
