/** A row and the place it is to have in the whole list, from 1. */
export interface Place {
  id: number
  no: number
}

/** The list with one row moved to another place. */
export function moveRow<Row>(rows: readonly Row[], from: number, to: number): Row[] {
  const rest = rows.filter((_, index) => index !== from)
  return [...rest.slice(0, to), rows[from]!, ...rest.slice(to)]
}

/**
 * The places of the rows that are shown of a list, the first of them standing at `firstNo`; `away` are those that are to
 * leave for a place outside what is shown, which moves the others up.
 */
export function placesOf(
  shown: readonly { id: number }[],
  firstNo: number,
  away: ReadonlyMap<number, number> = new Map(),
): Place[] {
  const gone = [...away].map(([id, no]) => ({ id, no }))
  const start = firstNo + gone.filter(({ no }) => no < firstNo).length
  const staying = shown.filter(({ id }) => !away.has(id)).map(({ id }, index) => ({ id, no: start + index }))
  return [...staying, ...gone]
}
