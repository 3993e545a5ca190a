import { endKey, type ResellerKeyView } from '@shop/shared/reseller/key-endpoints.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { useToast } from '../ui/toast.tsx'
import { useRefreshKeys } from './use-make-key.ts'

interface EndKeyDialogProps {
  /** The key; null while nothing is asked. */
  view: ResellerKeyView | null
  onClose: () => void
}

/** Asks before a key is ended. A failure is told in the dialog, which stays open. */
export function EndKeyDialog({ view, onClose }: EndKeyDialogProps) {
  const [shown, setShown] = useState(view)
  if (view && view !== shown) setShown(view)
  const toast = useToast()
  const refresh = useRefreshKeys()
  const end = useMutation({
    mutationFn: (id: string) => api.call(endKey, { params: { id } }),
    onSuccess: async ({ name }) => {
      await refresh()
      toast({ text: `ยกเลิกคีย์ ${name} แล้ว` })
      close()
    },
    // It may have been ended elsewhere, so the list behind the dialog may be out of date.
    onError: () => void refresh(),
  })
  const close = () => {
    end.reset()
    onClose()
  }
  return (
    <ConfirmDialog
      open={view !== null}
      title="ยกเลิกคีย์"
      text={
        <>
          <p className="wrap-anywhere font-semibold text-ink">{shown?.name}</p>
          <p>เครื่องที่ใช้คีย์นี้จะหยุดทำงานทันที และนำคีย์นี้กลับมาใช้อีกไม่ได้</p>
        </>
      }
      confirmLabel="ยกเลิกคีย์"
      keepLabel="เก็บคีย์ไว้"
      busy={end.isPending}
      error={end.error}
      failure="ยกเลิกไม่สำเร็จ คีย์อาจยังใช้ได้อยู่ กรุณาลองอีกครั้ง"
      onConfirm={() => shown && end.mutate(shown.id)}
      onClose={close}
    />
  )
}
