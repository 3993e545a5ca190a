import { AppError, messageOf } from '@shop/shared/errors.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { bringIntoView } from '../ui/focus-on.ts'
import { isSameRequest } from '../unanswered.ts'
import type { PreparedSlip } from './prepare-slip.ts'
import { sendSlip } from './send-slip.ts'
import { SlipPicker } from './slip-picker.tsx'

/** One picked file on its way to the server; every try to send it is the same request. */
interface Upload {
  picked: File
  idempotencyKey: string
  prepared?: PreparedSlip
}

/**
 * Sends a slip as soon as it is picked. A picture of a QR for paying is refused before it is sent. @param uid whoever is
 * signed in
 */
export function useSlip(uid: string | undefined) {
  const [sentShare, setSentShare] = useState(0)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const upload = useMutation({
    onMutate: () => setSentShare(0),
    mutationFn: async (current: Upload) => {
      running.current = new AbortController()
      const { signal } = running.current
      const { prepareSlip } = await import('./prepare-slip.ts')
      current.prepared ??= await prepareSlip(current.picked)
      const { file, qr } = current.prepared
      if (qr?.kind === 'payment') throw new AppError('SLIP_IS_PAYMENT_QR')
      signal.throwIfAborted()
      return sendSlip(file, { idempotencyKey: current.idempotencyKey, signal, onProgress: setSentShare })
    },
  })
  const { mutate, reset, variables, data, error, isPending } = upload
  const pick = (picked: File | null) => {
    running.current?.abort()
    if (picked) mutate({ picked, idempotencyKey: crypto.randomUUID() })
    else reset()
  }
  const picked = useRef<File>(undefined)
  picked.current = variables?.picked
  useEffect(() => {
    // A slip is its sender's alone, so whoever has signed in meanwhile sends it again.
    if (!uid || !picked.current) return
    running.current?.abort()
    mutate({ picked: picked.current, idempotencyKey: crypto.randomUUID() })
  }, [uid, mutate])
  return {
    file: variables?.picked ?? null,
    pick,
    retry: () => variables && mutate(variables),
    isSending: isPending,
    sentShare,
    sent: data,
    slipId: data?.id,
    error,
    /** Sending the same file again may help, because it was not the slip that was refused. */
    canRetry: error !== null && isSameRequest(error),
  }
}

const foundTextOf = (hasBankReference: boolean) =>
  hasBankReference ? 'พบเลขอ้างอิงบนสลิป' : 'ไม่พบ QR บนสลิป ทีมงานจะตรวจจากรูป'

/** Lets the buyer pick a slip, and shows how far it is sent and what came of it. */
export function SlipAttachment({
  slip,
  label = 'แนบสลิป (ถ้ามี)',
  help = 'ช่วยให้ทีมงานตรวจได้เร็วขึ้น',
}: {
  slip: ReturnType<typeof useSlip>
  label?: string
  help?: string
}) {
  const { file, pick, retry, isSending, sentShare, sent, error, canRetry } = slip
  const percent = isSending ? Math.round(sentShare * 100) : null
  const statusOf = () => {
    if (percent !== null) return `กำลังอัปโหลด ${percent}%`
    return sent && `อัปโหลด ${file?.name} แล้ว ${foundTextOf(sent.hasBankReference)}`
  }
  return (
    <div>
      <SlipPicker
        label={label}
        help={help}
        file={file}
        onChange={pick}
        status={statusOf()}
        isSent={sent !== undefined}
        error={error ? `อัปโหลด ${file?.name} ไม่สำเร็จ: ${messageOf(error)}` : undefined}
      />
      {canRetry && (
        <div ref={bringIntoView}>
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
    </div>
  )
}
