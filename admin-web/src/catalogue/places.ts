/** A row and its new place in the whole list, from 1. */
export interface RowPlace {
  id: number
  no: number
}

/**
 * Returns the new places of a page's rows, the first of which has place `firstNo`. `away` holds rows that move to a place
 * on another page; the others move up.
 */
export function placesOf(
  shown: readonly { id: number }[],
  firstNo: number,
  away: ReadonlyMap<number, number> = new Map(),
): RowPlace[] {
  const gone = [...away].map(([id, no]) => ({ id, no }))
  const start = firstNo + gone.filter(({ no }) => no < firstNo).length
  const staying = shown.filter(({ id }) => !away.has(id)).map(({ id }, index) => ({ id, no: start + index }))
  return [...staying, ...gone]
}
