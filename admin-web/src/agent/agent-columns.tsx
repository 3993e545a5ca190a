import type { Agent, ListedAgent } from '@shop/shared/agent/endpoints.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { Button, type TableColumnsType } from 'antd'
import { EmailCell } from '../account/email-cell.tsx'
import { placeOfAgent } from '../account/staff-link.tsx'
import { StatusChip } from '../account/status-chip.tsx'
import { RowLink } from '../ui/row-link.tsx'
import { TwoLines } from '../ui/two-lines.tsx'

const amount = (satang: number) => <span className="number">{satang === 0 ? '–' : formatBaht(satang)}</span>

/** The columns of the agents table; actions appear only where the caller may act. */
export function agentColumns(actions: {
  busyUid: string | null
  onEdit: (agent: Agent) => void
  onMapTier: (agent: Agent) => void
  onStatus: (agent: Agent) => void
}): TableColumnsType<ListedAgent> {
  const { busyUid, onEdit, onMapTier, onStatus } = actions
  return [
    {
      title: 'ตัวแทน',
      render: (_, agent) => (
        <TwoLines note={<EmailCell address={agent} />}>
          <RowLink className="strong" to={placeOfAgent(agent.uid)}>
            {agent.name || '–'}
          </RowLink>{' '}
          <span className="note muted">{[agent.firstName, agent.lastName].filter(Boolean).join(' ')}</span>
        </TwoLines>
      ),
    },
    { title: 'Tier', width: 92, render: (_, { tier }) => tier?.name ?? <span className="muted">ยังไม่มี</span> },
    { title: 'ยอดคงเหลือ (บาท)', width: 136, align: 'right', render: (_, agent) => amount(agent.balanceSatang) },
    { title: 'ซื้อใน 30 วัน (บาท)', width: 140, align: 'right', render: (_, agent) => amount(agent.spentSatang) },
    {
      title: 'สั่งซื้อล่าสุด',
      width: 160,
      render: (_, { lastOrderAt }) => (
        <span className="number">{lastOrderAt ? formatDateTimeSeconds(lastOrderAt) : '–'}</span>
      ),
    },
    { title: 'สถานะ', width: 96, render: (_, { isActived }) => <StatusChip isActived={isActived} /> },
    {
      title: <span className="sr-only">จัดการ</span>,
      width: 222,
      render: (_, agent) =>
        agent.canEdit && (
          <div className="row row-actions">
            <RowButton what="แก้ไข" name={agent.name} onClick={() => onEdit(agent)} />
            <RowButton what="กำหนด Tier" name={agent.name} onClick={() => onMapTier(agent)} />
            <RowButton
              what={agent.isActived ? 'ปิดใช้งาน' : 'เปิดใช้งาน'}
              name={agent.name}
              isBusy={busyUid === agent.uid}
              onClick={() => onStatus(agent)}
            />
          </div>
        ),
    },
  ]
}

function RowButton(props: { what: string; name: string; isBusy?: boolean; onClick: () => void }) {
  const { what, name, isBusy = false, onClick } = props
  return (
    <Button type="link" size="small" loading={isBusy} aria-label={`${what} ${name}`} onClick={onClick}>
      {what}
    </Button>
  )
}
