import { Field, Label, Switch } from '@headlessui/react'
import type { ReactNode } from 'react'

interface SwitchRowProps {
  label: ReactNode
  on: boolean
  /** The change is being saved: taps do nothing. */
  busy?: boolean
  onChange: (on: boolean) => void
}

/** A switch beside its label, at the end of its row on a phone. The label is a target, too. */
export const SwitchRow = ({ label, on, busy, onChange }: SwitchRowProps) => (
  <Field className="flex min-h-11 items-center justify-between gap-3 lg:justify-start">
    <Label className="flex min-h-11 flex-1 items-center text-label lg:flex-none">{label}</Label>
    <Switch
      checked={on}
      aria-busy={busy || undefined}
      onChange={next => !busy && onChange(next)}
      className="group inline-flex h-11 w-12 flex-none items-center rounded-inline forced-colors:border"
    >
      <span className="h-7 w-12 rounded-full bg-control p-0.5 transition-colors group-aria-busy:opacity-60 group-data-checked:bg-accent">
        <span className="block size-6 rounded-full bg-white transition-transform group-data-checked:translate-x-5 forced-colors:bg-[ButtonText]" />
      </span>
    </Switch>
  </Field>
)
