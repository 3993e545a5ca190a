import { ChevronDown } from 'lucide-react'
import { type ComponentProps, useId } from 'react'
import { classes } from './classes.ts'
import { type Around, edge, frame, HelpLine } from './field.tsx'

type SelectFieldProps = Around &
  ComponentProps<'select'> & {
    choices: readonly string[]
    /** What is shown while nothing is chosen. */
    placeholder: string
  }

/** A labelled native select, as high as a text input. It also shows a value that is none of the choices. */
export function SelectField({ label, help, error, choices, placeholder, id, ...select }: SelectFieldProps) {
  const own = useId()
  const selectId = id ?? own
  const isOther = select.value !== '' && !choices.includes(String(select.value))
  return (
    <div>
      <label htmlFor={selectId} className="mb-1 block text-label">
        {label}
      </label>
      <div className={classes(frame, edge(error), 'relative pr-0! pl-0!')}>
        <select
          {...select}
          id={selectId}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${selectId}-help`}
          className="min-h-13 w-full min-w-0 appearance-none text-ellipsis bg-transparent py-2 pr-11 pl-3.5 text-field outline-none"
        >
          <option value="" disabled>
            {placeholder}
          </option>
          {isOther && <option>{select.value}</option>}
          {choices.map(choice => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
        <ChevronDown size={20} className="-translate-y-1/2 pointer-events-none absolute top-1/2 right-3.5" />
      </div>
      <HelpLine id={`${selectId}-help`} help={help} error={error} />
    </div>
  )
}
