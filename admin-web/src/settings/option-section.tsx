import { listOptions } from '@shop/shared/settings/endpoints.ts'
import { OPTION, type OptionName } from '@shop/shared/settings/option.ts'
import { keysOf } from '@shop/shared/table.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { LeaveGuard } from '../ui/leave-guard.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { OPTION_GROUPS, optionsOf } from './option-groups.ts'
import { type OptionDraft, OptionRow } from './option-row.tsx'

type Drafts = Partial<Record<OptionName, OptionDraft | null>>

/** Every option of the shop, in groups; each has its own row and is saved on its own. */
export function OptionSection() {
  const client = useClient()
  const list = useQuery(client.query(listOptions))
  const [drafts, setDrafts] = useState<Drafts>({})
  const unsaved = keysOf(drafts).filter(name => drafts[name])
  return (
    <>
      {unsaved.length > 0 && (
        <LeaveGuard
          isActive
          isWholeAddress
          question={`ยังไม่บันทึก: ${unsaved.map(name => OPTION[name].label).join(', ')}`}
        />
      )}
      <p className="small muted">แต่ละรายการบันทึกแยกกัน เมื่อแก้แล้วจะมีปุ่มบันทึกข้างช่อง และมีผลในร้านภายในสิบวินาที</p>
      <Loaded query={list}>
        {sets =>
          keysOf(OPTION_GROUPS).map(group => (
            <section key={group} className="card" aria-label={OPTION_GROUPS[group]}>
              <header>
                <h2>{OPTION_GROUPS[group]}</h2>
              </header>
              {optionsOf(group)
                .flatMap(name => sets.find(({ optionName }) => optionName === name) ?? [])
                .map(set => (
                  <OptionRow
                    key={set.optionName}
                    set={set}
                    draft={drafts[set.optionName] ?? null}
                    onDraft={draft => setDrafts(others => ({ ...others, [set.optionName]: draft }))}
                  />
                ))}
            </section>
          ))
        }
      </Loaded>
    </>
  )
}
