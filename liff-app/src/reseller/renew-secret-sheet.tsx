import { messageOf } from '@shop/shared/errors.ts'
import { renewWebhookSecret, type WebhookView } from '@shop/shared/webhook/endpoints.ts'
import { OLD_SECRET_SECONDS } from '@shop/shared/webhook/webhook.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Problem } from '../ui/problem.tsx'
import { isUnanswered } from '../unanswered.ts'
import { OnceSheet } from './once-sheet.tsx'
import { useRefreshWebhooks } from './use-webhooks.ts'
import { webhookSecretOf } from './webhook-secret.tsx'

const OLD_HOURS = OLD_SECRET_SECONDS / 3600
const LOST = 'ยังไม่ทราบผล หากรหัสลับเปลี่ยนไปแล้ว รหัสก่อนหน้ายังใช้ได้ชั่วคราว กรุณาลองอีกครั้งเพื่อรับรหัสลับใหม่'

interface RenewSecretSheetProps {
  webhook: WebhookView | null
  open: boolean
  onClose: () => void
  /** A secret was made and kept. */
  onKept: () => void
}

/** Asks before an endpoint gets a new secret, and shows that once. */
export function RenewSecretSheet({ webhook, open, onClose, onKept }: RenewSecretSheetProps) {
  const refresh = useRefreshWebhooks()
  const [secret, setSecret] = useState<string | null>(null)
  const renew = useMutation({
    gcTime: 0,
    // It gives nothing back, because a mutation keeps what it gets.
    mutationFn: async (id: string): Promise<void> => {
      const renewed = await api.call(renewWebhookSecret, { params: { id } })
      setSecret(renewed.secret)
    },
    onSettled: refresh,
  })
  const close = () => {
    renew.reset()
    onClose()
  }
  return (
    <OnceSheet
      open={open}
      title="เปลี่ยนรหัสลับ"
      busy={renew.isPending}
      secret={webhookSecretOf(secret)}
      onClose={close}
      onKept={onKept}
    >
      <p className="wrap-anywhere font-semibold">{webhook?.url}</p>
      <p className="text-ink-2">
        ร้านจะสร้างรหัสลับใหม่ และลงลายเซ็นด้วยรหัสเก่าควบคู่กันไปอีก {OLD_HOURS} ชั่วโมง เพื่อให้คุณเปลี่ยนที่เครื่องทัน
      </p>
      <Problem className="mt-3">{renew.error && (isUnanswered(renew.error) ? LOST : messageOf(renew.error))}</Problem>
      <div className="mt-5 flex flex-wrap gap-2 [&>*]:flex-1">
        <Button kind="secondary" onClick={() => !renew.isPending && close()}>
          ใช้รหัสเดิม
        </Button>
        <Button busy={renew.isPending} busyLabel="กรุณารอสักครู่" onClick={() => webhook && renew.mutate(webhook.id)}>
          เปลี่ยนรหัสลับ
        </Button>
      </div>
    </OnceSheet>
  )
}
