import { errorMessage, messageOf } from '@shop/shared/errors.ts'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { isSameRequest } from '../unanswered.ts'
import type { PreparedSlip } from './prepare-slip.ts'
import { sendSlip } from './send-slip.ts'
import { SlipPicker } from './slip-picker.tsx'

type State =
  | { kind: 'none' }
  | { kind: 'sending'; share: number }
  | { kind: 'sent'; slipId: string; hasReference: boolean }
  /** `canRetry`: it was not the slip that was refused. */
  | { kind: 'refused'; reason: string; canRetry: boolean }

/** One file on its way; every try of it is the same request. */
interface Upload {
  picked: File
  idempotencyKey: string
  prepared?: PreparedSlip
}

/** A slip on its way: looked at in the browser first, then sent at once. */
export function useSlip() {
  const [file, setFile] = useState<File | null>(null)
  const [state, setState] = useState<State>({ kind: 'none' })
  const upload = useRef<Upload>(undefined)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const send = async (current: Upload) => {
    running.current?.abort()
    running.current = new AbortController()
    const { signal } = running.current
    const show = (next: State) => {
      if (!signal.aborted) setState(next)
    }
    show({ kind: 'sending', share: 0 })
    try {
      const { prepareSlip } = await import('./prepare-slip.ts')
      current.prepared ??= await prepareSlip(current.picked)
      const { file, qr } = current.prepared
      if (qr?.kind === 'payment') {
        return show({ kind: 'refused', reason: errorMessage('SLIP_IS_PAYMENT_QR'), canRetry: false })
      }
      const onProgress = (share: number) => show({ kind: 'sending', share })
      const { idempotencyKey } = current
      const { id, hasBankReference } = await sendSlip(file, { idempotencyKey, signal, onProgress })
      show({ kind: 'sent', slipId: id, hasReference: hasBankReference })
    } catch (error) {
      show({ kind: 'refused', reason: messageOf(error), canRetry: isSameRequest(error) })
    }
  }
  const pick = (picked: File | null) => {
    running.current?.abort()
    setFile(picked)
    if (!picked) return setState({ kind: 'none' })
    upload.current = { picked, idempotencyKey: crypto.randomUUID() }
    void send(upload.current)
  }
  return {
    file,
    state,
    pick,
    retry: () => upload.current && void send(upload.current),
    slipId: state.kind === 'sent' ? state.slipId : undefined,
    isSending: state.kind === 'sending',
  }
}

/** What the server found on the picture. */
const foundOn = (hasReference: boolean) => (hasReference ? 'พบเลขอ้างอิงบนสลิป' : 'ไม่พบ QR บนสลิป ทีมงานจะตรวจจากรูป')

/** Scrolls what has just appeared out from under the bar at the bottom. */
const show = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })

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
        error={state.kind === 'refused' ? `อัปโหลด ${file?.name} ไม่สำเร็จ: ${state.reason}` : undefined}
      />
      {state.kind === 'refused' && state.canRetry && (
        <div ref={show}>
          <Button kind="secondary" size="small" className="mt-1" onClick={retry}>
            ลองอีกครั้ง
          </Button>
        </div>
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
        {state.kind === 'sent' && `อัปโหลด ${file?.name} แล้ว ${foundOn(state.hasReference)}`}
      </p>
    </div>
  )
}
