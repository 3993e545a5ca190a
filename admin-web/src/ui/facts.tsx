import type { ReactNode } from 'react'

/** A name with its value; anything else where there is nothing to tell. */
export type Fact = readonly [string, ReactNode] | false | null | ''

/** Names with their values, one pair a line; "–" stands for an empty value. */
export function Facts({ facts, isSmall = false }: { facts: readonly Fact[]; isSmall?: boolean }) {
  return (
    <dl className={isSmall ? 'facts small' : 'facts'}>
      {facts
        .filter(fact => !!fact)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value || '–'}</dd>
          </div>
        ))}
    </dl>
  )
}
