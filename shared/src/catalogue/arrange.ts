/**
 * Puts ids in a new order: those with a wanted place (`no`, from 1) get it, the others keep their order in the
 * remaining places. An unknown id is left out.
 */
export function arrange(current: readonly number[], wanted: readonly { id: number; no: number }[]): number[] {
  const moved = new Map(wanted.map(({ id, no }) => [id, no]))
  const waiting = [...moved].filter(([id]) => current.includes(id)).sort(([, a], [, b]) => a - b)
  const others = current.filter(id => !moved.has(id))
  return current.map((_, index) => {
    const isDue = others.length === 0 || (waiting[0] !== undefined && waiting[0][1] <= index + 1)
    return isDue ? waiting.shift()![0] : others.shift()!
  })
}

/** A stretch of a list as somebody saw it: ids from place `firstNo` (from 1) on, of `total`. */
export interface SeenOrder {
  ids: number[]
  firstNo: number
  total: number
}

/** The same stretch with names, shown when a new order comes too late. */
export interface ShownOrder extends Omit<SeenOrder, 'ids'> {
  rows: { id: number; name: string }[]
}

export const seenOf = ({ rows, ...stretch }: ShownOrder): SeenOrder => ({ ...stretch, ids: rows.map(({ id }) => id) })

/** A list that is shown as a whole. */
export const wholeOrder = (rows: readonly { id: number; name: string }[]): ShownOrder => ({
  rows: rows.map(({ id, name }) => ({ id, name })),
  firstNo: 1,
  total: rows.length,
})

/** Returns the places of ids, numbered from 1. */
export const placed = (ids: readonly number[]): { id: number; no: number }[] =>
  ids.map((id, index) => ({ id, no: index + 1 }))

/** Returns the same stretch of the current list; one that reached the end still does. */
export function stretchOf<Row>(current: readonly Row[], { ids, firstNo, total }: SeenOrder): Row[] {
  const start = firstNo - 1
  const reachesEnd = start + ids.length === total
  return current.slice(start, reachesEnd ? undefined : start + ids.length)
}

/** Returns the smallest set of moved ids that turns one order into the other, with their places from 1. */
export function movesOf(
  before: readonly number[],
  after: readonly number[],
): { id: number; from: number; to: number }[] {
  const placeOf = new Map(before.map((id, index) => [id, index + 1]))
  const places = after.map(id => placeOf.get(id)!)
  const stayed = longestRise(places)
  return after.flatMap((id, index) => {
    const from = places[index]!
    return stayed.has(from) ? [] : [{ id, from, to: index + 1 }]
  })
}

/** Returns the numbers of a longest rising series; all numbers are different. */
function longestRise(numbers: readonly number[]): Set<number> {
  /** For each length, the smallest last number of a rising series, and for each number the one before it. */
  const ends: number[] = []
  const previous = new Map<number, number | undefined>()
  for (const number of numbers) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (ends[middle]! < number) low = middle + 1
      else high = middle
    }
    previous.set(number, ends[low - 1])
    ends[low] = number
  }
  const rise = new Set<number>()
  for (let number = ends.at(-1); number !== undefined; number = previous.get(number)) rise.add(number)
  return rise
}
