/** Something that needs a person, in words for people. */
export interface Trouble {
  /** Names it, so that it is known again. */
  key: string
  what: string
  first: string
}

/** What one look found. */
export interface Look {
  troubles: Trouble[]
  /** How the keys begin of which nothing could be seen: they are neither there nor over. */
  unknown: string[]
}

export interface OpenTrouble extends Trouble {
  since: number
}

/** What is to be told after a look. */
export interface News {
  began: OpenTrouble[]
  ended: OpenTrouble[]
  /** All that is told and not over, those that began now among them. */
  open: OpenTrouble[]
}

interface Rules {
  /** So many looks in a row make a change. */
  failures: number
  remindMs: number
}

const HOUR_MS = 3_600_000
/** What comes and goes is told so often in an hour; then it is told once it stays. Nothing else waits for that. */
const MOST_AN_HOUR = 3

/** Returns what makes news of looks. One change is told once, and what lasts is told again after a while. */
export function openDecider({ failures, remindMs }: Rules): (look: Look, at: number) => News | null {
  const open = new Map<string, OpenTrouble>()
  /** What looks otherwise than it was told, since when and for how many looks. */
  const turning = new Map<string, { since: number; looks: number }>()
  const began = new Map<string, number[]>()
  let toldAt = 0

  function turn(key: string, isThere: boolean, at: number): void {
    if (isThere === open.has(key)) return void turning.delete(key)
    const { since, looks } = turning.get(key) ?? { since: at, looks: 0 }
    turning.set(key, { since, looks: looks + 1 })
  }
  /** A trouble that came often within the hour may not come again yet. */
  function mayBegin(key: string, at: number): boolean {
    const lately = (began.get(key) ?? []).filter(each => at - each < HOUR_MS)
    began.set(key, lately)
    return lately.length < MOST_AN_HOUR
  }

  return (look, at) => {
    const seen = new Map(look.troubles.map(trouble => [trouble.key, trouble]))
    for (const key of new Set([...seen.keys(), ...open.keys(), ...turning.keys()]))
      if (seen.has(key) || !look.unknown.some(prefix => key.startsWith(prefix))) turn(key, seen.has(key), at)
    const ripe = [...turning].filter(([key, { looks }]) => looks >= failures && (open.has(key) || mayBegin(key, at)))
    const news: News = { began: [], ended: [], open: [] }
    for (const [key, { since }] of ripe) {
      turning.delete(key)
      const trouble = seen.get(key)
      if (trouble) {
        open.set(key, { ...trouble, since })
        began.get(key)!.push(at)
        news.began.push(open.get(key)!)
      } else {
        news.ended.push(open.get(key)!)
        open.delete(key)
      }
    }
    // What it says of itself may have changed, as how full a disk is.
    for (const [key, trouble] of open) open.set(key, { ...trouble, ...seen.get(key) })
    news.open = [...open.values()]
    const isDue = ripe.length > 0 || (open.size > 0 && at - toldAt >= remindMs)
    if (isDue) toldAt = at
    return isDue ? news : null
  }
}
