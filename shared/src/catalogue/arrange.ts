/**
 * Puts ids in a new order: those with a wanted place (`no`, from 1) stand there, the others keep their order in the places
 * left over. An id that is not in the list is left out.
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
