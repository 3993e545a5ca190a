import { messageOf } from '@shop/shared/errors.ts'
import type { Tone } from '@shop/shared/order/status.ts'
import { switchWebhook, testWebhook, type WebhookView } from '@shop/shared/webhook/endpoints.ts'
import { CHOSEN_EVENTS, WEBHOOK_OFF } from '@shop/shared/webhook/webhook.ts'
import { formatDateTime, formatShort } from '@shop/web/dates.ts'
import { useMutation } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { focusOn } from '../ui/focus-on.ts'
import { Note } from '../ui/note.tsx'
import { Problem } from '../ui/problem.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { SwitchRow } from '../ui/switch-row.tsx'
import { useToast } from '../ui/toast.tsx'
import { Parts } from './parts.tsx'
import { usePlace } from './place.ts'
import { useRefreshWebhooks } from './use-webhooks.ts'
import { WebhookLog } from './webhook-log.tsx'

/** How an endpoint does, in one word. */
function standingOf({ isOn, offFor, failingSince }: WebhookView): { tone: Tone; label: string } {
  if (!isOn) return { tone: offFor === 'owner' ? 'neutral' : 'bad', label: 'ปิดอยู่' }
  return failingSince ? { tone: 'warn', label: 'ส่งไม่สำเร็จ' } : { tone: 'ok', label: 'ทำงานปกติ' }
}

function useActions(webhook: WebhookView) {
  const { place, go } = usePlace()
  const refresh = useRefreshWebhooks()
  const toast = useToast()
  const params = { id: webhook.id }
  const turn = useMutation({
    mutationFn: (isOn: boolean) => api.call(switchWebhook, { params, body: { isOn } }),
    onSettled: refresh,
  })
  const test = useMutation({
    mutationFn: () => api.call(testWebhook, { params }),
    onSuccess: () => {
      toast({ text: 'ส่งข้อความทดสอบแล้ว ดูผลในประวัติการส่ง', seconds: 4 })
      go({ mode: place.mode, log: webhook.id })
    },
    onSettled: refresh,
  })
  const turnTo = (isOn: boolean) => {
    test.reset()
    turn.mutate(isOn)
  }
  const sendTest = () => {
    turn.reset()
    test.mutate()
  }
  const isLogOpen = place.log === webhook.id
  const toggleLog = () => go({ mode: place.mode, log: isLogOpen ? undefined : webhook.id })
  return { turn, turnTo, test, sendTest, isLogOpen, toggleLog }
}

interface WebhookCardProps {
  webhook: WebhookView
  onChoose: () => void
  onRenew: () => void
  onRemove: () => void
}

/** An endpoint: how it does, what can be done with it, and its log. */
export function WebhookCard({ webhook, onChoose, onRenew, onRemove }: WebhookCardProps) {
  const { turn, turnTo, test, sendTest, isLogOpen, toggleLog } = useActions(webhook)
  const standing = standingOf(webhook)
  const failed = turn.error ?? test.error
  const switchId = `webhook-switch-${webhook.id}`
  const named = (words: string) => `${words} ${webhook.url}`
  return (
    <li aria-label={webhook.url} className="@container rounded-card border border-line p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <h3 className="wrap-anywhere min-w-0 flex-1 basis-52 font-semibold">{webhook.url}</h3>
        <StatusTag tone={standing.tone}>{standing.label}</StatusTag>
      </div>
      <Why webhook={webhook} />
      <div className="mt-1">
        <Facts webhook={webhook} />
      </div>
      <div id={switchId} className="my-1">
        <SwitchRow
          label="ส่งเหตุการณ์"
          on={turn.isPending ? turn.variables : webhook.isOn}
          busy={turn.isPending}
          onChange={turnTo}
        />
      </div>
      <Problem className="mt-2">{failed && messageOf(failed)}</Problem>
      <div className="-mx-3 mt-1 flex flex-wrap">
        <Button
          kind="quiet"
          size="inline"
          aria-label={named('ประวัติการส่ง')}
          aria-expanded={isLogOpen}
          icon={<ChevronDown size={18} className={isLogOpen ? 'rotate-180' : undefined} />}
          onClick={toggleLog}
        >
          ประวัติการส่ง
        </Button>
        <Button
          kind="quiet"
          size="inline"
          aria-label={webhook.isOn ? named('ส่งทดสอบ') : undefined}
          busy={test.isPending}
          busyLabel="กำลังส่ง"
          unmet={!webhook.isOn && 'เปิดก่อนส่งทดสอบ'}
          onUnmet={() => focusOn(switchId)}
          onClick={sendTest}
        >
          ส่งทดสอบ
        </Button>
        <Button kind="quiet" size="inline" aria-label={named('เลือกเหตุการณ์')} onClick={onChoose}>
          เลือกเหตุการณ์
        </Button>
        <Button kind="quiet" size="inline" aria-label={named('เปลี่ยนรหัสลับ')} onClick={onRenew}>
          เปลี่ยนรหัสลับ
        </Button>
        <Button kind="destructive" size="inline" aria-label={named('ลบ')} onClick={onRemove}>
          ลบ
        </Button>
      </div>
      {isLogOpen && <WebhookLog webhook={webhook} />}
    </li>
  )
}

/** Why nothing is sent, or since when nothing arrives. */
function Why({ webhook: { isOn, offFor, failingSince } }: { webhook: WebhookView }) {
  if (!isOn) {
    const why = offFor && offFor !== 'owner' ? `${WEBHOOK_OFF[offFor].label} ` : ''
    return (
      <Note kind={why ? 'bad' : 'info'} className="mt-2">
        {why}เหตุการณ์ระหว่างที่ปิดจะไม่แจ้งย้อนหลัง
      </Note>
    )
  }
  return (
    failingSince && (
      <Note kind="warn" className="mt-2">
        ส่งไม่สำเร็จตั้งแต่ <span className="whitespace-nowrap">{formatShort(failingSince)}</span> ร้านจะลองส่งใหม่เอง
        ถ้านานเกินไปจะปิดปลายทางนี้
      </Note>
    )
  )
}

const Facts = ({ webhook: { events, waiting, createdAt, oldSecretUntil } }: { webhook: WebhookView }) => (
  <Parts
    parts={[
      events ? `ส่ง ${events.length} จาก ${CHOSEN_EVENTS.length} เหตุการณ์` : 'ส่งทุกเหตุการณ์',
      `รอส่ง ${waiting.toLocaleString('en-US')} ข้อความ`,
      oldSecretUntil && `รหัสลับเก่าใช้ได้ถึง ${formatShort(oldSecretUntil)}`,
      `เพิ่มเมื่อ ${formatDateTime(createdAt)}`,
    ]}
  />
)
