import { messageOf } from '@shop/shared/errors.ts'
import type { Tone } from '@shop/shared/order/status.ts'
import { resendWebhookMessage, type WebhookMessageView, type WebhookView } from '@shop/shared/webhook/endpoints.ts'
import { MESSAGE_STATE, type MessageState } from '@shop/shared/webhook/webhook.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { useMutation } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Problem } from '../ui/problem.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { useToast } from '../ui/toast.tsx'
import { Parts } from './parts.tsx'
import { useRefreshWebhooks } from './use-webhooks.ts'

const TONES: Record<MessageState, Tone> = { waiting: 'accent', done: 'ok', dead: 'bad' }

interface MessageRowProps {
  webhook: WebhookView
  message: WebhookMessageView
}

/** A message: what became of it, its body on demand, and a button that sends it again. */
export function MessageRow({ webhook, message }: MessageRowProps) {
  const [isOpen, setOpen] = useState(false)
  const toast = useToast()
  const refresh = useRefreshWebhooks()
  const resend = useMutation({
    mutationFn: () => api.call(resendWebhookMessage, { params: { id: webhook.id, messageId: message.id } }),
    onSuccess: () => toast({ text: 'ส่งอีกครั้งแล้ว' }),
    onSettled: refresh,
  })
  const named = (words: string) => `${words} ${message.type} ${formatDateTimeSeconds(message.createdAt)}`
  return (
    <li className="py-3">
      <p className="flex flex-wrap items-start justify-between gap-x-3">
        <span className="wrap-anywhere min-w-0 font-mono text-small">{message.type}</span>
        <StatusTag tone={TONES[message.state]}>{MESSAGE_STATE[message.state].label}</StatusTag>
      </p>
      <p className="text-ink-2 text-note">{formatDateTimeSeconds(message.createdAt)}</p>
      <Story message={message} />
      <Problem className="mt-2">{resend.error && messageOf(resend.error)}</Problem>
      <div className="-mx-3 flex flex-wrap">
        <Button
          kind="quiet"
          size="inline"
          aria-label={named('ดูเนื้อหา')}
          aria-expanded={isOpen}
          icon={<ChevronDown size={18} className={isOpen ? 'rotate-180' : undefined} />}
          onClick={() => setOpen(!isOpen)}
        >
          ดูเนื้อหา
        </Button>
        {webhook.isOn && (
          <Button
            kind="quiet"
            size="inline"
            aria-label={named('ส่งอีกครั้ง')}
            busy={resend.isPending}
            busyLabel="กำลังส่ง"
            onClick={() => resend.mutate()}
          >
            ส่งอีกครั้ง
          </Button>
        )}
      </div>
      {isOpen && <Body message={message} />}
    </li>
  )
}

/** What was tried, what came back, and when it is tried next. */
const Story = ({ message: { tries, lastStatus, lastError, triedAt, nextAt } }: Pick<MessageRowProps, 'message'>) => (
  <Parts
    parts={[
      tries > 0 && `ลองแล้ว ${tries} ครั้ง`,
      triedAt && `ล่าสุด ${formatDateTimeSeconds(triedAt)}`,
      tries > 0 && (lastStatus === null ? 'ไม่มีคำตอบ' : `ตอบ ${lastStatus}`),
      lastError,
      nextAt && `ส่งครั้งต่อไป ${formatDateTimeSeconds(nextAt)}`,
    ]}
  />
)

/** The body with an indent, for people to read; as it is if it is no JSON. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

const Body = ({ message: { id, body } }: Pick<MessageRowProps, 'message'>) => (
  <div className="mt-1 grid gap-2 rounded-control bg-canvas px-3.5 py-3">
    <p className="wrap-anywhere text-ink-2 text-note">webhook-id: {id}</p>
    <pre className="wrap-anywhere max-h-96 overflow-auto whitespace-pre-wrap font-mono text-note">{readable(body)}</pre>
    <div>
      <CopyButton text={body} label="คัดลอก เนื้อหา" />
    </div>
  </div>
)
