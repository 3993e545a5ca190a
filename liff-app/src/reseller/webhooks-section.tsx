import { KEY_MODE, type KeyMode } from '@shop/shared/reseller/reseller.ts'
import type { WebhookView } from '@shop/shared/webhook/endpoints.ts'
import { MOST_WEBHOOKS } from '@shop/shared/webhook/webhook.ts'
import { Plus, Webhook } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { focusOn } from '../ui/focus-on.ts'
import { Empty, Loaded, Skeleton } from '../ui/state.tsx'
import { AddWebhookSheet } from './add-webhook-sheet.tsx'
import { EventsSheet } from './events-sheet.tsx'
import { RemoveWebhookDialog } from './remove-webhook-dialog.tsx'
import { RenewSecretSheet } from './renew-secret-sheet.tsx'
import { useFreshSheet } from './use-fresh-sheet.ts'
import { useWebhooks } from './use-webhooks.ts'
import { WebhookCard } from './webhook-card.tsx'

const LIST = 'webhook-list'

/** Where the agent's machines are told about events of a mode. */
export function WebhooksSection({ mode }: { mode: KeyMode }) {
  const webhooks = useWebhooks()
  const sheet = useFreshSheet()
  const listed = webhooks.data?.webhooks.filter(each => each.mode === mode) ?? []
  return (
    <section aria-labelledby="api-webhooks" className="mt-8">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3">
        <h2 id="api-webhooks" className="text-section">
          Webhook
        </h2>
        <Button
          kind="tint"
          size="small"
          icon={<Plus size={18} />}
          unmet={listed.length >= MOST_WEBHOOKS && `ครบ ${MOST_WEBHOOKS} แห่งแล้ว`}
          onUnmet={() => focusOn(LIST)}
          onClick={sheet.open}
        >
          เพิ่มปลายทาง
        </Button>
      </div>
      <p className="text-ink-2 text-small">เมื่อสถานะคำสั่งซื้อหรือยอดเงินเปลี่ยน ร้านส่งข้อความไปบอกเครื่องของคุณทันที</p>
      <Loaded query={webhooks} skeleton={<Skeleton className="mt-3 h-56" />} spaced>
        {() =>
          listed.length > 0 ? (
            <Webhooks webhooks={listed} />
          ) : (
            <Empty icon={Webhook} title="ยังไม่มีปลายทาง" text={`โหมด${KEY_MODE[mode].label}ยังไม่ส่งเหตุการณ์ไปที่ใด`} />
          )
        }
      </Loaded>
      <AddWebhookSheet
        key={`${mode} ${sheet.round}`}
        mode={mode}
        open={sheet.isOpen}
        onClose={sheet.close}
        onKept={sheet.end}
      />
    </section>
  )
}

function Webhooks({ webhooks }: { webhooks: WebhookView[] }) {
  const [removed, setRemoved] = useState<WebhookView | null>(null)
  const [renewed, setRenewed] = useState<WebhookView | null>(null)
  const renewing = useFreshSheet()
  const [chosen, setChosen] = useState<WebhookView | null>(null)
  const choosing = useFreshSheet()
  return (
    <>
      <ul id={LIST} tabIndex={-1} className="mt-3 grid grid-cols-1 gap-3 outline-none">
        {webhooks.map(webhook => (
          <WebhookCard
            key={webhook.id}
            webhook={webhook}
            onChoose={() => {
              setChosen(webhook)
              choosing.open()
            }}
            onRenew={() => {
              setRenewed(webhook)
              renewing.open()
            }}
            onRemove={() => setRemoved(webhook)}
          />
        ))}
      </ul>
      <EventsSheet
        key={`${chosen?.id} ${choosing.round}`}
        webhook={chosen}
        open={choosing.isOpen}
        onClose={choosing.end}
      />
      <RemoveWebhookDialog webhook={removed} onClose={() => setRemoved(null)} />
      <RenewSecretSheet
        key={renewing.round}
        webhook={renewed}
        open={renewing.isOpen}
        onClose={renewing.close}
        onKept={renewing.end}
      />
    </>
  )
}
