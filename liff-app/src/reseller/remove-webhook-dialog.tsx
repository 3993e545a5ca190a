import { removeWebhook, type WebhookView } from '@shop/shared/webhook/endpoints.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { useToast } from '../ui/toast.tsx'
import { useRefreshWebhooks } from './use-webhooks.ts'

interface RemoveWebhookDialogProps {
  /** The endpoint; null while nothing is asked. */
  webhook: WebhookView | null
  onClose: () => void
}

/** Asks before an endpoint is removed. A failure is told in the dialog, which stays open. */
export function RemoveWebhookDialog({ webhook, onClose }: RemoveWebhookDialogProps) {
  const [shown, setShown] = useState(webhook)
  if (webhook && webhook !== shown) setShown(webhook)
  const toast = useToast()
  const refresh = useRefreshWebhooks()
  const remove = useMutation({
    mutationFn: (id: string) => api.call(removeWebhook, { params: { id } }),
    onSuccess: async () => {
      await refresh()
      toast({ text: 'ลบปลายทางแล้ว' })
      close()
    },
    // It may have been removed elsewhere, so the list behind the dialog may be out of date.
    onError: () => void refresh(),
  })
  const close = () => {
    remove.reset()
    onClose()
  }
  return (
    <ConfirmDialog
      open={webhook !== null}
      title="ลบปลายทาง"
      text={
        <>
          <p className="wrap-anywhere font-semibold text-ink">{shown?.url}</p>
          <p>ร้านจะไม่ส่งเหตุการณ์ไปที่นี่อีก ข้อความที่รอส่งและประวัติการส่งจะหายไปด้วย</p>
        </>
      }
      confirmLabel="ลบปลายทาง"
      keepLabel="ไม่ลบ"
      busy={remove.isPending}
      error={remove.error}
      failure="ลบไม่สำเร็จ กรุณาลองอีกครั้ง"
      onConfirm={() => shown && remove.mutate(shown.id)}
      onClose={close}
    />
  )
}
