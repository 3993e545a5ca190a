import { formatBaht, type Satang } from '../money.ts'

/** Whether a line's balance follows from the known lines of its account; `unknown` when that can't be decided. */
export const CHAIN_STATES = ['ok', 'gap', 'unknown'] as const
export type ChainState = (typeof CHAIN_STATES)[number]

/** The facts of a movement that its balance is judged by. The balance is the one after the movement. */
export interface Movement {
  /** Bangkok day "YYYY-MM-DD". */
  day: string
  at: Date | null
  amountSatang: Satang
  balanceSatang: Satang | null
}

/** A movement to be judged. `isBalanceExpected`: the feed sent it, and the known lines around it have balances. */
export interface Doubted extends Movement {
  isBalanceExpected: boolean
}

/** The clocks of banks and feeds may differ by this much, so a movement reported as earlier may follow another. */
const CLOCK_MS = 120_000
const BANGKOK_MS = 7 * 3_600_000

/** A movement with a balance, seen as a step from the balance before it to the one after it. */
interface Step<T> {
  of: T
  from: Satang
  to: Satang
}

/** Movements whose reported moment is the same; within it they may have happened in any order. */
interface Moment<T> {
  key: string
  steps: Step<T>[]
}

type KeyOf = (movement: Movement) => string

/** Returns moments as sortable texts: minutes, or whole days when anything of that day has no time. */
function keysOf(movements: readonly Movement[]): KeyOf {
  const untimed = new Set(movements.filter(({ at }) => at === null).map(({ day }) => day))
  return ({ day, at }) =>
    at === null || untimed.has(day) ? day : `${day} ${new Date(at.getTime() + BANGKOK_MS).toISOString().slice(11, 16)}`
}

function stepsOf<T extends Movement>(movements: readonly T[]): Step<T>[] {
  return movements.flatMap(of =>
    of.balanceSatang === null ? [] : [{ of, from: of.balanceSatang - of.amountSatang, to: of.balanceSatang }],
  )
}

function momentsOf<T extends Movement>(movements: readonly T[], keyOf: KeyOf): Moment<T>[] {
  const groups = Map.groupBy(stepsOf(movements), ({ of }) => keyOf(of))
  return [...groups]
    .map(([key, steps]) => ({ key, steps }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
}

const turned = <T>(steps: readonly Step<T>[]): Step<T>[] =>
  steps.map(({ of, from, to }) => ({ of, from: to, to: from })).reverse()

/**
 * Returns the balances with which steps of unknown order can end: those reached more often than left. A round trip may
 * have begun with any of its balances; the one reported last comes first.
 */
function endsOf<T>(steps: readonly Step<T>[]): Satang[] {
  const net = new Map<Satang, number>()
  for (const { from, to } of steps) {
    net.set(from, (net.get(from) ?? 0) - 1)
    net.set(to, (net.get(to) ?? 0) + 1)
  }
  const ends = [...net].filter(([, count]) => count > 0).map(([balance]) => balance)
  return ends.length > 0 ? ends : [...new Set(steps.map(({ to }) => to).reverse())]
}

const startsOf = <T>(steps: readonly Step<T>[]): Satang[] => endsOf(turned(steps))

/**
 * Returns all steps in an order in which each begins where the one before ended; null when there is none from `start`.
 */
function wholeTrail<T>(steps: readonly Step<T>[], start: Satang): Step<T>[] | null {
  const leaving = Map.groupBy([...steps].reverse(), ({ from }) => from)
  const path: Step<T>[] = []
  const open: { at: Satang; by: Step<T> | null }[] = [{ at: start, by: null }]
  while (open.length > 0) {
    const { at, by } = open.at(-1)!
    const next = leaving.get(at)?.pop()
    if (next) open.push({ at: next.to, by: next })
    else {
      open.pop()
      if (by) path.push(by)
    }
  }
  path.reverse()
  const isTrail = path.every(({ from }, index) => from === (path[index - 1]?.to ?? start))
  return isTrail && path.length === steps.length ? path : null
}

/**
 * Returns steps from `start`, each beginning where the one before ended; when several fit, the first that leads on is
 * taken.
 */
function longTrail<T>(steps: readonly Step<T>[], start: Satang): Step<T>[] {
  const leaving = Map.groupBy(steps, ({ from }) => from)
  const leadsOn = ({ from, to }: Step<T>) => (leaving.get(to)?.length ?? 0) > (to === from ? 1 : 0)
  const path: Step<T>[] = []
  for (let at = start; ; ) {
    const choices = leaving.get(at) ?? []
    const next = choices.find(leadsOn) ?? choices[0]
    if (!next) return path
    choices.splice(choices.indexOf(next), 1)
    path.push(next)
    at = next.to
  }
}

const trailFrom = <T>(steps: readonly Step<T>[], start: Satang): Step<T>[] =>
  wholeTrail(steps, start) ?? longTrail(steps, start)

const longest = <T>(trails: readonly Step<T>[][]): Step<T>[] =>
  trails.reduce((best, each) => (each.length > best.length ? each : best), [])

/** Returns the longest of the trails from these balances. */
const bestTrail = <T>(steps: readonly Step<T>[], starts: readonly Satang[]): Step<T>[] =>
  longest(starts.map(start => trailFrom(steps, start)))

/** Removes steps that lead nowhere or that nothing leads to, because a foreign step has no way back. */
function withWayBack<T>(steps: readonly Step<T>[]): Step<T>[] {
  const [leaving, arriving] = [Map.groupBy(steps, ({ from }) => from), Map.groupBy(steps, ({ to }) => to)]
  const gone = new Set<Step<T>>()
  const isDead = ({ from, to }: Step<T>) =>
    !arriving.get(from)?.some(each => !gone.has(each)) || !leaving.get(to)?.some(each => !gone.has(each))
  const asked = [...steps]
  for (let step = asked.pop(); step; step = asked.pop()) {
    if (gone.has(step) || !isDead(step)) continue
    gone.add(step)
    asked.push(...(leaving.get(step.to) ?? []), ...(arriving.get(step.from) ?? []))
  }
  return steps.filter(step => !gone.has(step))
}

/** Returns the longest trail that returns to one of these balances. */
function roundFrom<T>(steps: readonly Step<T>[], balances: readonly Satang[]): Step<T>[] {
  const rest = withWayBack(steps)
  const left = new Set(rest.map(({ from }) => from))
  return longest(
    balances.map(balance => {
      const path = left.has(balance) ? trailFrom(rest, balance) : []
      return path.slice(0, path.findLastIndex(({ to }) => to === balance) + 1)
    }),
  )
}

/** The time between two believed moments, or before the first or after the last one. */
interface Gap<T> {
  before: Moment<T> | null
  after: Moment<T> | null
  /** The doubted steps of that time; `beside` holds those of the moment after it. */
  steps: Step<T>[]
  beside: Step<T>[]
}

/**
 * Returns the doubted steps that follow between two believed moments. When these moments already follow each other, only
 * round trips can lie between them: they return to the shared balance, or to a balance of the moment before.
 */
function following<T>({ before, after, steps, beside }: Gap<T>, keyOfStep: (step: Step<T>) => string): Step<T>[] {
  const starts = after && startsOf(after.steps)
  if (!before) {
    if (steps.length === 0) return []
    return starts ? bestTrail(turned(steps), starts) : trailFrom(steps, startsOf(steps)[0]!)
  }
  const ends = endsOf(before.steps)
  const shared = starts && ends.filter(end => starts.includes(end))
  const isWhole = shared && shared.length > 0
  const trail = isWhole ? roundFrom([...steps, ...beside], shared) : bestTrail(steps, ends)
  if (trail.length > 0) return trail
  const within = steps.filter(step => keyOfStep(step) === before.key)
  return roundFrom(within, [...new Set(before.steps.map(({ to }) => to))])
}

/** Returns the very first movement with a balance, which has nothing to follow from; null when it is another one. */
function isFirstEver<T>(trail: readonly Step<T>[], before: Moment<T> | null, after: Moment<T> | null) {
  return before === null && after === null ? (trail[0]?.of ?? null) : null
}

/** Returns the doubted movements that follow, looking once at each gap between believed moments. */
function findFollowing<T extends Doubted>(believed: readonly Movement[], doubted: readonly T[], keyOf: KeyOf) {
  const found = new Map<T, ChainState>()
  const moments: Moment<Movement>[] = momentsOf(believed, keyOf)
  const waiting = momentsOf(doubted, keyOf).flatMap(({ key, steps }) => steps.map(step => ({ key, step })))
  let carried: Step<T>[] = []
  for (let place = -1, taken = 0; place < moments.length; place++) {
    const [before, after] = [moments[place] ?? null, moments[place + 1] ?? null]
    const steps: Step<T>[] = carried
    while (taken < waiting.length && (!after || waiting[taken]!.key < after.key)) steps.push(waiting[taken++]!.step)
    const beside: Step<T>[] = []
    for (let n = taken; n < waiting.length && waiting[n]!.key === after?.key; n++) beside.push(waiting[n]!.step)
    const gap: Gap<Movement> = { before, after, steps, beside }
    const trail = following(gap, ({ of }) => keyOf(of)) as Step<T>[]
    const first = isFirstEver<Movement>(trail, before, after)
    for (const { of } of trail) found.set(of, of === first ? 'unknown' : 'ok')
    const reach = after && earliestOf(after) - CLOCK_MS
    carried = steps.filter(({ of }) => !found.has(of) && of.at && reach !== null && of.at.getTime() >= reach)
  }
  return found
}

/**
 * Judges movements of an account by their balances. A movement is `ok` when believed movements lead to it without a hole;
 * one that only follows from a doubted movement stays doubted. The order within a moment does not matter. A movement
 * without a balance is `gap` if a balance is expected, else `unknown`.
 * @param believed oldest first
 * @param doubted new movements, and those that did not follow before, oldest first
 */
export function chainOf<T extends Doubted>(believed: readonly Movement[], doubted: readonly T[]): Map<T, ChainState> {
  const states = new Map<T, ChainState>(
    doubted.map(each => [each, each.balanceSatang === null && !each.isBalanceExpected ? 'unknown' : 'gap']),
  )
  const keyOf = keysOf([...believed, ...doubted])
  // Each result may make more steps follow: a payment and its return within a minute are a round trip.
  for (let [known, open] = [[...believed], [...doubted]]; open.length > 0; ) {
    const found = findFollowing(known, open, keyOf)
    if (found.size === 0) break
    for (const [each, state] of found) states.set(each, state)
    known.push(...found.keys())
    open = open.filter(each => !found.has(each))
  }
  return states
}

const earliestOf = ({ steps }: Moment<Movement>): number =>
  Math.min(...steps.map(({ of }) => of.at?.getTime() ?? Number.POSITIVE_INFINITY))

/** Returns the known balance before a movement; null when there is none. */
export function knownBefore(believed: readonly Movement[], movement: Movement): Satang | null {
  const keyOf = keysOf([...believed, movement])
  const last = momentsOf(believed, keyOf).findLast(({ key }) => key <= keyOf(movement))
  return last ? endsOf(last.steps)[0]! : null
}

/** Explains to people why a line's balance does not follow. `before` is the known balance before it. */
export function gapText({ amountSatang, balanceSatang }: Movement, before: Satang | null): string {
  if (balanceSatang === null) return 'รายการของบัญชีนี้เคยบอกยอดคงเหลือ แต่รายการนี้ไม่บอก'
  const told = `รายการนี้แจ้งยอดคงเหลือ ${formatBaht(balanceSatang)}`
  if (before === null) return `${told} ซึ่งไม่ต่อกับรายการที่รู้จัก`
  return `ยอดก่อนหน้าที่รู้จักคือ ${formatBaht(before)} จึงควรเหลือ ${formatBaht(before + amountSatang)} แต่${told}`
}
