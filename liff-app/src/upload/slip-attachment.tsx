import { errorMessage, messageOf } from '@shop/shared/errors.ts'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { isUnanswered } from '../unanswered.ts'
import { sendSlip } from './send-slip.ts'
import { SlipPicker } from './slip-picker.tsx'

type State =
  | { kind: 'none' }
  | { kind: 'sending'; share: number }
  | { kind: 'sent'; slipId: string; hasReference: boolean }
  /** `canRetry`: the connection or the server failed, the slip may be fine. */
  | { kind: 'refused'; reason: string; canRetry: boolean }

/** A slip on its way: looked at in the browser first, then sent at once. */
export function useSlip() {
  const [file, setFile] = useState<File | null>(null)
  const [state, setState] = useState<State>({ kind: 'none' })
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const send = async (picked: File, { signal }: AbortController) => {
    const show = (next: State) => {
      if (!signal.aborted) setState(next)
    }
    show({ kind: 'sending', share: 0 })
    try {
      const { readSlip } = await import('./read-slip.ts')
      const qr = await readSlip(picked)
      if (qr?.kind === 'payment') {
        return show({ kind: 'refused', reason: errorMessage('SLIP_IS_PAYMENT_QR'), canRetry: false })
      }
      const onProgress = (share: number) => show({ kind: 'sending', share })
      const slipId = await sendSlip(picked, { idempotencyKey: crypto.randomUUID(), signal, onProgress })
      show({ kind: 'sent', slipId, hasReference: qr !== null })
    } catch (error) {
      show({ kind: 'refused', reason: messageOf(error), canRetry: isUnanswered(error) })
    }
  }
  const pick = (picked: File | null) => {
    running.current?.abort()
    setFile(picked)
    if (!picked) return setState({ kind: 'none' })
    // A form's bytes differ from one sending to the next, so each is a request of its own; a slip sent twice is no harm.
    running.current = new AbortController()
    void send(picked, running.current)
  }
  return {
    file,
    state,
    pick,
    retry: () => pick(file),
    slipId: state.kind === 'sent' ? state.slipId : undefined,
    isSending: state.kind === 'sending',
  }
}

const FOUND = 'อัปโหลดแล้ว พบเลขอ้างอิงบนสลิป'
const NOT_FOUND = 'อัปโหลดแล้ว ไม่พบ QR บนสลิป ทีมงานจะตรวจจากรูป'

/** Where a slip is attached. */
export function SlipAttachment({
  slip,
  label = 'แนบสลิป (ถ้ามี)',
  help = 'ช่วยให้ทีมงานตรวจได้เร็วขึ้น',
}: {
  slip: ReturnType<typeof useSlip>
  label?: string
  help?: string
}) {
  const { file, state, pick, retry } = slip
  const percent = state.kind === 'sending' ? Math.round(state.share * 100) : null
  return (
    <div>
      <SlipPicker
        label={label}
        help={help}
        file={file}
        onChange={pick}
        error={state.kind === 'refused' ? state.reason : undefined}
      />
      {state.kind === 'refused' && state.canRetry && (
        <Button kind="secondary" size="small" className="mt-1" onClick={retry}>
          ลองอีกครั้ง
        </Button>
      )}
      {percent !== null && (
        <div
          role="progressbar"
          aria-label="กำลังอัปโหลดสลิป"
          aria-valuenow={percent}
          aria-valuemin={0}
          aria-valuemax={100}
          className="mt-1 h-1 overflow-hidden rounded-full bg-fill"
        >
          <div className="bar-fill h-full origin-left bg-accent" style={{ transform: `scaleX(${percent / 100})` }} />
        </div>
      )}
      <p role="status" className="mt-1 text-ink-2 text-note empty:hidden">
        {percent !== null && `กำลังอัปโหลด ${percent}%`}
        {state.kind === 'sent' && (state.hasReference ? FOUND : NOT_FOUND)}
      </p>
    </div>
  )
}
