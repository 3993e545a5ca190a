import { CircleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { classes } from './classes.ts'

/** The texts around every input. */
export interface Around {
  label: ReactNode
  help?: ReactNode
  /** Replaces the help text, so that nothing below moves. */
  error?: string
}

export const frame =
  'flex min-h-13 items-center gap-2 rounded-control border bg-white pr-1.5 pl-3.5 focus-within:border-accent focus-within:ring-1 focus-within:ring-accent'
export const edge = (error?: string) =>
  error ? 'border-bad ring-1 ring-bad focus-within:border-bad focus-within:ring-bad' : 'border-control'

export function HelpLine({ id, help, error }: { id: string; help?: ReactNode; error?: string }) {
  return (
    <div id={id} aria-live="polite" className="mt-1.5 min-h-[1.6em] text-ink-2 text-note">
      {error ? (
        <p className="flex items-start gap-1.5 text-bad">
          <CircleAlert size={16} className="mt-0.5 flex-none" />
          <span>{error}</span>
        </p>
      ) : (
        help
      )}
    </div>
  )
}

export type FieldProps = Around &
  Omit<ComponentProps<'input'>, 'prefix'> & {
    /** An icon before the text. */
    lead?: ReactNode
    /** A small button inside the frame, at its end. */
    action?: ReactNode
    /** For search boxes: the label is only read out, and there is no line for help. */
    bare?: boolean
    /** For amounts of money: large and bold text. */
    strong?: boolean
  }

/** A labelled text input. A line for help or an error is always reserved below it. */
export function Field({ label, help, error, lead, action, bare, strong, id, className, ...input }: FieldProps) {
  const own = useId()
  const inputId = id ?? own
  return (
    <div className={className}>
      <label htmlFor={inputId} className={bare ? 'sr-only' : 'mb-1 block text-label'}>
        {label}
      </label>
      {/* With large text a button takes a line of its own before it leaves too little room to read an example. */}
      <div className={classes(frame, edge(error), Boolean(action) && 'flex-wrap')}>
        {lead}
        <input
          {...input}
          id={inputId}
          aria-invalid={error ? true : undefined}
          aria-describedby={bare ? undefined : `${inputId}-help`}
          className={classes(
            'w-full flex-1 bg-transparent py-2 outline-none',
            action ? (input.placeholder ? 'min-w-[min(8rem,100%)]' : 'min-w-[min(8rem,50%)]') : 'min-w-0',
            strong ? 'font-bold text-title' : 'text-field',
          )}
        />
        {action}
      </div>
      {!bare && <HelpLine id={`${inputId}-help`} help={help} error={error} />}
    </div>
  )
}
