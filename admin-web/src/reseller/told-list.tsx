import type { ToldEndpoint } from '@shop/shared/reseller/key-endpoints.ts'
import { deliveryErrorText } from '@shop/shared/webhook/webhook.ts'
import { formatDateTime } from '@shop/web/dates.ts'
import { ModeTag } from './key-table.tsx'

/** Where an agent's machines are told about events, and whether that arrives. */
export const ToldList = ({ webhooks }: { webhooks: readonly ToldEndpoint[] }) => (
  <div className="card-part">
    <h3 className="small strong">ปลายทางแจ้งเหตุการณ์</h3>
    {webhooks.length === 0 ? (
      <p className="small muted">ยังไม่ได้ตั้งปลายทาง เครื่องของตัวแทนถามสถานะเอง</p>
    ) : (
      <ul className="told" aria-label="ปลายทางแจ้งเหตุการณ์">
        {webhooks.map(webhook => (
          <Told key={webhook.id} webhook={webhook} />
        ))}
      </ul>
    )}
  </div>
)

function Told({ webhook }: { webhook: ToldEndpoint }) {
  const { url, mode, failingSince, lastError, isFailing, waiting } = webhook
  const { text, tone } = stateOf(webhook)
  const facts = [
    failingSince && isFailing && `ส่งไม่ถึงตั้งแต่ ${formatDateTime(failingSince)}`,
    lastError && deliveryErrorText(lastError),
    waiting > 0 && `รอส่ง ${waiting.toLocaleString('en-US')}`,
  ].filter(Boolean)
  return (
    <li>
      <div className="row told-head">
        <span className="breakable">{url}</span> <ModeTag mode={mode} /> <span className={`tag ${tone}`}>{text}</span>
      </div>
      {facts.length > 0 && <div className="note muted breakable">{facts.join(' · ')}</div>}
    </li>
  )
}

function stateOf({ isOn, isFailing }: ToldEndpoint): { text: string; tone: string } {
  if (!isOn) return isFailing ? { text: 'ปิดแล้ว เพราะส่งไม่ถึง', tone: 'is-bad' } : { text: 'ตัวแทนปิดไว้', tone: '' }
  return isFailing ? { text: 'ส่งไม่ถึง', tone: 'is-warn' } : { text: 'ส่งได้', tone: 'is-ok' }
}
