import { type Agent, type ListedAgent, listAgents, listTiers } from '@shop/shared/agent/endpoints.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Table } from 'antd'
import { Plus, UserCog } from 'lucide-react'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { useSteadyQuery } from '../account/use-steady-query.ts'
import { ChoicesFilter, FilterBar } from '../ui/filter-bar.tsx'
import { ListSection } from '../ui/list-section.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { pagerOf } from '../ui/pager.ts'
import { SearchInput } from '../ui/search-input.tsx'
import { idsField, textField, useUrlFilters } from '../ui/url-filters.ts'
import { agentColumns } from './agent-columns.tsx'
import { AgentDrawer } from './agent-drawer.tsx'
import { type FirstSecrets, FirstSecretsDialog } from './first-secrets-dialog.tsx'
import { MapTierDialog } from './map-tier-dialog.tsx'
import { useAgentStatus } from './use-agent-status.ts'

const fields = { name: textField, tier: idsField }

/** The drawer or dialog over the list, with its agent; without one it is for a new agent. */
interface Open {
  form: 'agent' | 'mapTier'
  agent: Agent | null
}

export function AgentList() {
  const client = useClient()
  const { filters, isFiltered, change, reset } = useUrlFilters(fields)
  const { name, tier, page, pageSize } = filters
  const [open, setOpen] = useState<Open | null>(null)
  const [secrets, setSecrets] = useState<FirstSecrets | null>(null)
  const { ask, busyUid } = useAgentStatus()
  const tiers = useQuery(client.query(listTiers))
  const list = useSteadyQuery(client.query(listAgents, { query: { name: name || undefined, tier, page, pageSize } }))
  const close = (made?: FirstSecrets | null) => {
    setOpen(null)
    if (made) setSecrets(made)
  }
  return (
    <>
      <FilterBar
        label="ตัวกรองตัวแทน"
        isFiltered={isFiltered}
        onReset={reset}
        actions={
          <>
            <Button icon={<UserCog size={16} aria-hidden />} onClick={() => setOpen({ form: 'mapTier', agent: null })}>
              กำหนด Tier
            </Button>
            <Button
              type="primary"
              icon={<Plus size={16} aria-hidden />}
              onClick={() => setOpen({ form: 'agent', agent: null })}
            >
              เพิ่มตัวแทน
            </Button>
          </>
        }
      >
        <SearchInput label="ชื่อตัวแทน" value={name} width={190} onSearch={text => change({ name: text })} />
        <ChoicesFilter
          label="Tier"
          all="ทุก Tier"
          options={tiers.data?.map(each => ({ value: each.id, label: each.name }))}
          chosen={tier}
          width={170}
          onChange={chosen => change({ tier: chosen })}
        />
      </FilterBar>
      <ListSection label="รายการตัวแทน" query={list} failure="ดึงข้อมูล agent ไม่สำเร็จ">
        <Table<ListedAgent>
          rowKey="uid"
          dataSource={list.data?.rows}
          columns={agentColumns({
            busyUid,
            onEdit: agent => setOpen({ form: 'agent', agent }),
            onMapTier: agent => setOpen({ form: 'mapTier', agent }),
            onStatus: ask,
          })}
          loading={list.isPending || list.isPlaceholderData}
          scroll={{ x: 960 }}
          sticky
          locale={{
            emptyText: list.isPending ? ' ' : <NothingFound text={isFiltered ? 'ไม่พบตัวแทนตามตัวกรองนี้' : 'ยังไม่มีตัวแทน'} />,
          }}
          pagination={pagerOf(filters, list.data?.total ?? 0, change)}
        />
      </ListSection>
      {open?.form === 'agent' && <AgentDrawer agent={open.agent} tiers={tiers.data ?? []} onClose={close} />}
      {open?.form === 'mapTier' && <MapTierDialog agent={open.agent} tiers={tiers.data ?? []} onClose={close} />}
      {secrets && <FirstSecretsDialog secrets={secrets} onClose={() => setSecrets(null)} />}
    </>
  )
}
