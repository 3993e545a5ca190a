import { renewWebhookSecret, type WebhookView } from '@shop/shared/webhook/endpoints.ts'
import { OLD_SECRET_SECONDS } from '@shop/shared/webhook/webhook.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { OnceSheet } from './once-sheet.tsx'
import { PinStep } from './pin-step.tsx'
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
    mutationFn: async ({ id, pin }: { id: string; pin: string }): Promise<void> => {
      const renewed = await api.call(renewWebhookSecret, { params: { id }, body: { pin } })
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
      <p className="mb-3 text-ink-2">
        ร้านจะสร้างรหัสลับใหม่ และลงลายเซ็นด้วยรหัสเก่าควบคู่กันไปอีก {OLD_HOURS} ชั่วโมง เพื่อให้คุณเปลี่ยนที่เครื่องทัน
      </p>
      <PinStep
        facts={[{ label: 'ปลายทาง', value: <span className="wrap-anywhere">{webhook?.url}</span> }]}
        label="กรุณากรอก PIN กระเป๋าเงินเพื่อเปลี่ยนรหัสลับ"
        isBusy={renew.isPending}
        busyLabel="กำลังเปลี่ยนรหัสลับ"
        error={renew.error}
        lost={LOST}
        backLabel="ใช้รหัสเดิม"
        onComplete={pin => webhook && renew.mutate({ id: webhook.id, pin })}
        onBack={close}
      />
    </OnceSheet>
  )
}
