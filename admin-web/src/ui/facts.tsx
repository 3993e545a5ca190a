import type { ReactNode } from 'react'

/** Names with their values, one pair a line; "-" for nothing. */
export function Facts({ facts, isSmall = false }: { facts: readonly [string, ReactNode][]; isSmall?: boolean }) {
  return (
    <dl className={isSmall ? 'facts small' : 'facts'}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value || '-'}</dd>
        </div>
      ))}
    </dl>
  )
}
