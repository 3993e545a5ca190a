import { listTiers, type Tier } from '@shop/shared/agent/endpoints.ts'
import { formatBahtShort } from '@shop/shared/money.ts'
import { can } from '@shop/shared/permissions.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Table, type TableColumnsType } from 'antd'
import { Plus, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useClient, useMe } from '../account/session.tsx'
import { StatusChip } from '../account/status-chip.tsx'
import { EditButton } from '../ui/edit-button.tsx'
import { ListSection } from '../ui/list-section.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { TierDrawer } from './tier-drawer.tsx'

const money = (title: string, of: (tier: Tier) => number): TableColumnsType<Tier>[number] => ({
  title,
  align: 'right',
  width: 126,
  render: (_, tier) => <span className="number">{formatBahtShort(of(tier))}</span>,
})

const columnsWith = (onEdit: (tier: Tier) => void): TableColumnsType<Tier> => [
  { title: 'ชื่อ', width: 160, render: (_, { name }) => <span className="strong">{name}</span> },
  { title: 'คำอธิบาย', render: (_, { description }) => description || '–' },
  money('ยอดสูงสุดในกระเป๋า', tier => tier.maxAmountSatang),
  money('เติมเงินขั้นต่ำ', tier => tier.minTopUpSatang),
  money('ยอดสูงสุดต่อคำสั่งซื้อ', tier => tier.maxAmountPerOrderSatang),
  { title: 'ชิ้นต่อคำสั่งซื้อ', align: 'right', width: 108, dataIndex: 'maxItemPerOrder' },
  { title: 'จำนวนตัวแทน', align: 'right', width: 108, dataIndex: 'agentCount' },
  { title: 'สถานะ', width: 100, render: (_, { isActived }) => <StatusChip isActived={isActived} /> },
  {
    title: <span className="sr-only">จัดการ</span>,
    width: 80,
    render: (_, tier) => <EditButton name={tier.name} onClick={() => onEdit(tier)} />,
  },
]

export function TierList() {
  const client = useClient()
  const [edited, setEdited] = useState<Tier | 'new' | null>(null)
  const maySetLimits = can(useMe().role, 'value.guard')
  const list = useQuery(client.query(listTiers))
  return (
    <>
      <div className="filters">
        <Button icon={<RefreshCw size={16} aria-hidden />} loading={list.isFetching} onClick={() => list.refetch()}>
          รีเฟรช
        </Button>
        <span className="grow" />
        {maySetLimits && (
          <Button type="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setEdited('new')}>
            เพิ่ม Tier
          </Button>
        )}
      </div>
      <ListSection label="รายการ Tier" query={list}>
        <Table<Tier>
          rowKey="id"
          dataSource={list.data}
          columns={columnsWith(setEdited)}
          loading={list.isPending}
          scroll={{ x: 980 }}
          sticky
          locale={{ emptyText: list.isPending ? ' ' : <NothingFound text="ยังไม่มี Tier" /> }}
          pagination={false}
        />
      </ListSection>
      {edited && <TierDrawer tier={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </>
  )
}
