import { AppError, type ErrorCode, messageOf } from '@shop/shared/errors.ts'
import { KEY_MODE, type KeyMode } from '@shop/shared/reseller/reseller.ts'
import { addWebhook } from '@shop/shared/webhook/endpoints.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useForm } from 'react-hook-form'
import { fieldOf } from '../account/form-field.ts'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { byWebhookForm, type WebhookForm } from './forms.ts'
import { OnceSheet } from './once-sheet.tsx'
import { PinStep } from './pin-step.tsx'
import { useRefreshWebhooks } from './use-webhooks.ts'
import { webhookSecretOf } from './webhook-secret.tsx'

/** Refusals that are about the address. */
const OF_URL: ErrorCode[] = ['WEBHOOK_ADDRESS_REFUSED', 'WEBHOOK_TOO_MANY']
const LOST = 'ยังไม่ทราบผล หากมีปลายทางนี้ในรายการแล้ว ให้กด "เปลี่ยนรหัสลับ" เพื่อรับรหัสลับ'

const urlProblemOf = (error: unknown): string | undefined => {
  if (!(error instanceof AppError)) return undefined
  return OF_URL.includes(error.code) ? messageOf(error) : error.fields?.url
}

interface AddWebhookSheetProps {
  mode: KeyMode
  open: boolean
  onClose: () => void
  /** An endpoint was added, and its secret was kept. */
  onKept: () => void
}

/** Adds an endpoint, whose secret is shown once. Closed before that, it keeps what was typed. */
export function AddWebhookSheet({ mode, open, onClose, onKept }: AddWebhookSheetProps) {
  const refresh = useRefreshWebhooks()
  const [secret, setSecret] = useState<string | null>(null)
  // What the PIN is asked for; null while the form is shown.
  const [checked, setChecked] = useState<string | null>(null)
  const form = useForm<WebhookForm>({ defaultValues: { url: '' }, resolver: byWebhookForm })
  const add = useMutation({
    gcTime: 0,
    // It gives nothing back, because a mutation keeps what it gets.
    mutationFn: async (typed: WebhookForm & { pin: string }): Promise<void> => {
      const added = await api.call(addWebhook, { body: { mode, ...typed } })
      setSecret(added.secret)
    },
    onSuccess: refresh,
    onError: error => {
      const message = urlProblemOf(error)
      void refresh()
      if (!message) return
      flushSync(() => setChecked(null))
      form.setError('url', { type: 'server', message }, { shouldFocus: true })
    },
  })
  const toPin = (url: string) => {
    add.reset()
    setChecked(url)
  }
  return (
    <OnceSheet
      open={open}
      title={checked ? 'ยืนยันการเพิ่มปลายทาง' : `เพิ่มปลายทาง · ${KEY_MODE[mode].label}`}
      busy={add.isPending}
      secret={webhookSecretOf(secret)}
      onClose={onClose}
      onKept={onKept}
    >
      {checked ? (
        <PinStep
          facts={[
            { label: 'ปลายทาง', value: <span className="wrap-anywhere">{checked}</span> },
            { label: 'โหมด', value: KEY_MODE[mode].label },
          ]}
          label="กรุณากรอก PIN กระเป๋าเงินเพื่อเพิ่มปลายทาง"
          isBusy={add.isPending}
          busyLabel="กำลังเพิ่มปลายทาง"
          error={add.error}
          lost={LOST}
          backLabel="กลับไปแก้ไข"
          onComplete={pin => add.mutate({ url: checked, pin })}
          onBack={() => setChecked(null)}
        />
      ) : (
        <form noValidate onSubmit={form.handleSubmit(({ url }) => toPin(url))}>
          <Field
            {...fieldOf(form, 'url')}
            label="ที่อยู่ปลายทาง (HTTPS)"
            help="ต้องเปิดจากอินเทอร์เน็ตได้ และตอบ 2xx ภายในเวลาสั้น ๆ"
            placeholder="https://shop.example.com/hook"
            type="url"
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={500}
            required
          />
          <Button type="submit" block className="mt-2">
            ต่อไป
          </Button>
        </form>
      )}
    </OnceSheet>
  )
}
