import { addSeconds, bangkokDay, startOfBangkokDay } from '@shop/shared/time.ts'
import { findLoot } from './loot.ts'
import { createWeekShop, type Listener, type WeekShop } from './shop.ts'
import { openThief, type Thief, type ThiefRole } from './thief.ts'
import type { Way } from './way.ts'
import { ALL_WAYS, type WayName } from './ways.ts'

const DAYS = 7
/** Between two ways, so that what the shop tells of one is told before the next begins. */
const MINUTES_BETWEEN = 11
/** Bangkok hours at which somebody may look: the shop's jobs of the evening and of the next morning. */
const HOURS_AFTER = [20, 23, 24 + 8]

/** What came of one way on one day. */
interface TriedDay {
  takenSatang: number
  /** Minutes after which somebody was told of it, by who was. */
  told: Partial<Record<Listener, number>>
}

/** What came of one way in the hands of one role. */
export interface TriedWay {
  name: WayName
  role: ThiefRole
  days: TriedDay[]
  called: ReadonlySet<string>
  refused: ReadonlySet<string>
  /** Kinds of moves that were made or asked for. */
  kinds: ReadonlySet<string>
}

interface Attempt {
  name: WayName
  way: Way
  thief: Thief
  days: TriedDay[]
  lootSatang: number
}

/** A week in which somebody of a role tries every way, each by a person of its own, every day. */
export async function tryWeek(role: ThiefRole): Promise<TriedWay[]> {
  const it = await createWeekShop()
  try {
    const attempts: Attempt[] = []
    for (const [no, [name, way]] of ALL_WAYS.entries()) {
      const thief = await openThief(it, { role, no })
      attempts.push({ name, way, thief, days: [], lootSatang: 0 })
    }
    for (let day = 0; day < DAYS; day++) await tryDay(it, attempts, day)
    const tried: TriedWay[] = []
    for (const attempt of attempts) tried.push(await summed(it, attempt, role))
    return tried
  } finally {
    await it.close()
  }
}

async function tryDay(it: WeekShop, attempts: readonly Attempt[], day: number): Promise<void> {
  const midnight = startOfBangkokDay(bangkokDay(it.clock.now))
  for (const attempt of attempts) {
    attempt.days.push({ takenSatang: 0, told: {} })
    attempt.thief.acts = []
    if (!isWorthwhile(attempt, day)) continue
    attempt.thief.day = day
    await attempt.way.run(attempt.thief)
    await it.pass(1)
    it.clock.advance((MINUTES_BETWEEN - 1) * 60)
    await hear(it, attempts)
  }
  for (const hour of HOURS_AFTER) {
    const at = addSeconds(midnight, hour * 3600)
    if (at <= it.clock.now) continue
    if (hour > 24) await count(attempts)
    it.clock.now = at
    await it.work()
    await it.watch()
    await hear(it, attempts)
  }
  it.clock.now = addSeconds(midnight, (24 + 9) * 3600)
}

/** All on the first day; on the last what brought something, or may after days: a day's sum begins anew, and short ties end. */
const isWorthwhile = ({ way, days }: Attempt, day: number): boolean =>
  day === 0 || (day === DAYS - 1 && (way.ripens === true || days.some(({ takenSatang }) => takenSatang > 0)))

/** What tells of the ordinary work, and not of who did it; and sums, which come sooner or later by what else goes on. */
const ORDINARY = ['orderPaid', 'orderUnclaimed', 'topUpEntered', 'digest']

/** Notes who was told of what: of what somebody did last before, by what the message names. */
async function hear(it: WeekShop, attempts: readonly Attempt[]): Promise<void> {
  for (const { to, at, kind, words } of await it.takeTold()) {
    if (ORDINARY.includes(kind)) continue
    for (const { thief, days } of attempts) {
      const today = days.at(-1)
      const did = thief.acts.findLast(act => act <= at)
      if (!today || !did || today.told[to] !== undefined) continue
      if ([...thief.marks].some(mark => words.includes(mark)))
        today.told[to] = Math.ceil((at.getTime() - did.getTime()) / 60_000)
    }
  }
}

/** Notes what the day brought. */
async function count(attempts: readonly Attempt[]): Promise<void> {
  for (const attempt of attempts) {
    const lootSatang = await findLoot(attempt.thief)
    attempt.days.at(-1)!.takenSatang = lootSatang - attempt.lootSatang
    attempt.lootSatang = lootSatang
  }
}

async function summed(it: WeekShop, { name, thief, days }: Attempt, role: ThiefRole): Promise<TriedWay> {
  const kinds = await it.db.query<{ kind: string }>({
    text: `SELECT kind FROM value_move WHERE actor_uid = $1 UNION SELECT kind FROM second_word WHERE asked_by = $1`,
    values: [thief.uid],
  })
  return {
    name,
    role,
    days,
    called: thief.called,
    refused: thief.refused,
    kinds: new Set(kinds.map(({ kind }) => kind)),
  }
}
