import { Radio, RadioGroup } from '@headlessui/react'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'

const grids = {
  row: 'grid grid-cols-1 gap-2',
  package:
    'grid grid-cols-[repeat(auto-fit,minmax(min(8.75rem,100%),1fr))] gap-2.5 @[40rem]:grid-cols-[repeat(auto-fill,minmax(min(11.5rem,100%),1fr))]',
  tile: 'grid grid-cols-[repeat(auto-fit,minmax(min(5.75rem,100%),1fr))] gap-2',
}
type Layout = keyof typeof grids

interface GroupProps {
  /** Names the group for screen readers. */
  label: string
  id?: string
  value: string | null
  onChange: (value: string) => void
  /** `row`: one per line, radio in front; `package` and `tile`: grids with the radio in the corner. */
  layout?: Layout
  children: ReactNode
}

/** A choice of one of several cards. Arrow keys move between them, and a tap anywhere on a card chooses it. */
export function OptionGroup({ label, id, value, onChange, layout = 'row', children }: GroupProps) {
  return (
    <RadioGroup
      id={id}
      aria-label={label}
      value={value}
      onChange={next => next && onChange(next)}
      className={`@container ${grids[layout]}`}
    >
      {children}
    </RadioGroup>
  )
}

const shapes = {
  row: 'flex items-center gap-3 px-3.5 py-2.5 min-h-14 @max-[12rem]:flex-col @max-[12rem]:items-start @max-[12rem]:gap-1 @max-[12rem]:px-2',
  package: 'flex flex-col items-start gap-0.5 px-3.5 pt-3 pb-2.5 min-h-19',
  tile: 'flex flex-col items-start gap-1.5 px-2.5 pt-2.5 pb-2 text-small @[36rem]:min-h-14 @[36rem]:flex-row @[36rem]:items-center @[36rem]:gap-3 @[36rem]:px-3.5 @[36rem]:text-body',
}
const dots = {
  row: 'size-5',
  package: 'absolute top-3.5 right-3.5 size-4.5',
  tile: 'absolute top-2.5 right-2.5 size-4.5 @[36rem]:static @[36rem]:order-last @[36rem]:ml-auto',
}

interface CardProps {
  value: string
  layout?: Layout
  name: ReactNode
  detail?: ReactNode
  /** The logo before the name of a tile, or the icon at the end of a row. */
  mark?: ReactNode
  /** Says why this card can't be chosen, and turns it off. */
  reason?: string
}

/** A card of an `OptionGroup`; give it the same `layout`. */
export function OptionCard({ value, layout = 'row', name, detail, mark, reason }: CardProps) {
  return (
    <Radio
      as="div"
      value={value}
      disabled={Boolean(reason)}
      className={classes(
        'group relative rounded-control border text-left transition-colors',
        reason
          ? 'cursor-not-allowed border-line bg-canvas text-ink-3'
          : 'cursor-pointer border-card bg-white data-checked:border-accent data-checked:bg-accent-tint data-checked:inset-ring data-checked:inset-ring-accent',
        shapes[layout],
      )}
    >
      {!reason && (
        <span
          className={classes(
            'flex-none rounded-full border-[1.5px] border-control bg-white group-data-checked:border-6 group-data-checked:border-accent',
            dots[layout],
          )}
        />
      )}
      {layout === 'tile' && mark}
      <span className={classes('min-w-0', layout === 'row' && 'flex-1')}>
        <span className={classes('block font-semibold leading-normal', layout === 'package' && 'wrap-anywhere pr-6')}>
          {name}
        </span>
        {detail && (
          <span
            className={classes('block', layout === 'package' ? 'font-medium leading-normal' : 'text-ink-2 text-note')}
          >
            {detail}
          </span>
        )}
        {reason && <span className="block text-note">{reason}</span>}
      </span>
      {/* With large text there is room for the words alone. */}
      {layout === 'row' && mark && <span className="flex-none @max-[12rem]:hidden">{mark}</span>}
    </Radio>
  )
}
