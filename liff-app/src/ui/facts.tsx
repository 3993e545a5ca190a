import type { ReactNode } from 'react'

export interface Fact {
  label: string
  value: ReactNode
  note?: ReactNode
}

/** A list with labels on the left and values on the right; a long value goes below its label. */
export const Facts = ({ facts }: { facts: Fact[] }) => (
  <dl className="grid gap-y-1.5 text-value">
    {facts.map(({ label, value, note }) => (
      <div key={label} className="flex flex-wrap items-start justify-between gap-x-4">
        <dt className="text-ink-2">{label}</dt>
        <dd className="ml-auto min-w-0 text-right font-medium">
          {value}
          {note && <span className="block text-ink-2 text-note">{note}</span>}
        </dd>
      </div>
    ))}
  </dl>
)
