/** A row and the place it is to have in the whole list, from 1. */
export interface RowPlace {
  id: number
  no: number
}

/**
 * The places of the rows that are shown of a list, the first of them standing at `firstNo`; `away` are those that are to
 * leave for a place outside what is shown, which moves the others up.
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
