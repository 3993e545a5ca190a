import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import { classes } from './classes.ts'

interface ChoiceTabsProps<Name extends string> {
  /** The name of the choice, which is only read out. */
  label: string
  current: Name
  /** `count` tells how many things stand under a tab, where that is known. */
  tabs: readonly { name: Name; label: string; count?: number }[]
  /** On a phone they take the whole width. */
  spread?: boolean
  onChange: (name: Name) => void
}

/** Tabs that choose what a page shows. On a narrow phone they scroll sideways. */
export const ChoiceTabs = <Name extends string>({ label, current, tabs, spread, onChange }: ChoiceTabsProps<Name>) => (
  <div className="-mx-4 mt-2.5 mb-3 overflow-x-auto border-line border-b px-4 [scrollbar-width:none] lg:mx-0 lg:px-0">
    <fieldset className={classes('flex min-w-max gap-0.5 sm:gap-1', spread && 'max-sm:justify-between')}>
      <legend className="sr-only">{label}</legend>
      {tabs.map(({ name, label: words, count = 0 }) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === current}
          className={classes(
            'flex min-h-11 items-center gap-1 whitespace-nowrap border-b-2 sm:px-3 sm:text-small',
            spread ? 'px-1 text-note' : 'px-3 text-small',
            name === current
              ? 'border-accent font-semibold text-accent'
              : 'border-transparent text-ink-2 hover:text-ink',
          )}
          onClick={() => onChange(name)}
        >
          {words}
          <Count of={count} />
        </button>
      ))}
    </fieldset>
  </div>
)

const Count = ({ of }: { of: number }) =>
  of > 0 && <span className="text-note tabular-nums">{of > MOST_COUNTED ? '1,000+' : of.toLocaleString('en-US')}</span>
