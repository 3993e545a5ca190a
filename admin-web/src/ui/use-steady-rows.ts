import { useState } from 'react'

export interface SteadyRow<Row> {
  row: Row
  /** The list no longer holds it; it is shown until the reader looks away. */
  isGone: boolean
}

/**
 * Keeps a polled list still while somebody reads it: rows are updated in place, but none comes, goes or moves until
 * `isHeld` ends or `release` is called. `scope` names the question (filters, page); a new one is answered at once.
 */
export function useSteadyRows<Row>(
  latest: readonly Row[],
  options: { keyOf: (row: Row) => string; scope: string; isHeld: boolean },
): { rows: SteadyRow<Row>[]; waiting: boolean; release: () => void } {
  const { keyOf, scope, isHeld } = options
  const [shown, setShown] = useState({ scope, rows: latest })
  const mustFollow = shown.scope !== scope || !isHeld || shown.rows.length === 0
  if (mustFollow && shown.rows !== latest) setShown({ scope, rows: latest })
  const base = mustFollow ? latest : shown.rows
  const fresh = new Map(latest.map(row => [keyOf(row), row]))
  const waiting = base.length !== latest.length || base.some((row, index) => keyOf(row) !== keyOf(latest[index]!))
  return {
    rows: base.map(row => ({ row: fresh.get(keyOf(row)) ?? row, isGone: !fresh.has(keyOf(row)) })),
    waiting,
    release: () => setShown({ scope, rows: latest }),
  }
}
