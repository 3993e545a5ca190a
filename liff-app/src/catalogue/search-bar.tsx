import { ChevronDown, Clock, Search, SlidersHorizontal, X } from 'lucide-react'
import { type FormEvent, useEffect, useRef } from 'react'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { countChosen, FILTER_KINDS, FILTER_LABELS, type FilterKind, type GameFilter } from './game-filter.ts'

interface SearchBarProps {
  /** What stands beside the title: when the shop opens, while it is closed. */
  note: string | null
  filter: GameFilter
  onSearch: (filter: GameFilter) => void
  /** Opens one kind of filter; null opens all of them. */
  onFilter: (kind: FilterKind | null) => void
}

/** The title of the list, its search, which narrows the list while one types, and the buttons of its filters. */
export function SearchBar({ note, filter, onSearch, onFilter }: SearchBarProps) {
  const chosen = countChosen(filter)
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2.5">
      <div className="flex w-full flex-wrap items-baseline gap-x-4 lg:w-auto">
        <h1 className="page-title">เลือกเกม</h1>
        {note && (
          <p className="text-ink-2 text-small max-lg:ml-auto">
            <Clock size={16} className="mr-1.5 inline align-[-0.15em]" />
            {note}
          </p>
        )}
      </div>
      <div className="flex w-full items-center gap-2 lg:w-auto">
        <div className="hidden gap-2 lg:flex">
          {FILTER_KINDS.map(kind => (
            <Button key={kind} kind="secondary" size="small" aria-haspopup="dialog" onClick={() => onFilter(kind)}>
              <span className="inline-flex items-center gap-2">
                {FILTER_LABELS[kind]}
                {filter[kind].length > 0 && ` (${filter[kind].length})`}
                <ChevronDown size={16} />
              </span>
            </Button>
          ))}
        </div>
        <SearchForm filter={filter} onSearch={onSearch} />
        <div className="lg:hidden">
          <Button
            kind="secondary"
            className={chosen > 0 ? 'px-3.5!' : 'gap-0! px-3.75!'}
            icon={<SlidersHorizontal size={20} />}
            aria-label={chosen > 0 ? `ตัวกรอง เลือกแล้ว ${chosen}` : 'ตัวกรอง'}
            aria-haspopup="dialog"
            onClick={() => onFilter(null)}
          >
            {chosen > 0 ? chosen : null}
          </Button>
        </div>
      </div>
    </div>
  )
}

function SearchForm({ filter, onSearch }: Pick<SearchBarProps, 'filter' | 'onSearch'>) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // What is being typed is never replaced by the address, which may lag behind it.
    if (input.current && document.activeElement !== input.current) input.current.value = filter.q
  }, [filter.q])
  const search = () => onSearch({ ...filter, q: input.current?.value.trim() ?? '' })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // This puts the keyboard of a phone away, which covers the games.
    input.current?.blur()
  }
  return (
    <search className="min-w-0 flex-1 lg:w-72 lg:flex-none">
      <form onSubmit={submit}>
        <Field
          bare
          ref={input}
          type="text"
          inputMode="search"
          enterKeyHint="search"
          autoComplete="off"
          maxLength={50}
          onChange={search}
          label="ค้นหาเกม"
          placeholder="ค้นหาชื่อเกม"
          defaultValue={filter.q}
          lead={<Search size={20} className="flex-none text-ink-3" />}
          action={filter.q && <IconButton icon={X} label="ล้างคำค้น" onClick={() => onSearch({ ...filter, q: '' })} />}
        />
      </form>
    </search>
  )
}
