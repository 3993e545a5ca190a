import { useState } from 'react'

export interface SteadyRow<Row> {
  row: Row
  /** Whether the list no longer holds the row, which is shown until the reader looks away. */
  isGone: boolean
}

/**
 * Keeps a polled list still while somebody reads it: rows are updated in place, but none is added, removed or moved
 * until `isHeld` ends or `release` is called. When `scope` (filters and page) changes, the list follows at once.
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
