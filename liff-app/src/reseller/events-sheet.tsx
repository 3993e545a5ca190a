import { messageOf } from '@shop/shared/errors.ts'
import { chooseWebhookEvents, type WebhookView } from '@shop/shared/webhook/endpoints.ts'
import { CHOSEN_EVENT, CHOSEN_EVENTS, type ChosenEvent } from '@shop/shared/webhook/webhook.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { CheckboxRow } from '../ui/checkbox-row.tsx'
import { Problem } from '../ui/problem.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { useToast } from '../ui/toast.tsx'
import { useRefreshWebhooks } from './use-webhooks.ts'

interface EventsSheetProps {
  webhook: WebhookView | null
  open: boolean
  onClose: () => void
}

/** Chooses the events that are sent to an endpoint. It begins anew with each `key`. */
export function EventsSheet({ webhook, open, onClose }: EventsSheetProps) {
  const [chosen, setChosen] = useState<readonly ChosenEvent[]>(webhook?.events ?? CHOSEN_EVENTS)
  const refresh = useRefreshWebhooks()
  const toast = useToast()
  const save = useMutation({
    mutationFn: (id: string) => api.call(chooseWebhookEvents, { params: { id }, body: { events: [...chosen] } }),
    onSuccess: () => {
      toast({ text: 'บันทึกเหตุการณ์แล้ว' })
      onClose()
    },
    onSettled: refresh,
  })
  const turn = (event: ChosenEvent) =>
    setChosen(chosen.includes(event) ? chosen.filter(each => each !== event) : [...chosen, event])
  return (
    <Sheet open={open} onClose={onClose} title="เหตุการณ์ที่ส่ง" busy={save.isPending}>
      <p className="wrap-anywhere text-ink-2 text-small">{webhook?.url}</p>
      <fieldset>
        <legend className="sr-only">เหตุการณ์ที่ส่งไปปลายทางนี้</legend>
        {CHOSEN_EVENTS.map(event => (
          <CheckboxRow key={event} checked={chosen.includes(event)} onChange={() => turn(event)}>
            {CHOSEN_EVENT[event].label} <span className="block font-mono text-ink-2 text-note">{event}</span>
          </CheckboxRow>
        ))}
      </fieldset>
      <Problem className="mb-2">{save.error && messageOf(save.error)}</Problem>
      <Button
        block
        busy={save.isPending}
        busyLabel="กำลังบันทึก"
        unmet={chosen.length === 0 && 'เลือกอย่างน้อย 1 เหตุการณ์'}
        onClick={() => webhook && save.mutate(webhook.id)}
      >
        บันทึก
      </Button>
    </Sheet>
  )
}
