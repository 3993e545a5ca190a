import { listLanguages, listPlatforms, listRegions } from '@shop/shared/catalogue/endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { CheckboxRow } from '../ui/checkbox-row.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Failure, Skeleton } from '../ui/state.tsx'
import { FILTER_KINDS, FILTER_LABELS, type FilterKind, type GameFilter } from './game-filter.ts'

const lists = { platform: listPlatforms, region: listRegions, language: listLanguages }

interface FilterSheetProps {
  /** The kinds of filter to choose from; null while the sheet is closed. */
  kinds: readonly FilterKind[] | null
  filter: GameFilter
  countFor: (filter: GameFilter) => number
  onApply: (filter: GameFilter) => void
  onClose: () => void
}

/** Narrows the game list. The list behind the sheet changes only when the choice is applied. */
export function FilterSheet({ kinds, filter, countFor, onApply, onClose }: FilterSheetProps) {
  const [chosen, setChosen] = useState(filter)
  const [shown, setShown] = useState<readonly FilterKind[]>(FILTER_KINDS)
  const isOpen = kinds !== null
  useEffect(() => {
    if (!kinds) return
    setChosen(filter)
    setShown(kinds)
  }, [kinds, filter])
  const clear = () => setChosen(last => ({ ...last, ...Object.fromEntries(shown.map(kind => [kind, []])) }))
  const title = shown.length === 1 ? FILTER_LABELS[shown[0]!] : 'ตัวกรอง'
  return (
    <Sheet open={isOpen} onClose={onClose} title={title}>
      {shown.map(kind => (
        <Choices
          key={kind}
          kind={kind}
          titled={shown.length > 1}
          chosen={chosen[kind]}
          onChange={codes => setChosen({ ...chosen, [kind]: codes })}
        />
      ))}
      <div className="mt-4 flex flex-wrap gap-2 [&>:last-child]:flex-auto">
        <Button kind="secondary" onClick={clear}>
          ล้าง
        </Button>
        <Button onClick={() => onApply(chosen)}>{`แสดง ${countFor(chosen)} เกม`}</Button>
      </div>
    </Sheet>
  )
}

interface ChoicesProps {
  kind: FilterKind
  titled: boolean
  chosen: string[]
  onChange: (codes: string[]) => void
}

function Choices({ kind, titled, chosen, onChange }: ChoicesProps) {
  const names = useQuery({ ...api.query(lists[kind]), staleTime: Number.POSITIVE_INFINITY })
  const toggle = (code: string, on: boolean) => onChange(on ? [...chosen, code] : chosen.filter(each => each !== code))
  return (
    <fieldset className="mb-2 min-w-0">
      <legend className={titled ? 'text-ink-2 text-note' : 'sr-only'}>{FILTER_LABELS[kind]}</legend>
      {names.isPending && <Skeleton className="h-24" />}
      {names.isError && <Failure text={messageOf(names.error)} onRetry={() => names.refetch()} />}
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(9rem,100%),1fr))] gap-x-4">
        {names.data?.map(({ code, name }) => (
          <CheckboxRow
            key={code}
            checked={chosen.includes(code)}
            onChange={event => toggle(code, event.target.checked)}
          >
            {name}
          </CheckboxRow>
        ))}
      </div>
    </fieldset>
  )
}
