/** A movement as some file or feed tells it. */
export interface ToldMovement {
  /** Equal keys are the same movement. */
  key: string
  /** Bangkok day "YYYY-MM-DD". */
  day: string
  /** "HH:MM:SS", "HH:MM" where the minute is all that is told, null where the day is. */
  time: string | null
  amountSatang: number
  balanceSatang: number | null
  /** The bank's own id of it: two that differ are two movements, whatever else they share. */
  reference: string | null
}

/** How much is told. */
interface Fineness {
  /** Letters of the time: 8, 5 or 0. */
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

/** What two classes have in common. Where the balance agrees too, clocks may differ by seconds. */
function common(a: Class, b: Class): Fineness {
  const hasBalance = a.hasBalance && b.hasBalance
  return { time: Math.min(a.time, b.time, hasBalance ? MINUTE : a.time), hasBalance }
}

/** Pairs of classes that can tell of the same movement, those that say most in common first. */
const PAIRS = classes
  .flatMap(told => classes.map(known => ({ told, known, both: common(told, known) })))
  .filter(({ told, known }) => !(told.hasReference && known.hasReference))
  .sort((a, b) => Number(b.both.hasBalance) - Number(a.both.hasBalance) || b.both.time - a.both.time)

const wordOf = ({ day, time, amountSatang, balanceSatang }: ToldMovement, both: Fineness): string =>
  `${day} ${time?.slice(0, both.time) ?? ''} ${amountSatang} ${both.hasBalance ? balanceSatang : ''}`

/** A movement that was told, and the known one that it is. */
export interface Met<T> {
  told: T
  known: ToldMovement
}

/**
 * Which of the told movements are not known yet, and which known ones the others are. One that several sources tell, each
 * as fine as it can, is one: each known movement stands for at most one told. Two real ones that no source could tell
 * apart are two as soon as one source tells both.
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
  // What is told twice under one key is told once.
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
