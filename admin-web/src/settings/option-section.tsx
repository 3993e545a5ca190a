import { listOptions } from '@shop/shared/settings/endpoints.ts'
import { OPTION, type OptionName } from '@shop/shared/settings/option.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { LeaveGuard } from '../ui/leave-guard.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { type OptionDraft, OptionRow } from './option-row.tsx'

type Drafts = Partial<Record<OptionName, OptionDraft | null>>

/** Every option of the shop; each has its own row and is saved on its own. */
export function OptionSection() {
  const client = useClient()
  const list = useQuery(client.query(listOptions))
  const [drafts, setDrafts] = useState<Drafts>({})
  const unsaved = (Object.keys(drafts) as OptionName[]).filter(name => drafts[name])
  return (
    <div className="card">
      {unsaved.length > 0 && (
        <LeaveGuard
          isActive
          isWholeAddress
          question={`ยังไม่บันทึก: ${unsaved.map(name => OPTION[name].label).join(', ')}`}
        />
      )}
      <Loaded query={list}>
        {sets =>
          sets.map(set => (
            <OptionRow
              key={set.optionName}
              set={set}
              draft={drafts[set.optionName] ?? null}
              onDraft={draft => setDrafts(others => ({ ...others, [set.optionName]: draft }))}
            />
          ))
        }
      </Loaded>
      {list.data?.length === 0 && <NothingFound text="ยังไม่มีการตั้งค่า" />}
    </div>
  )
}
