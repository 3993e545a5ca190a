import { getAgentApi, type ResellerKeyView } from '@shop/shared/reseller/key-endpoints.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { LoadError } from '../ui/load-error.tsx'
import { EndKeyDialog } from './end-key-dialog.tsx'
import { KeyTable } from './key-table.tsx'
import { ToldList } from './told-list.tsx'
import './reseller.css'

/**
 * The API of one agent's page: keys with what is done with them, and where the agent is told about events. One line where
 * there is nothing, as with most agents. @param canEdit whether the viewer's rank is above the agent's
 */
export function AgentApiSection({ uid, canEdit }: { uid: string; canEdit: boolean }) {
  const client = useClient()
  const { data, error, refetch } = useQuery(client.query(getAgentApi, { params: { uid } }))
  const [ended, setEnded] = useState<ResellerKeyView | null>(null)
  const isNone = data?.keys.length === 0 && data.webhooks.length === 0
  if (!error && (!data || isNone)) {
    return (
      <p className="note muted agent-api" aria-busy={!data}>
        {data ? 'ตัวแทนนี้ไม่มีคีย์ API' : 'กำลังดูคีย์ API…'}
      </p>
    )
  }
  return (
    <section className="card list agent-api" aria-label="API">
      <header>
        <h2>API</h2>
      </header>
      {data ? (
        <>
          <KeyTable keys={data.keys} onEnd={canEdit ? setEnded : null} />
          <ToldList webhooks={data.webhooks} />
        </>
      ) : (
        <LoadError error={error} onRetry={() => refetch()} />
      )}
      {ended && <EndKeyDialog uid={uid} of={ended} onClose={() => setEnded(null)} />}
    </section>
  )
}
