import type { Agent } from '@shop/shared/agent/endpoints.ts'
import { bankOf } from '@shop/shared/catalogue/banks.ts'
import { Button, type TableColumnsType } from 'antd'
import { EmailCell } from '../account/email-cell.tsx'
import { StatusChip } from '../account/status-chip.tsx'

/** The columns of the agents table; actions appear only where the caller may act. */
export function agentColumns(actions: {
  busyUid: string | null
  onEdit: (agent: Agent) => void
  onMapTier: (agent: Agent) => void
  onStatus: (agent: Agent) => void
}): TableColumnsType<Agent> {
  const { busyUid, onEdit, onMapTier, onStatus } = actions
  return [
    { title: 'ชื่อ', fixed: 'start', width: 200, render: (_, { name }) => <span className="strong">{name || '-'}</span> },
    { title: 'ชื่อจริง', width: 120, render: (_, { firstName }) => firstName || '-' },
    { title: 'นามสกุล', width: 130, render: (_, { lastName }) => lastName || '-' },
    { title: 'อีเมล', width: 220, render: (_, agent) => <EmailCell address={agent} /> },
    { title: 'Tier', width: 80, render: (_, { tier }) => tier?.name ?? <span className="muted">ยังไม่มี</span> },
    { title: 'ธนาคาร', width: 130, render: (_, { bankCode }) => (bankCode ? bankOf(bankCode).niceName : '-') },
    { title: 'เลขที่บัญชี', width: 122, className: 'number', render: (_, { bankAccount }) => bankAccount ?? '-' },
    { title: 'สถานะ', width: 88, render: (_, { isActived }) => <StatusChip isActived={isActived} /> },
    {
      title: <span className="sr-only">จัดการ</span>,
      fixed: 'end',
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
