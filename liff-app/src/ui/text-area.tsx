import { type ComponentProps, useId } from 'react'
import { classes } from './classes.ts'
import { type Around, edge, frame, HelpLine } from './field.tsx'

/** A labelled input for several lines, with a line for help or an error below it. */
export function TextArea({ label, help, error, id, ...area }: Around & ComponentProps<'textarea'>) {
  const own = useId()
  const areaId = id ?? own
  return (
    <div>
      <label htmlFor={areaId} className="mb-1 block text-label">
        {label}
      </label>
      <div className={classes(frame, edge(error))}>
        <textarea
          rows={3}
          {...area}
          id={areaId}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${areaId}-help`}
          className="w-full min-w-0 flex-1 bg-transparent py-2 text-field outline-none"
        />
      </div>
      <HelpLine id={`${areaId}-help`} help={help} error={error} />
    </div>
  )
}
