import { formatBaht, type Satang } from '../money.ts'

/** Whether a line's balance follows from what is known of its account: it does, does not, or nothing told can say. */
export const CHAIN_STATES = ['ok', 'gap', 'unknown'] as const
export type ChainState = (typeof CHAIN_STATES)[number]

/** A movement as far as balances go. A balance is that after it. */
export interface Movement {
  /** Bangkok day "YYYY-MM-DD". */
  day: string
  at: Date | null
  amountSatang: Satang
  balanceSatang: Satang | null
}

/** One that has to be judged. `isBalanceExpected`: it came by the feed, and what is known around it has balances. */
export interface Doubted extends Movement {
  isBalanceExpected: boolean
}

/** Clocks of banks and feeds may be so far apart: a movement told to be before another may follow it. */
const CLOCK_MS = 120_000
const BANGKOK_MS = 7 * 3_600_000

/** A movement with a balance leads from the balance before it to that after it. */
interface Step<T> {
  of: T
  from: Satang
  to: Satang
}

/** Movements of one moment, as far as it is told: within it they may have happened in any order. */
interface Moment<T> {
  key: string
  steps: Step<T>[]
}

type KeyOf = (movement: Movement) => string

/** Moments are minutes, or whole days where anything of that day is told without a time. They sort as texts. */
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

/** Balances with which steps of unknown order can end: those reached more often than left, else where the last one leads. */
function endsOf<T>(steps: readonly Step<T>[]): Satang[] {
  const net = new Map<Satang, number>()
  for (const { from, to } of steps) {
    net.set(from, (net.get(from) ?? 0) - 1)
    net.set(to, (net.get(to) ?? 0) + 1)
  }
  const ends = [...net].filter(([, count]) => count > 0).map(([balance]) => balance)
  return ends.length > 0 ? ends : steps.slice(-1).map(({ to }) => to)
}

const startsOf = <T>(steps: readonly Step<T>[]): Satang[] => endsOf(turned(steps))

/** All steps in an order in which each begins where the one before ended; null where there is none from `start` on. */
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

/** Steps one after the other from `start`, each where the one before ended; of several the first that leads on. */
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

/** Of the trails from one of these balances, the longest. */
const bestTrail = <T>(steps: readonly Step<T>[], starts: readonly Satang[]): Step<T>[] =>
  starts.map(start => trailFrom(steps, start)).reduce((best, each) => (each.length > best.length ? each : best), [])

/**
 * Which of the steps between two believed moments follow. Where those two follow each other already, only what comes back
 * to the same balance has room between them.
 */
function following<T>(steps: readonly Step<T>[], before: Moment<T> | null, after: Moment<T> | null): Step<T>[] {
  if (steps.length === 0) return []
  const starts = after && startsOf(after.steps)
  if (!before) return starts ? bestTrail(turned(steps), starts) : trailFrom(steps, startsOf(steps)[0]!)
  const ends = endsOf(before.steps)
  const shared = starts && ends.filter(end => starts.includes(end))
  if (!shared || shared.length === 0) return bestTrail(steps, ends)
  const round = shared.map(balance => wholeTrail(steps, balance)).find(trail => trail?.at(-1)?.to === trail?.[0]?.from)
  return round ?? []
}

/** The first moment that ever had a balance has nothing to follow from. */
function isFirstEver<T>(trail: readonly Step<T>[], before: Moment<T> | null, after: Moment<T> | null) {
  return before === null && after === null ? (trail[0]?.of ?? null) : null
}

/**
 * Judges movements of an account by their balances. One is `ok` when believed movements lead to it without a hole: what
 * follows from a doubtful one is as doubtful. They may come in any order, in several pieces, and in any order within a
 * moment. One that tells no balance is `gap` where a balance is expected of it, else nothing can be said.
 * @param believed oldest first
 * @param doubted new ones, and those that did not follow before, oldest first
 */
export function chainOf<T extends Doubted>(believed: readonly Movement[], doubted: readonly T[]): Map<T, ChainState> {
  const states = new Map<T, ChainState>(
    doubted.map(each => [each, each.balanceSatang === null && !each.isBalanceExpected ? 'unknown' : 'gap']),
  )
  const keyOf = keysOf([...believed, ...doubted])
  const moments: Moment<Movement>[] = momentsOf(believed, keyOf)
  const waiting = momentsOf(doubted, keyOf).flatMap(({ key, steps }) => steps.map(step => ({ key, step })))
  let carried: Step<T>[] = []
  for (let place = -1, taken = 0; place < moments.length; place++) {
    const [before, after] = [moments[place] ?? null, moments[place + 1] ?? null]
    const here: Step<T>[] = carried
    while (taken < waiting.length && (!after || waiting[taken]!.key < after.key)) here.push(waiting[taken++]!.step)
    const trail = following<Movement>(here, before, after) as Step<T>[]
    const first = isFirstEver<Movement>(trail, before, after)
    for (const { of } of trail) states.set(of, of === first ? 'unknown' : 'ok')
    const reach = after && earliestOf(after) - CLOCK_MS
    carried = here.filter(({ of }) => states.get(of) === 'gap' && of.at && reach !== null && of.at.getTime() >= reach)
  }
  return states
}

const earliestOf = ({ steps }: Moment<Movement>): number =>
  Math.min(...steps.map(({ of }) => of.at?.getTime() ?? Number.POSITIVE_INFINITY))

/** The balance that is known from before a movement; null without any. */
export function knownBefore(believed: readonly Movement[], movement: Movement): Satang | null {
  const keyOf = keysOf([...believed, movement])
  const last = momentsOf(believed, keyOf).findLast(({ key }) => key <= keyOf(movement))
  return last ? endsOf(last.steps)[0]! : null
}

/** Why a line's balance does not follow, for people. `before`: the balance that is known from before it. */
export function gapText({ amountSatang, balanceSatang }: Movement, before: Satang | null): string {
  if (balanceSatang === null) return 'รายการของบัญชีนี้เคยบอกยอดคงเหลือ แต่รายการนี้ไม่บอก'
  const told = `รายการนี้แจ้งยอดคงเหลือ ${formatBaht(balanceSatang)}`
  if (before === null) return `${told} ซึ่งไม่ต่อกับรายการที่รู้จัก`
  return `ยอดก่อนหน้าที่รู้จักคือ ${formatBaht(before)} จึงควรเหลือ ${formatBaht(before + amountSatang)} แต่${told}`
}
