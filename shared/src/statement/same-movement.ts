/** A movement as a file or a feed reports it. */
export interface ToldMovement {
  /** Two reports with the same key are the same movement. */
  key: string
  /** Bangkok day "YYYY-MM-DD". */
  day: string
  /** "HH:MM:SS", or "HH:MM" when no seconds are reported; null when only the day is. */
  time: string | null
  amountSatang: number
  balanceSatang: number | null
  /** The bank's own id of it. Different ids are different movements, whatever else is equal. */
  reference: string | null
}

/** How precisely a movement is reported. */
interface Fineness {
  /** The number of characters of the time: 8, 5 or 0. */
  time: number
  hasBalance: boolean
}

const MINUTE = 5
const classes = [8, MINUTE, 0].flatMap(time =>
  [true, false].flatMap(hasBalance => [true, false].map(hasReference => ({ time, hasBalance, hasReference }))),
)
type Class = (typeof classes)[number]

const nameOf = ({ time, hasBalance, hasReference }: Class) => `${time} ${hasBalance} ${hasReference}`
const classOf = ({ time, balanceSatang, reference }: ToldMovement) =>
  nameOf({ time: time?.length ?? 0, hasBalance: balanceSatang !== null, hasReference: reference !== null })

/** Returns what two classes can be compared by. When balances are compared, seconds are not, because clocks differ. */
function common(a: Class, b: Class): Fineness {
  const hasBalance = a.hasBalance && b.hasBalance
  return { time: Math.min(a.time, b.time, hasBalance ? MINUTE : a.time), hasBalance }
}

/** Pairs of classes that can report the same movement; the pairs that compare most facts come first. */
const PAIRS = classes
  .flatMap(told => classes.map(known => ({ told, known, both: common(told, known) })))
  .filter(({ told, known }) => !(told.hasReference && known.hasReference))
  .sort((a, b) => Number(b.both.hasBalance) - Number(a.both.hasBalance) || b.both.time - a.both.time)

const wordOf = ({ day, time, amountSatang, balanceSatang }: ToldMovement, both: Fineness): string =>
  `${day} ${time?.slice(0, both.time) ?? ''} ${amountSatang} ${both.hasBalance ? balanceSatang : ''}`

/** A reported movement, and the known one that is the same. */
export interface Met<T> {
  told: T
  known: ToldMovement
}

/**
 * Returns the reported movements that are new (`fresh`), and which known movements the others are (`met`). Sources report
 * the same movement with different precision, so each known movement is paired with at most one reported one. Two real
 * movements that look the same count as two as soon as one source reports both.
 */
export function pairMovements<T extends ToldMovement>(
  told: readonly T[],
  known: readonly ToldMovement[],
): { fresh: T[]; met: Met<T>[] } {
  const free = new Map(known.map(each => [each.key, each]))
  const met: Met<T>[] = []
  const meet = (movement: T, same: ToldMovement) => {
    met.push({ told: movement, known: same })
    free.delete(same.key)
    news.delete(movement)
  }
  // A movement that is reported twice with the same key counts once.
  const news = new Set(new Map(told.map(each => [each.key, each])).values())
  for (const each of [...news]) {
    const same = free.get(each.key)
    if (same) meet(each, same)
  }
  for (const { told, known, both } of PAIRS) {
    const mine = [...news].filter(each => classOf(each) === nameOf(told))
    if (mine.length === 0) continue
    const theirs = [...free.values()].filter(each => classOf(each) === nameOf(known))
    const candidates = Map.groupBy(theirs.reverse(), each => wordOf(each, both))
    for (const movement of mine) {
      const same = candidates.get(wordOf(movement, both))?.pop()
      if (same) meet(movement, same)
    }
  }
  return { fresh: [...news], met }
}
