import { Tabs } from 'antd'
import { PageHead } from '../ui/page-head.tsx'
import { useUrlChoice } from '../ui/url-filters.ts'
import { AgentList } from './agent-list.tsx'
import { TierList } from './tier-list.tsx'
import './agent.css'

/** Shows agents and their tiers. */
export function AgentScreen() {
  const [tab, openTab] = useUrlChoice('tab')
  return (
    <>
      <PageHead title="ตัวแทนและ Tier" />
      <Tabs
        className="page-tabs"
        activeKey={tab === 'tiers' ? 'tiers' : 'agents'}
        onChange={key => openTab(key === 'tiers' ? key : null)}
        destroyOnHidden
        items={[
          { key: 'agents', label: 'ตัวแทน', children: <AgentList /> },
          { key: 'tiers', label: 'Tier', children: <TierList /> },
        ]}
      />
    </>
  )
}
